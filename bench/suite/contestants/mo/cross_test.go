package mo_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	samber "github.com/samber/mo"

	honejson "github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
)

type crossed struct {
	N    int64
	S    string
	B    []byte
	List []float64
	Sub  *struct{ Flag bool }
}

// FuzzMoCross compares the wire formats of mo and samber/mo: both packages write equal bytes, and
// each decodes the bytes that the other has written.
func FuzzMoCross(f *testing.F) {
	f.Add(int64(0), uint64(0), 0.0, false, "", []byte(nil))
	f.Add(int64(-1), uint64(127), 1.5, true, "a", []byte{0})
	f.Add(int64(math.MinInt64), uint64(math.MaxUint64), math.Inf(-1), true, "hé<\u2028\xff\"\\\x01", []byte("bytes"))
	f.Add(int64(math.MaxInt64), uint64(128), math.NaN(), false, "null", []byte("null"))
	f.Add(int64(255), uint64(256), math.SmallestNonzeroFloat64, false, string(make([]byte, 200)), make([]byte, 128))
	f.Add(int64(-129), uint64(1<<31), math.MaxFloat32, false, "{}", []byte{0xff})
	f.Fuzz(func(t *testing.T, i int64, u uint64, x float64, b bool, s string, raw []byte) {
		crossOption(t, i)
		crossOption(t, int(i))
		crossOption(t, int8(i))
		crossOption(t, int16(i))
		crossOption(t, int32(i))
		crossOption(t, u)
		crossOption(t, uint(u))
		crossOption(t, uint8(u))
		crossOption(t, uint16(u))
		crossOption(t, uint32(u))
		crossOption(t, x)
		crossOption(t, float32(x))
		crossOption(t, b)
		crossOption(t, s)
		crossOption(t, raw)
		crossOption(t, []string{s, ""})
		crossOption(t, map[string]int64{s: i})
		record := crossed{i, s, raw, []float64{x, 0}, &struct{ Flag bool }{b}}
		crossOption(t, record)
		crossOption(t, crossed{})

		crossBinary(t, mo.Left[int64, string](i), samber.Left[int64, string](i), new(mo.Either[int64, string]), new(samber.Either[int64, string]))
		crossBinary(t, mo.Right[int64](s), samber.Right[int64](s), new(mo.Either[int64, string]), new(samber.Either[int64, string]))
		crossBinary(t, mo.Left[crossed, []byte](record), samber.Left[crossed, []byte](record), new(mo.Either[crossed, []byte]), new(samber.Either[crossed, []byte]))
		crossBinary(t, mo.Right[crossed](raw), samber.Right[crossed](raw), new(mo.Either[crossed, []byte]), new(samber.Either[crossed, []byte]))

		type h3 = mo.Either3[uint64, []byte, crossed]
		type s3 = samber.Either3[uint64, []byte, crossed]
		crossBinary(t, mo.NewEither3Arg1[uint64, []byte, crossed](u), samber.NewEither3Arg1[uint64, []byte, crossed](u), new(h3), new(s3))
		crossBinary(t, mo.NewEither3Arg2[uint64, []byte, crossed](raw), samber.NewEither3Arg2[uint64, []byte, crossed](raw), new(h3), new(s3))
		crossBinary(t, mo.NewEither3Arg3[uint64, []byte](record), samber.NewEither3Arg3[uint64, []byte](record), new(h3), new(s3))

		type h4 = mo.Either4[float64, bool, string, crossed]
		type s4 = samber.Either4[float64, bool, string, crossed]
		crossBinary(t, mo.NewEither4Arg1[float64, bool, string, crossed](x), samber.NewEither4Arg1[float64, bool, string, crossed](x), new(h4), new(s4))
		crossBinary(t, mo.NewEither4Arg2[float64, bool, string, crossed](b), samber.NewEither4Arg2[float64, bool, string, crossed](b), new(h4), new(s4))
		crossBinary(t, mo.NewEither4Arg3[float64, bool, string, crossed](s), samber.NewEither4Arg3[float64, bool, string, crossed](s), new(h4), new(s4))
		crossBinary(t, mo.NewEither4Arg4[float64, bool, string](record), samber.NewEither4Arg4[float64, bool, string](record), new(h4), new(s4))

		type h5 = mo.Either5[int32, float32, uint8, string, crossed]
		type s5 = samber.Either5[int32, float32, uint8, string, crossed]
		crossBinary(t, mo.NewEither5Arg1[int32, float32, uint8, string, crossed](int32(i)), samber.NewEither5Arg1[int32, float32, uint8, string, crossed](int32(i)), new(h5), new(s5))
		crossBinary(t, mo.NewEither5Arg2[int32, float32, uint8, string, crossed](float32(x)), samber.NewEither5Arg2[int32, float32, uint8, string, crossed](float32(x)), new(h5), new(s5))
		crossBinary(t, mo.NewEither5Arg3[int32, float32, uint8, string, crossed](uint8(u)), samber.NewEither5Arg3[int32, float32, uint8, string, crossed](uint8(u)), new(h5), new(s5))
		crossBinary(t, mo.NewEither5Arg4[int32, float32, uint8, string, crossed](s), samber.NewEither5Arg4[int32, float32, uint8, string, crossed](s), new(h5), new(s5))
		crossBinary(t, mo.NewEither5Arg5[int32, float32, uint8, string](record), samber.NewEither5Arg5[int32, float32, uint8, string](record), new(h5), new(s5))

		crossResult(t, i)
		crossResult(t, x)
		crossResult(t, s)
		crossResult(t, record)
		// samber/mo decodes an empty message as Ok.
		if s != "" {
			crossJSON(t, mo.Err[int](errors.New(s)), samber.Err[int](errors.New(s)), new(mo.Result[int]), new(samber.Result[int]))
		}
	})
}

func crossOption[T any](t *testing.T, v T) {
	t.Helper()
	crossBinary(t, mo.Some(v), samber.Some(v), new(mo.Option[T]), new(samber.Option[T]))
	crossBinary(t, mo.None[T](), samber.None[T](), new(mo.Option[T]), new(samber.Option[T]))
	crossJSON(t, mo.Some(v), samber.Some(v), new(mo.Option[T]), new(samber.Option[T]))
	crossJSON(t, mo.None[T](), samber.None[T](), new(mo.Option[T]), new(samber.Option[T]))
	type texter interface{ MarshalText() ([]byte, error) }
	type untexter interface{ UnmarshalText([]byte) error }
	var h mo.Option[T]
	var s samber.Option[T]
	cross(t, "text", texter(mo.Some(v)).MarshalText, texter(samber.Some(v)).MarshalText, untexter(&h).UnmarshalText, untexter(&s).UnmarshalText,
		func() ([]byte, error) { return h.MarshalText() }, func() ([]byte, error) { return s.MarshalText() })
}

func crossResult[T any](t *testing.T, v T) {
	t.Helper()
	crossJSON(t, mo.Ok(v), samber.Ok(v), new(mo.Result[T]), new(samber.Result[T]))
}

type (
	binaryWriter interface{ MarshalBinary() ([]byte, error) }
	binaryReader interface {
		binaryWriter
		UnmarshalBinary([]byte) error
	}
	jsonReader interface {
		json.Marshaler
		json.Unmarshaler
	}
)

func crossBinary(t *testing.T, hone, samber binaryWriter, honeBack, samberBack binaryReader) {
	t.Helper()
	cross(t, "binary", hone.MarshalBinary, samber.MarshalBinary, honeBack.UnmarshalBinary, samberBack.UnmarshalBinary, honeBack.MarshalBinary, samberBack.MarshalBinary)
}

func crossJSON(t *testing.T, hone, samber json.Marshaler, honeBack, samberBack jsonReader) {
	t.Helper()
	marshal := func(v json.Marshaler) func() ([]byte, error) {
		return func() ([]byte, error) { return json.Marshal(v) }
	}
	unmarshal := func(v json.Unmarshaler) func([]byte) error {
		return func(data []byte) error { return json.Unmarshal(data, v) }
	}
	cross(t, "JSON", marshal(hone), marshal(samber), unmarshal(honeBack), unmarshal(samberBack), marshal(honeBack), marshal(samberBack))
}

// cross compares the bytes of both packages, decodes the bytes of each with the other, and
// compares the results by their encodings.
func cross(t *testing.T, form string, hone, samber func() ([]byte, error), readHone, readSamber func([]byte) error, againHone, againSamber func() ([]byte, error)) {
	t.Helper()
	ours, err1 := hone()
	theirs, err2 := samber()
	if (err1 == nil) != (err2 == nil) {
		t.Fatalf("%s: %v; samber/mo: %v", form, err1, err2)
	}
	if err1 != nil {
		return // NaN has no JSON form
	}
	if string(ours) != string(theirs) {
		t.Fatalf("%s: %q, samber/mo writes %q", form, ours, theirs)
	}
	err1, err2 = readHone(theirs), readSamber(ours)
	if err1 != nil || err2 != nil {
		t.Fatalf("%s of %q: %v; samber/mo: %v", form, ours, err1, err2)
	}
	ours, err1 = againHone()
	theirs, err2 = againSamber()
	if err1 != nil || err2 != nil || string(ours) != string(theirs) {
		t.Fatalf("%s, read back: %q, %v; samber/mo: %q, %v", form, ours, err1, theirs, err2)
	}
}

// TestOptionTypeError decodes a member of a wrong type into an Option by each library. The table in
// docs/migrating/samber-mo.md has the results.
func TestOptionTypeError(t *testing.T) {
	text := []byte(`{"A":"x","B":2}`)
	var ours struct {
		A mo.Option[int]
		B int
	}
	var theirs struct {
		A samber.Option[int]
		B int
	}
	got, _ := errors.AsType[*honejson.UnmarshalTypeError](honejson.Unmarshal(text, &ours))
	if got == nil || got.Offset != 8 || got.Field != "A" || ours.B != 2 {
		t.Errorf("ours: %+v, B %d", got, ours.B)
	}
	second := honejson.RulesByDefault() == honejson.Go127
	want, _ := errors.AsType[*json.UnmarshalTypeError](json.Unmarshal(text, &theirs))
	if want == nil || want.Offset != 3 || (want.Field == "A") == second || (theirs.B == 2) != second {
		t.Errorf("theirs: %+v, B %d", want, theirs.B)
	}
}
