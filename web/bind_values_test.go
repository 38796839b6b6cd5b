package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
)

// upperParam has three methods that decode a parameter. Each converts it to upper case.
type upperParam string

func (u *upperParam) UnmarshalParam(s string) error {
	if s == "bad" {
		return errors.New("bad")
	}
	*u = upperParam(strings.ToUpper(s))
	return nil
}

// TestValueBinder finds every method by its name, and calls it for a valid value, a
// missing value and an invalid value: all methods have the same contract.
func TestValueBinder(t *testing.T) {
	good := map[string]string{
		"Bool": "true", "Duration": "1s", "Float32": "1.5", "Float64": "1.5", "String": "x", "Time": "2024-01-02",
		"UnixTime": "7", "UnixTimeMilli": "7", "UnixTimeNano": "7", "BindUnmarshaler": "x", "TextUnmarshaler": "::1", "JSONUnmarshaler": `"x"`,
		"BindWithDelimiter": "1,2", "CustomFunc": "x",
	}
	typ := reflect.TypeFor[*ValueBinder]()
	called := 0
	for i := range typ.NumMethod() {
		m := typ.Method(i)
		name, must := strings.CutPrefix(m.Name, "Must")
		base := strings.TrimSuffix(name, "s")
		if m.Type.NumIn() < 3 || base == "FailFast" {
			continue
		}
		called++
		value, ok := good[base]
		if !ok {
			value = "7" // a number is valid for most methods
		}
		for _, query := range []string{url.Values{"p": {value}}.Encode(), "", "p=bad"} {
			c := quiet().NewContext(httptest.NewRequest("GET", "/?"+query, nil), nil)
			b := QueryParamsBinder(c)
			args := []reflect.Value{reflect.ValueOf(b), reflect.ValueOf("p")}
			var dest reflect.Value
			switch base {
			case "BindUnmarshaler":
				dest = reflect.ValueOf(new(upperParam))
			case "TextUnmarshaler":
				dest = reflect.ValueOf(new(netip.Addr))
			case "JSONUnmarshaler":
				dest = reflect.ValueOf(new(rawJSON))
			case "BindWithDelimiter":
				dest = reflect.ValueOf(new([]int))
			case "CustomFunc":
				dest = reflect.ValueOf(func(values []string) []error {
					if values[0] == "bad" {
						return []error{errors.New("bad")}
					}
					return nil
				})
			default:
				dest = reflect.New(m.Type.In(2).Elem())
			}
			args = append(args, dest)
			switch {
			case base == "Time":
				args = append(args, reflect.ValueOf("2006-01-02"))
			case base == "BindWithDelimiter":
				args = append(args, reflect.ValueOf(","))
			}
			m.Func.Call(args)
			errs := b.BindErrors()
			wantError := query == "p=bad" && base != "String" || query == "" && must
			if (len(errs) == 1) != wantError {
				t.Errorf("%s of %q: %v", m.Name, query, errs)
			}
			set := dest.Kind() == reflect.Func || !dest.Elem().IsZero()
			if query == "" && dest.Kind() != reflect.Func && set || strings.HasPrefix(query, "p=") && query != "p=bad" && !set {
				t.Errorf("%s of %q: %v", m.Name, query, dest)
			}
			if len(errs) == 1 && base != "CustomFunc" {
				var be *BindingError
				if !errors.As(errs[0], &be) || be.Field != "p" || be.StatusCode() != 400 {
					t.Errorf("%s of %q: %v", m.Name, query, errs[0])
				}
			}
		}
	}
	if called != 82 {
		t.Errorf("%d methods were called", called)
	}
}

type rawJSON string

func (r *rawJSON) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, (*string)(r)) }

func TestValueBinderChains(t *testing.T) {
	c := quiet().NewContext(httptest.NewRequest("GET", "/?a=x&b=2&c=y&l=1&l=2,3&l=z", nil), nil)
	c.SetPathValues(PathValues{{Name: "id", Value: "7"}})
	var a, b, x int
	err := QueryParamsBinder(c).Int("a", &a).Int("b", &b).BindError()
	if err == nil || b != 0 {
		t.Errorf("fail fast: %v, b is %d", err, b)
	}
	vb := QueryParamsBinder(c).FailFast(false).Int("a", &a).Int("b", &b).MustInt("none", &x).Int("c", &x)
	if errs := vb.BindErrors(); len(errs) != 3 || b != 2 {
		t.Errorf("all errors: %v, b is %d", errs, b)
	}
	if vb.BindErrors() != nil || vb.BindError() != nil {
		t.Error("the errors were not forgotten")
	}
	body, _ := json.Marshal(err)
	if string(body) != `{"field":"a","message":"failed to bind field value to int"}` {
		t.Errorf("as JSON: %s", body)
	}
	var list []string
	var floats []float64
	if err := QueryParamsBinder(c).BindWithDelimiter("l", &list, ",").BindError(); err != nil || len(list) != 4 {
		t.Errorf("delimited: %q %v", list, err)
	}
	if errs := QueryParamsBinder(c).FailFast(false).BindWithDelimiter("l", &floats, ",").BindErrors(); len(errs) != 1 || floats != nil {
		t.Errorf("delimited floats: %v %v", floats, errs)
	}
	if err := QueryParamsBinder(c).BindWithDelimiter("l", &a, ",").BindError(); err == nil {
		t.Error("an unsupported destination: no error")
	}
	if err := PathValuesBinder(c).MustInt("id", &a).Ints("id", &[]int{}).BindError(); err != nil || a != 7 {
		t.Errorf("path: %d %v", a, err)
	}
	form := quiet().NewContext(formRequest("/?q=1", MIMEApplicationForm, "n=3&n=4"), nil)
	var ns []int
	if err := FormFieldBinder(form).MustInts("n", &ns).Int("q", &a).BindError(); err != nil || len(ns) != 2 || a != 1 {
		t.Errorf("form: %v %d %v", ns, a, err)
	}
}

func TestParseValue(t *testing.T) {
	check := func(name string, got any, err error, want any) {
		t.Helper()
		if e, ok := want.(string); ok && strings.HasPrefix(e, "error ") {
			if err == nil || !strings.Contains(err.Error(), e[6:]) {
				t.Errorf("%s: %v, %v, want %s", name, got, err, e)
			}
			return
		}
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
	}
	i8, err := ParseValue[int8]("128")
	check("int8", i8, err, "error out of range")
	u, err := ParseValue[uint16]("65535")
	check("uint16", u, err, 65535)
	d, err := ParseValue[time.Duration]("1m")
	check("duration", d, err, time.Minute)
	a, err := ParseValue[netip.Addr]("::1")
	check("text", a, err, "::1")
	p, err := ParseValue[upperParam]("x")
	check("param", p, err, "X")
	j, err := ParseValue[rawJSON](`"x"`)
	check("json", j, err, "x")
	_, err = ParseValue[chan int]("x")
	check("chan", nil, err, "error unsupported")
	_, err = ParseValue[int]("1", TimeLayout("x"))
	check("options", nil, err, "error only supported for time.Time")
	tm, err := ParseValue[time.Time]("2024-01-02T03:04:05.5+02:00")
	check("time", tm, err, "2024-01-02 01:04:05.5 +0000 UTC")
	tm, err = ParseValue[time.Time]("7", TimeLayoutUnixTimeMilli)
	check("milliseconds", tm, err, "1970-01-01 00:00:00.007 +0000 UTC")
	zone := time.FixedZone("z", 3600)
	tm, err = ParseValue[time.Time]("2024-01-02", TimeOpts{Layout: "2006-01-02", ParseInLocation: zone, ToInLocation: zone})
	check("a zone", tm, err, "2024-01-02 00:00:00 +0100 z")
	_, err = ParseValue[time.Time]("x", TimeLayoutUnixTime)
	check("no number", nil, err, "error invalid syntax")
	or, err := ParseValueOr("", 5)
	check("default", or, err, 5)
	all, err := ParseValues[int]([]string{"1", "2"})
	check("all", all, err, "[1 2]")
	_, err = ParseValues[int]([]string{"1", "x"})
	check("one bad", nil, err, "error invalid syntax")
}

func TestParamValues(t *testing.T) {
	c := quiet().NewContext(httptest.NewRequest("GET", "/?n=5&e=&w=x&n=6&%73=ok", nil), nil)
	c.SetPathValues(PathValues{{Name: "id", Value: "7"}, {Name: "empty", Value: ""}})
	for i, tt := range []struct {
		got, want any
		err       error
		status    int
	}{
		one(QueryParam[int](c, "n"))(5, nil, 0),
		one(QueryParam[int](c, "e"))(0, nil, 0),
		one(QueryParam[int](c, "w"))(0, nil, 400),
		one(QueryParam[int](c, "none"))(0, ErrNonExistentKey, 0),
		one(QueryParam[string](c, "s"))("ok", nil, 0),
		one(QueryParamOr(c, "none", 3))(3, nil, 0),
		one(QueryParamOr(c, "e", 3))(3, nil, 0),
		one(PathParam[uint8](c, "id"))(uint8(7), nil, 0),
		one(PathParam[uint8](c, "none"))(uint8(0), ErrNonExistentKey, 0),
		one(PathParamOr(c, "empty", 9))(9, nil, 0),
		one(QueryParams[int](c, "n"))([]int{5, 6}, nil, 0),
		one(QueryParams[int](c, "none"))([]int(nil), ErrNonExistentKey, 0),
		one(QueryParamsOr(c, "none", []int{1}))([]int{1}, nil, 0),
	} {
		if tt.status != 0 {
			if StatusCode(tt.err) != tt.status {
				t.Errorf("%d: %v, want status %d", i, tt.err, tt.status)
			}
			continue
		}
		want := tt.want.([2]any)
		if wantErr, _ := want[1].(error); !reflect.DeepEqual(tt.got, want[0]) || tt.err != wantErr {
			t.Errorf("%d: %v, %v, want %v", i, tt.got, tt.err, want)
		}
	}
}

// one wraps the results of a call, for comparison with the expected results.
func one[T any](got T, err error) func(want any, wantErr error, status int) struct {
	got, want any
	err       error
	status    int
} {
	return func(want any, wantErr error, status int) struct {
		got, want any
		err       error
		status    int
	} {
		return struct {
			got, want any
			err       error
			status    int
		}{got, [2]any{want, wantErr}, err, status}
	}
}

func TestParamValueAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	c := quiet().NewContext(httptest.NewRequest("GET", "/?a=1&n=5&s=word", nil), nil)
	c.SetPathValues(PathValues{{Name: "id", Value: "7"}})
	if n := testing.AllocsPerRun(100, func() {
		_, _ = QueryParam[int](c, "n")
		_, _ = QueryParam[string](c, "s")
		_, _ = PathParam[int64](c, "id")
		_, _ = QueryParamOr(c, "none", time.Second)
	}); n > 0 {
		t.Errorf("%v allocs, budget 0", n)
	}
}

// The binder stores the request's own slice of values. Appending to it must not change the
// request.
func TestValueBinderStrings(t *testing.T) {
	c := quiet().NewContext(httptest.NewRequest("GET", "/?x=a&x=b&x=c&none", nil), nil)
	b := QueryParamsBinder(c)
	v := []string{"kept"}
	if err := b.Strings("absent", &v).BindError(); err != nil || !slices.Equal(v, []string{"kept"}) {
		t.Errorf("absent: %q, %v", v, err)
	}
	if err := b.MustStrings("absent", &v).BindError(); err == nil || !slices.Equal(v, []string{"kept"}) {
		t.Errorf("absent, but must be there: %q, %v", v, err)
	}
	var one, two []string
	if err := b.Strings("x", &one).MustStrings("x", &two).BindError(); err != nil {
		t.Fatal(err)
	}
	one, two = append(one, "one"), append(two, "two")
	if !slices.Equal(one, []string{"a", "b", "c", "one"}) || !slices.Equal(two, []string{"a", "b", "c", "two"}) {
		t.Errorf("%q and %q", one, two)
	}
	if got := c.QueryParams()["x"]; !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("the request has %q", got)
	}
	c.SetPathValues(PathValues{{Name: "id", Value: "7"}})
	if err := PathValuesBinder(c).Strings("id", &one).BindError(); err != nil || !slices.Equal(one, []string{"7"}) {
		t.Errorf("of the path: %q, %v", one, err)
	}
}
