package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
)

// golden returns values whose bytes are frozen under testdata/golden/v1. Bytes of any v1 must
// stay readable, so a line there never changes. Run the test with HONE_UPDATE=1 to add new ones.
func golden(t *testing.T) map[string]any {
	p := ptr(int32(-5))
	kathmandu, err := time.LoadLocation("Asia/Kathmandu")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{
		"bool":        ptr([]bool{true, false}),
		"int8":        ptr([]int8{0, -1, 127, -128}),
		"int":         ptr([]int64{0, 1, -1, 63, -64, 64, math.MaxInt64, math.MinInt64}),
		"uint":        ptr([]uint64{0, 127, 128, 300, math.MaxUint64}),
		"int16":       ptr([]int16{math.MinInt16, math.MaxInt16}),
		"uint32":      ptr([]uint32{math.MaxUint32}),
		"float32":     ptr([]float32{0, 1.5, float32(math.Inf(-1))}),
		"float64":     ptr([]float64{math.Pi, math.Copysign(0, -1)}),
		"complex":     ptr(complex(1, -2)),
		"string":      ptr([]string{"", "a", "häh\x00"}),
		"bytes":       ptr([]byte{0, 255}),
		"bytearray":   ptr([3]byte{1, 2, 3}),
		"array":       ptr([2][]uint16{{1}, nil}),
		"map":         ptr(map[string]uint8{"k": 7}),
		"pointer":     ptr([]*int32{nil, p}),
		"option":      ptr([]mo.Option[string]{mo.None[string](), mo.Some("s")}),
		"struct":      ptr(inner{A: [4]int{1, -2, 3, -4}, B: 9}),
		"recursive":   &tree{V: 1, Left: &tree{V: 2}, Kids: []tree{{}}, Named: map[string]*tree{"n": nil}},
		"time-zero":   &time.Time{},
		"time-utc":    ptr(time.Date(2024, 2, 29, 23, 59, 59, 999999999, time.UTC)),
		"time-named":  ptr(time.Date(2024, 2, 29, 23, 59, 59, 0, kathmandu)),
		"time-fixed":  ptr(time.Date(2024, 2, 29, 23, 59, 59, 0, time.FixedZone("X", -3723))),
		"duration":    ptr(time.Hour),
		"binary-pair": ptr(netip.MustParseAddr("192.0.2.1")),
		"text-pair":   ptr(inText{-1 << 40}),
		"big-int":     ptr([]big.Int{*big.NewInt(0), *big.NewInt(1), *big.NewInt(-1 << 40), *new(big.Int).Lsh(big.NewInt(1), 70)}),
		"big-rat":     big.NewRat(-1, 3),
		"big-float":   big.NewFloat(-1.5),
		"result":      ptr([]mo.Result[int]{mo.Ok(-1), mo.Err[int](errors.New("no"))}),
		"nullable":    ptr([]mo.Nullable[string]{mo.Absent[string](), mo.Null[string](), mo.Value("v")}),
		"either":      ptr([]mo.Either[string, int]{mo.Left[string, int]("l"), mo.Right[string](1)}),
		"either3":     ptr([]mo.Either3[int8, string, bool]{mo.NewEither3Arg1[int8, string, bool](1), mo.NewEither3Arg3[int8, string](true)}),
		"either5":     ptr(mo.NewEither5Arg5[int8, string, bool, uint8](uint16(300))),
		"fixed":       &fixedInts{I16: -2, U32: 1 << 31, I: -1, S: []uint32{1}, O: mo.Some[uint16](2)},
		"evolving":    ptr([]config2{{Name: "a", Port: 80}, {}}),
		"removed":     &without[map[string]time.Time]{A: -1, Z: "z"},
		"unknown":     ptr([]passing1{{Name: "a", Unknown: Unknown("\x01\x02")}, {}}),
		"raw":         ptr([]Raw[tree]{Must(Marshal(&tree{V: -1})), nil}),
		"varint8":     &narrow{-128, 255, []int8{127, -1}, [3]uint8{1, 200, 3}, ptr(int8(-5)), mo.Some(int8(100))},
		"interface":   &drawing{Shapes: []shaper{&circle{2}, square{1}}, Any: "text", Named: map[string]any{"n": nil}},
		"canonical":   &canon{M: map[string]int{"b": 1, "a": 2, "": 3}, F: map[float64]bool{-1: true, 1: false}, Z: []float64{math.Copysign(0, -1), math.NaN()}},
	}
}

// goldenOptions returns the options of the values that are not written with the default options.
func goldenOptions(t *testing.T) map[string]Options {
	return map[string]Options{"interface": {Types: shapes(t)}, "canonical": {Canonical: true}}
}

func ptr[T any](v T) *T { return &v }

func TestGolden(t *testing.T) {
	path := filepath.Join("testdata", "golden", "v1", "vectors.json")
	frozen := map[string]string{}
	if data, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(data, &frozen); err != nil {
			t.Fatal(err)
		}
	} else if os.Getenv("HONE_UPDATE") == "" {
		t.Fatal(err)
	}
	values, options := golden(t), goldenOptions(t)
	for name, v := range values {
		rv := reflect.ValueOf(v).Elem()
		c, err := ForType(rv.Type(), options[name])
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		if frozen[name] == "" && os.Getenv("HONE_UPDATE") != "" {
			frozen[name] = hex.EncodeToString(got)
		}
		want, err := hex.DecodeString(frozen[name])
		if err != nil || len(want) == 0 {
			t.Errorf("%s: no vector", name)
			continue
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s encodes to %x, frozen as %x", name, got, want)
		}
		back := reflect.New(rv.Type())
		if err := c.Unmarshal(want, back.Interface()); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if again, err := c.Append(nil, back.Interface()); err != nil || !bytes.Equal(again, want) {
			t.Errorf("%s reads back as %v", name, back)
		}
	}
	for name := range frozen {
		if values[name] == nil {
			t.Errorf("vector %s has no value", name)
		}
	}
	if os.Getenv("HONE_UPDATE") != "" {
		data, err := json.MarshalIndent(frozen, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// inText is a number that its methods write as decimal text.
type inText struct{ V int64 }

func (x inText) MarshalText() ([]byte, error) { return strconv.AppendInt(nil, x.V, 10), nil }

func (x *inText) UnmarshalText(b []byte) (err error) {
	x.V, err = strconv.ParseInt(string(b), 10, 64)
	return err
}
