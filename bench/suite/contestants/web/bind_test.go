package web_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"github.com/hone-go/hone/web"
)

// The possible fields of a bound struct. Each has its own name, and tags for every source.
type (
	bound struct {
		Bool     bool          `query:"b" param:"b" header:"b" form:"b"`
		Int      int           `query:"i" param:"i" header:"i" form:"i"`
		Int8     int8          `query:"i8" param:"i8" header:"i8" form:"i8"`
		Uint     uint          `query:"u" param:"u" header:"u" form:"u"`
		Uint16   uint16        `query:"u16" param:"u16" header:"u16" form:"u16"`
		Float32  float32       `query:"f32" param:"f32" header:"f32" form:"f32"`
		Float64  float64       `query:"f" param:"f" header:"f" form:"f"`
		String   string        `query:"s" param:"s" header:"s" form:"s"`
		Named    boundName     `query:"n" param:"n" header:"n" form:"n"`
		Duration time.Duration `query:"d" param:"d" header:"d" form:"d"`
		Time     time.Time     `query:"t" param:"t" header:"t" form:"t"`
		Day      time.Time     `query:"day" param:"day" header:"day" form:"day" format:"2006-01-02"`
		Days     []time.Time   `query:"days" param:"days" header:"days" form:"days" format:"date"`
		Pointer  *int          `query:"p" param:"p" header:"p" form:"p"`
		Text     *string       `query:"ps" param:"ps" header:"ps" form:"ps"`
		Moment   *time.Time    `query:"pt" param:"pt" header:"pt" form:"pt" format:"15:04"`
		Strings  []string      `query:"ss" param:"ss" header:"ss" form:"ss"`
		Ints     []int         `query:"is" param:"is" header:"is" form:"is"`
		Bytes    []byte        `query:"bs" param:"bs" header:"bs" form:"bs"`
		Bools    []*bool       `query:"pbs" param:"pbs" header:"pbs" form:"pbs"`
		Listed   *[]string     `query:"pss" param:"pss" header:"pss" form:"pss"`
		IP       net.IP        `query:"ip" param:"ip" header:"ip" form:"ip"`
		IPs      []net.IP      `query:"ips" param:"ips" header:"ips" form:"ips"`
		Param    boundParam    `query:"m" param:"m" header:"m" form:"m"`
		Params   []boundParam  `query:"ms" param:"ms" header:"ms" form:"ms"`
		ParamPtr *boundParam   `query:"pm" param:"pm" header:"pm" form:"pm"`
		All      boundAll      `query:"all" param:"all" header:"all" form:"all"`
		AllPtr   *boundAll     `query:"pall" param:"pall" header:"pall" form:"pall"`
		None     map[int]int   `query:"none" param:"none" header:"none" form:"none"`
		Again    string        `query:"s2" param:"s2" header:"s2" form:"s2"`
		Long     int64         `query:"X-Long-Name" param:"X-Long-Name" header:"X-Long-Name" form:"X-Long-Name"`
		Untagged string
		//lint:ignore U1000 the field is unexported on purpose: binders must skip it
		hidden string `query:"h" param:"h" header:"h" form:"h"`
		Inner  struct {
			Int8 int8   `query:"in" param:"in" header:"in" form:"in"`
			Same string `query:"s" param:"s" header:"s" form:"s"`
		}
		BoundBase
		*BoundFar // nil at first, except in a filled struct
	}
	BoundFar struct {
		Far  int8   `query:"far" param:"far" header:"far" form:"far"`
		Fars []int8 `query:"fars" param:"fars" header:"fars" form:"fars"`
	}
	BoundBase struct {
		Base uint8 `query:"base" param:"base" header:"base" form:"base"`
	}
	boundName  string
	boundParam struct{ Text string }
	boundAll   []string
)

var errBound = errors.New("no")

func (p *boundParam) UnmarshalParam(s string) error {
	if strings.Contains(s, "!") {
		return errBound
	}
	p.Text = "<" + s + ">"
	return nil
}

func (a *boundAll) UnmarshalParams(s []string) error {
	if len(s) > 3 {
		return errBound
	}
	*a = append(boundAll{"all"}, s...)
	return nil
}

// filled is the initial value of a handler with defaults.
func filled() *bound {
	n, s, list := 7, "seven", []string{"a", "b", "c"}
	v := &bound{
		Int: 1, String: "one", Pointer: &n, Text: &s, Strings: []string{"x"}, Ints: []int{1, 2}, Listed: &list,
		Time: time.Unix(1e9, 0).UTC(), Param: boundParam{"p"}, All: boundAll{"q"}, Untagged: "kept",
	}
	v.Base, v.BoundFar = 3, &BoundFar{Far: 1}
	return v
}

// FuzzBind passes a request to Echo's DefaultBinder and to web's. The results are equal, except for
// the differences that docs/migrating/echo.md lists.
func FuzzBind(f *testing.F) {
	for source := range uint8(len(boundSources)) {
		for _, raw := range []string{
			"b=true&i=-1&i8=128&u=3&u16=&f32=1e3&f=NaN&s=x%20y+z&n=name&d=5",
			"t=2026-11-21T10:00:00Z&day=2026-02-29&p=&ps=&pt=23:59&ss=a&ss=b&is=1&is=x&bs=1&bs=255&pbs=1&pbs=&pss=q&pss=r",
			"ip=1.2.3.4&ips=::1&ips=&m=a&ms=b&ms=!&pm=&all=1&all=2&pall=x&none=1&s2=%C3%A9&x-long-name=9&h=1&in=2&base=300&Untagged=z",
			"S=fold&SS=a&SS=b&ſ=long&i=%zz&u=1;2&&=&=x&s=a=b&nothing=%", "d=1m30s", "x-long-name=9&B=1", "s=own&S=other", "days=2026-11-21&days=x", "days=2026-11-21T10:00:00Z&days=2026-11-21T10:00:00%2B01:00", "far=1&fars=2&FAR=3", "far=x&fars=%zz", "t=2026-11-21T10:00:00,5Z", "",
		} {
			f.Add(source, false, raw)
		}
	}
	f.Fuzz(func(t *testing.T, source uint8, full bool, raw string) {
		s := boundSources[int(source)%len(boundSources)]
		theirs, ours := &bound{}, &bound{}
		if full {
			theirs, ours = filled(), filled()
		}
		request := func() *http.Request { return s.request(raw) }
		if request() == nil {
			return
		}
		theirErr := bindEcho(s, request(), raw, theirs)
		ourErr := bindHone(s, request(), raw, ours)
		if s.differs(raw, theirErr, ourErr) {
			return
		}
		if (theirErr == nil) != (ourErr == nil) || echo.StatusCode(theirErr) != web.StatusCode(ourErr) {
			t.Fatalf("%s %q\necho: %v\nhone: %v", s.name, raw, theirErr, ourErr)
		}
		// After an error Echo stops, and web continues with the next field. So the contents of
		// the struct are not compared.
		if theirErr == nil && !reflect.DeepEqual(printable(theirs), printable(ours)) {
			t.Fatalf("%s %q\necho: %v\nhone: %v", s.name, raw, printable(theirs), printable(ours))
		}
	})
}

// printable returns the contents of v in a form in which NaN is equal to itself.
func printable(v *bound) string {
	var b strings.Builder
	var walk func(name string, v reflect.Value)
	walk = func(name string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() {
				fmt.Fprintf(&b, "%s nil; ", name)
				return
			}
			walk(name+"*", v.Elem())
		case reflect.Slice:
			fmt.Fprintf(&b, "%s %v %d; ", name, v.IsNil(), v.Len())
			for i := range v.Len() {
				walk(name+"["+strconv.Itoa(i)+"]", v.Index(i))
			}
		case reflect.Struct:
			if v.Type() == reflect.TypeFor[time.Time]() {
				at := v.Interface().(time.Time)
				_, offset := at.Zone()
				fmt.Fprintf(&b, "%s %s %d; ", name, at.Format(time.RFC3339Nano), offset)
				return
			}
			for i := range v.NumField() {
				walk(name+"."+v.Type().Field(i).Name, v.Field(i))
			}
		default:
			fmt.Fprintf(&b, "%s %#v; ", name, v)
		}
	}
	walk("", reflect.ValueOf(v).Elem())
	return b.String()
}

// A boundSource is one way to pass bytes to a binder.
type boundSource struct {
	name    string
	request func(raw string) *http.Request // nil if the bytes are invalid for the source
	values  func(raw string) []string      // alternating keys and values; nil if they are in the request
	echo    func(*echo.Context, any) error
	hone    func(*web.Context, any) error
	path    bool
}

var boundSources = []boundSource{
	{
		name: "query", request: func(raw string) *http.Request { return requestOf("GET", raw, "", nil) },
		echo: echo.BindQueryParams, hone: web.BindQueryParams,
	},
	{
		name: "path", request: func(string) *http.Request { return requestOf("GET", "", "", nil) }, values: pairs, path: true,
		echo: echo.BindPathValues, hone: web.BindPathValues,
	},
	{
		name: "header", request: withHeader, values: pairs,
		echo: echo.BindHeaders, hone: web.BindHeaders,
	},
	{
		name: "form", request: func(raw string) *http.Request {
			return requestOf("POST", "", echo.MIMEApplicationForm, []byte(raw))
		},
		echo: echo.BindBody, hone: web.BindBody,
	},
	{
		name: "form and query", request: func(raw string) *http.Request {
			body, query, _ := strings.Cut(raw, "\n")
			return requestOf("PUT", query, echo.MIMEApplicationForm, []byte(body))
		},
		echo: echo.BindBody, hone: web.BindBody,
	},
	{
		name: "multipart", request: withMultipart, values: pairs,
		echo: echo.BindBody, hone: web.BindBody,
	},
	{
		// Bind uses the path, the query and the body. The names in the path do not occur in the
		// query or the body.
		name: "all", request: func(raw string) *http.Request { return requestOf("DELETE", raw, "", nil) },
		echo: func(c *echo.Context, v any) error { return (&echo.DefaultBinder{}).Bind(c, v) },
		hone: func(c *web.Context, v any) error { return (&web.DefaultBinder{}).Bind(c, v) },
	},
}

func requestOf(method, query, mediaType string, body []byte) *http.Request {
	r := httptest.NewRequest(method, "/", bytes.NewReader(body))
	r.URL.RawQuery = query
	if mediaType != "" {
		r.Header.Set("Content-Type", mediaType)
	}
	return r
}

// pairs splits raw into names and values of arbitrary bytes.
func pairs(raw string) []string {
	var out []string
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		out = append(out, name, value)
	}
	return out
}

func withHeader(raw string) *http.Request {
	r := requestOf("GET", "", "", nil)
	list := pairs(raw)
	for i := 0; i < len(list); i += 2 {
		if strings.ContainsFunc(list[i], func(c rune) bool { return c <= ' ' || c >= 0x7f || strings.ContainsRune("()<>@,;:\\\"/[]?={}", c) }) {
			return nil // net/http refuses such a name
		}
		r.Header.Add(list[i], list[i+1])
	}
	return r
}

func withMultipart(raw string) *http.Request {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	list := pairs(raw)
	for i := 0; i < len(list); i += 2 {
		if w.WriteField(list[i], list[i+1]) != nil {
			return nil
		}
	}
	if w.Close() != nil {
		return nil
	}
	return requestOf("POST", "", w.FormDataContentType(), body.Bytes())
}

func bindEcho(s boundSource, r *http.Request, raw string, v any) error {
	c := echo.New().NewContext(r, httptest.NewRecorder())
	if s.path {
		var values echo.PathValues
		for name, value := range uniqueNames(s.values(raw)) {
			values = append(values, echo.PathValue{Name: name, Value: value})
		}
		c.SetPathValues(values)
	}
	return s.echo(c, v)
}

func bindHone(s boundSource, r *http.Request, raw string, v any) error {
	c := web.New().NewContext(r, httptest.NewRecorder())
	if s.path {
		var values web.PathValues
		for name, value := range uniqueNames(s.values(raw)) {
			values = append(values, web.PathValue{Name: name, Value: value})
		}
		c.SetPathValues(values)
	}
	return s.hone(c, v)
}

// uniqueNames returns the values of a list of names and values, by name. Of several values with one
// name it returns the last, because the parameters of a route have different names.
func uniqueNames(list []string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(list); i += 2 {
		out[list[i]] = list[i+1]
	}
	return out
}

// differs reports whether the results may differ, for one of the reasons in
// docs/migrating/echo.md.
func (s boundSource) differs(raw string, theirErr, ourErr error) bool {
	var values url.Values
	if s.values != nil {
		values = url.Values{}
		list := s.values(raw)
		for i := 0; i < len(list); i += 2 {
			values.Add(list[i], list[i+1])
		}
	} else {
		parts := []string{raw}
		if s.name == "form and query" {
			parts = strings.SplitN(raw, "\n", 2)
		}
		values = url.Values{}
		for _, part := range parts {
			v, err := url.ParseQuery(part)
			for name, list := range v {
				values[name] = append(values[name], list...)
			}
			// Echo drops a malformed pair of a query, and returns an error for a malformed pair of a
			// form. In web both are errors if a field needs the pair.
			form := strings.HasPrefix(s.name, "form")
			if err != nil && (form && theirErr != nil || !form && ourErr != nil) {
				return true
			}
		}
	}
	folded := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		// If several names differ from each other and from the field's name only in case, Echo
		// uses any of them.
		low := strings.ToLower(name)
		own := low
		if low == "x-long-name" {
			own = "X-Long-Name"
		}
		if _, exact := values[own]; exact {
			name = own
		} else if _, twice := folded[low]; twice {
			return true
		}
		folded[low] = name
		for _, r := range name { // letters that Echo treats as equal to ASCII letters
			if r == 'ſ' || r == 'K' {
				return true
			}
		}
	}
	for low, name := range folded {
		for _, value := range values[name] {
			switch low {
			case "d": // a duration as text
				if _, err := time.ParseDuration(value); err == nil && theirErr != nil {
					return true
				}
			case "t": // time.Parse is less strict than UnmarshalText
				var at time.Time
				if _, err := time.Parse(time.RFC3339, value); err == nil && at.UnmarshalText([]byte(value)) != nil {
					return true
				}
			}
		}
	}
	return false
}
