package wire

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/mo"
)

// A placeType is a type that a field may have, with its tag option. gone is the type of the field
// after its removal. Each row of placeTypes is in the order of increasing bits, so a field may
// change to a later type in its row.
type placeType struct {
	is, gone reflect.Type
	option   string
	nested   bool // it is an evolving struct
}

func placeOf[T any](option string) placeType {
	return placeType{is: reflect.TypeFor[T](), gone: reflect.TypeFor[Removed[T]](), option: option}
}

func nestedPlace[T any]() placeType {
	p := placeOf[T]("")
	p.nested = true
	return p
}

var placeTypes = [][]placeType{
	{placeOf[int8]("varint"), placeOf[int16](""), placeOf[int32](""), placeOf[int64]("")},
	{placeOf[uint8]("varint"), placeOf[uint16](""), placeOf[uint32](""), placeOf[uint64]("")},
	{placeOf[string](""), placeOf[[]byte](""), placeOf[random.Named]("")},
	{nestedPlace[passing1](), nestedPlace[passing2]()},
	{nestedPlace[[]config2](), nestedPlace[[]config3]()},
	{placeOf[int8]("")},
	{placeOf[int32]("fixed")},
	{placeOf[bool]("")},
	{placeOf[float64]("")},
	{placeOf[[]string]("")},
	{placeOf[*int32](""), placeOf[*int64]("")},
	{placeOf[mo.Option[int]]("")},
	{placeOf[time.Time]("")},
	{placeOf[Raw[int16]](""), placeOf[Raw[int64]]("")},
	{placeOf[family]("")},
	{placeOf[struct{ A, B int16 }]("")},
}

// A family is recursive. It has no maps, because the oracle does not reproduce their order.
type family struct {
	Name string
	Next *family
	Kids []family
}

// A place is one field of a version.
type place struct {
	row, column int
	removed     bool
	names       []string // the present name is the last
}

func (p place) of() placeType { return placeTypes[p.row][p.column] }

// A version is a struct at one point of its history.
type version struct {
	places []place
	keeps  bool // it has an Unknown
}

func (v version) structType() reflect.Type {
	blank := func(t reflect.Type, tag string) reflect.StructField {
		return reflect.StructField{Name: "_", PkgPath: evolvingType.PkgPath(), Type: t, Tag: reflect.StructTag(tag)}
	}
	fields := []reflect.StructField{blank(evolvingType, "")}
	for _, p := range v.places {
		is, last := p.of(), len(p.names)-1
		tag := []string{is.option}
		for i, name := range p.names {
			if i < last || p.removed {
				tag = append(tag, "was="+name)
			}
		}
		wire := `wire:",` + strings.TrimPrefix(strings.Join(tag, ","), ",") + `"`
		if p.removed {
			fields = append(fields, blank(is.gone, wire))
		} else {
			fields = append(fields, reflect.StructField{Name: p.names[last], Type: is.is, Tag: reflect.StructTag(wire)})
		}
	}
	if v.keeps {
		fields = append(fields, reflect.StructField{Name: "Rest", Type: unknownType})
	}
	return reflect.StructOf(fields)
}

// history makes versions of a struct, each from the one before it. If breaks is set, some of the
// changes may be incompatible.
func history(r *rand.Rand, breaks bool) []version {
	names := 0
	name := func() string { names++; return "F" + strconv.Itoa(names) }
	one := func() place {
		row := r.IntN(len(placeTypes))
		return place{row: row, column: r.IntN(len(placeTypes[row])), names: []string{name()}}
	}
	all := []version{{places: []place{one()}}}
	for range 12 {
		last := all[len(all)-1]
		next := version{places: append([]place(nil), last.places...), keeps: last.keeps}
		at := &next.places[r.IntN(len(next.places))]
		switch n := r.IntN(10); {
		case n < 4:
			next.places = append(next.places, one())
		case n == 4:
			at.removed = true
		case n == 5:
			at.names = append(append([]string(nil), at.names...), name())
		case n == 6:
			next.keeps = !next.keeps
		case n < 9 || !breaks:
			at.column = min(at.column+1, len(placeTypes[at.row])-1)
		default:
			other := &next.places[r.IntN(len(next.places))]
			*at, *other = *other, *at
		}
		all = append(all, next)
	}
	return all
}

// positions returns the fields of an evolving struct by position. A removed field has no valid
// value.
func positions(v reflect.Value) (all []reflect.Value) {
	for i := range v.NumField() {
		switch t := v.Type().Field(i).Type; {
		case removedOf(t) != nil:
			all = append(all, reflect.Value{})
		case t != evolvingType && t != unknownType:
			all = append(all, v.Field(i))
		}
	}
	return all
}

// agree reports whether r is the correct decoding of w by another version: fields that both have are
// equal, and fields that only r has are zero.
func agree(r, w reflect.Value) bool {
	isText := func(v reflect.Value) bool {
		return v.Kind() == reflect.String || v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8
	}
	text := func(v reflect.Value) string { return v.Convert(reflect.TypeFor[string]()).String() }
	switch {
	case r.CanInt() && w.CanInt():
		return r.Int() == w.Int()
	case r.CanUint() && w.CanUint():
		return r.Uint() == w.Uint()
	case isText(r) && isText(w):
		return text(r) == text(w)
	case r.Kind() == reflect.Struct && evolvingStruct(r.Type()):
		read, written := positions(r), positions(w)
		for i, f := range read {
			switch {
			case !f.IsValid():
			case i >= len(written) || !written[i].IsValid():
				// A field that the writer's version has removed is written as the zero value of its
				// old type. This type may be an evolving struct with fields that the reader does
				// not know.
				if clearUnknown(f); !f.IsZero() {
					return false
				}
			case !agree(f, written[i]):
				return false
			}
		}
		return true
	case r.Kind() == reflect.Slice && r.Type().Elem().Kind() == reflect.Struct:
		for i := range r.Len() {
			if r.Len() != w.Len() || !agree(r.Index(i), w.Index(i)) {
				return false
			}
		}
		return r.Len() == w.Len()
	case r.Kind() == reflect.Pointer:
		return r.IsNil() && w.IsNil() || !r.IsNil() && !w.IsNil() && agree(r.Elem(), w.Elem())
	}
	return r.Type() == w.Type() && reflect.DeepEqual(r.Interface(), w.Interface())
}

// clearUnknown sets the wire.Unknown fields of v to nil.
func clearUnknown(v reflect.Value) {
	switch {
	case v.Type() == unknownType:
		v.SetZero()
	case v.Kind() == reflect.Struct && evolvingStruct(v.Type()):
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				clearUnknown(f)
			}
		}
	}
}

// FuzzEvolve makes a history of a struct and selects two of its versions. The programs write and
// read as the oracle does. If the schemas report no problem, the encoding of one version is
// decoded by the other as the same value. A version with a wire.Unknown passes everything on
// unchanged.
func FuzzEvolve(f *testing.F) {
	for seed := range uint64(400) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 14))
		all := history(r, seed%3 == 0)
		from, to := all[r.IntN(len(all))], all[r.IntN(len(all))]
		wt, rt := from.structType(), to.structType()
		writer, err := ForType(wt)
		if err != nil {
			t.Fatalf("%v: %v", wt, err)
		}
		reader, err := ForType(rt)
		if err != nil {
			t.Fatalf("%v: %v", rt, err)
		}
		v := reflect.New(wt)
		random.Fill(r, v.Elem(), 3)
		clearUnknown(v.Elem())
		data, err := writer.Append(nil, v.Interface())
		if slow := slowAppend(nil, v.Elem()); err != nil || !bytes.Equal(data, slow) {
			t.Fatalf("%v\nfast %x, %v\nslow %x", wt, data, err, slow)
		}
		got := readsAlike(t, reader, rt, data)
		problems := reader.Schema().Reads(writer.Schema())
		switch {
		case len(problems) > 0:
		case !got.IsValid():
			t.Fatalf("%v\ndoes not read %x of\n%v\nthough the schemas have no problem", rt, data, wt)
		case !agree(got.Elem(), v.Elem()):
			t.Fatalf("%v\n%+v\nis decoded as\n%v\n%+v\nthough the schemas have no problem", wt, v.Elem(), rt, got.Elem())
		case to.keeps:
			passesOn(t, from, to, writer, reader, v, got, data)
		}
		// Both refuse malformed input.
		if n := len(data); n > 0 {
			broken := bytes.Clone(data)
			broken[r.IntN(n)] = byte(r.Uint32())
			readsAlike(t, reader, rt, broken)
			readsAlike(t, reader, rt, broken[:r.IntN(n)])
		}
	})
}

// readsAlike decodes data with the program and with the oracle, and compares the values. It returns
// an invalid value if the data is refused. The program skips removed fields, and the oracle reads
// them.
func readsAlike(t *testing.T, c *AnyCodec, typ reflect.Type, data []byte) reflect.Value {
	t.Helper()
	fast, slow := reflect.New(typ), reflect.New(typ)
	err, slowErr := c.Unmarshal(data, fast.Interface()), slowUnmarshal(data, slow.Elem())
	if err != nil && slowErr == nil || err == nil && slowErr != nil && !strings.Contains(typ.String(), "wire.Removed") {
		t.Fatalf("%v from %x: %v; the oracle: %v", typ, data, err, slowErr)
	}
	if slowErr == nil {
		again, err := c.Append(nil, fast.Interface())
		if want := slowAppend(nil, slow.Elem()); err != nil || !bytes.Equal(again, want) {
			t.Fatalf("%v from %x: %+v, %v; the oracle: %+v", typ, data, fast.Elem(), err, slow.Elem())
		}
	}
	if err != nil {
		return reflect.Value{}
	}
	return fast
}

// passesOn encodes the decoded value again, for a program of the version that wrote the original.
func passesOn(t *testing.T, from, to version, writer, reader *AnyCodec, v, read reflect.Value, data []byte) {
	t.Helper()
	through, err := reader.Append(nil, read.Interface())
	if err != nil {
		t.Fatal(err)
	}
	exact := len(to.places) <= len(from.places)
	for i, p := range to.places {
		if i < len(from.places) && (p.removed && !from.places[i].removed || p.of().nested && p.column != from.places[i].column) {
			exact = false
		}
	}
	if exact && !bytes.Equal(through, data) {
		t.Fatalf("%x is passed on by %v as %x", data, read.Type(), through)
	}
	if len(writer.Schema().Reads(reader.Schema())) > 0 {
		return // the value was written again with more bits
	}
	back := reflect.New(v.Type().Elem())
	if err := writer.Unmarshal(through, back.Interface()); err != nil {
		t.Fatalf("%x, which is %x passed on, is not read: %v", through, data, err)
	}
	written, returned := positions(v.Elem()), positions(back.Elem())
	for i := range written {
		lost := i < len(to.places) && (to.places[i].removed || to.places[i].of().nested)
		if !lost && written[i].IsValid() && !agree(returned[i], written[i]) {
			t.Fatalf("field %d of %+v is decoded as %+v", i, v.Elem(), back.Elem())
		}
	}
}
