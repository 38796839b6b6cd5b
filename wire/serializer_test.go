package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire/internal/program"
)

// A formatter is a BinaryWriter that produces the derived format from its calls: the bytes of
// Append, except for the order of maps.
type formatter struct{ b []byte }

func (f *formatter) WriteBool(v bool) {
	f.b = append(f.b, 0)
	if v {
		f.b[len(f.b)-1] = 1
	}
}
func (f *formatter) WriteInt8(v int8)   { f.b = append(f.b, byte(v)) }
func (f *formatter) WriteUint8(v uint8) { f.b = append(f.b, v) }
func (f *formatter) WriteInt(v int64)   { f.b = binary.AppendVarint(f.b, v) }
func (f *formatter) WriteUint(v uint64) { f.b = binary.AppendUvarint(f.b, v) }
func (f *formatter) WriteFloat32(v float32) {
	f.b = binary.LittleEndian.AppendUint32(f.b, math.Float32bits(v))
}
func (f *formatter) WriteFloat64(v float64) {
	f.b = binary.LittleEndian.AppendUint64(f.b, math.Float64bits(v))
}
func (f *formatter) WriteString(v string) {
	f.b = append(binary.AppendUvarint(f.b, uint64(len(v))), v...)
}

// A script is a BinaryWriter that records its calls.
type script struct{ calls []string }

func (s *script) note(name string, v any) {
	s.calls = append(s.calls, fmt.Sprintf("%s(%v)", name, v))
}
func (s *script) WriteBool(v bool)       { s.note("bool", v) }
func (s *script) WriteInt8(v int8)       { s.note("int8", v) }
func (s *script) WriteUint8(v uint8)     { s.note("uint8", v) }
func (s *script) WriteInt(v int64)       { s.note("int", v) }
func (s *script) WriteUint(v uint64)     { s.note("uint", v) }
func (s *script) WriteFloat32(v float32) { s.note("float32", v) }
func (s *script) WriteFloat64(v float64) { s.note("float64", v) }
func (s *script) WriteString(v string)   { s.note("string", v) }

type simple struct {
	I int
	U uint
	S string
	L []int
	P *int
	M map[int]int
}

func TestMakeSerializer(t *testing.T) {
	write, err := MakeSerializer[simple]()
	if err != nil {
		t.Fatal(err)
	}
	var s script
	if err := write(&s, &simple{1, 2, "3", []int{4, 5}, new(int), map[int]int{6: 7}}); err != nil {
		t.Fatal(err)
	}
	want := "int(1) uint(2) string(3) uint(2) int(4) int(5) bool(true) int(0) uint(1) int(6) int(7)"
	if got := strings.Join(s.calls, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	type rest struct {
		A int8
		B [2]uint8
		C []byte
		D float32
		E complex128
		F mo.Option[bool]
		G int32  `wire:",fixed"`
		H uint64 `wire:",fixed"`
		I map[string]int8
		J map[uint32]float32
		K map[int64]string
		L map[string]string
		M map[int8]struct{ X bool }
		N mo.Either[int, string]
		O *string
	}
	more, err := MakeSerializer[rest]()
	if err != nil {
		t.Fatal(err)
	}
	s = script{}
	err = more(&s, &rest{-1, [2]uint8{2, 3}, []byte{4}, 5.5, 6 + 7i, mo.Some(true), -8, 9, map[string]int8{"a": -1},
		map[uint32]float32{1: 2}, map[int64]string{-3: "b"}, map[string]string{"c": "d"}, map[int8]struct{ X bool }{-4: {true}}, mo.Left[int, string](10), nil})
	want = "int8(-1) uint8(2) uint8(3) uint(1) uint8(4) float32(5.5) float64(6) float64(7) bool(true) bool(true) int(-8) uint(9) " +
		"uint(1) string(a) int8(-1) uint(1) uint(1) float32(2) uint(1) int(-3) string(b) uint(1) string(c) string(d) uint(1) int8(-4) bool(true) uint8(1) int(10) bool(false)"
	if got := strings.Join(s.calls, " "); got != want || err != nil {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
	if _, err := MakeSerializer[chan int](); err == nil {
		t.Error("a channel has a serializer")
	}
	if err := write(&s, nil); err == nil {
		t.Error("nil is written")
	}
	loop := &tree{}
	loop.Left = loop
	trees, err := MakeSerializer[tree]()
	if err != nil {
		t.Fatal(err)
	}
	if err := trees(&s, loop); !errors.Is(err, ErrDepth) {
		t.Errorf("a cycle: %v", err)
	}
}

// TestWriterFormat walks over random values of random types. A formatter must produce as many bytes as
// Append, and the same bytes if the value has no map.
func TestWriterFormat(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		typ := random.Type(r, 3, fieldTags)
		v := reflect.New(typ).Elem()
		random.Fill(r, v, 4)
		want, err := marshalValue(v)
		if err != nil {
			t.Fatal(err)
		}
		p := compile(typ, program.Mode{Unfused: true}, nil)
		var f formatter
		if err := p.Walk(&f, ofValue(v)); err != nil {
			t.Fatal(err)
		}
		if len(f.b) != len(want) || !strings.Contains(typ.String(), "map[") && !strings.Contains(typ.String(), "Tree") && !bytes.Equal(f.b, want) {
			t.Errorf("%v is walked as %x, encoded as %x", typ, f.b, want)
		}
	}
	v := full(t)
	v.MM, v.Tree.Named, v.M, v.MS, v.MB = nil, nil, nil, nil, nil
	write, err := MakeSerializer[everything]()
	if err != nil {
		t.Fatal(err)
	}
	var f formatter
	want, _ := Marshal(&v)
	if err := write(&f, &v); err != nil || !bytes.Equal(f.b, want) {
		t.Errorf("walked as  %x, %v\nencoded as %x", f.b, err, want)
	}
}

// A sink is a BinaryWriter whose methods do nothing, for benchmarks.
type sink struct{}

//go:noinline
func (sink) WriteBool(bool) {}

//go:noinline
func (sink) WriteInt8(int8) {}

//go:noinline
func (sink) WriteUint8(uint8) {}

//go:noinline
func (sink) WriteInt(int64) {}

//go:noinline
func (sink) WriteUint(uint64) {}

//go:noinline
func (sink) WriteFloat32(float32) {}

//go:noinline
func (sink) WriteFloat64(float64) {}

//go:noinline
func (sink) WriteString(string) {}

func TestSerializerAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	write := Must(MakeSerializer[simple]())
	v := simple{1, 2, "3", []int{4, 5}, new(int), map[int]int{6: 7, 8: 9}}
	if n := testing.AllocsPerRun(100, func() { _ = write(sink{}, &v) }); n > 0 {
		t.Errorf("%v allocs, budget 0", n)
	}
}
