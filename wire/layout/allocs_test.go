package layout

import (
	"fmt"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire"
)

// wantAllocs checks that op allocates exactly want times.
func wantAllocs(t *testing.T, name string, want float64, op func()) {
	t.Helper()
	if got := testing.AllocsPerRun(200, op); got != want {
		t.Errorf("%s: %v allocations, want %v", name, got, want)
	}
}

type document struct {
	Name, Str string
	Num       uint16
	Arr       []uint16
	Map       map[string]uint8
	Bool      bool
	Float32   float32
	Float64   float64
}

func documentLayout() *wire.Codec[document] {
	return wire.Must(New(func(l *Fields, d *document) {
		Field(l, &d.Name, Varchar)
		Field(l, &d.Str, Varchar)
		Field(l, &d.Num, Uint16(LE))
		Field(l, &d.Arr, Slice(LenU16LE, Uint16(LE)))
		Field(l, &d.Map, Map(LenU16LE, SmallVarchar, Uint8))
		Field(l, &d.Bool, Bool)
		Field(l, &d.Float32, Float32(LE))
		Field(l, &d.Float64, Float64(LE))
	}))
}

// TestAllocs counts the allocations of layouts and models.
func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	buf := make([]byte, 0, 1<<14)

	d := document{Name: "n", Str: "s", Arr: make([]uint16, 100), Map: map[string]uint8{}}
	for i := range 100 {
		d.Map[fmt.Sprint(i)] = 1
	}
	codec := documentLayout()
	data := wire.Must(codec.Append(nil, &d))
	var whole document
	if err := codec.Unmarshal(data, &whole); err != nil {
		t.Fatal(err)
	}
	wantAllocs(t, "layout, encode", 0, func() { buf, _ = codec.Append(buf[:0], &d) })
	// 100 keys of one and two bytes share allocations of 64 and 128 bytes.
	wantAllocs(t, "layout, decode", 2, func() { _ = codec.Unmarshal(data, &whole) })

	m := zoo(t)
	p := pet{}
	wantAllocs(t, "a model", 0, func() { buf, _ = AppendModel(m, buf[:0], &p) })
	data = wire.Must(AppendModel(m, nil, &p))
	wantAllocs(t, "a model, typed", 0, func() { _, _ = DecodeModel(m, data, &p) })
	wantAllocs(t, "a model of any type", 1, func() { _, _, _, _ = m.Decode(data) })
}
