package wire

import (
	"fmt"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/testkit"
	"github.com/hone-go/hone/mo"
)

// budget checks how often op allocates, exactly.
func budget(t *testing.T, name string, want float64, op func()) {
	t.Helper()
	if got := testing.AllocsPerRun(200, op); got != want {
		t.Errorf("%s: %v allocations, budget %v", name, got, want)
	}
}

type record struct {
	Name     string
	BirthDay time.Time
	Phone    string
	Siblings int
	Spouse   bool
	Money    float64
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

func documentLayout() *Codec[document] {
	return Must(Layout(func(l *Fields, d *document) {
		Varchar(l, &d.Name)
		Varchar(l, &d.Str)
		Uint16(l, &d.Num, LE)
		Slice(l, &d.Arr, LenU16LE, Uint16Type(LE))
		Map(l, &d.Map, LenU16LE, SmallVarcharType, Uint8Type)
		Bool(l, &d.Bool)
		Float32(l, &d.Float32, LE)
		Float64(l, &d.Float64, LE)
	}))
}

// TestAllocs holds each way of encoding and decoding to its budget. Into room that
// is there, encoding takes none; decoding takes what the value keeps.
func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	buf := make([]byte, 0, 1<<14)

	r := record{"a name of sixteen", time.Unix(1e9, 1).UTC(), "0123456789", 4, true, 1.5}
	data := Must(Marshal(&r))
	aliased := Must(NewCodec[record](Options{Alias: true}))
	var back record
	budget(t, "Append", 0, func() { buf, _ = Append(buf[:0], &r) })
	budget(t, "Codec.Append", 0, func() { buf, _ = aliased.Append(buf[:0], &r) })
	budget(t, "Marshal", 1, func() { _, _ = Marshal(&r) })
	budget(t, "Size", 0, func() { _, _ = Size(&r) })
	budget(t, "Unmarshal, two strings", 1, func() { _ = Unmarshal(data, &back) })
	budget(t, "Unmarshal, aliased", 0, func() { _ = aliased.Unmarshal(data, &back) })

	d := document{Name: "n", Str: "s", Arr: make([]uint16, 100), Map: map[string]uint8{}}
	for i := range 100 {
		d.Map[fmt.Sprint(i)] = 1
	}
	layout := documentLayout()
	data = Must(layout.Append(nil, &d))
	var whole document
	if err := layout.Unmarshal(data, &whole); err != nil {
		t.Fatal(err)
	}
	budget(t, "layout, encode", 0, func() { buf, _ = layout.Append(buf[:0], &d) })
	// 100 keys of one and two bytes: 64 and 128 bytes of them share an allocation.
	budget(t, "layout, decode", 2, func() { _ = layout.Unmarshal(data, &whole) })

	maps := struct {
		A map[int]int
		B map[string]string
		C map[[2]int8]mo.Option[int] // by reflection
		D map[uint32]bool
	}{map[int]int{1: 2}, map[string]string{"k": "v"}, map[[2]int8]mo.Option[int]{{1, 2}: mo.Some(3)}, map[uint32]bool{5: true}}
	budget(t, "maps", 0, func() { buf, _ = Append(buf[:0], &maps) })

	m := zoo(t)
	p := pet{}
	budget(t, "a model", 0, func() { buf, _ = AppendModel(m, buf[:0], &p) })
	data = Must(AppendModel(m, nil, &p))
	budget(t, "a model, typed", 0, func() { _, _ = DecodeModel(m, data, &p) })
	budget(t, "a model of any type", 1, func() { _, _, _, _ = m.Decode(data) })

	list := make([]struct{ N, M int64 }, 5000) // larger than any scratch to begin with
	big := make([]byte, 0, 1<<17)
	budget(t, "a large value into its room", 0, func() { big, _ = Append(big[:0], &list) })
	budget(t, "a large value, aside", 1, func() { _, _ = Marshal(&list) })
}
