package wirepeer

import (
	"github.com/mus-format/mus-go"
	"github.com/mus-format/mus-go/ord"
	"github.com/mus-format/mus-go/raw"
	"github.com/mus-format/mus-go/unsafe"
	"github.com/mus-format/mus-go/varint"

	"github.com/hone-go/hone/mo"
)

// These codecs have the form of the output of mus's generator: for each struct there is a type that writes the
// fields one after the other. They have no Skip, because it is never called.

// MUS returns the methods of a serializer as the functions of a codec.
func MUS[T any](s mus.Serializer[T]) (func([]byte, *T) ([]byte, error), func([]byte, *T) error) {
	return func(dst []byte, v *T) ([]byte, error) {
			n := s.Size(*v)
			if cap(dst) < n {
				dst = make([]byte, n)
			}
			dst = dst[:n]
			s.Marshal(*v, dst)
			return dst, nil
		}, func(data []byte, v *T) (err error) {
			*v, _, err = s.Unmarshal(data)
			return err
		}
}

type noSkip struct{}

func (noSkip) Skip([]byte) (int, error) { panic("not needed") }

// A musReader reads one field after the other and stops at the first error.
type musReader struct {
	bs  []byte
	n   int
	err error
}

func musField[T any, S mus.Serializer[T]](r *musReader, s S, v *T) {
	if r.err != nil {
		return
	}
	var n int
	*v, n, r.err = s.Unmarshal(r.bs[r.n:])
	r.n += n
}

// RecordMUS is the safe codec: varints, and strings that are copied.
type RecordMUS struct{ noSkip }

// Size implements mus.Serializer.
func (RecordMUS) Size(v Record) int {
	return ord.String.Size(v.Name) + raw.TimeUnixNanoUTC.Size(v.BirthDay) + ord.String.Size(v.Phone) +
		varint.Int.Size(v.Siblings) + ord.Bool.Size(v.Spouse) + raw.Float64.Size(v.Money)
}

// Marshal implements mus.Serializer.
func (RecordMUS) Marshal(v Record, bs []byte) (n int) {
	n = ord.String.Marshal(v.Name, bs)
	n += raw.TimeUnixNanoUTC.Marshal(v.BirthDay, bs[n:])
	n += ord.String.Marshal(v.Phone, bs[n:])
	n += varint.Int.Marshal(v.Siblings, bs[n:])
	n += ord.Bool.Marshal(v.Spouse, bs[n:])
	return n + raw.Float64.Marshal(v.Money, bs[n:])
}

// Unmarshal implements mus.Serializer.
func (RecordMUS) Unmarshal(bs []byte) (v Record, n int, err error) {
	v.Name, n, err = ord.String.Unmarshal(bs)
	if err != nil {
		return
	}
	var m int
	v.BirthDay, m, err = raw.TimeUnixNanoUTC.Unmarshal(bs[n:])
	n += m
	if err != nil {
		return
	}
	v.Phone, m, err = ord.String.Unmarshal(bs[n:])
	n += m
	if err != nil {
		return
	}
	v.Siblings, m, err = varint.Int.Unmarshal(bs[n:])
	n += m
	if err != nil {
		return
	}
	v.Spouse, m, err = ord.Bool.Unmarshal(bs[n:])
	n += m
	if err != nil {
		return
	}
	v.Money, m, err = raw.Float64.Unmarshal(bs[n:])
	n += m
	return
}

// RecordUnsafeMUS is the unsafe codec: fixed widths, and strings that point into the input.
type RecordUnsafeMUS struct{ noSkip }

// Size implements mus.Serializer.
func (RecordUnsafeMUS) Size(v Record) int {
	return unsafe.String.Size(v.Name) + unsafe.TimeUnixNanoUTC.Size(v.BirthDay) + unsafe.String.Size(v.Phone) +
		unsafe.Int32.Size(int32(v.Siblings)) + unsafe.Bool.Size(v.Spouse) + unsafe.Float64.Size(v.Money)
}

// Marshal implements mus.Serializer.
func (RecordUnsafeMUS) Marshal(v Record, bs []byte) (n int) {
	n = unsafe.String.Marshal(v.Name, bs)
	n += unsafe.TimeUnixNanoUTC.Marshal(v.BirthDay, bs[n:])
	n += unsafe.String.Marshal(v.Phone, bs[n:])
	n += unsafe.Int32.Marshal(int32(v.Siblings), bs[n:])
	n += unsafe.Bool.Marshal(v.Spouse, bs[n:])
	return n + unsafe.Float64.Marshal(v.Money, bs[n:])
}

// Unmarshal implements mus.Serializer.
func (RecordUnsafeMUS) Unmarshal(bs []byte) (v Record, n int, err error) {
	v.Name, n, err = unsafe.String.Unmarshal(bs)
	if err != nil {
		return
	}
	var m int
	v.BirthDay, m, err = unsafe.TimeUnixNanoUTC.Unmarshal(bs[n:])
	n += m
	if err != nil {
		return
	}
	v.Phone, m, err = unsafe.String.Unmarshal(bs[n:])
	n += m
	if err != nil {
		return
	}
	siblings, m, err := unsafe.Int32.Unmarshal(bs[n:])
	n += m
	if err != nil {
		return
	}
	v.Siblings = int(siblings)
	v.Spouse, m, err = unsafe.Bool.Unmarshal(bs[n:])
	n += m
	if err != nil {
		return
	}
	v.Money, m, err = unsafe.Float64.Unmarshal(bs[n:])
	n += m
	return
}

// These are the serializers of the fields' types.
var (
	numbersMUS = ord.NewSliceSer[uint32](raw.Uint32)
	textsMUS   = ord.NewSliceSer[string](ord.String)
	mapMUS     = ord.NewMapSer[string, int](ord.String, varint.Int)
	coresMUS   = ord.NewSliceSer[float64](raw.Float64)
	disksMUS   = ord.NewSliceSer[Disk](diskMUS{})
	netsMUS    = ord.NewSliceSer[Network](networkMUS{})
	tempsMUS   = ord.NewSliceSer[Temperature](temperatureMUS{})
	batchMUS   = ord.NewSliceSer[Reading](readingMUS{})
)

// NumbersMUS implements mus.Serializer for Numbers.
type NumbersMUS struct{ noSkip }

// Size implements mus.Serializer.
func (NumbersMUS) Size(v Numbers) int { return numbersMUS.Size(v.V) }

// Marshal implements mus.Serializer.
func (NumbersMUS) Marshal(v Numbers, bs []byte) int { return numbersMUS.Marshal(v.V, bs) }

// Unmarshal implements mus.Serializer.
func (NumbersMUS) Unmarshal(bs []byte) (v Numbers, n int, err error) {
	v.V, n, err = numbersMUS.Unmarshal(bs)
	return
}

// TextsMUS implements mus.Serializer for Texts.
type TextsMUS struct{ noSkip }

// Size implements mus.Serializer.
func (TextsMUS) Size(v Texts) int { return textsMUS.Size(v.V) }

// Marshal implements mus.Serializer.
func (TextsMUS) Marshal(v Texts, bs []byte) int { return textsMUS.Marshal(v.V, bs) }

// Unmarshal implements mus.Serializer.
func (TextsMUS) Unmarshal(bs []byte) (v Texts, n int, err error) {
	v.V, n, err = textsMUS.Unmarshal(bs)
	return
}

// DictionaryMUS implements mus.Serializer for Dictionary.
type DictionaryMUS struct{ noSkip }

// Size implements mus.Serializer.
func (DictionaryMUS) Size(v Dictionary) int { return mapMUS.Size(v.M) }

// Marshal implements mus.Serializer.
func (DictionaryMUS) Marshal(v Dictionary, bs []byte) int { return mapMUS.Marshal(v.M, bs) }

// Unmarshal implements mus.Serializer.
func (DictionaryMUS) Unmarshal(bs []byte) (v Dictionary, n int, err error) {
	v.M, n, err = mapMUS.Unmarshal(bs)
	return
}

// Level1MUS implements mus.Serializer for Level1.
type Level1MUS struct{ noSkip }

// Size implements mus.Serializer.
func (Level1MUS) Size(v Level1) int {
	return sizeHead(v.ID, v.Name) + sizeHead(v.Next.ID, v.Next.Name) + sizeHead(v.Next.Next.ID, v.Next.Next.Name) +
		sizeHead(v.Next.Next.Next.ID, v.Next.Next.Next.Name) + level5MUS{}.Size(v.Next.Next.Next.Next)
}

func sizeHead(id int, name string) int { return varint.Int.Size(id) + ord.String.Size(name) }

func putHead(id int, name string, bs []byte) int {
	n := varint.Int.Marshal(id, bs)
	return n + ord.String.Marshal(name, bs[n:])
}

// Marshal implements mus.Serializer.
func (Level1MUS) Marshal(v Level1, bs []byte) int {
	n := putHead(v.ID, v.Name, bs)
	n += putHead(v.Next.ID, v.Next.Name, bs[n:])
	n += putHead(v.Next.Next.ID, v.Next.Next.Name, bs[n:])
	n += putHead(v.Next.Next.Next.ID, v.Next.Next.Next.Name, bs[n:])
	return n + level5MUS{}.Marshal(v.Next.Next.Next.Next, bs[n:])
}

// Unmarshal implements mus.Serializer.
func (Level1MUS) Unmarshal(bs []byte) (v Level1, n int, err error) {
	r := musReader{bs: bs}
	a, b, c := &v, &v.Next, &v.Next.Next
	d := &c.Next
	musField(&r, varint.Int, &a.ID)
	musField(&r, ord.String, &a.Name)
	musField(&r, varint.Int, &b.ID)
	musField(&r, ord.String, &b.Name)
	musField(&r, varint.Int, &c.ID)
	musField(&r, ord.String, &c.Name)
	musField(&r, varint.Int, &d.ID)
	musField(&r, ord.String, &d.Name)
	musField(&r, level5MUS{}, &d.Next)
	return v, r.n, r.err
}

type level5MUS struct{ noSkip }

func (level5MUS) Size(v Level5) int {
	return sizeHead(v.ID, v.Name) + ord.Bool.Size(v.Flag) + raw.Float64.Size(v.Value)
}

func (level5MUS) Marshal(v Level5, bs []byte) int {
	n := putHead(v.ID, v.Name, bs)
	n += ord.Bool.Marshal(v.Flag, bs[n:])
	return n + raw.Float64.Marshal(v.Value, bs[n:])
}

func (level5MUS) Unmarshal(bs []byte) (v Level5, n int, err error) {
	r := musReader{bs: bs}
	musField(&r, varint.Int, &v.ID)
	musField(&r, ord.String, &v.Name)
	musField(&r, ord.Bool, &v.Flag)
	musField(&r, raw.Float64, &v.Value)
	return v, r.n, r.err
}

// optionMUS writes an Option in the same way as mus writes a pointer: a byte, and the value.
type optionMUS[T any, S mus.Serializer[T]] struct {
	noSkip
	elem S
}

func (s optionMUS[T, S]) Size(v mo.Option[T]) int {
	if x, ok := v.Get(); ok {
		return 1 + s.elem.Size(x)
	}
	return 1
}

func (s optionMUS[T, S]) Marshal(v mo.Option[T], bs []byte) int {
	x, ok := v.Get()
	if !ok {
		bs[0] = 0
		return 1
	}
	bs[0] = 1
	return 1 + s.elem.Marshal(x, bs[1:])
}

func (s optionMUS[T, S]) Unmarshal(bs []byte) (v mo.Option[T], n int, err error) {
	if len(bs) == 0 {
		return v, 0, mus.ErrTooSmallByteSlice
	}
	if bs[0] == 0 {
		return v, 1, nil
	}
	x, n, err := s.elem.Unmarshal(bs[1:])
	return mo.Some(x), n + 1, err
}

var (
	optFloat = optionMUS[float64, mus.Serializer[float64]]{elem: raw.Float64}
	optUint  = optionMUS[uint64, mus.Serializer[uint64]]{elem: varint.Uint64}
)

type diskMUS struct{ noSkip }

func (diskMUS) Size(v Disk) int {
	return ord.String.Size(v.Mount) + ord.String.Size(v.Device) + optUint.Size(v.Used) + optUint.Size(v.Total) + optFloat.Size(v.Read) + optFloat.Size(v.Write)
}

func (diskMUS) Marshal(v Disk, bs []byte) (n int) {
	n = ord.String.Marshal(v.Mount, bs)
	n += ord.String.Marshal(v.Device, bs[n:])
	n += optUint.Marshal(v.Used, bs[n:])
	n += optUint.Marshal(v.Total, bs[n:])
	n += optFloat.Marshal(v.Read, bs[n:])
	return n + optFloat.Marshal(v.Write, bs[n:])
}

func (diskMUS) Unmarshal(bs []byte) (v Disk, n int, err error) {
	r := musReader{bs: bs}
	musField(&r, ord.String, &v.Mount)
	musField(&r, ord.String, &v.Device)
	musField(&r, optUint, &v.Used)
	musField(&r, optUint, &v.Total)
	musField(&r, optFloat, &v.Read)
	musField(&r, optFloat, &v.Write)
	return v, r.n, r.err
}

type networkMUS struct{ noSkip }

func (networkMUS) Size(v Network) int {
	return ord.String.Size(v.Name) + optFloat.Size(v.Received) + optFloat.Size(v.Sent)
}

func (networkMUS) Marshal(v Network, bs []byte) (n int) {
	n = ord.String.Marshal(v.Name, bs)
	n += optFloat.Marshal(v.Received, bs[n:])
	return n + optFloat.Marshal(v.Sent, bs[n:])
}

func (networkMUS) Unmarshal(bs []byte) (v Network, n int, err error) {
	r := musReader{bs: bs}
	musField(&r, ord.String, &v.Name)
	musField(&r, optFloat, &v.Received)
	musField(&r, optFloat, &v.Sent)
	return v, r.n, r.err
}

type temperatureMUS struct{ noSkip }

func (temperatureMUS) Size(v Temperature) int {
	return ord.String.Size(v.Sensor) + raw.Float64.Size(v.Celsius)
}

func (temperatureMUS) Marshal(v Temperature, bs []byte) int {
	n := ord.String.Marshal(v.Sensor, bs)
	return n + raw.Float64.Marshal(v.Celsius, bs[n:])
}

func (temperatureMUS) Unmarshal(bs []byte) (v Temperature, n int, err error) {
	r := musReader{bs: bs}
	musField(&r, ord.String, &v.Sensor)
	musField(&r, raw.Float64, &v.Celsius)
	return v, r.n, r.err
}

type readingMUS struct{ noSkip }

func (readingMUS) Size(v Reading) int {
	n := ord.String.Size(v.Host) + raw.TimeUnixNanoUTC.Size(v.At) + coresMUS.Size(v.Cores)
	n += optFloat.Size(v.CPU) + optFloat.Size(v.Load1) + optFloat.Size(v.Load5) + optFloat.Size(v.Load15)
	n += optUint.Size(v.MemoryUsed) + optUint.Size(v.MemoryTotal) + optUint.Size(v.SwapUsed) + optUint.Size(v.SwapTotal) + optUint.Size(v.Uptime)
	return n + disksMUS.Size(v.Disks) + netsMUS.Size(v.Networks) + tempsMUS.Size(v.Temperatures)
}

func (readingMUS) Marshal(v Reading, bs []byte) int {
	n := ord.String.Marshal(v.Host, bs)
	n += raw.TimeUnixNanoUTC.Marshal(v.At, bs[n:])
	n += optFloat.Marshal(v.CPU, bs[n:])
	n += coresMUS.Marshal(v.Cores, bs[n:])
	n += optFloat.Marshal(v.Load1, bs[n:])
	n += optFloat.Marshal(v.Load5, bs[n:])
	n += optFloat.Marshal(v.Load15, bs[n:])
	n += optUint.Marshal(v.MemoryUsed, bs[n:])
	n += optUint.Marshal(v.MemoryTotal, bs[n:])
	n += optUint.Marshal(v.SwapUsed, bs[n:])
	n += optUint.Marshal(v.SwapTotal, bs[n:])
	n += optUint.Marshal(v.Uptime, bs[n:])
	n += disksMUS.Marshal(v.Disks, bs[n:])
	n += netsMUS.Marshal(v.Networks, bs[n:])
	return n + tempsMUS.Marshal(v.Temperatures, bs[n:])
}

func (readingMUS) Unmarshal(bs []byte) (v Reading, n int, err error) {
	r := musReader{bs: bs}
	musField(&r, ord.String, &v.Host)
	musField(&r, raw.TimeUnixNanoUTC, &v.At)
	musField(&r, optFloat, &v.CPU)
	musField(&r, coresMUS, &v.Cores)
	musField(&r, optFloat, &v.Load1)
	musField(&r, optFloat, &v.Load5)
	musField(&r, optFloat, &v.Load15)
	musField(&r, optUint, &v.MemoryUsed)
	musField(&r, optUint, &v.MemoryTotal)
	musField(&r, optUint, &v.SwapUsed)
	musField(&r, optUint, &v.SwapTotal)
	musField(&r, optUint, &v.Uptime)
	musField(&r, disksMUS, &v.Disks)
	musField(&r, netsMUS, &v.Networks)
	musField(&r, tempsMUS, &v.Temperatures)
	return v, r.n, r.err
}

// BatchMUS implements mus.Serializer for Batch.
type BatchMUS struct{ noSkip }

// Size implements mus.Serializer.
func (BatchMUS) Size(v Batch) int { return batchMUS.Size(v.Readings) }

// Marshal implements mus.Serializer.
func (BatchMUS) Marshal(v Batch, bs []byte) int { return batchMUS.Marshal(v.Readings, bs) }

// Unmarshal implements mus.Serializer.
func (BatchMUS) Unmarshal(bs []byte) (v Batch, n int, err error) {
	v.Readings, n, err = batchMUS.Unmarshal(bs)
	return
}
