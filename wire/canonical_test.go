package wire_test

import (
	"bytes"
	"errors"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

type versions struct {
	_ wire.Evolving
	A int
	B string
}

// TestCanonicalIsUnique decodes encodings that are not canonical. The default codec must accept
// them, and a canonical codec must refuse them.
func TestCanonicalIsUnique(t *testing.T) {
	for name, test := range map[string]struct {
		of    any
		input []byte
	}{
		"a version that had fewer fields": {of: versions{}, input: []byte{1, 2}},
		"no field":                        {of: versions{}, input: []byte{0}},
		"a version that has more fields":  {of: versions{}, input: []byte{3, 2, 0, 0}},
		"within a slice":                  {of: []versions{}, input: []byte{1, 3, 2, 0, 0}},
		"a time in the writer's zone":     {of: time.Time{}, input: []byte{0, 0, 2, 0}},
		"a time in a zone with a name":    {of: time.Time{}, input: []byte{0, 0, 1, 0, 3, 'U', 'T', 'C'}},
		"text written otherwise":          {of: text{}, input: []byte("\x030X5")},
		"a fraction that is not reduced":  {of: big.Rat{}, input: []byte("\x032/4")},
		"a float with zeros behind it":    {of: big.Float{}, input: []byte("\x080x.c0p+1")},
		"a decimal float":                 {of: big.Float{}, input: []byte("\x031.5")},
		"an exponent with a zero":         {of: big.Float{}, input: []byte("\x080x.cp+01")},
	} {
		typ := reflect.TypeOf(test.of)
		for _, canonical := range []bool{false, true} {
			c, err := wire.ForType(typ, wire.Options{Canonical: canonical})
			if err != nil {
				t.Fatal(err)
			}
			v := reflect.New(typ)
			if err := c.Unmarshal(test.input, v.Interface()); canonical != errors.Is(err, wire.ErrCanonical) || !canonical && err != nil {
				t.Errorf("%s, canonical %v: %v", name, canonical, err)
			}
			if canonical {
				continue
			}
			strict, _ := wire.ForType(typ, wire.Options{Canonical: true})
			data, err := strict.Append(nil, v.Interface())
			if err != nil || bytes.Equal(data, test.input) {
				t.Errorf("%s: %x, %v", name, data, err)
			}
			if err := strict.Unmarshal(data, v.Interface()); err != nil {
				t.Errorf("%s: %x: %v", name, data, err)
			}
		}
	}
}

// A text is encoded in lower case. Its decoder accepts any case.
type text struct{ s string }

func (x text) MarshalText() ([]byte, error) { return []byte(strings.ToLower(x.s)), nil }

func (x *text) UnmarshalText(b []byte) error {
	x.s = string(b)
	return nil
}

// TestCanonicalTimes encodes one instant in several zones. All of them must have the encoding of
// the time in UTC.
func TestCanonicalTimes(t *testing.T) {
	c := wire.Must(wire.For[time.Time](wire.Options{Canonical: true}))
	at := time.Date(2024, 2, 29, 23, 59, 59, 5, time.UTC)
	want, err := c.Marshal(&at)
	if err != nil {
		t.Fatal(err)
	}
	for _, loc := range []*time.Location{time.Local, time.FixedZone("UTC", 0), time.FixedZone("", 3600)} {
		there := at.In(loc)
		got, err := c.Marshal(&there)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("in %v: %x, %v; in UTC %x", loc, got, err, want)
		}
	}
	var back time.Time
	if err := c.Unmarshal(want, &back); err != nil || back != at {
		t.Errorf("%v, %v", back, err)
	}
}

// TestCanonicalSchema compares the schemas of a canonical and of a default codec for one type.
// Their fingerprints differ, and the canonical codec reads fewer encodings.
func TestCanonicalSchema(t *testing.T) {
	plain := wire.Must(wire.For[versions]()).Schema()
	strict := wire.Must(wire.For[versions](wire.Options{Canonical: true})).Schema()
	if strict.Mode != schema.Canonical || plain.Mode != "" {
		t.Errorf("modes %q and %q", strict.Mode, plain.Mode)
	}
	if strict.Fingerprint() == plain.Fingerprint() {
		t.Error("the fingerprints are the same")
	}
	if problems := plain.Reads(strict); problems != nil {
		t.Errorf("the default codec does not read the canonical form: %v", problems)
	}
	if problems := strict.Reads(plain); len(problems) != 1 || problems[0].String() != "is read only in canonical form, and written in any form" {
		t.Errorf("%v", problems)
	}
	type shorter struct {
		_ wire.Evolving
		A int
	}
	if problems := strict.Reads(wire.Must(wire.For[shorter](wire.Options{Canonical: true})).Schema()); len(problems) == 0 {
		t.Error("a canonical reader reads a version with fewer fields")
	}
	strict.Mode = "loose"
	if err := strict.Check(); err == nil || !strings.Contains(err.Error(), `unknown mode "loose"`) {
		t.Error(err)
	}
}

// TestEvolvingKeys requests codecs for maps whose keys contain an evolving struct. Each request
// must fail with a TypeError. An evolving struct as an element is accepted.
func TestEvolvingKeys(t *testing.T) {
	type key = struct {
		_ wire.Evolving
		A int
	}
	type within struct{ K [2]key }
	types := new(wire.Types)
	if err := wire.RegisterType[key](types, 1); err != nil {
		t.Fatal(err)
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[map[key]int](), reflect.TypeFor[map[within]int](), reflect.TypeFor[[]map[*key]int](),
		reflect.TypeFor[map[any]int](), reflect.TypeFor[map[string]map[within]bool](),
	} {
		_, err := wire.ForType(typ, wire.Options{Types: types})
		if e := (*wire.TypeError)(nil); !errors.As(err, &e) || !strings.Contains(e.Reason, "evolving") || !strings.Contains(e.Path, "[key]") {
			t.Errorf("%v: %v", typ, err)
		}
	}
	if _, err := wire.ForType(reflect.TypeFor[map[string]key]()); err != nil {
		t.Errorf("an evolving element: %v", err)
	}
}

// TestBigInt decodes valid and malformed integers, and encodes and decodes an integer of a
// megabyte.
func TestBigInt(t *testing.T) {
	for name, test := range map[string]struct {
		input []byte
		want  string
	}{
		"zero":            {input: []byte{1, 0}, want: "0"},
		"negative":        {input: []byte{3, 1, 1, 0}, want: "-256"},
		"long":            {input: []byte{10, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, want: "18446744073709551616"},
		"empty":           {input: []byte{0}},
		"a negative zero": {input: []byte{1, 1}},
		"zeros in front":  {input: []byte{3, 0, 0, 1}},
		"no sign":         {input: []byte{2, 2, 1}},
		"text":            {input: []byte("\x01" + "5")},
		"truncated":       {input: []byte{3, 0, 1}},
	} {
		var v big.Int
		err := wire.Unmarshal(test.input, &v)
		if (err == nil) != (test.want != "") || err == nil && v.String() != test.want {
			t.Errorf("%s: %v, %v", name, &v, err)
			continue
		}
		if err != nil {
			continue
		}
		if data, err := wire.Marshal(&v); err != nil || !bytes.Equal(data, test.input) {
			t.Errorf("%s: written as %x, %v", name, data, err)
		}
		text, err := wire.Must(wire.For[big.Int]()).Schema().AppendJSON(nil, test.input)
		if want := map[string]string{"long": `"0x010000000000000000"`}[name]; err != nil || string(text) != want && want != "" || want == "" && string(text) != test.want {
			t.Errorf("%s: JSON %s, %v", name, text, err)
		}
	}
	long := new(big.Int).Lsh(big.NewInt(-5), 8<<20)
	data, err := wire.Marshal(long)
	var back big.Int
	if err == nil {
		err = wire.Unmarshal(data, &back)
	}
	if err != nil || back.Cmp(long) != 0 {
		t.Errorf("a megabyte of digits: %v", err)
	}
}

func TestBigIntAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	long := new(big.Int).Lsh(big.NewInt(-5), 8<<20)
	data := make([]byte, 0, 2<<20)
	if n := testing.AllocsPerRun(10, func() { data, _ = wire.Append(data[:0], long) }); n > 0 {
		t.Errorf("Append: %v allocations", n)
	}
}

// TestBigText decodes texts of a big.Rat or a big.Float whose value would need much work. They must
// be refused, or decoded in a short time.
func TestBigText(t *testing.T) {
	for name, test := range map[string]struct {
		into  any
		text  string
		cause error
	}{
		"an exponent":                {into: new(big.Rat), text: "1e1000000"},
		"a decimal point":            {into: new(big.Rat), text: "1.5"},
		"a base":                     {into: new(big.Rat), text: "0x10"},
		"a denominator of zero":      {into: new(big.Rat), text: "1/0"},
		"a long fraction":            {into: new(big.Rat), text: strings.Repeat("9", 1<<20), cause: wire.ErrLimit},
		"a long float":               {into: new(big.Float), text: strings.Repeat("9", 1<<20), cause: wire.ErrLimit},
		"a float that is no number":  {into: new(big.Float), text: "NaN"},
		"an integer that is as text": {into: new(big.Int), text: "12"},
	} {
		data, err := wire.Marshal(&test.text)
		if err != nil {
			t.Fatal(err)
		}
		c, err := wire.ForType(reflect.TypeOf(test.into).Elem())
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Unmarshal(data, test.into); err == nil || test.cause != nil && !errors.Is(err, test.cause) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{"1e-5000000", "1e600000000", "0x.8p-2000000000", "-Inf", "1.5", "0"} { // decoding each must take little time
		data := append([]byte{byte(len(text))}, text...)
		var v, back big.Float
		if err := wire.Unmarshal(data, &v); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		strict := wire.Must(wire.For[big.Float](wire.Options{Canonical: true}))
		if err := strict.Unmarshal(data, &back); err != nil && !errors.Is(err, wire.ErrCanonical) {
			t.Errorf("%s in canonical form: %v", text, err)
		}
		data, err := strict.Marshal(&v)
		if err == nil {
			err = strict.Unmarshal(data, &back)
		}
		if err != nil || v.Cmp(&back) != 0 {
			t.Errorf("%s: %q, %v", text, data, err)
		}
	}
	var digits big.Float // many digits and a large exponent
	text := strings.Repeat("9", 16<<10-9) + "e-5000000"
	if err := wire.Unmarshal(wire.Must(wire.Marshal(&text)), &digits); err != nil {
		t.Error(err)
	}
	long := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 1<<20))
	if _, err := wire.Marshal(long); !errors.Is(err, wire.ErrLimit) {
		t.Errorf("a value that is not readable is written: %v", err)
	}
}

// TestBigFloatPrecision encodes floats of several precisions and decodes them into destinations of several
// precisions. Their value does not change.
func TestBigFloatPrecision(t *testing.T) {
	type record struct {
		F big.Float
		P *big.Float
		M map[string]*big.Float
	}
	derived := wire.Must(wire.For[record]())
	canonical := wire.Must(wire.For[record](wire.Options{Canonical: true}))
	for _, precision := range []uint{1, 24, 53, 63, 64, 65, 66, 67, 68, 69, 100, 237, 1000, 60_000} {
		f := new(big.Float).SetPrec(precision).SetInt64(-7)
		f.Sqrt(f.Abs(f)).Neg(f)
		for _, shift := range []int{0, -1, 2, 3, 1_000_000, -1_000_000} {
			f := new(big.Float).SetMantExp(f, shift)
			for _, codec := range []*wire.Codec[record]{derived, canonical} {
				data, err := codec.Marshal(&record{F: *f, P: f, M: map[string]*big.Float{"a": f}})
				if err != nil {
					t.Fatal(err)
				}
				for _, destination := range []uint{0, 24, 64, 2000} {
					var got record
					got.F.SetPrec(destination)
					got.P = new(big.Float).SetPrec(destination)
					if err := codec.Unmarshal(data, &got); err != nil {
						t.Fatal(err)
					}
					if got.F.Cmp(f) != 0 || got.P.Cmp(f) != 0 || got.M["a"].Cmp(f) != 0 {
						t.Errorf("%d bits, exponent %d, into %d bits: the number was rounded to %d bits", precision, shift, destination, got.F.Prec())
					}
					if destination >= precision && got.F.Prec() != destination {
						t.Errorf("the precision of the destination was %d and is %d", destination, got.F.Prec())
					}
				}
			}
		}
	}
	for text, want := range map[string]string{
		"340282366920938463463374607431768211457": "340282366920938463463374607431768211457",
		"-0x.ffffffffffffffffffff8p+81":           "-2417851639229258349412351",
		"0X1_0000_0000_0000_0000_0001":            "1208925819614629174706177", // any form that math/big reads
	} {
		var f big.Float
		if err := wire.Unmarshal(wire.Must(wire.Marshal(&text)), &f); err != nil || f.Text('f', 0) != want {
			t.Errorf("%s was read as %s, %v", text, f.Text('f', 0), err)
		}
	}
}
