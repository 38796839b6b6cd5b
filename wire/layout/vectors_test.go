package layout

import (
	"errors"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
	standing "github.com/hone-go/hone/wire/internal/vectors"
)

// numbers has numbers in both byte orders.
type numbers struct {
	A int16
	B uint16
	C int32
	D uint32
	E int64
	F uint64
	G float32
	H float64
	I int
	J uint
}

func numbersLayout(o Order) *wire.Codec[numbers] {
	return wire.Must(New(func(l *Fields, n *numbers) {
		Field(l, &n.A, Int16(o))
		Field(l, &n.B, Uint16(o))
		Field(l, &n.C, Int32(o))
		Field(l, &n.D, Uint32(o))
		Field(l, &n.E, Int64(o))
		Field(l, &n.F, Uint64(o))
		Field(l, &n.G, Float32(o))
		Field(l, &n.H, Float64(o))
		Field(l, &n.I, Int(o))
		Field(l, &n.J, Uint(o))
	}))
}

// single returns the layout of a struct with the only field V.
func single[T any](t Type[T]) *wire.Codec[struct{ V T }] {
	return wire.Must(New(func(l *Fields, v *struct{ V T }) { Field(l, &v.V, t) }))
}

// TestStanding compares layouts with the vectors in testdata/golden/v1/layouts.json of package
// wire, which never change; see package vectors.
func TestStanding(t *testing.T) {
	var values []standing.Value
	nairobi, err := time.LoadLocation("Africa/Nairobi")
	if err != nil {
		t.Fatal(err)
	}
	email := "m@x"
	full := account{"ann", 42, []string{"a", ""}, &email, mo.Some(1.0), [3]bool{true, false, true}, point{1, -2}, map[int16]string{-1: "e"}, 77}
	values = append(values, frozen(t, "account", accountLayout(), full), frozen(t, "account/zero", accountLayout(), account{}))
	skipped := frozen(t, "account/skip that is not 0", accountLayout(), account{})
	skipped.Bytes[len(skipped.Bytes)-1] = 9
	values = append(values, skipped)
	for o, name := range []string{"LE", "BE"} {
		c := numbersLayout(Order(o))
		values = append(values,
			frozen(t, "numbers/"+name+"/most", c, numbers{math.MaxInt16, math.MaxUint16, math.MaxInt32, math.MaxUint32, math.MaxInt64, math.MaxUint64, math.MaxFloat32, math.MaxFloat64, math.MaxInt32, math.MaxUint32}),
			frozen(t, "numbers/"+name+"/least", c, numbers{math.MinInt16, 0, math.MinInt32, 0, math.MinInt64, 0, float32(math.Inf(-1)), math.Copysign(0, -1), math.MinInt32, 1}))
	}
	for n := LenVarint; n.Valid(); n++ {
		values = append(values, frozen(t, "string/"+n.String(), single(String(n)), struct{ V string }{"größe"}), frozen(t, "blob/"+n.String(), single(Blob(n)), struct{ V []byte }{[]byte{0, 255}}),
			frozen(t, "slice/"+n.String(), single(Slice(n, Uint16(BE))), struct{ V []uint16 }{[]uint16{1, 256}}),
			frozen(t, "map/"+n.String(), single(Map(n, Int8, Bool)), struct{ V map[int8]bool }{map[int8]bool{-1: true}}))
	}
	times := map[string]time.Time{
		"zero": {}, "epoch": time.Unix(0, 0).UTC(), "first": time.Unix(0, math.MinInt64).UTC(), "last": time.Unix(0, math.MaxInt64).UTC(),
		"nairobi": time.Unix(1e9, 1).In(nairobi), "zone": time.Unix(0, 0).In(time.FixedZone("X", -3600)), "seconds": time.Unix(0, 0).In(time.FixedZone("", 3723)),
	}
	for _, name := range slices.Sorted(maps.Keys(times)) {
		v := struct{ V time.Time }{times[name]}
		values = append(values, frozen(t, "time utc/"+name, single(TimeUTC), v), frozen(t, "time location/"+name, single(TimeLocation), v))
	}
	without := frozen(t, "time location/without", single(TimeLocation), struct{ V time.Time }{})
	without.Bytes = make([]byte, 9)
	values = append(values, without,
		frozen(t, "list", single(List(3, Bool)), struct{ V []bool }{[]bool{true, false, true}}),
		frozen(t, "nested options", single(Optional(Option(Int8))), struct{ V *mo.Option[int8] }{ptr(mo.None[int8]())}),
		frozen(t, "derived inside", single(Struct(wire.Must(wire.For[struct{ A []int }]()))), struct{ V struct{ A []int } }{struct{ A []int }{[]int{1}}}))

	invalid := []standing.Invalid{
		refusal(t, "negative length", single(String(LenI8)), "\xff", "overflow", wire.ErrOverflow),
		refusal(t, "negative length of 64 bits", single(Blob(LenI64BE)), "\xff\xff\xff\xff\xff\xff\xff\xff", "overflow", wire.ErrOverflow),
		refusal(t, "length of 2^63", single(Slice(LenU64BE, Bool)), "\x80\x00\x00\x00\x00\x00\x00\x00", "truncated", io.ErrUnexpectedEOF),
		refusal(t, "half a length", single(Varchar), "\x00", "truncated", io.ErrUnexpectedEOF),
		refusal(t, "a list cut short", single(List(3, Bool)), "\x01\x00", "truncated", io.ErrUnexpectedEOF),
		refusal(t, "a key twice", single(Map(LenU8, Int8, Bool)), "\x02\x05\x00\x05\x01", "duplicate", wire.ErrDuplicate),
		refusal(t, "a flag of 2", single(Optional(Int8)), "\x02\x05", "flag", wire.ErrFlag),
		refusal(t, "a time without its flag", single(TimeLocation), "\x00\x00\x00\x00\x00\x00\x00\x00", "truncated", io.ErrUnexpectedEOF),
		refusal(t, "a time with a flag of 2", single(TimeLocation), "\x00\x00\x00\x00\x00\x00\x00\x00\x02", "flag", wire.ErrFlag),
		refusal(t, "a skip cut short", accountLayout(), string(values[1].Bytes[:len(values[1].Bytes)-1]), "truncated", io.ErrUnexpectedEOF),
	}
	standing.Check(t, filepath.Join("..", "testdata", "golden", "v1", "layouts.json"), values, invalid)
}

func frozen[T any](t *testing.T, name string, c *wire.Codec[T], v T) standing.Value {
	t.Helper()
	data, err := c.Append(nil, &v)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return standing.Value{Name: name, Schema: c.Schema(), Bytes: data}
}

// refusal returns an encoding that the codec refuses with err.
func refusal[T any](t *testing.T, name string, c *wire.Codec[T], data, cause string, err error) standing.Invalid {
	t.Helper()
	if got := c.Unmarshal([]byte(data), new(T)); !errors.Is(got, err) {
		t.Errorf("%s: wire returns %v; want %v", name, got, err)
	}
	return standing.Invalid{Name: name, Schema: c.Schema(), Bytes: []byte(data), Cause: cause, Err: err}
}
