package wirepeer

import (
	"time"

	bstd "github.com/deneonet/benc/std"

	"github.com/hone-go/hone/mo"
)

// These codecs have the form of the output of benc's generator.

// A bencer is a value with the methods that benc's generator writes.
type bencer[T any] interface {
	*T
	SizePlain() int
	MarshalPlain(n int, b []byte) int
	UnmarshalPlain(n int, b []byte) (int, error)
}

// Benc returns the methods of a value as the functions of a codec.
func Benc[T any, P bencer[T]]() (func([]byte, *T) ([]byte, error), func([]byte, *T) error) {
	return func(dst []byte, v *T) ([]byte, error) {
			n := P(v).SizePlain()
			if cap(dst) < n {
				dst = make([]byte, n)
			}
			dst = dst[:n]
			P(v).MarshalPlain(0, dst)
			return dst, nil
		}, func(data []byte, v *T) error {
			_, err := P(v).UnmarshalPlain(0, data)
			return err
		}
}

// SizePlain returns the encoded size of v, like benc's generated code.
func (v *Record) SizePlain() int {
	return bstd.SizeString(v.Name) + bstd.SizeInt64() + bstd.SizeString(v.Phone) + bstd.SizeInt(v.Siblings) + bstd.SizeBool() + bstd.SizeFloat64()
}

// MarshalPlain writes v to b at the offset n, like benc's generated code.
func (v *Record) MarshalPlain(n int, b []byte) int {
	n = bstd.MarshalString(n, b, v.Name)
	n = bstd.MarshalInt64(n, b, v.BirthDay.UnixNano())
	n = bstd.MarshalString(n, b, v.Phone)
	n = bstd.MarshalInt(n, b, v.Siblings)
	n = bstd.MarshalBool(n, b, v.Spouse)
	return bstd.MarshalFloat64(n, b, v.Money)
}

// UnmarshalPlain reads v from b at the offset n, like benc's generated code.
func (v *Record) UnmarshalPlain(n int, b []byte) (_ int, err error) {
	if n, v.Name, err = bstd.UnmarshalString(n, b); err != nil {
		return
	}
	var nanos int64
	if n, nanos, err = bstd.UnmarshalInt64(n, b); err != nil {
		return
	}
	v.BirthDay = time.Unix(0, nanos).UTC()
	if n, v.Phone, err = bstd.UnmarshalString(n, b); err != nil {
		return
	}
	if n, v.Siblings, err = bstd.UnmarshalInt(n, b); err != nil {
		return
	}
	if n, v.Spouse, err = bstd.UnmarshalBool(n, b); err != nil {
		return
	}
	n, v.Money, err = bstd.UnmarshalFloat64(n, b)
	return n, err
}

// SizePlain returns the encoded size of v, like benc's generated code.
func (v *Numbers) SizePlain() int { return bstd.SizeFixedSlice(v.V, bstd.SizeUint32()) }

// MarshalPlain writes v to b at the offset n, like benc's generated code.
func (v *Numbers) MarshalPlain(n int, b []byte) int {
	return bstd.MarshalSlice(n, b, v.V, bstd.MarshalUint32)
}

// UnmarshalPlain reads v from b at the offset n, like benc's generated code.
func (v *Numbers) UnmarshalPlain(n int, b []byte) (_ int, err error) {
	n, v.V, err = bstd.UnmarshalSlice[uint32](n, b, bstd.UnmarshalUint32)
	return n, err
}

// SizePlain returns the encoded size of v, like benc's generated code.
func (v *Texts) SizePlain() int { return bstd.SizeSlice(v.V, bstd.SizeString) }

// MarshalPlain writes v to b at the offset n, like benc's generated code.
func (v *Texts) MarshalPlain(n int, b []byte) int {
	return bstd.MarshalSlice(n, b, v.V, bstd.MarshalString)
}

// UnmarshalPlain reads v from b at the offset n, like benc's generated code.
func (v *Texts) UnmarshalPlain(n int, b []byte) (_ int, err error) {
	n, v.V, err = bstd.UnmarshalSlice[string](n, b, bstd.UnmarshalString)
	return n, err
}

// SizePlain returns the encoded size of v, like benc's generated code.
func (v *Dictionary) SizePlain() int { return bstd.SizeMap(v.M, bstd.SizeString, bstd.SizeInt) }

// MarshalPlain writes v to b at the offset n, like benc's generated code.
func (v *Dictionary) MarshalPlain(n int, b []byte) int {
	return bstd.MarshalMap(n, b, v.M, bstd.MarshalString, bstd.MarshalInt)
}

// UnmarshalPlain reads v from b at the offset n, like benc's generated code.
func (v *Dictionary) UnmarshalPlain(n int, b []byte) (_ int, err error) {
	n, v.M, err = bstd.UnmarshalMap[string, int](n, b, bstd.UnmarshalString, bstd.UnmarshalInt)
	return n, err
}

func bencHead(n int, b []byte, id int, name string) int {
	return bstd.MarshalString(bstd.MarshalInt(n, b, id), b, name)
}

func bencSize(id int, name string) int { return bstd.SizeInt(id) + bstd.SizeString(name) }

func bencRead(n int, b []byte, id *int, name *string) (_ int, err error) {
	if n, *id, err = bstd.UnmarshalInt(n, b); err != nil {
		return
	}
	n, *name, err = bstd.UnmarshalString(n, b)
	return n, err
}

// SizePlain returns the encoded size of v, like benc's generated code.
func (v *Level1) SizePlain() int { return bencSize(v.ID, v.Name) + v.Next.SizePlain() }

// MarshalPlain writes v to b at the offset n, like benc's generated code.
func (v *Level1) MarshalPlain(n int, b []byte) int {
	return v.Next.MarshalPlain(bencHead(n, b, v.ID, v.Name), b)
}

// UnmarshalPlain reads v from b at the offset n, like benc's generated code.
func (v *Level1) UnmarshalPlain(n int, b []byte) (_ int, err error) {
	if n, err = bencRead(n, b, &v.ID, &v.Name); err != nil {
		return
	}
	return v.Next.UnmarshalPlain(n, b)
}

// SizePlain returns the encoded size of v, like benc's generated code.
func (v *Level2) SizePlain() int { return bencSize(v.ID, v.Name) + v.Next.SizePlain() }

// MarshalPlain writes v to b at the offset n, like benc's generated code.
func (v *Level2) MarshalPlain(n int, b []byte) int {
	return v.Next.MarshalPlain(bencHead(n, b, v.ID, v.Name), b)
}

// UnmarshalPlain reads v from b at the offset n, like benc's generated code.
func (v *Level2) UnmarshalPlain(n int, b []byte) (_ int, err error) {
	if n, err = bencRead(n, b, &v.ID, &v.Name); err != nil {
		return
	}
	return v.Next.UnmarshalPlain(n, b)
}

// SizePlain returns the encoded size of v, like benc's generated code.
func (v *Level3) SizePlain() int { return bencSize(v.ID, v.Name) + v.Next.SizePlain() }

// MarshalPlain writes v to b at the offset n, like benc's generated code.
func (v *Level3) MarshalPlain(n int, b []byte) int {
	return v.Next.MarshalPlain(bencHead(n, b, v.ID, v.Name), b)
}

// UnmarshalPlain reads v from b at the offset n, like benc's generated code.
func (v *Level3) UnmarshalPlain(n int, b []byte) (_ int, err error) {
	if n, err = bencRead(n, b, &v.ID, &v.Name); err != nil {
		return
	}
	return v.Next.UnmarshalPlain(n, b)
}

// SizePlain returns the encoded size of v, like benc's generated code.
func (v *Level4) SizePlain() int { return bencSize(v.ID, v.Name) + v.Next.SizePlain() }

// MarshalPlain writes v to b at the offset n, like benc's generated code.
func (v *Level4) MarshalPlain(n int, b []byte) int {
	return v.Next.MarshalPlain(bencHead(n, b, v.ID, v.Name), b)
}

// UnmarshalPlain reads v from b at the offset n, like benc's generated code.
func (v *Level4) UnmarshalPlain(n int, b []byte) (_ int, err error) {
	if n, err = bencRead(n, b, &v.ID, &v.Name); err != nil {
		return
	}
	return v.Next.UnmarshalPlain(n, b)
}

// SizePlain returns the encoded size of v, like benc's generated code.
func (v *Level5) SizePlain() int {
	return bencSize(v.ID, v.Name) + bstd.SizeBool() + bstd.SizeFloat64()
}

// MarshalPlain writes v to b at the offset n, like benc's generated code.
func (v *Level5) MarshalPlain(n int, b []byte) int {
	n = bstd.MarshalBool(bencHead(n, b, v.ID, v.Name), b, v.Flag)
	return bstd.MarshalFloat64(n, b, v.Value)
}

// UnmarshalPlain reads v from b at the offset n, like benc's generated code.
func (v *Level5) UnmarshalPlain(n int, b []byte) (_ int, err error) {
	if n, err = bencRead(n, b, &v.ID, &v.Name); err != nil {
		return
	}
	if n, v.Flag, err = bstd.UnmarshalBool(n, b); err != nil {
		return
	}
	n, v.Value, err = bstd.UnmarshalFloat64(n, b)
	return n, err
}

func bencSizeFloat(o mo.Option[float64]) int {
	if o.IsSome() {
		return 9
	}
	return 1
}

func bencSizeUint(o mo.Option[uint64]) int {
	if v, ok := o.Get(); ok {
		return 1 + bstd.SizeUint(uint(v))
	}
	return 1
}

func bencFloat(n int, b []byte, o mo.Option[float64]) int {
	v, ok := o.Get()
	if n = bstd.MarshalBool(n, b, ok); ok {
		return bstd.MarshalFloat64(n, b, v)
	}
	return n
}

func bencUint(n int, b []byte, o mo.Option[uint64]) int {
	v, ok := o.Get()
	if n = bstd.MarshalBool(n, b, ok); ok {
		return bstd.MarshalUint(n, b, uint(v))
	}
	return n
}

func bencReadFloat(n int, b []byte, o *mo.Option[float64]) (int, error) {
	n, ok, err := bstd.UnmarshalBool(n, b)
	if err != nil || !ok {
		return n, err
	}
	n, v, err := bstd.UnmarshalFloat64(n, b)
	*o = mo.Some(v)
	return n, err
}

func bencReadUint(n int, b []byte, o *mo.Option[uint64]) (int, error) {
	n, ok, err := bstd.UnmarshalBool(n, b)
	if err != nil || !ok {
		return n, err
	}
	n, v, err := bstd.UnmarshalUint(n, b)
	*o = mo.Some(uint64(v))
	return n, err
}

func sizeDisk(v Disk) int {
	return bstd.SizeString(v.Mount) + bstd.SizeString(v.Device) + bencSizeUint(v.Used) + bencSizeUint(v.Total) + bencSizeFloat(v.Read) + bencSizeFloat(v.Write)
}

func marshalDisk(n int, b []byte, v Disk) int {
	n = bstd.MarshalString(n, b, v.Mount)
	n = bstd.MarshalString(n, b, v.Device)
	n = bencUint(n, b, v.Used)
	n = bencUint(n, b, v.Total)
	n = bencFloat(n, b, v.Read)
	return bencFloat(n, b, v.Write)
}

func unmarshalDisk(n int, b []byte, v *Disk) (_ int, err error) {
	if n, v.Mount, err = bstd.UnmarshalString(n, b); err != nil {
		return
	}
	if n, v.Device, err = bstd.UnmarshalString(n, b); err != nil {
		return
	}
	if n, err = bencReadUint(n, b, &v.Used); err != nil {
		return
	}
	if n, err = bencReadUint(n, b, &v.Total); err != nil {
		return
	}
	if n, err = bencReadFloat(n, b, &v.Read); err != nil {
		return
	}
	return bencReadFloat(n, b, &v.Write)
}

func sizeNetwork(v Network) int {
	return bstd.SizeString(v.Name) + bencSizeFloat(v.Received) + bencSizeFloat(v.Sent)
}

func marshalNetwork(n int, b []byte, v Network) int {
	n = bstd.MarshalString(n, b, v.Name)
	n = bencFloat(n, b, v.Received)
	return bencFloat(n, b, v.Sent)
}

func unmarshalNetwork(n int, b []byte, v *Network) (_ int, err error) {
	if n, v.Name, err = bstd.UnmarshalString(n, b); err != nil {
		return
	}
	if n, err = bencReadFloat(n, b, &v.Received); err != nil {
		return
	}
	return bencReadFloat(n, b, &v.Sent)
}

func sizeTemperature(v Temperature) int { return bstd.SizeString(v.Sensor) + bstd.SizeFloat64() }

func marshalTemperature(n int, b []byte, v Temperature) int {
	return bstd.MarshalFloat64(bstd.MarshalString(n, b, v.Sensor), b, v.Celsius)
}

func unmarshalTemperature(n int, b []byte, v *Temperature) (_ int, err error) {
	if n, v.Sensor, err = bstd.UnmarshalString(n, b); err != nil {
		return
	}
	n, v.Celsius, err = bstd.UnmarshalFloat64(n, b)
	return n, err
}

func sizeReading(v Reading) int {
	n := bstd.SizeString(v.Host) + bstd.SizeInt64() + bstd.SizeFixedSlice(v.Cores, bstd.SizeFloat64())
	n += bencSizeFloat(v.CPU) + bencSizeFloat(v.Load1) + bencSizeFloat(v.Load5) + bencSizeFloat(v.Load15)
	n += bencSizeUint(v.MemoryUsed) + bencSizeUint(v.MemoryTotal) + bencSizeUint(v.SwapUsed) + bencSizeUint(v.SwapTotal) + bencSizeUint(v.Uptime)
	return n + bstd.SizeSlice(v.Disks, sizeDisk) + bstd.SizeSlice(v.Networks, sizeNetwork) + bstd.SizeSlice(v.Temperatures, sizeTemperature)
}

func marshalReading(n int, b []byte, v Reading) int {
	n = bstd.MarshalString(n, b, v.Host)
	n = bstd.MarshalInt64(n, b, v.At.UnixNano())
	n = bencFloat(n, b, v.CPU)
	n = bstd.MarshalSlice(n, b, v.Cores, bstd.MarshalFloat64)
	n = bencFloat(n, b, v.Load1)
	n = bencFloat(n, b, v.Load5)
	n = bencFloat(n, b, v.Load15)
	n = bencUint(n, b, v.MemoryUsed)
	n = bencUint(n, b, v.MemoryTotal)
	n = bencUint(n, b, v.SwapUsed)
	n = bencUint(n, b, v.SwapTotal)
	n = bencUint(n, b, v.Uptime)
	n = bstd.MarshalSlice(n, b, v.Disks, marshalDisk)
	n = bstd.MarshalSlice(n, b, v.Networks, marshalNetwork)
	return bstd.MarshalSlice(n, b, v.Temperatures, marshalTemperature)
}

func unmarshalReading(n int, b []byte, v *Reading) (_ int, err error) {
	if n, v.Host, err = bstd.UnmarshalString(n, b); err != nil {
		return
	}
	var nanos int64
	if n, nanos, err = bstd.UnmarshalInt64(n, b); err != nil {
		return
	}
	v.At = time.Unix(0, nanos).UTC()
	if n, err = bencReadFloat(n, b, &v.CPU); err != nil {
		return
	}
	if n, v.Cores, err = bstd.UnmarshalSlice[float64](n, b, bstd.UnmarshalFloat64); err != nil {
		return
	}
	for _, o := range []*mo.Option[float64]{&v.Load1, &v.Load5, &v.Load15} {
		if n, err = bencReadFloat(n, b, o); err != nil {
			return
		}
	}
	for _, o := range []*mo.Option[uint64]{&v.MemoryUsed, &v.MemoryTotal, &v.SwapUsed, &v.SwapTotal, &v.Uptime} {
		if n, err = bencReadUint(n, b, o); err != nil {
			return
		}
	}
	if n, v.Disks, err = bstd.UnmarshalSlice[Disk](n, b, unmarshalDisk); err != nil {
		return
	}
	if n, v.Networks, err = bstd.UnmarshalSlice[Network](n, b, unmarshalNetwork); err != nil {
		return
	}
	n, v.Temperatures, err = bstd.UnmarshalSlice[Temperature](n, b, unmarshalTemperature)
	return n, err
}

// SizePlain returns the encoded size of v, like benc's generated code.
func (v *Batch) SizePlain() int { return bstd.SizeSlice(v.Readings, sizeReading) }

// MarshalPlain writes v to b at the offset n, like benc's generated code.
func (v *Batch) MarshalPlain(n int, b []byte) int {
	return bstd.MarshalSlice(n, b, v.Readings, marshalReading)
}

// UnmarshalPlain reads v from b at the offset n, like benc's generated code.
func (v *Batch) UnmarshalPlain(n int, b []byte) (_ int, err error) {
	n, v.Readings, err = bstd.UnmarshalSlice[Reading](n, b, unmarshalReading)
	return n, err
}
