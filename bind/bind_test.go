package bind

import (
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

type search struct {
	Host  string               `param:"host" query:"host"`
	Tags  []string             `query:"tag"`
	Limit int                  `query:"limit"`
	Since mo.Option[time.Time] `query:"since"`
	Trace string               `header:"X-Request-Id"`
}

func TestRequest(t *testing.T) {
	mux := http.NewServeMux()
	var got search
	var err error
	mux.HandleFunc("GET /hosts/{host}", func(w http.ResponseWriter, r *http.Request) {
		got = search{Limit: 100, Tags: []string{"default"}}
		err = Request(r, &got)
	})
	r := httptest.NewRequest("GET", "/hosts/a%20b?tag=x&tag=y&host=forged", nil)
	r.Header.Set("X-Request-ID", "id-1")
	mux.ServeHTTP(httptest.NewRecorder(), r)
	want := search{Host: "a b", Tags: []string{"x", "y"}, Limit: 100, Trace: "id-1"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestAbsentLeavesAlone(t *testing.T) {
	v := search{Host: "h", Tags: []string{"t"}, Limit: 1, Since: mo.Some(time.Unix(1, 0)), Trace: "x"}
	want := v
	if err := All(Input{}, &v); err != nil || !reflect.DeepEqual(v, want) {
		t.Errorf("got %+v, %v", v, err)
	}
}

func TestErrors(t *testing.T) {
	var v search
	err := Query("limit="+strings.Repeat("9", 100)+"&since=yesterday&tag=ok", &v)
	var errs Errors
	if !errors.As(err, &errs) || len(errs) != 2 {
		t.Fatalf("got %v, want two errors", err)
	}
	var first *Error
	if !errors.As(err, &first) || !errors.Is(err, strconv.ErrRange) {
		t.Fatalf("errors.As or errors.Is failed on %v", err)
	}
	if first.Source != FromQuery || first.Name != "limit" || first.Field != ".Limit" ||
		first.Type != reflect.TypeFor[int]() || len(first.Value) != maxValue+len("…") {
		t.Errorf("first error: %+v", first)
	}
	var pe *time.ParseError
	if !errors.As(err, &pe) {
		t.Errorf("no *time.ParseError in %v", err)
	}
	if !reflect.DeepEqual(v.Tags, []string{"ok"}) {
		t.Errorf("a field with a valid value was not set: %+v", v)
	}

	var e Everything
	err = Query("hop=1&hop=2&hop=x", &e)
	if !errors.As(err, &first) || first.Field != ".Trace.Hops[2]" || first.Value != "x" {
		t.Errorf("in a slice: %+v", first)
	}
}

// An error describes the fault in the request. Its text contains neither the value, which may be
// secret, nor a Go name.
func TestErrorText(t *testing.T) {
	type in struct {
		Secret int           `query:"n"`
		Wait   time.Duration `query:"d"`
		At     time.Time     `query:"t"`
		Day    time.Time     `query:"day" format:"2006-01-02"`
		Flag   bool          `query:"b"`
		Rate   float32       `query:"f"`
		Small  []uint8       `query:"u"`
	}
	for _, test := range []struct{ query, want string }{
		{query: "n=hidden", want: `bind: query "n": not a whole number`},
		{query: "n=99999999999999999999", want: `bind: query "n": a number too large or too small`},
		{query: "d=hidden", want: `bind: query "d": not a duration such as 1m30s`},
		{query: "t=hidden", want: `bind: query "t": not a time such as 2006-01-02T15:04:05Z`},
		{query: "day=hidden", want: `bind: query "day": not a time such as 2006-01-02`},
		{query: "b=hidden", want: `bind: query "b": neither true nor false`},
		{query: "f=hidden", want: `bind: query "f": not a number`},
		{query: "u=1&u=-1", want: `bind: query "u": not a whole number of at least 0`},
		{query: "n=hidden%zz", want: `bind: query "n": invalid URL escape "%zz"`},
		{query: "n=hidden;b", want: `bind: query "n": semicolon in a parameter`},
	} {
		err := Query(test.query, new(in))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.query, err, test.want)
		}
	}
}

// A file for a field that cannot hold files is an error. Such a field is not silently left
// empty.
func TestFileFields(t *testing.T) {
	type byValue struct {
		F multipart.FileHeader `form:"f"`
	}
	files := map[string][]*multipart.FileHeader{"f": {{Filename: "a"}}, "other": {{Filename: "b"}}}
	for _, test := range []struct {
		name string
		in   Input
		want error
	}{
		{name: "a file", in: Input{Files: files}, want: ErrFile},
		{name: "another's file", in: Input{Files: map[string][]*multipart.FileHeader{"other": files["other"]}}},
		{name: "text", in: Input{Values: map[string][]string{"f": {"x"}}}, want: ErrNoText},
		{name: "both", in: Input{Values: map[string][]string{"f": {"x"}}, Files: files}, want: ErrFile},
	} {
		if err := All(test.in, new(byValue)); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	if _, err := For[byValue](); err == nil {
		t.Error("a typed handler takes a file by value")
	}
	type byPointer struct {
		F *multipart.FileHeader `form:"f"`
	}
	v := byPointer{}
	if err := All(Input{Files: files}, &v); err != nil || v.F != files["f"][0] {
		t.Errorf("by pointer: %+v, %v", v, err)
	}
}

func TestTooMany(t *testing.T) {
	var v search
	q := strings.Repeat("x=1&", maxParams-1) + "limit=5"
	if err := Query(q, &v); err != nil || v.Limit != 5 {
		t.Errorf("at the limit: %v %+v", err, v)
	}
	if err := Query(q+"&x=1", &v); !errors.Is(err, ErrTooMany) {
		t.Errorf("past the limit: %v", err)
	}
}

type hidden struct{ N int }

func (h *hidden) UnmarshalText(b []byte) error { _, err := fmt.Sscan(string(b), &h.N); return err }

func TestTypes(t *testing.T) {
	type closed struct {
		N int `query:"n"`
	}
	tests := []struct {
		v     any
		field string // "-" if the type can be bound
	}{
		{&search{}, "-"},
		{&struct {
			T hidden `query:"t"`
		}{}, "-"},
		{&struct {
			C chan int
			F func() `query:"-"`
		}{}, "-"},
		{&struct {
			N int `query:"n"`
			closed
		}{}, "-"}, // both fields for n can be bound
		{&struct {
			A int `query:"a"`
			B int `query:"a"`
		}{}, ".B"},
		{&struct {
			a int `query:"a"`
		}{}, ".a"},
		{&struct{ closed }{}, "-"},
		{&struct{ *closed }{}, ".closed.N"},
		{&struct {
			C chan int `query:"c"`
		}{}, ".C"},
		{&struct {
			M map[string]string `header:"m"`
		}{}, ".M"},
		{&struct {
			S [][]string `query:"s"`
		}{}, ".S"},
		{&struct {
			A any `param:"a"`
		}{}, ".A"},
		{&struct {
			S struct{ N int } `query:"s"`
		}{}, ".S"},
		{&struct {
			T time.Time `query:"t" format:"day"`
		}{}, ".T"},
		{&struct {
			T *time.Time `query:"t" format:"YYYY-MM-DD"`
		}{}, ".T"},
		{&struct {
			T time.Time `query:"t" format:"time-local"`
		}{}, "-"},
		{new(int), ""},
		{new(time.Time), ""},
		{search{}, ""},
		{(*search)(nil), ""},
		{nil, ""},
	}
	for _, tt := range tests {
		var te *TypeError
		err := Query("x=1", tt.v)
		if broken := tt.field == ""; broken != errors.As(err, &te) {
			t.Errorf("Query into %T: %v", tt.v, err)
		}
		if tt.field == "" {
			continue
		}
		fault := programOf(reflect.TypeOf(tt.v).Elem()).complete().fault
		switch {
		case tt.field == "-" && fault != nil:
			t.Errorf("%T: %v", tt.v, fault)
		case tt.field != "-" && (fault == nil || fault.Field != tt.field):
			t.Errorf("%T: got %v, want a *TypeError at %q", tt.v, fault, tt.field)
		}
	}
	if _, err := For[int](); err == nil {
		t.Error("For[int]: no error")
	}
}

type upload struct {
	Title string                  `form:"title" query:"title"`
	Tags  []string                `form:"tag"`
	File  *multipart.FileHeader   `form:"file"`
	All   []*multipart.FileHeader `form:"all"`
	Each  []multipart.FileHeader  `form:"each"`
	Theme string                  `cookie:"theme"`
	Count int                     `cookie:"count"`
}

func TestForm(t *testing.T) {
	var got upload
	err := All(Input{Form: "title=a&tag=x", FormQuery: "tag=y&title=b", Query: "Title=query", Cookies: []string{`a=1; theme="dark"; theme=light`, "count=3"}}, &got)
	want := upload{Title: "a", Tags: []string{"x", "y"}, Theme: "dark", Count: 3}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	got = upload{}
	one, two := &multipart.FileHeader{Filename: "1"}, &multipart.FileHeader{Filename: "2"}
	err = All(Input{
		Values: map[string][]string{"TITLE": {"a", "b"}, "tag": {"x", "y"}, "Tag": {"z"}},
		Files:  map[string][]*multipart.FileHeader{"file": {one, two}, "all": {one, two}, "each": {two}, "none": {one}},
	}, &got)
	want = upload{Title: "a", Tags: []string{"x", "y"}, File: one, All: []*multipart.FileHeader{one, two}, Each: []multipart.FileHeader{*two}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("multipart: got %+v, %v, want %+v", got, err, want)
	}
	err = All(Input{Form: strings.Repeat("x=1&", maxParams) + "x=1", Cookies: []string{"count=x; theme=\x00"}}, &got)
	var errs Errors
	if !errors.As(err, &errs) || len(errs) != 2 || errs[0].Source != FromCookie || !errors.Is(errs[1], ErrTooMany) {
		t.Errorf("errors: %v", err)
	}
}

// FuzzCookie reads cookies. If net/http finds a cookie, its value must be the same.
func FuzzCookie(f *testing.F) {
	f.Add(`a=1; theme="dark"; theme=light`, "theme")
	f.Add("a=1;;b = 2;\tc=\"", "b")
	f.Fuzz(func(t *testing.T, line, name string) {
		r := &http.Request{Header: http.Header{"Cookie": {line}}}
		if c, err := r.Cookie(name); err == nil {
			if got, ok := cookie([]string{line}, name); !ok || got != c.Value {
				t.Errorf("%q of %q: got %q %v, want %q", name, line, got, ok, c.Value)
			}
		}
	})
}

func TestManyFields(t *testing.T) {
	var fields []reflect.StructField
	query := ""
	for i := range 150 {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int](),
			Tag: reflect.StructTag(fmt.Sprintf(`query:"f%d"`, i)),
		})
		query += fmt.Sprintf("f%d=%d&f%d=x&", i, i, i)
	}
	v := reflect.New(reflect.StructOf(fields))
	if err := Query(query, v.Interface()); err != nil {
		t.Fatal(err)
	}
	for i := range fields {
		if got := v.Elem().Field(i).Int(); got != int64(i) {
			t.Errorf("field %d: %d", i, got)
		}
	}
}

type five struct {
	A string  `query:"a"`
	B int     `query:"b"`
	C bool    `query:"c"`
	D float64 `query:"d"`
	E string  `query:"e"`
}

const fiveQuery = "a=alpha&b=42&c=true&d=1.5&e=echo"

func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	var v five
	if n := testing.AllocsPerRun(100, func() { _ = Query(fiveQuery, &v) }); n > 0 {
		t.Errorf("Query of five fields: %v allocs, budget 0", n)
	}
	if n := testing.AllocsPerRun(100, func() { _ = Query("a=a%20b&b=1", &v) }); n > 1 {
		t.Errorf("Query with an escaped string: %v allocs, budget 1, the string", n)
	}
	r := httptest.NewRequest("GET", "/?limit=1&host=x", nil)
	r.Header.Set("X-Request-Id", "1")
	var s search
	if n := testing.AllocsPerRun(100, func() { _ = Request(r, &s) }); n > 0 {
		t.Errorf("Request: %v allocs, budget 0", n)
	}
	b, err := For[five]()
	if err != nil {
		t.Fatal(err)
	}
	in := &Input{Query: fiveQuery}
	if n := testing.AllocsPerRun(100, func() { _ = b.Bind(in, &v) }); n > 0 {
		t.Errorf("Binder.Bind: %v allocs, budget 0", n)
	}
}

func BenchmarkQuery(b *testing.B) {
	b.Run("five fields", func(b *testing.B) {
		var v five
		b.ReportAllocs()
		for b.Loop() {
			_ = Query(fiveQuery, &v)
		}
	})
	b.Run("20 fields, 9000 parameters", func(b *testing.B) {
		var fields []reflect.StructField
		for i := range 20 {
			fields = append(fields, reflect.StructField{
				Name: fmt.Sprintf("F%02d", i), Type: reflect.TypeFor[string](),
				Tag: reflect.StructTag(fmt.Sprintf(`query:"f%02d"`, i)),
			})
		}
		v := reflect.New(reflect.StructOf(fields)).Interface()
		var q strings.Builder
		for i := range 9000 {
			fmt.Fprintf(&q, "f%02d=%d&", i%30, i)
		}
		b.ReportAllocs()
		b.SetBytes(int64(q.Len()))
		for b.Loop() {
			_ = Query(q.String(), v)
		}
	})
}

// TestTimeFormats binds times whose tag format has one of OpenAPI's names. The values must be the
// listed times. A slice has the format only in a document, as in Echo.
func TestTimeFormats(t *testing.T) {
	type in struct {
		At    time.Time            `query:"at" format:"date-time"`
		Local mo.Option[time.Time] `query:"local" format:"date-time-local"`
		Day   *time.Time           `query:"day" format:"date"`
		Days  []time.Time          `query:"days" format:"date"`
	}
	document, err := ForDocument[in]()
	if err != nil {
		t.Fatal(err)
	}
	both := map[string]string{
		"at=2023-12-25T14:30:45.5%2B02:00": "2023-12-25T14:30:45.5+02:00",
		"local=2023-12-25T14:30:45.25":     "2023-12-25T14:30:45.25Z",
		"day=2023-12-25":                   "2023-12-25T00:00:00Z",
		"at=date-time":                     "error",
		"at=2023-12-25":                    "error",
		"local=2023-12-25T14:30:45Z":       "error",
		"local=2023-12-25T14:30":           "error",
		"day=2023-12-25T00:00:00Z":         "error",
		"day=date":                         "error",
		"days=2023-12-25&days=date-time":   "error",
	}
	check := func(query, want string, bind func(string, *in) error) {
		t.Helper()
		var v in
		got := "error"
		if err := bind(query, &v); err == nil {
			at := v.At
			switch {
			case v.Local.IsPresent():
				at = v.Local.MustGet()
			case v.Day != nil:
				at = *v.Day
			case len(v.Days) > 0:
				at = v.Days[0]
			}
			got = at.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	asEcho := func(query string, v *in) error { return Query(query, v) }
	asDocument := func(query string, v *in) error { return document.Bind(&Input{Query: query}, v) }
	for query, want := range both {
		check(query, want, asEcho)
		check(query, want, asDocument)
	}
	check("days=2023-12-25", "error", asEcho)
	check("days=2023-12-25", "2023-12-25T00:00:00Z", asDocument)
	check("days=2023-12-25T14:30:45Z", "2023-12-25T14:30:45Z", asEcho)
	check("days=2023-12-25T14:30:45Z", "error", asDocument)
}

// TestSkipNil binds fields of structs that are embedded by a pointer. With SkipNil, a nil pointer stays nil, and a
// malformed value for a field in its struct is no error.
func TestSkipNil(t *testing.T) {
	type Deep struct {
		Q string                `query:"q" header:"X-Q" cookie:"q" form:"q" path:"q"`
		N []int                 `query:"n" header:"X-N" cookie:"n" form:"n" path:"n"`
		F *multipart.FileHeader `form:"file"`
	}
	type Rest struct {
		All map[string][]string `query:"*" form:"*"`
	}
	type Middle struct{ *Deep }
	type in struct {
		*Middle
		*Rest
		Own string `query:"own" form:"own"`
	}
	for name, input := range map[string]Input{
		"query":  {Query: "q=x&n=1&n=2&N=%zz&other=1&own=o"},
		"header": {Header: http.Header{"X-Q": {"x"}, "X-N": {"x"}}, Query: "own=o"},
		"cookie": {Cookies: []string{"q=x; n=x"}, Query: "own=o"},
		"form":   {Form: "q=x&n=x;&own=o&other=1"},
		"values": {Values: map[string][]string{"q": {"x"}, "n": {"x"}, "own": {"o"}, "other": {"1"}}, Files: map[string][]*multipart.FileHeader{"file": {{}}}},
		"path":   {Path: PathValues{"q": "x", "n": "1"}, Query: "own=o"},
	} {
		v := in{}
		input.SkipNil = true
		if err := All(input, &v); err != nil || v.Middle != nil || v.Rest != nil || v.Own != "o" {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
		v = in{Middle: &Middle{}}
		if err := All(input, &v); err != nil || v.Middle.Deep != nil {
			t.Errorf("%s, with one of two pointers: %+v, %v", name, v.Middle, err)
		}
		v = in{Middle: &Middle{&Deep{}}, Rest: &Rest{}}
		if _ = All(input, &v); v.Q != "x" {
			t.Errorf("%s, with the pointers: %+v", name, v.Deep)
		}
		input.SkipNil = false
		v = in{}
		if _ = All(input, &v); v.Middle == nil || v.Q != "x" {
			t.Errorf("%s, without SkipNil: %+v", name, v)
		}
	}
}
