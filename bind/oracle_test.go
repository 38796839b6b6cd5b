package bind

import (
	"encoding"
	"errors"
	"maps"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
)

type (
	Level  int8
	Label  string
	Labels []Label
	// Upper has a method that parses a parameter.
	Upper string
	// Page is embedded by value, Trace by pointer.
	Page struct {
		Offset uint32 `query:"offset" header:"X-Offset"`
		Size   *int   `query:"size"`
	}
	Trace struct {
		ID   string   `query:"trace" header:"x-trace-id"`
		Hops []uint16 `query:"hop" header:"X-Hop"`
	}
)

func (u *Upper) UnmarshalParam(s string) error {
	if s == "refused" {
		return errors.New("refused")
	}
	*u = Upper(strings.ToUpper(s))
	return nil
}

// Everything has a field of every kind that can be bound.
type Everything struct {
	Page
	*Trace
	Bool     bool           `query:"bool" param:"bool"`
	Int      int            `query:"int" param:"int" header:"X-Int"`
	Int8     int8           `query:"int8"`
	Int16    int16          `query:"int16"`
	Int32    int32          `query:"int32"`
	Int64    int64          `query:"int64" path:"int64"`
	Uint     uint           `query:"uint"`
	Uint8    uint8          `query:"uint8"`
	Uint16   uint16         `query:"uint16"`
	Uint64   uint64         `query:"uint64"`
	Float32  float32        `query:"float32"`
	Float64  float64        `query:"float64"`
	String   string         `query:"string" param:"string" header:"X-String"`
	Bytes    []byte         `query:"bytes"`
	Time     time.Time      `query:"time" header:"X-Time"`
	Date     time.Time      `query:"date" format:"2006-01-02"`
	Duration time.Duration  `query:"duration"`
	Addr     netip.Addr     `query:"addr"`
	Level    Level          `query:"level"`
	Upper    Upper          `query:"upper"`
	Labels   Labels         `query:"label" header:"X-Label"`
	Ints     []int          `query:"ints"`
	Times    []time.Time    `query:"times"`
	Addrs    []netip.Addr   `query:"addrs"`
	Pointers []*float64     `query:"pointers"`
	Listed   *[]string      `query:"listed"`
	Deep     **string       `query:"deep"`
	When     *time.Time     `query:"when"`
	OptInt   mo.Option[int] `query:"optint" param:"optint" header:"X-Opt"`

	OptString   mo.Option[string]        `query:"optstring"`
	OptTime     mo.Option[time.Time]     `query:"opttime"`
	OptDuration mo.Option[time.Duration] `query:"optduration"`
	OptAddr     mo.Option[netip.Addr]    `query:"optaddr"`
	OptLevel    mo.Option[Level]         `query:"optlevel"`
	OptStrings  mo.Option[[]string]      `query:"optstrings"`
	OptPointer  mo.Option[*uint8]        `query:"optpointer"`
	PointerToMo *mo.Option[bool]         `query:"pointertomo"`
	Untagged    int
	Skipped     int `query:"-"`
	// Filter has no name in its tag, so its fields are bound.
	Filter struct {
		Min *int   `query:"min" header:"X-Min"`
		Max int    `query:"max"`
		Int string `query:"int"` // another field has the same name
	}
	Words Words  `query:"words" header:"X-Words"`
	More  *Words `query:"more" header:"X-More"`
	// A field gets the value of a name that differs only in case, unless the request also has
	// the exact name.
	Lower string   `query:"case"`
	Title string   `query:"Case"`
	NoWay chan int `query:"noway"`
}

// Words parses all values of a parameter at once.
type Words []string

func (w *Words) UnmarshalParams(values []string) error {
	if slices.Contains(values, "refused") {
		return errors.New("refused")
	}
	*w = append(Words{strconv.Itoa(len(values))}, values...)
	return nil
}

// slowSet is the oracle of value.set. It uses reflect.
func slowSet(v reflect.Value, s, layout string) error {
	switch p := v.Addr().Interface().(type) {
	case *mo.Option[int]:
		return slowOption(p, s, layout, true)
	case *mo.Option[string]:
		return slowOption(p, s, layout, false)
	case *mo.Option[time.Time]:
		return slowOption(p, s, layout, true)
	case *mo.Option[time.Duration]:
		return slowOption(p, s, layout, true)
	case *mo.Option[netip.Addr]:
		return slowOption(p, s, layout, false)
	case *mo.Option[Level]:
		return slowOption(p, s, layout, true)
	case *mo.Option[bool]:
		return slowOption(p, s, layout, true)
	case *mo.Option[*uint8]:
		return slowOption(p, s, layout, false)
	case *mo.Option[[]string]:
		*p = mo.Some(append(p.OrEmpty(), s))
		return nil
	case *time.Time:
		if layout == "" {
			layout = time.RFC3339
		}
		t, err := time.Parse(layout, s)
		if err == nil {
			*p = t
		}
		return err
	case *time.Duration:
		if s == "" {
			*p = 0
			return nil
		}
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			*p = time.Duration(n)
			return nil
		}
		d, err := time.ParseDuration(s)
		if err == nil {
			*p = d
		}
		return err
	case shape.ParamUnmarshaler:
		return p.UnmarshalParam(s)
	case encoding.TextUnmarshaler:
		return p.UnmarshalText([]byte(s))
	}
	zero := s == ""
	switch v.Kind() {
	case reflect.Chan:
		return ErrNoText
	case reflect.Pointer:
		if v.Type().Elem().Kind() == reflect.Slice && !v.IsNil() {
			return slowSet(v.Elem(), s, layout)
		}
		n := reflect.New(v.Type().Elem())
		if err := slowSet(n.Elem(), s, layout); err != nil {
			v.SetZero()
			return err
		}
		v.Set(n)
		return nil
	case reflect.Slice:
		n := reflect.New(v.Type().Elem()).Elem()
		if err := slowSet(n, s, layout); err != nil {
			return err
		}
		v.Set(reflect.Append(v, n))
		return nil
	case reflect.String:
		v.SetString(s)
		return nil
	case reflect.Bool:
		b, err := strconv.ParseBool(s)
		if err == nil || zero {
			v.SetBool(b)
			return nil
		}
		return err
	case reflect.Float32, reflect.Float64:
		f, err := strconv.ParseFloat(s, v.Type().Bits())
		if err == nil || zero {
			v.SetFloat(f)
			return nil
		}
		return err
	}
	if v.CanInt() {
		i, err := strconv.ParseInt(s, 10, v.Type().Bits())
		if err == nil || zero {
			v.SetInt(i)
			return nil
		}
		return err
	}
	u, err := strconv.ParseUint(s, 10, v.Type().Bits())
	if err == nil || zero {
		v.SetUint(u)
		return nil
	}
	return err
}

func slowOption[T any](o *mo.Option[T], s, layout string, emptyIsNone bool) error {
	if s == "" && emptyIsNone {
		return nil
	}
	var t T
	if err := slowSet(reflect.ValueOf(&t).Elem(), s, layout); err != nil {
		return err
	}
	*o = mo.Some(t)
	return nil
}

func repeats(t reflect.Type) bool {
	switch {
	case t == reflect.TypeFor[mo.Option[[]string]]():
		return true
	case t.Kind() == reflect.Pointer:
		return repeats(t.Elem())
	}
	return t.Kind() == reflect.Slice
}

// A sent is a value in a query. err is set if the value cannot be decoded.
type sent struct {
	value string
	err   error
	order int
}

// slowBind is the oracle of Bind. It walks over the fields with reflection and looks each one up in
// values. It returns the names of the fields that failed, sorted.
func slowBind(v reflect.Value, tags []string, values map[string][]sent, failed []string) []string {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous {
			target := v.Field(i)
			if target.Kind() == reflect.Pointer {
				n := reflect.New(target.Type().Elem())
				if !target.IsNil() {
					n = target
				}
				if slowAny(n.Elem(), tags, values) {
					target.Set(n)
					failed = slowBind(target.Elem(), tags, values, failed)
				}
				continue
			}
			failed = slowBind(target, tags, values, failed)
			continue
		}
		if f.Name == "Filter" {
			failed = slowBind(v.Field(i), tags, values, failed)
			continue
		}
		list := slowFind(f, tags, values)
		if len(list) == 0 && (list == nil || f.Type != reflect.TypeFor[Words]() && f.Type != reflect.TypeFor[*Words]()) {
			continue
		}
		if f.Name == "Words" || f.Name == "More" {
			if slowWords(v.Field(i), list) != nil {
				failed = append(failed, "."+f.Name)
			}
			continue
		}
		if !repeats(f.Type) {
			list = list[:1]
		} else {
			v.Field(i).SetZero()
		}
		for _, s := range list {
			err := s.err
			if err == nil {
				err = slowSet(v.Field(i), s.value, f.Tag.Get("format"))
			}
			if err != nil {
				failed = append(failed, "."+f.Name)
				break
			}
		}
	}
	return failed
}

func slowFind(f reflect.StructField, tags []string, values map[string][]sent) []sent {
	for _, tag := range tags {
		if name := f.Tag.Get(tag); name != "" && name != "-" {
			if tag == "header" {
				name = http.CanonicalHeaderKey(name)
			}
			if list, ok := values[name]; ok {
				return list
			}
			if tag == "param" || tag == "path" || tag == "header" {
				return nil
			}
			var all []sent
			for _, key := range slices.Sorted(maps.Keys(values)) {
				if strings.EqualFold(key, name) && key != "case" && key != "Case" {
					all = append(all, values[key]...)
				}
			}
			slices.SortStableFunc(all, func(a, b sent) int { return a.order - b.order })
			return all
		}
	}
	return nil
}

func slowWords(v reflect.Value, list []sent) error {
	var values []string
	for _, s := range list {
		if s.err != nil {
			return s.err
		}
		values = append(values, s.value)
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		v = v.Elem()
	}
	return v.Addr().Interface().(*Words).UnmarshalParams(values)
}

func slowAny(v reflect.Value, tags []string, values map[string][]sent) bool {
	for i := range v.NumField() {
		if len(slowFind(v.Type().Field(i), tags, values)) > 0 {
			return true
		}
	}
	return false
}

// parseSlow is like url.ParseQuery, but also returns the values that url.ParseQuery rejects, with their
// errors.
func parseSlow(query string) map[string][]sent {
	values := map[string][]sent{}
	for i, pair := range strings.Split(query, "&") {
		if pair == "" {
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		key, err := url.QueryUnescape(key)
		if err != nil {
			continue
		}
		s := sent{order: i}
		if s.value, s.err = url.QueryUnescape(value); s.err == nil && strings.Contains(pair, ";") {
			s.err = ErrSemicolon
		}
		values[key] = append(values[key], s)
	}
	return values
}

// compare compares the results of the fast and the slow binder.
func compare(t *testing.T, input any, fast, slow *Everything, err error, failed []string) {
	t.Helper()
	for _, v := range []*Everything{fast, slow} { // replace NaN, which is not equal to itself
		if math.IsNaN(float64(v.Float32)) {
			v.Float32 = -1
		}
		if math.IsNaN(v.Float64) {
			v.Float64 = -1
		}
		for i, p := range v.Pointers {
			if math.IsNaN(*p) {
				v.Pointers[i] = new(float64)
			}
		}
	}
	for i := range reflect.TypeFor[Everything]().NumField() {
		got, want := reflect.ValueOf(fast).Elem().Field(i), reflect.ValueOf(slow).Elem().Field(i)
		if !reflect.DeepEqual(got.Interface(), want.Interface()) {
			t.Fatalf("%q: field %d: got %+v, want %+v", input, i, got, want)
		}
	}
	var names []string
	var errs Errors
	if err != nil && !errors.As(err, &errs) {
		t.Fatalf("%q: the error is a %T", input, err)
	}
	for _, e := range errs {
		name, _, _ := strings.Cut(e.Field[strings.LastIndexByte(e.Field, '.'):], "[")
		names = append(names, name)
		if e.Err == nil || e.Type == nil || e.Name == "" || len(e.Value) > maxValue+3 {
			t.Errorf("%q: incomplete error %#v", input, e)
		}
	}
	slices.Sort(names)
	slices.Sort(failed)
	if !slices.Equal(names, failed) {
		t.Errorf("%q: failed %q, want %q (%v)", input, names, failed, err)
	}
}

func checkQuery(t *testing.T, query string) {
	t.Helper()
	if strings.Count(query, "&") >= maxParams {
		return
	}
	values := parseSlow(query)
	if parsed, err := url.ParseQuery(query); err == nil {
		for k, want := range parsed {
			var got []string
			for _, s := range values[k] {
				got = append(got, s.value)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("the oracle itself: %q: %q is %q, want %q", query, k, got, want)
			}
		}
	}
	var fast, slow Everything
	failed := slowBind(reflect.ValueOf(&slow).Elem(), []string{"query"}, values, nil)
	err := Query(query, &fast)
	compare(t, query, &fast, &slow, err, failed)
}

var querySeeds = []string{
	"", "&", "=", "int", "int=", "int=1", "int=-1&int=2", "int=x&int8=300&uint=-1&bool=maybe",
	"bool=true&int8=-128&int16=1&int32=2&int64=3&uint=4&uint8=255&uint16=6&uint64=18446744073709551615",
	"float32=1.5&float64=-2e10", "float32=1e39", "float64=NaN&pointers=NaN&pointers=1", "string=a+b%20c&bytes=%00%ff",
	"time=2024-01-02T03:04:05Z&date=2024-01-02&duration=1m30s", "time=2024&date=2024&duration=fast",
	"time=2024-01-02T03%3A04%3A05%2B01%3A00&when=2024-01-02T03:04:05Z", "duration=5&duration=", "time=",
	"addr=::1&addr=x", "addr=x", "level=-3&upper=abc", "upper=refused", "label=a&label=b&label=",
	"ints=1&ints=2&int=7&ints=3", "ints=1&ints=x&ints=3", "ints=", "times=2024-01-02T03:04:05Z&times=2025-01-02T03:04:05Z",
	"addrs=1.2.3.4&addrs=::&addrs=zz", "pointers=1&pointers=2.5", "listed=a&listed=b", "deep=x", "deep=",
	"\u017ftring=a", "%C5%BFtring=a&%e2%84%aaind=b", "optint%C5%BF=1", "int%C5%BF=1&INT%C5%BF=2&ints=3",
	"optint=3", "optint=", "optint=x", "optstring=", "optstring=s", "opttime=2024-01-02T03:04:05Z", "opttime=", "optduration=1s", "optduration=", "bool=&float32=&int8=&uint=",
	"optaddr=::1", "optlevel=9&optlevel=300", "optlevel=300", "optstrings=a&optstrings=b", "optpointer=7", "optpointer=",
	"pointertomo=true", "pointertomo=", "offset=3&size=4", "size=x", "trace=t", "hop=1&hop=2", "hop=1&hop=99999", "hop=x",
	"i%6et=5", "%69%6e%74=6&int=7", "int=%zz&int=1", "int=1;int=2", "ints=1;&ints=2", "int%zz=1", "in+t=1",
	"INT=1&Int=2&int=x&iNT=4", "INT=x&int=3", "ints=1&INTS=2&Ints=3&ints=4", "min=1&max=2&MIN=3", "words=a&words=b", "words=refused",
	"WORDS=a&words=b&words=%zz", "more=x&More=y", "case=a&Case=b&CASE=c", "CASE=c", "noway=1", "bytes=1&bytes=255&bytes=256",
	"untagged=1&Untagged=2&skipped=1&-=1", "INT=1", "string=" + strings.Repeat("x", 100), "int=" + strings.Repeat("9", 100),
	"int=%0", "=1&int=2", "int==2", "string=a=b", "string=%C3%A9&string=é",
}

func TestQueryAgainstSlow(t *testing.T) {
	for _, q := range querySeeds {
		checkQuery(t, q)
	}
	for _, a := range querySeeds[:40] {
		for _, b := range querySeeds {
			if len(a)+len(b) < 200 {
				checkQuery(t, a+"&"+b)
			}
		}
	}
}

func FuzzQuery(f *testing.F) {
	for _, q := range querySeeds {
		f.Add(q)
	}
	f.Fuzz(checkQuery)
}

type pathMap map[string]string

func (m pathMap) Get(name string) (string, bool) { v, ok := m[name]; return v, ok }

func checkHeaderAndPath(t *testing.T, name, first, second string) {
	t.Helper()
	h := http.Header{}
	values := map[string][]sent{}
	for _, v := range []string{first, second} {
		h.Add(name, v)
		key := http.CanonicalHeaderKey(name)
		values[key] = append(values[key], sent{value: v})
	}
	var fast, slow Everything
	failed := slowBind(reflect.ValueOf(&slow).Elem(), []string{"header"}, values, nil)
	err := Header(h, &fast)
	compare(t, h, &fast, &slow, err, failed)

	fast, slow = Everything{}, Everything{}
	failed = slowBind(reflect.ValueOf(&slow).Elem(), []string{"param", "path"}, map[string][]sent{name: {{value: first}}}, nil)
	err = Path(pathMap{name: first}, &fast)
	compare(t, name+"="+first, &fast, &slow, err, failed)
}

// TestHeaderWithoutValues: a field of the header with a list without values counts as absent, except for a
// type that takes all values at once. Middleware can leave such lists.
func TestHeaderWithoutValues(t *testing.T) {
	for _, list := range [][]string{nil, {}} {
		h, values := http.Header{}, map[string][]sent{}
		for _, f := range reflect.VisibleFields(reflect.TypeFor[Everything]()) {
			if name := http.CanonicalHeaderKey(f.Tag.Get("header")); name != "" {
				h[name], values[name] = list, []sent{}
			}
		}
		if len(h) < 8 {
			t.Fatalf("fields of the header: %v", h)
		}
		start := func() Everything { return Everything{Int: 5, Words: Words{"x"}} }
		fast, slow := start(), start()
		failed := slowBind(reflect.ValueOf(&slow).Elem(), []string{"header"}, values, nil)
		err := Header(h, &fast)
		compare(t, h, &fast, &slow, err, failed)
		if fast.Int != 5 || len(fast.Words) != 1 || fast.Words[0] != "0" || fast.More == nil {
			t.Errorf("%#v: %d %v %v", list, fast.Int, fast.Words, fast.More)
		}
	}
	var v struct {
		Refused refusing `header:"X-Refused"`
	}
	err := Header(http.Header{"X-Refused": nil}, &v)
	if errs, ok := errors.AsType[Errors](err); !ok || len(errs) != 1 || errs[0].Name != "X-Refused" || errs[0].Value != "" {
		t.Errorf("a type that refuses an empty list: %v", err)
	}
}

// refusing is a type that takes all values of a parameter, and refuses them.
type refusing struct{}

func (*refusing) UnmarshalParams([]string) error { return errors.New("refused") }

var headerSeeds = [][3]string{
	{"X-Int", "1", "2"}, {"x-int", "x", ""}, {"X-Label", "a", "b,c"}, {"X-Trace-ID", "t", ""}, {"X-Hop", "1", "70000"},
	{"X-Opt", "", "1"}, {"X-Offset", "-1", ""}, {"X-Time", "2024-01-02T03:04:05Z", ""}, {"Int", "1", "1"},
	{"int", "5", ""}, {"int", "x", ""}, {"string", "a%2Fb", ""}, {"int64", "9", ""}, {"optint", "", ""}, {"bool", "t", ""},
}

func TestHeaderAndPathAgainstSlow(t *testing.T) {
	for _, s := range headerSeeds {
		checkHeaderAndPath(t, s[0], s[1], s[2])
	}
}

func FuzzHeaderAndPath(f *testing.F) {
	for _, s := range headerSeeds {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(checkHeaderAndPath)
}
