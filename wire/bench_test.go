package wire_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

type benchRecord struct {
	ID     int64
	Name   string
	Born   int64
	Phone  string
	Degree int32
	Cost   float64
	On     bool
}

type benchNested struct {
	Name string
	In   struct {
		A, B int64
		C    uint64
		D    struct {
			X, Y float64
			Note string
			Next *int64
		}
	}
	At   time.Time
	Due  mo.Option[float64]
	Load mo.Option[uint64]
}

type benchSlices struct {
	Strings []string
	Ints    []int64
	Fixed   []float64
	Small   []uint32
	Records []benchRecord
}

type benchMaps struct {
	Counts map[string]uint64
	Flags  map[string]bool
	Texts  map[string]string
	ByID   map[int64]float64
	Names  map[uint32]string
}

type benchOdd struct {
	Small  int16
	Port   uint16
	Phase  complex128
	State  mo.Nullable[string]
	Any    map[[2]int8]bool
	Fixed  int32 `wire:",fixed"`
	Local  time.Time
	Grid   [3][3]int32
	Config benchConfig
	Next   *benchOdd
}

type benchConfig struct {
	_     wire.Evolving
	Level int
	Name  string
}

func newBenchRecord() benchRecord {
	return benchRecord{ID: 1 << 40, Name: "Ada Lovelace", Born: -4_847_299_200, Phone: "0123456789", Degree: 300, Cost: 1.25, On: true}
}

func newBenchNested() benchNested {
	v := benchNested{Name: "nested", At: time.Unix(1_700_000_000, 500).UTC(), Due: mo.Some(2.5), Load: mo.Some[uint64](99)}
	next := int64(-7)
	v.In.A, v.In.B, v.In.C = 1, -200, 1<<33
	v.In.D.X, v.In.D.Y, v.In.D.Note, v.In.D.Next = 1, 2, "a note", &next
	return v
}

func newBenchSlices() (v benchSlices) {
	for i := range 50 {
		v.Strings = append(v.Strings, fmt.Sprint("string ", i))
		v.Ints = append(v.Ints, int64(i*i*i-5000))
		v.Fixed = append(v.Fixed, float64(i)/3)
		v.Small = append(v.Small, uint32(i*37))
		v.Records = append(v.Records, newBenchRecord())
	}
	return v
}

func newBenchMaps() benchMaps {
	v := benchMaps{map[string]uint64{}, map[string]bool{}, map[string]string{}, map[int64]float64{}, map[uint32]string{}}
	for i := range 20 {
		k := fmt.Sprint("key ", i)
		v.Counts[k], v.Flags[k], v.Texts[k] = uint64(i*i), i%2 == 0, k
		v.ByID[int64(-i*1000)], v.Names[uint32(i*1000)] = float64(i), k
	}
	return v
}

func newBenchOdd() benchOdd {
	v := benchOdd{Small: -5, Port: 8080, Phase: 1 - 2i, State: mo.Value("on"), Any: map[[2]int8]bool{{1, -1}: true},
		Fixed: -9, Local: time.Unix(1_700_000_000, 0).In(time.FixedZone("here", 3600)), Config: benchConfig{Level: 3, Name: "deep"}}
	next := v
	v.Next = &next
	return v
}

func BenchmarkRecord(b *testing.B) { benchBoth(b, newBenchRecord()) }
func BenchmarkNested(b *testing.B) { benchBoth(b, newBenchNested()) }
func BenchmarkSlices(b *testing.B) { benchBoth(b, newBenchSlices()) }
func BenchmarkMaps(b *testing.B)   { benchBoth(b, newBenchMaps()) }
func BenchmarkOdd(b *testing.B)    { benchBoth(b, newBenchOdd()) }

// benchBoth measures Append into a buffer with room, Marshal, Unmarshal over a
// value that was decoded before, and the walk that feeds a BinaryWriter.
func benchBoth[T any](b *testing.B, v T) {
	data, err := wire.Marshal(&v)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("append", func(b *testing.B) {
		buf := make([]byte, 0, 4*len(data)+4096)
		for b.Loop() {
			buf, _ = wire.Append(buf[:0], &v)
		}
	})
	b.Run("marshal", func(b *testing.B) {
		for b.Loop() {
			_, _ = wire.Marshal(&v)
		}
	})
	b.Run("unmarshal", func(b *testing.B) {
		var back T
		for b.Loop() {
			if err := wire.Unmarshal(data, &back); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("writer", func(b *testing.B) {
		serialize, err := wire.MakeSerializer[T]()
		if err != nil {
			b.Fatal(err)
		}
		var w wire.BinaryWriter = &countingWriter{}
		for b.Loop() {
			if err := serialize(w, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkStream(b *testing.B) {
	v := newBenchRecord()
	var stream bytes.Buffer
	encoder := wire.NewEncoder(&stream)
	b.Run("encode", func(b *testing.B) {
		for b.Loop() {
			stream.Reset()
			if err := encoder.Encode(&v); err != nil {
				b.Fatal(err)
			}
		}
	})
	stream.Reset()
	for range 1000 {
		if err := encoder.Encode(&v); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("decode 1000", func(b *testing.B) {
		for b.Loop() {
			decoder := wire.NewDecoder(bytes.NewReader(stream.Bytes()), 0)
			for range 1000 {
				if err := decoder.Decode(&v); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

// A countingWriter is a BinaryWriter that only counts the calls of its methods.
type countingWriter struct{ parts int }

func (w *countingWriter) WriteBool(bool)       { w.parts++ }
func (w *countingWriter) WriteInt8(int8)       { w.parts++ }
func (w *countingWriter) WriteUint8(uint8)     { w.parts++ }
func (w *countingWriter) WriteInt(int64)       { w.parts++ }
func (w *countingWriter) WriteUint(uint64)     { w.parts++ }
func (w *countingWriter) WriteFloat32(float32) { w.parts++ }
func (w *countingWriter) WriteFloat64(float64) { w.parts++ }
func (w *countingWriter) WriteString(string)   { w.parts++ }

// BenchmarkAny times Append and AppendAny alternately, and then Unmarshal and UnmarshalAny. The
// metric ns/any is the extra time of a call that takes an interface.
func BenchmarkAny(b *testing.B) {
	v := newBenchRecord()
	data, err := wire.Marshal(&v)
	if err != nil {
		b.Fatal(err)
	}
	var held any = &v
	buf := make([]byte, 0, 4<<10)
	pair := func(name string, typed, untyped func()) {
		b.Run(name, func(b *testing.B) {
			const turn = 1000
			var took [2]time.Duration
			for b.Loop() {
				for i, call := range [...]func(){typed, untyped} {
					start := time.Now()
					for range turn {
						call()
					}
					took[i] += time.Since(start)
				}
			}
			calls := float64(b.N) * turn
			b.ReportMetric(float64(took[1]-took[0])/calls, "ns/any")
			b.ReportMetric(float64(took[1])/float64(took[0]), "ratio")
		})
	}
	var back benchRecord
	var into any = &back
	pair("append", func() { buf, _ = wire.Append(buf[:0], &v) }, func() { buf, _ = wire.AppendAny(buf[:0], held) })
	pair("unmarshal", func() { _ = wire.Unmarshal(data, &back) }, func() { _ = wire.UnmarshalAny(data, into) })
}
