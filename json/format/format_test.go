package format

import (
	"encoding"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/test/testkit"
	honejson "github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/shape"
)

// The package does not import shape, whose interface its types implement.
var _ = []shape.SchemaTyper{
	Duration(0), ISODuration(0), Seconds(0), Milliseconds(0), Microseconds(0), UnixSeconds{}, UnixMilli{}, UnixMicro{},
	UnixNano{}, Date{}, RFC3339{}, Hex{}, Base64URL{}, Base32{},
}

type text interface {
	encoding.TextAppender
	encoding.TextMarshaler
}

// values lists values with their text.
var values = []struct {
	v    text
	text string
}{
	{Duration(0), "0s"}, {Duration(90 * time.Second), "1m30s"}, {Duration(math.MinInt64), "-2562047h47m16.854775808s"}, {Duration(math.MaxInt64), "2562047h47m16.854775807s"},
	{Duration(1), "1ns"}, {Duration(1500), "1.5µs"}, {Duration(1500 * time.Microsecond), "1.5ms"}, {Duration(time.Hour), "1h0m0s"}, {Duration(-time.Minute), "-1m0s"},
	{ISODuration(0), "PT0S"}, {ISODuration(90 * time.Second), "PT1M30S"}, {ISODuration(25 * time.Hour), "PT25H"}, {ISODuration(math.MinInt64), "-PT2562047H47M16.854775808S"},
	{ISODuration(time.Hour + 1), "PT1H0.000000001S"},
	{Seconds(0), "0"}, {Seconds(1500 * time.Millisecond), "1.5"}, {Seconds(1), "0.000000001"}, {Seconds(-1), "-0.000000001"}, {Seconds(math.MinInt64), "-9223372036.854775808"}, {Seconds(100 * time.Second), "100"},
	{Milliseconds(0), "0"}, {Milliseconds(1500 * time.Microsecond), "1.5"}, {Milliseconds(1), "0.000001"}, {Milliseconds(math.MaxInt64), "9223372036854.775807"}, {Milliseconds(-10 * time.Second), "-10000"},
	{Microseconds(1), "0.001"}, {Microseconds(math.MinInt64), "-9223372036854775.808"}, {Microseconds(time.Second), "1000000"},
	{UnixSeconds(time.Unix(1700000000, 0)), "1700000000"}, {UnixSeconds(time.Unix(0, 0)), "0"}, {UnixSeconds(time.Unix(-1, 500_000_000)), "-0.5"}, {UnixSeconds(time.Time{}), "-62135596800"},
	{UnixSeconds(time.Date(10000, 1, 1, 0, 0, 0, 1, time.UTC)), "253402300800.000000001"}, {UnixSeconds(time.Unix(math.MinInt64, 0)), "-9223372036854775808"}, {UnixSeconds(time.Unix(lastUnix, 999_999_999)), "9223371974719179007.999999999"},
	{UnixMilli(time.Unix(1700000000, 123_000_000)), "1700000000123"}, {UnixMilli(time.Unix(0, 1)), "0.000001"}, {UnixMilli(time.Unix(lastUnix, 0)), "9223371974719179007000"},
	{UnixMicro(time.Unix(-1, 0)), "-1000000"}, {UnixMicro(time.Unix(1, 1)), "1000000.001"},
	{UnixNano(time.Unix(1700000000, 1)), "1700000000000000001"}, {UnixNano(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)), "253402300800000000000"},
	{Date(time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)), "2026-11-22"}, {Date(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)), "0000-01-01"}, {Date(time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)), "9999-12-31"},
	{RFC3339(time.Date(2026, 11, 22, 10, 30, 0, 0, time.UTC)), "2026-11-22T10:30:00Z"}, {RFC3339(time.Date(2026, 11, 22, 10, 30, 0, 0, time.FixedZone("", 5400))), "2026-11-22T10:30:00+01:30"},
	{Hex{0, 255}, "00ff"}, {Hex{}, ""}, {Base64URL{251, 255, 1, 2}, "-_8BAg"}, {Base64URL{}, ""}, {Base32("hi"), "NBUQ===="}, {Base32{}, ""},
}

// same reports whether a and b are equal. Times are equal if they are the same instant.
func same(a, b any) bool {
	timeType := reflect.TypeFor[time.Time]()
	if x := reflect.ValueOf(a); x.Type().ConvertibleTo(timeType) {
		return x.Convert(timeType).Interface().(time.Time).Equal(reflect.ValueOf(b).Convert(timeType).Interface().(time.Time))
	}
	return reflect.DeepEqual(a, b)
}

// TestValues encodes each value as text and with three JSON packages, and decodes the result. The
// decoded value must be equal to the first one.
func TestValues(t *testing.T) {
	for _, test := range values {
		typ := reflect.TypeOf(test.v)
		read := func(by string, read func(v any) error) {
			t.Helper()
			target := reflect.New(typ)
			if err := read(target.Interface()); err != nil || !same(target.Elem().Interface(), test.v) {
				t.Errorf("%s: %T from %s: %v, %v", by, test.v, test.text, target.Elem(), err)
			}
		}
		if b, err := test.v.AppendText([]byte("x")); string(b) != "x"+test.text || err != nil {
			t.Errorf("%T: %s, %v, want %s", test.v, b, err, test.text)
		}
		read("text", func(v any) error { return v.(encoding.TextUnmarshaler).UnmarshalText([]byte(test.text)) })
		want := `"` + test.text + `"`
		if _, number := test.v.(json.Marshaler); number {
			want = test.text
		}
		for name, pkg := range map[string]struct {
			marshal   func(any) ([]byte, error)
			unmarshal func([]byte, any) error
		}{
			"encoding/json": {json.Marshal, json.Unmarshal}, "json": {honejson.Marshal, honejson.Unmarshal},
			"json/v2": {func(v any) ([]byte, error) { return jsonv2.Marshal(v) }, func(b []byte, v any) error { return jsonv2.Unmarshal(b, v) }},
		} {
			if b, err := pkg.marshal(test.v); string(b) != want || err != nil {
				t.Errorf("%s: %T: %s, %v, want %s", name, test.v, b, err, want)
			}
			read(name, func(v any) error { return pkg.unmarshal([]byte(want), v) })
			if b, err := pkg.marshal([]any{test.v}); string(b) != "["+want+"]" || err != nil {
				t.Errorf("%s: %T: %s, %v", name, test.v, b, err)
			}
		}
	}
}

type query struct {
	Duration Duration     `query:"duration"`
	ISO      ISODuration  `query:"iso"`
	Seconds  Seconds      `query:"seconds"`
	Milli    *UnixMilli   `query:"milli"`
	Day      Date         `query:"day"`
	At       []RFC3339    `query:"at"`
	Key      Hex          `query:"key"`
	Token    Base64URL    `query:"token"`
	Nano     Nanoseconds  `query:"nano"`
	Since    UnixSeconds  `query:"since"`
	Wait     Milliseconds `query:"wait"`
}

func TestBind(t *testing.T) {
	var q query
	err := bind.Query("duration=1m30s&iso=PT1H&seconds=1.5&milli=1700000000000&day=2026-11-22&at=2026-11-22T10:30:00Z&at=2026-11-22T11:30:00Z&key=00ff&token=AAA&nano=7&since=5&wait=250", &q)
	if err != nil || q.Duration != Duration(90*time.Second) || q.ISO != ISODuration(time.Hour) || q.Seconds != Seconds(1500*time.Millisecond) || q.Milli == nil || time.Time(*q.Milli).Unix() != 1700000000 ||
		q.Day.String() != "2026-11-22" || len(q.At) != 2 || time.Time(q.At[1]).Hour() != 11 || q.Key.String() != "00ff" || len(q.Token) != 2 || q.Nano != 7 || time.Time(q.Since).Unix() != 5 || q.Wait != Milliseconds(250*time.Millisecond) {
		t.Errorf("%+v, %v", q, err)
	}
	var form *Error
	if err := bind.Query("duration=1x", &q); !errors.As(err, &form) || form.Text != "1x" {
		t.Errorf("%v", err)
	}
}

// TestRefused decodes invalid text. The cause of the error must be the expected one.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		v    any
		text string
		want error
	}{
		{new(Duration), "|1|0|1x|1m1h|1s1s|m|1.s|.5s|1s |+1s|--1s|1h-1m|1.2.3s|1µ|1d|١s|1e3s|null", ErrSyntax},
		{new(Duration), "9223372036854775808ns|-9223372036854775809ns|2562048h|99999999999999999999999h|18446744073709551616ns|5124095h34m33.709551616s", ErrRange}, {new(Duration), "0.1ns|1.0000000001s|0.3333333333333333333333h", ErrFiner},
		{new(ISODuration), "|P|PT|PT1|P1Y|P1M|PT1.5H1M|pt1s|PT1S1M|P1DT|T1S|PT1s|PT1,5S|+PT1S|P-1D|PT1D", ErrSyntax}, {new(ISODuration), "PT9223372037S|P99999999999999W", ErrRange}, {new(ISODuration), "PT0.0000000001S", ErrFiner},
		{new(Seconds), "|1s|01|1.|.5|+1|1e|-|--1|1 |0x1|1_0|Infinity|NaN|00|-00", ErrSyntax}, {new(Seconds), "9223372036.854775808|1e400|1e99999999999999999999|1e19|-9223372036.854775809", ErrRange},
		{new(Seconds), "0.1e-9|1e-400|0.30000000000000004|1.00000000000000000000000000000000000000000000000001|1e-99999999999999999999", ErrFiner}, {new(Milliseconds), "1e-7", ErrFiner}, {new(Microseconds), "1e17", ErrRange},
		{new(UnixSeconds), "9223371974719179008|-9223372036854775808.5|1e30", ErrRange}, {new(UnixNano), "0.5", ErrFiner}, {new(UnixMilli), `"1"|2026`, ErrSyntax}, {new(UnixNano), "1e40", ErrRange},
		{new(Date), "|2026-1-1|26-01-01|2026-01-01T00:00:00Z|10000-01-01|2026-01-01 ", ErrSyntax}, {new(Date), "2026-13-01|2026-02-30", ErrRange},
		{new(RFC3339), "|2026-11-22|2026-11-22T10:30:00|2026-11-22T10:30:00.5Z|2026-11-22T10:30:00,5Z|2026-11-22T1:30:00Z|2026-11-22T24:30:00Z|2026-11-22T10:30:00+24:00|2026-02-30T10:30:00Z", ErrSyntax},
		{new(Hex), "0|0g|00 |0x00", ErrSyntax}, {new(Base64URL), "A|AB|AA==|+/8|A\nAA|AAA\r\n|AA A", ErrSyntax}, {new(Base32), "NBUQ|NBUR====|NBU\nQ====|N|A=======|1", ErrSyntax},
	} {
		for text := range strings.SplitSeq(test.text, "|") {
			if text == "2026" || text == "" && strings.HasPrefix(test.text, "0") {
				continue
			}
			target := reflect.New(reflect.TypeOf(test.v).Elem())
			err := target.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text))
			var form *Error
			if !errors.As(err, &form) || !errors.Is(err, test.want) || form.Text != text && len(form.Text) < 37 {
				t.Errorf("%T from %q: %v, %v; want %v", test.v, text, target.Elem(), err, test.want)
			}
			if !target.Elem().IsZero() {
				t.Errorf("%T from %q is %v", test.v, text, target.Elem())
			}
		}
	}
	for _, v := range []text{Date(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)), Date(time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)), RFC3339(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))} {
		b, err := v.AppendText([]byte("x"))
		if string(b) != "x" || !errors.Is(err, ErrRange) {
			t.Errorf("%T: %s, %v", v, b, err)
		}
		if b, err := v.MarshalText(); b != nil || err == nil {
			t.Errorf("%T: %s, %v", v, b, err)
		}
	}
	for _, data := range []string{`"1"`, `true`, `{}`, `[]`} {
		for _, v := range []any{new(Seconds), new(UnixMilli)} {
			if err := json.Unmarshal([]byte(data), v); !errors.Is(err, ErrKind) {
				t.Errorf("%T from %s: %v", v, data, err)
			}
		}
	}
	kept := Seconds(7)
	if err := json.Unmarshal([]byte("null"), &kept); err != nil || kept != 7 {
		t.Errorf("null: %v, %v", kept, err)
	}
}

// TestOtherForms decodes valid text that encoding would not produce. The values must be the listed
// ones.
func TestOtherForms(t *testing.T) {
	for _, test := range []struct {
		v    any
		text string
		want time.Duration
	}{
		{new(Duration), "1.5h", 90 * time.Minute}, {new(Duration), "-2m0.25s", -(2*time.Minute + 250*time.Millisecond)}, {new(Duration), "1us", 1000}, {new(Duration), "1μs", 1000}, {new(Duration), "007s", 7 * time.Second}, {new(Duration), "0.5000000000000000000000s", time.Second / 2},
		{new(ISODuration), "P1W", 7 * 24 * time.Hour}, {new(ISODuration), "P1DT1H", 25 * time.Hour}, {new(ISODuration), "P0.5D", 12 * time.Hour}, {new(ISODuration), "-PT0.5S", -time.Second / 2}, {new(ISODuration), "PT90M", 90 * time.Minute},
		{new(Seconds), "1e2", 100 * time.Second}, {new(Seconds), "1.50", 1500 * time.Millisecond}, {new(Seconds), "-0", 0}, {new(Seconds), "0e99", 0}, {new(Seconds), "1E-9", 1}, {new(Seconds), "0.00015e4", 1500 * time.Millisecond}, {new(Seconds), "1500e-3", 1500 * time.Millisecond},
		{new(Seconds), "9.223372036854775807e+9", math.MaxInt64}, {new(Milliseconds), "1e-6", 1}, {new(Seconds), "0.000", 0}, {new(Seconds), "1" + strings.Repeat("0", 60) + "e-60", time.Second},
	} {
		if err := test.v.(encoding.TextUnmarshaler).UnmarshalText([]byte(test.text)); err != nil || time.Duration(reflect.ValueOf(test.v).Elem().Int()) != test.want {
			t.Errorf("%T from %s: %v, %v", test.v, test.text, reflect.ValueOf(test.v).Elem(), err)
		}
	}
	var h Hex
	if err := h.UnmarshalText([]byte("FF")); err != nil || h[0] != 255 {
		t.Errorf("%v, %v", h, err)
	}
	lmt := RFC3339(time.Date(1890, 1, 1, 0, 0, 0, 0, time.FixedZone("LMT", 1172)))
	if b, err := lmt.MarshalText(); string(b) != "1889-12-31T23:40:28Z" || err != nil {
		t.Errorf("%s, %v", b, err)
	}
}

func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	buf := make([]byte, 0, 64)
	for _, test := range values {
		if n := testing.AllocsPerRun(20, func() { _, _ = test.v.AppendText(buf) }); n != 0 {
			t.Errorf("AppendText of a %T: %v allocations", test.v, n)
		}
		if n := testing.AllocsPerRun(20, func() { _, _ = test.v.MarshalText() }); n > 1 {
			t.Errorf("MarshalText of a %T: %v allocations", test.v, n)
		}
	}
	// Package v2 calls AppendText, so the types allocate no more than an int64.
	count := func(v any) float64 {
		return testing.AllocsPerRun(20, func() { buf, _ = jsonv2.Append(buf[:0], v) })
	}
	plain := count(&struct{ N int64 }{})
	for _, v := range []any{&struct{ D Duration }{}, &struct{ I ISODuration }{}, &struct{ N Nanoseconds }{}, &struct{ H Hex }{}, &struct{ T Date }{}} {
		if n := count(v); n > plain {
			t.Errorf("v2.Append: %T: %v allocations, of an int64 %v", v, n, plain)
		}
	}
}

// FuzzRoundTrip encodes durations, instants and bytes, and decodes the result. The decoded value
// must be equal to the first one.
func FuzzRoundTrip(f *testing.F) {
	for _, n := range []int64{0, 1, -1, math.MinInt64, math.MaxInt64, 1500, 3_600_000_000_000} {
		f.Add(n, n/7, []byte("bytes"))
	}
	f.Fuzz(func(t *testing.T, n, m int64, data []byte) {
		at := time.Unix(min(n, lastUnix), m&0x3fffffff%second)
		dated := time.Unix(n%200_000_000_000, 0).UTC()
		all := []text{
			Duration(n), ISODuration(n), Seconds(n), Milliseconds(n), Microseconds(n), UnixSeconds(at), UnixMilli(at), UnixMicro(at), UnixNano(at),
			Hex(data), Base64URL(data), Base32(data), RFC3339(dated), Date(dated.Truncate(24 * time.Hour)),
		}
		for _, v := range all {
			b, err := v.MarshalText()
			if err != nil {
				if y := dated.Year(); y >= 0 && y <= 9999 {
					t.Fatalf("%T: %v", v, err)
				}
				continue
			}
			back := reflect.New(reflect.TypeOf(v))
			if err := back.Interface().(encoding.TextUnmarshaler).UnmarshalText(b); err != nil || !same(back.Elem().Interface(), v) && len(data) > 0 {
				t.Fatalf("%T %v: %s: %v, %v", v, v, b, back.Elem(), err)
			}
		}
		if b, _ := Duration(n).MarshalText(); string(b) != time.Duration(n).String() {
			t.Fatalf("%s, want %v", b, time.Duration(n))
		}
	})
}

// FuzzRead decodes arbitrary text. The value must be the same as with simple implementations, which
// use exact fractions and package time.
func FuzzRead(f *testing.F) {
	for _, test := range values {
		f.Add(test.text)
	}
	for _, text := range []string{"1e2", "-0", "0.00015e4", "1.5h", "1e-9", "1e19", "0.30000000000000004", "P1DT1H"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if exponent := strings.IndexAny(text, "eE"); exponent < 0 || len(text)-exponent < 6 {
			value, isNumber := new(big.Rat).SetString(text)
			isNumber = isNumber && jsontext.Value(text).IsValid() && text == strings.TrimSpace(text)
			for shift, v := range map[int64]encoding.TextUnmarshaler{9: new(Seconds), 6: new(Milliseconds), 3: new(Microseconds)} {
				err := v.UnmarshalText([]byte(text))
				if !isNumber {
					if err == nil {
						t.Fatalf("%T from %q", v, text)
					}
					continue
				}
				nanos := new(big.Rat).Mul(value, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(shift), nil)))
				fits := nanos.IsInt() && nanos.Num().IsInt64()
				if got := reflect.ValueOf(v).Elem().Int(); fits != (err == nil) || fits && got != nanos.Num().Int64() {
					t.Fatalf("%T from %q: %v, %v; want %v", v, text, got, err, nanos)
				}
			}
		}
		var d Duration
		if err := d.UnmarshalText([]byte(text)); err == nil {
			if want, err := time.ParseDuration(text); err != nil || time.Duration(d) != want && !strings.Contains(text, ".") {
				t.Fatalf("%q: %v, want %v, %v", text, d, want, err)
			}
		}
		for _, v := range []encoding.TextUnmarshaler{new(ISODuration), new(Date), new(RFC3339), new(UnixNano), new(UnixSeconds), new(Hex), new(Base64URL), new(Base32)} {
			if v.UnmarshalText([]byte(text)) != nil {
				continue
			}
			b, err := v.(encoding.TextMarshaler).MarshalText()
			again := reflect.New(reflect.TypeOf(v).Elem())
			if err != nil || again.Interface().(encoding.TextUnmarshaler).UnmarshalText(b) != nil || !same(again.Elem().Interface(), reflect.ValueOf(v).Elem().Interface()) {
				t.Fatalf("%T from %q: %s, %v", v, text, b, err)
			}
		}
	})
}
