package bind

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
)

// Odd has methods that parse and format a parameter.
type Odd struct{ N string }

func (o *Odd) UnmarshalParam(s string) error { o.N = strings.TrimPrefix(s, "odd:"); return nil }
func (o Odd) MarshalParam() (string, error)  { return "odd:" + o.N, nil }

// Joined has methods that parse and format all values of a parameter at once.
type Joined struct{ All []string }

func (j *Joined) UnmarshalParams(values []string) error { j.All = values; return nil }
func (j Joined) MarshalParams() ([]string, error)       { return j.All, nil }

type sentPage struct {
	Offset uint32          `query:"offset"`
	Inner  *mo.Option[int] `header:"X-Inner"`
}

// Sendable has fields of all kinds, in all sources.
type Sendable struct {
	sentPage
	*SentHops
	Name   string     `path:"name"`
	Number int64      `path:"number"`
	Addr   netip.Addr `path:"addr" query:"addr"`

	Bool     bool             `query:"bool"`
	Int8     int8             `query:"int8"`
	Uint64   uint64           `query:"a b&=c"`
	Float32  float32          `query:"float32"`
	Float64  float64          `query:"float64"`
	String   string           `query:"string"`
	Case     string           `query:"CASE"`
	Other    string           `query:"case"`
	Bytes    []byte           `query:"bytes"`
	Time     time.Time        `query:"time"`
	Date     time.Time        `query:"date" format:"2006-01-02"`
	Duration time.Duration    `query:"duration"`
	Level    Level            `query:"level"`
	Labels   Labels           `query:"label"`
	Times    []time.Time      `query:"times"`
	Pointers []*float64       `query:"pointers"`
	Deep     **string         `query:"deep"`
	Listed   *[]string        `query:"listed"`
	OptInts  []mo.Option[int] `query:"optints"`
	Odd      Odd              `query:"odd"`
	Odds     []Odd            `query:"odds"`
	Joined   Joined           `query:"joined"`

	Words    []string                 `header:"X-Word"`
	OptText  mo.Option[string]        `header:"X-Opt"`
	When     mo.Option[time.Time]     `header:"X-When"`
	Wait     mo.Option[time.Duration] `header:"X-Wait"`
	Either   string                   `header:"X-Either" query:"either" cookie:"either"`
	Session  mo.Option[string]        `cookie:"session"`
	Visits   *int                     `cookie:"visits"`
	Marks    []string                 `cookie:"mark"`
	Scores   []*float64               `cookie:"score"`
	Waits    []time.Duration          `header:"X-Waits"`
	Default  int                      `query:"default" default:"20"`
	Required string                   `header:"X-Required" required:"true"`
	Null     mo.Nullable[string]      `query:"null"`
	NullInt  mo.Nullable[int]         `query:"nullint"`
	Rest     url.Values               `query:"*"`
	Comments []string                 `form:"comment"`
	Agreed   mo.Option[bool]          `form:"agreed" query:"agreed"`
	Nested   struct {
		Min *int `query:"min"`
		Max int  `form:"max"`
	}
}

// SentHops is embedded by pointer.
type SentHops struct {
	Hops []uint16 `query:"hop"`
}

// A maker generates values from a fuzzer's input.
type maker struct {
	*rand.Rand
	text string
}

func (m maker) string() string {
	if len(m.text) == 0 || m.IntN(3) == 0 {
		return [...]string{"", "a", " ", "a b", "é", "\x00", "\r\n", "%2F", "../..", "a/b", "+", ";", "\"q\"", "\xff", "a,b", "=&"}[m.IntN(16)]
	}
	i := m.IntN(len(m.text) + 1)
	return m.text[i:min(len(m.text), i+m.IntN(20))]
}

// fill sets v to a value that can be bound.
func (m maker) fill(v reflect.Value, layout string) {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		t := time.Unix(m.Int64N(1<<36)-1<<35, m.Int64N(1e9)).In(time.FixedZone("", (m.IntN(1440)-720)*60))
		if layout != "" {
			t = t.UTC().Truncate(24 * time.Hour)
		}
		*p = t
		return
	case *netip.Addr:
		*p = netip.AddrFrom4([4]byte{byte(m.Uint32()), 1, 2, 3})
		return
	case *Odd:
		p.N = m.string()
		return
	case *Joined:
		for range m.IntN(3) {
			p.All = append(p.All, m.string())
		}
		return
	case *mo.Option[int]:
		*p = option(m, int(m.Uint32()))
		return
	case *mo.Option[string]:
		*p = option(m, m.string())
		return
	case *mo.Nullable[string]:
		*p = [...]mo.Nullable[string]{{}, mo.Null[string](), mo.Value(m.string())}[m.IntN(3)]
		return
	case *mo.Nullable[int]:
		*p = [...]mo.Nullable[int]{{}, mo.Null[int](), mo.Value(m.IntN(3))}[m.IntN(3)]
		return
	case *url.Values:
		for range m.IntN(3) {
			if *p == nil {
				*p = url.Values{}
			}
			p.Add("z"+m.string(), m.string())
		}
		return
	case *mo.Option[bool]:
		*p = option(m, m.IntN(2) == 0)
		return
	case *mo.Option[time.Time]:
		var t time.Time
		m.fill(reflect.ValueOf(&t).Elem(), "")
		*p = option(m, t)
		return
	case *mo.Option[time.Duration]:
		*p = option(m, time.Duration(m.Uint64()))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			switch {
			case f.Name == "sentPage":
				v.Field(i).Field(0).SetUint(uint64(m.Uint32()))
				if m.IntN(2) == 0 {
					o := mo.Some(m.IntN(9)) // a pointer to None could not be distinguished from nil
					v.Field(i).Field(1).Set(reflect.ValueOf(&o))
				}
			case m.IntN(3) > 0 || f.Tag.Get("path") != "":
				m.fill(v.Field(i), f.Tag.Get("format"))
			}
		}
	case reflect.Pointer:
		if m.IntN(2) == 0 || v.Type().Elem().Kind() == reflect.Float64 {
			v.Set(reflect.New(v.Type().Elem()))
			m.fill(v.Elem(), layout)
			empty := v.Elem().IsZero() && (v.Elem().Kind() == reflect.Pointer || v.Elem().Kind() == reflect.Slice || v.Elem().Kind() == reflect.Struct)
			if empty { // an empty value binds to nil
				v.SetZero()
			}
		}
	case reflect.Slice:
		for range m.IntN(4) {
			n := reflect.New(v.Type().Elem()).Elem()
			m.fill(n, layout)
			v.Set(reflect.Append(v, n))
		}
	case reflect.String:
		v.SetString(m.string())
	case reflect.Bool:
		v.SetBool(m.IntN(2) == 0)
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(m.Uint32())))
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(m.Uint64()))
	default:
		if bits := reflect.ValueOf(m.Uint64()).Convert(v.Type()); v.CanInt() {
			v.SetInt(bits.Int())
		} else {
			v.SetUint(bits.Uint())
		}
	}
}

func option[T any](m maker, v T) mo.Option[T] {
	if m.IntN(2) == 0 {
		return mo.None[T]()
	}
	return mo.Some(v)
}

// same compares a sent value with the bound value. Times are equal if they are the same moment, and
// NaN equals NaN.
func same(a, b reflect.Value) bool {
	if a.Type() == reflect.TypeFor[time.Time]() {
		return a.Interface().(time.Time).Equal(b.Interface().(time.Time))
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return a.Float() == b.Float() || a.Float() != a.Float() && b.Float() != b.Float()
	case reflect.Pointer:
		return a.IsNil() == b.IsNil() && (a.IsNil() || same(a.Elem(), b.Elem()))
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		if o, ok := a.Interface().(mo.Option[time.Time]); ok {
			p := b.Interface().(mo.Option[time.Time])
			return o.IsSome() == p.IsSome() && o.OrEmpty().Equal(p.OrEmpty())
		}
		for i := range a.NumField() {
			if f := a.Type().Field(i); f.IsExported() && !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		if a.Type().NumField() > 0 && !a.Type().Field(0).IsExported() && a.Type() != reflect.TypeFor[Sendable]() {
			return reflect.DeepEqual(a.Interface(), b.Interface())
		}
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// checkEncode checks that Bind reads the values that Encode writes, in both forms.
func checkEncode(t *testing.T, seed uint64, text string) {
	checkEncodeBy(t, seed, text, EncoderFor[Sendable], For[Sendable])
	checkEncodeBy(t, seed, text, EncoderForDocument[Sendable], ForDocument[Sendable])
}

func checkEncodeBy(t *testing.T, seed uint64, text string, encoder func() (*Encoder[Sendable], error), binder func() (*Binder[Sendable], error)) {
	t.Helper()
	var sent, got Sendable
	m := maker{rand.New(rand.NewPCG(seed, 1)), text}
	m.fill(reflect.ValueOf(&sent).Elem(), "")
	sendable, err := encoder()
	if err != nil {
		t.Fatal(err)
	}
	var in Input
	err = sendable.Encode(&sent, &in)
	var errs Errors
	if err != nil && !errors.As(err, &errs) {
		t.Fatalf("the error is %v", err)
	}
	for _, e := range errs {
		if e.Source != FromHeader && e.Source != FromCookie && e.Name != "null" && !strings.HasPrefix(e.Name, "z") || e.Err != ErrNotSendable {
			t.Fatalf("%v of %+v", e, sent)
		}
	}
	if err != nil {
		return
	}
	in.ByTags, in.Known = true, true
	b, err := binder()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := url.ParseQuery(in.Query); err != nil {
		t.Fatalf("query %q: %v", in.Query, err)
	}
	for name, values := range in.Header {
		if name != http.CanonicalHeaderKey(name) || strings.ContainsAny(strings.Join(values, ""), "\r\n\x00") {
			t.Fatalf("%q in the header: %q", name, values)
		}
	}
	for _, line := range in.Cookies {
		if cookies, err := http.ParseCookie(line); err != nil {
			t.Fatalf("%q: %v %v", line, cookies, err)
		}
	}
	if err := b.Bind(&in, &got); err != nil {
		t.Fatalf("sent     %+v\nas       %+v\nrefused: %v", sent, in, err)
	}
	if !same(reflect.ValueOf(sent), reflect.ValueOf(got)) || sent.Offset != got.Offset || !reflect.DeepEqual(sent.Inner, got.Inner) {
		t.Fatalf("sent %+v\nas   %+v\ngot  %+v", sent, in, got)
	}
}

func TestEncodeRandom(t *testing.T) {
	for seed := range uint64(5000) {
		checkEncode(t, seed, "some text: é \"quoted\", with=signs & spaces; 100%")
	}
}

func FuzzEncode(f *testing.F) {
	f.Add(uint64(1), "a;b&c=d")
	f.Add(uint64(7), "\"\\\x80\xff\r\n")
	f.Fuzz(checkEncode)
}

func TestEncode(t *testing.T) {
	e, err := EncoderFor[search]()
	if err != nil {
		t.Fatal(err)
	}
	var in Input
	v := search{Host: "a/b", Tags: []string{"x y", "", "é&"}, Since: mo.Some(time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))), Trace: "t"}
	if err := e.Encode(&v, &in); err != nil {
		t.Fatal(err)
	}
	want := Input{
		Path: PathValues{"host": "a/b"}, Query: "tag=x+y&tag=&tag=%C3%A9%26&since=2026-01-02T03%3A04%3A05.000000006%2B01%3A00",
		Header: http.Header{"X-Request-Id": {"t"}},
	}
	if !reflect.DeepEqual(in, want) {
		t.Errorf("got  %+v\nwant %+v", in, want)
	}
}

func TestEncodeRefuses(t *testing.T) {
	type refused struct {
		Null   mo.Nullable[string]     `query:"null"`
		Rest   url.Values              `query:"*"`
		Line   string                  `header:"X-Line"`
		Blank  string                  `header:"X-Blank"`
		Cookie string                  `cookie:"c"`
		Year   time.Time               `query:"year"`
		Nil    []*int                  `query:"nil"`
		None   []mo.Option[netip.Addr] `query:"none"`
		One    struct {
			A int `query:"a"`
		}
		Two struct {
			A int `query:"a"`
		}
	}
	e, err := EncoderFor[refused]()
	if err != nil {
		t.Fatal(err)
	}
	v := refused{
		Null: mo.Value("null"), Rest: url.Values{"YEAR": {"1"}, "": {"2"}},
		Line: "a\r\nb", Blank: " a", Cookie: "a;b", Year: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC),
		Nil: []*int{nil}, None: []mo.Option[netip.Addr]{{}},
	}
	v.One.A, v.Two.A = 1, 2
	var in Input
	err = e.Encode(&v, &in)
	var errs Errors
	if !errors.As(err, &errs) || len(errs) != 10 {
		t.Fatalf("got %v, want ten errors", err)
	}
	for _, one := range errs {
		if one.Err != ErrNotSendable || one.Reason() != ErrNotSendable.Error() {
			t.Errorf("%+v", one)
		}
	}
	if e.Encode(&refused{Nil: make([]*int, 0)}, &in) != nil || !reflect.DeepEqual(in, Input{}) {
		t.Errorf("nothing was written as %+v", in)
	}
}

func TestEncoderForRefuses(t *testing.T) {
	type onlyReads struct {
		A Upper `query:"a"`
	}
	type badName struct {
		A string `cookie:"a b"`
	}
	for _, err := range []error{
		second(EncoderFor[onlyReads]()), second(EncoderFor[badName]()), second(EncoderFor[int]()),
		second(EncoderFor[struct {
			A []Words `query:"a"`
		}]()),
	} {
		var te *TypeError
		if !errors.As(err, &te) {
			t.Errorf("got %v, want a TypeError", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestEncodeFiles(t *testing.T) {
	type upload struct {
		Title string                  `form:"title"`
		One   *multipart.FileHeader   `form:"one"`
		Many  []*multipart.FileHeader `form:"many"`
		Plain []multipart.FileHeader  `form:"plain"`
	}
	e, err := EncoderFor[upload]()
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string) *multipart.FileHeader { return &multipart.FileHeader{Filename: name} }
	v := upload{"t", file("a"), []*multipart.FileHeader{file("b"), file("c")}, []multipart.FileHeader{*file("d")}}
	var in Input
	if err := e.Encode(&v, &in); err != nil || in.Form != "" {
		t.Fatalf("%v %+v", err, in)
	}
	var got upload
	if err := All(in, &got); err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestEncodeTooMany(t *testing.T) {
	type many struct {
		A []byte `query:"a"`
		B []byte `form:"b"`
	}
	e, err := EncoderFor[many]()
	if err != nil {
		t.Fatal(err)
	}
	var in Input
	if err := e.Encode(&many{A: bytes.Repeat([]byte{1}, maxParams+1)}, &in); !errors.Is(err, ErrTooMany) {
		t.Error(err)
	}
	if err := e.Encode(&many{B: bytes.Repeat([]byte{1}, maxParams)}, &in); err != nil {
		t.Error(err)
	}
}
