package wire

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"math/big"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire/internal/vectors"
	"github.com/hone-go/hone/wire/schema"
)

type (
	node struct {
		Value int
		Next  *node
		Kids  map[string]node
	}
	nested struct {
		A mo.Option[mo.Option[int]]
		B **string
		C mo.Option[mo.Nullable[int]]
		D mo.Nullable[mo.Option[bool]]
	}
	floats struct {
		A []float32
		B []float64
		C complex64
	}
	// Structs with removed and renamed fields, and with raw values.
	shrunk struct {
		A int
		_ Removed[struct {
			X [2]int8
			Y map[string]time.Time
		}] `wire:",was=B"`
		_ Removed[grown2] `wire:",was=C"`
		D string
		_ Removed[mo.Option[float64]]
	}
	renamed struct {
		_     Evolving
		Title string             `wire:",was=Name,was=Label"`
		_     Removed[time.Time] `wire:",was=At"`
		Rest  Unknown
	}
	raws struct {
		A []Raw[mo.Option[int]]
		B Raw[struct{}]
		C Raw[grown3]
		D map[string]Raw[Raw[string]]
	}
	// Versions of a growing struct.
	grown1 struct {
		_ Evolving
		A int
	}
	grown2 struct {
		_ Evolving
		A int
		B string
		C []grown1
	}
	grown3 struct {
		_ Evolving
		A int
		B string
		C []grown1
		D mo.Option[time.Time]
		E [2]bool
	}
)

// standing returns the values, other than the values in golden, whose bytes, schema and JSON are
// frozen.
func standing(t *testing.T) map[string]any {
	kathmandu, err := time.LoadLocation("Asia/Kathmandu")
	if err != nil {
		t.Fatal(err)
	}
	some, none := "s", (*string)(nil)
	nan32, nan64 := math.Float32frombits(0x7fc00000), math.Float64frombits(0x7ff8000000000000)
	huge, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	return map[string]any{
		"limits-int8":    ptr([]int8{math.MinInt8, math.MaxInt8}),
		"limits-uint8":   ptr([2]uint8{0, math.MaxUint8}),
		"limits-int16":   ptr([]int16{math.MinInt16, -1, 0, math.MaxInt16}),
		"limits-uint16":  ptr([]uint16{0, math.MaxUint16}),
		"limits-int32":   ptr([]int32{math.MinInt32, math.MaxInt32}),
		"limits-uint32":  ptr([]uint32{0, math.MaxUint32}),
		"limits-int64":   ptr([]int64{math.MinInt64, -1 << 53, 1 - 1<<53, 1<<53 - 1, 1 << 53, 1<<53 + 1, math.MaxInt64}),
		"limits-uint64":  ptr([]uint64{1<<53 - 1, 1 << 53, 1<<53 + 1, math.MaxUint64}),
		"limits-fixed":   &fixedInts{I16: math.MinInt16, U32: math.MaxUint32, I64: math.MinInt64, U64: math.MaxUint64, I: math.MinInt32, S: []uint32{0, math.MaxUint32}, O: mo.Some[uint16](math.MaxUint16)},
		"varint-lengths": ptr([]uint64{1<<7 - 1, 1 << 7, 1<<14 - 1, 1 << 14, 1<<21 - 1, 1 << 21, 1<<28 - 1, 1 << 28, 1<<35 - 1, 1 << 35, 1<<42 - 1, 1 << 42, 1<<49 - 1, 1 << 49, 1<<56 - 1, 1 << 56, 1<<63 - 1, 1 << 63}),
		"floats": &floats{
			A: []float32{0, float32(math.Copysign(0, -1)), 0.1, math.MaxFloat32, -math.SmallestNonzeroFloat32, 16777217, math.Float32frombits(0x15ae43fd), float32(math.Inf(1)), float32(math.Inf(-1)), nan32, math.Float32frombits(0xffc00001)},
			B: []float64{0, math.Copysign(0, -1), 0.1, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e21, 1e-7, 1 << 53, math.Inf(1), math.Inf(-1), nan64, math.Float64frombits(0xfff0000000000001)},
			C: complex(nan32, float32(math.Inf(-1))),
		},
		"strings": ptr([]string{"", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "größe", "日本語", "😀", "\u2028\u2029\ufeff\ufffd", "<&>", strings.Repeat("a", 128), "\xff\xfe"}),
		"bytes-all": ptr(slices.Collect(func(yield func(byte) bool) {
			for i := range 256 {
				if !yield(byte(i)) {
					return
				}
			}
		})),
		"options":        ptr([]nested{{}, {A: mo.Some(mo.None[int]()), B: &none, C: mo.Some(mo.Absent[int]()), D: mo.Null[mo.Option[bool]]()}, {A: mo.Some(mo.Some(0)), B: ptr(&some), C: mo.Some(mo.Value(0)), D: mo.Value(mo.None[bool]())}}),
		"map-string":     ptr(map[string]int{"\xff": 1}),
		"map-int":        ptr(map[int64]bool{math.MinInt64: true}),
		"map-uint":       ptr(map[uint64]bool{math.MaxUint64: true}),
		"map-bool":       ptr(map[bool]string{false: "no"}),
		"map-float":      ptr(map[float64]string{0.5: "half"}),
		"map-nan":        ptr(map[float64]string{nan64: "not a number"}),
		"map-complex":    ptr(map[complex128]string{complex(1, -1): ""}),
		"map-array":      ptr(map[[2]int8]int{{1, -1}: 1}),
		"map-struct":     ptr(map[struct{ A, B string }]int{{"a", "b"}: 1}),
		"map-option":     ptr(map[mo.Option[int]]int{mo.None[int](): 1}),
		"map-either":     ptr(map[mo.Either[string, int]]int{mo.Left[string, int]("a"): 1}),
		"map-time":       ptr(map[time.Time]int{time.Unix(0, 1).UTC(): 1}),
		"map-text":       ptr(map[inText]int{{-5}: 1}),
		"map-binary":     ptr(map[netip.Addr]int{netip.MustParseAddr("::1"): 1}),
		"map-nested":     ptr(map[string]map[int]map[bool][]string{"a": {1: {true: {"x"}}}}),
		"recursive-list": &node{Value: 1, Next: &node{Value: 2, Next: &node{}}, Kids: map[string]node{"k": {Value: 3}}},
		"time-min":       ptr(time.Unix(math.MinInt64, 0).UTC()),
		"time-max":       ptr(time.Unix(math.MaxInt64, 999999999).UTC()),
		"time-year-0":    ptr(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)),
		"time-year-9999": ptr(time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC)),
		"time-year-1e4":  ptr(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)),
		"time-zones": ptr([]time.Time{
			time.Unix(0, 0).UTC(), time.Unix(0, 0).In(kathmandu), time.Unix(0, 0).In(time.FixedZone("", 0)), time.Unix(0, 0).In(time.FixedZone("X[Y]", -12*3600)),
			time.Unix(-1e10, 0).In(kathmandu), time.Unix(0, 0).In(time.FixedZone("far", 86400*100)), time.Unix(0, 0).In(time.FixedZone("\xff", 60)),
		}),
		"durations": ptr([]time.Duration{0, 1, -1, math.MinInt64, math.MaxInt64}),
		"big-ints":  ptr([]big.Int{*big.NewInt(0), *big.NewInt(1<<53 - 1), *big.NewInt(1 << 53), *new(big.Int).SetUint64(math.MaxUint64), *new(big.Int).Neg(new(big.Int).SetUint64(math.MaxUint64)), *new(big.Int).Lsh(big.NewInt(1), 64), *huge}),
		"big-others": &struct {
			R big.Rat
			F big.Float
		}{*big.NewRat(22, 7), *new(big.Float).SetInf(true)},
		"evolving-1": &grown1{A: 1},
		"evolving-2": &grown2{A: 1, B: "b", C: []grown1{{A: 2}, {}}},
		"evolving-3": &grown3{A: 1, B: "b", C: []grown1{{}}, D: mo.Some(time.Unix(1, 0).UTC()), E: [2]bool{true, false}},
		"empty":      &struct{}{},
		"empty-parts": &struct {
			A []struct{}
			B [3]struct{}
			C map[string]struct{}
		}{A: make([]struct{}, 2), C: map[string]struct{}{"a": {}}},
		"removed": &shrunk{A: -1, D: "d"},
		"renamed": &renamed{Title: "t", Rest: Unknown("\x01\x02\x03")},
		"raw": &raws{
			A: []Raw[mo.Option[int]]{nil, {0}, {1, 2}}, B: Raw[struct{}]{}, C: Raw[grown3](Must(Marshal(&grown3{A: 1, B: "b"}))),
			D: map[string]Raw[Raw[string]]{"k": {2, 1, 'x'}},
		},
		"canonical-raw":     &raws{D: map[string]Raw[Raw[string]]{"b": {1, 0}, "a": nil}},
		"canonical-removed": &shrunk{A: 1},
		"canonical-map":     ptr(map[float64]string{0: "zero", -1: "", math.Inf(1): ""}),
	}
}

// TestVectors compares values, without their Go types, with testdata/golden/v1/values.json: see
// package vectors. The values are from golden and standing. Some are encodings of one version of an
// evolving struct, with the schema of another version.
func TestVectors(t *testing.T) {
	var values []vectors.Value
	add := func(prefix string, list map[string]any, options map[string]Options) {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			v := list[name]
			c, err := ForType(reflect.TypeOf(v).Elem(), options[name])
			if err != nil {
				t.Fatal(err)
			}
			data, err := c.Append(nil, v)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, vectors.Value{Name: prefix + name, Schema: c.Schema(), Bytes: data})
			back := reflect.New(reflect.TypeOf(v).Elem())
			if err := c.Unmarshal(data, back.Interface()); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if again, err := c.Append(nil, back.Interface()); err != nil || string(again) != string(data) {
				t.Errorf("%s: %x is encoded again as %x, %v", name, data, again, err)
			}
		}
	}
	add("golden/", golden(t), goldenOptions(t))
	add("", standing(t), map[string]Options{"canonical-map": {Canonical: true}, "canonical-raw": {Canonical: true}, "canonical-removed": {Canonical: true}})

	versions := map[string]*schema.Schema{"1": Must(SchemaOf[grown1]()), "2": Must(SchemaOf[grown2]()), "3": Must(SchemaOf[grown3]())}
	for _, v := range slices.Clone(values) {
		by, ok := strings.CutPrefix(v.Name, "evolving-")
		for _, reader := range slices.Sorted(maps.Keys(versions)) {
			if ok && reader != by {
				values = append(values, vectors.Value{Name: v.Name + "-read-by-" + reader, Schema: versions[reader], Bytes: v.Bytes})
			}
		}
	}
	// The encoding or the decoding of these values depends on the machine, so their bytes are
	// written here.
	values = append(values, vectors.Value{Name: "time-local", Schema: Must(SchemaOf[time.Time]()), Bytes: []byte("\x00\x00\x02\xa0\x38")},
		vectors.Value{Name: "map-pointer", Schema: Must(SchemaOf[map[*int]bool]()), Bytes: []byte("\x02\x01\x02\x00\x01\x02\x01")})
	vectors.Check(t, filepath.Join("testdata", "golden", "v1", "values.json"), values, invalid(t))
}

// causes maps each reason to refuse input to the cause of the error.
var causes = map[string]error{
	"truncated": io.ErrUnexpectedEOF, "trailing": ErrTrailing, "overflow": ErrOverflow, "nonminimal": ErrNonMinimal, "flag": ErrFlag, "duplicate": ErrDuplicate,
	"time": ErrTime, "depth": ErrDepth, "tag": ErrTag, "unregistered": ErrUnregistered, "canonical": ErrCanonical, "unsorted": ErrUnsorted,
	"number": nil, // any error: package math/big exports none for it
}

// invalid returns encodings that every reader must refuse, with the reason. The codec of the type
// refuses them for the same reason.
func invalid(t *testing.T) []vectors.Invalid {
	var out []vectors.Invalid
	add := func(name, cause string, typ reflect.Type, data string, options ...Options) {
		c, err := ForType(typ, options...)
		if err != nil {
			t.Fatal(err)
		}
		err = c.Unmarshal([]byte(data), reflect.New(typ).Interface())
		want := causes[cause]
		if err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: wire returns %v; want %v", name, err, want)
		}
		out = append(out, vectors.Invalid{Name: name, Schema: c.Schema(), Bytes: []byte(data), Cause: cause, Err: want})
	}
	of := reflect.TypeFor[int]
	canonical := Options{Canonical: true}
	add("nothing", "truncated", of(), "")
	add("bytes behind", "trailing", of(), "\x00\x00")
	add("bool of 2", "flag", reflect.TypeFor[bool](), "\x02")
	add("flag of 255", "flag", reflect.TypeFor[*bool](), "\xff\x00")
	add("int8 without a byte", "truncated", reflect.TypeFor[int8](), "")
	add("int16 too large", "overflow", reflect.TypeFor[int16](), "\x80\x80\x04")
	add("int16 too small", "overflow", reflect.TypeFor[int16](), "\x81\x80\x04")
	add("int32 too large", "overflow", reflect.TypeFor[int32](), "\x80\x80\x80\x80\x10")
	add("uint16 too large", "overflow", reflect.TypeFor[uint16](), "\x80\x80\x04")
	add("uint32 too large", "overflow", reflect.TypeFor[uint32](), "\x80\x80\x80\x80\x10")
	add("uint64 of 65 bits", "overflow", reflect.TypeFor[uint64](), "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02")
	add("uint64 of eleven bytes", "overflow", reflect.TypeFor[uint64](), "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01")
	add("varint with a zero behind", "nonminimal", of(), "\x81\x00")
	add("varint that does not end", "truncated", of(), "\xff")
	add("float cut short", "truncated", reflect.TypeFor[float64](), "\x00\x00\x00\x00\x00\x00\x00")
	add("complex cut short", "truncated", reflect.TypeFor[complex64](), "\x00\x00\x00\x00\x00\x00\x00")
	add("string longer than the input", "truncated", reflect.TypeFor[string](), "\x05abcd")
	add("string of 2^63 bytes", "truncated", reflect.TypeFor[string](), "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01")
	add("string with a length in two bytes that needs one", "nonminimal", reflect.TypeFor[string](), "\x81\x00a")
	add("bytes longer than the input", "truncated", reflect.TypeFor[[]byte](), "\xff\xff\xff\xff\x0f")
	add("slice longer than the input", "truncated", reflect.TypeFor[[]uint64](), "\xff\xff\xff\xff\x0f\x00\x00")
	add("slice of slices longer than the input", "truncated", reflect.TypeFor[[][]string](), "\x02\x01\x01a\x7f")
	add("array cut short", "truncated", reflect.TypeFor[[3]bool](), "\x01\x00")
	add("struct cut short", "truncated", reflect.TypeFor[struct{ A, B int }](), "\x02")
	add("map longer than the input", "truncated", reflect.TypeFor[map[string]int](), "\x7f\x00\x00")
	add("map with a key twice", "duplicate", reflect.TypeFor[map[string]int](), "\x02\x01a\x02\x01a\x04")
	add("map with 0.0 and -0.0", "duplicate", reflect.TypeFor[map[float32]bool](), "\x02\x00\x00\x00\x00\x00\x00\x00\x00\x80\x00")
	add("map with no key twice", "duplicate", reflect.TypeFor[map[*int]bool](), "\x02\x00\x00\x00\x00")
	add("variant of no case", "tag", reflect.TypeFor[mo.Either[int, bool]](), "\x02\x00")
	add("nullable of no case", "tag", reflect.TypeFor[mo.Nullable[int]](), "\x03")
	add("result without its value", "truncated", reflect.TypeFor[mo.Result[int]](), "\x00")
	add("interface of an id that nobody has", "unregistered", reflect.TypeFor[drawing](), "\x00\x09\x00", Options{Types: shapes(t)})
	add("interface with an id that is too long", "nonminimal", reflect.TypeFor[drawing](), "\x00\x82\x00\x00", Options{Types: shapes(t)})
	add("time of a billion nanoseconds", "time", reflect.TypeFor[time.Time](), "\x00\x80\x94\xeb\xdc\x03\x00")
	add("time of zone 3", "time", reflect.TypeFor[time.Time](), "\x00\x00\x03\x00")
	add("time with an offset of 33 bits", "time", reflect.TypeFor[time.Time](), "\x00\x00\x02\x80\x80\x80\x80\x10")
	add("time without a zone", "truncated", reflect.TypeFor[time.Time](), "\x00\x00")
	add("time with a zone cut short", "truncated", reflect.TypeFor[time.Time](), "\x00\x00\x01\x00\x05UTC")
	add("big integer without a sign", "number", reflect.TypeFor[big.Int](), "\x00")
	add("big integer with a sign of 2", "number", reflect.TypeFor[big.Int](), "\x02\x02\x01")
	add("big integer with a zero in front", "number", reflect.TypeFor[big.Int](), "\x03\x00\x00\x01")
	add("big integer that is -0", "number", reflect.TypeFor[big.Int](), "\x01\x01")
	add("evolving struct longer than the input", "truncated", reflect.TypeFor[grown1](), "\x05\x02")
	add("evolving struct that ends within a field", "truncated", reflect.TypeFor[grown2](), "\x02\x02\x05")
	add("evolving struct that ends within an array", "truncated", reflect.TypeFor[grown3](), "\x05\x02\x00\x00\x00\x01")
	add("recursive, too deep", "depth", reflect.TypeFor[node](), strings.Repeat("\x00\x01", 2000))
	add("a removed field cut short", "truncated", reflect.TypeFor[shrunk](), "\x02\x00")
	add("a removed field whose flag is 2", "flag", reflect.TypeFor[shrunk](), "\x02\x00\x00\x00\x03\x00\x00\x00\x01d\x02")
	add("canonical: a removed field that is not zero", "canonical", reflect.TypeFor[struct {
		_ Removed[int]
		A int
	}](), "\x02\x00", canonical)
	add("canonical: keys out of order", "unsorted", reflect.TypeFor[map[string]int](), "\x02\x01b\x00\x01a\x00", canonical)
	add("canonical: a key twice", "unsorted", reflect.TypeFor[map[string]int](), "\x02\x01a\x00\x01a\x00", canonical)
	add("canonical: -0.0", "canonical", reflect.TypeFor[float32](), "\x00\x00\x00\x80", canonical)
	add("canonical: another NaN", "canonical", reflect.TypeFor[float64](), "\x01\x00\x00\x00\x00\x00\xf8\x7f", canonical)
	add("canonical: a time with a zone", "canonical", reflect.TypeFor[time.Time](), "\x00\x00\x02\x00", canonical)
	add("canonical: an evolving struct with fewer fields", "canonical", reflect.TypeFor[grown2](), "\x01\x02", canonical)
	add("canonical: an evolving struct with more fields", "canonical", reflect.TypeFor[grown1](), "\x02\x02\x02", canonical)
	return out
}

// TestVectorsAreEnough reads the file as another implementation does, without Go types. The file
// must have a vector for each kind.
func TestVectorsAreEnough(t *testing.T) {
	kinds := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if kind, ok := v["kind"].(string); ok {
				kinds[kind] = true
			}
			for _, part := range v {
				walk(part)
			}
		case []any:
			for _, part := range v {
				walk(part)
			}
		}
	}
	for _, name := range []string{"values.json", "layouts.json"} {
		var file struct {
			Values []struct {
				Schema map[string]any
				JSON   any
			}
		}
		data, err := os.ReadFile(filepath.Join("testdata", "golden", "v1", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		for _, v := range file.Values {
			walk(v.Schema)
		}
	}
	for _, kind := range []string{"bool", "int", "uint", "bigint", "float", "complex", "string", "bytes", "time", "time utc", "time location", "array", "slice", "map",
		"struct", "optional", "union", "binary", "text", "skip", "ref"} {
		if !kinds[kind] {
			t.Errorf("no vector has a %s", kind)
		}
	}
}
