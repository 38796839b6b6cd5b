package bind

import (
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A segment is a RawLookup with one parameter.
type segment string

func (s segment) Get(string) (string, bool) {
	text, err := url.PathUnescape(string(s))
	return text, err == nil
}

func (s segment) GetRaw(string) (string, bool) { return string(s), true }

// FuzzLists writes two elements as a list in the path and in a header field, and reads them again. Reading any text
// as a list ends without a panic.
func FuzzLists(f *testing.F) {
	f.Add("a,b", "")
	f.Add(`"c"`, `\`)
	f.Add(" ", "%2C/é")
	f.Add(strings.Repeat("a,", maxParams), `"`)
	f.Fuzz(func(t *testing.T, first, second string) {
		values := []string{first, second}
		if got, err := pathList(segment(appendPathList(values)), "", ""); err != nil || !slices.Equal(got, values) {
			t.Errorf("path: %q as %q: %q, %v", values, appendPathList(values), got, err)
		}
		if got, err := headerList([]string{appendHeaderList(values)}); err != nil || !slices.Equal(got, values) {
			t.Errorf("header: %q as %q: %q, %v", values, appendHeaderList(values), got, err)
		}
		header, _ := headerList(values)
		path, _ := pathList(segment(first), "", "")
		cookie, _ := cookieList([]string{"c=" + first}, "c", true)
		if max(len(header), len(path), len(cookie)) > maxParams {
			t.Errorf("%d, %d and %d elements", len(header), len(path), len(cookie))
		}
	})
}

// TestListForms binds lists by For and by ForDocument. Only the second reads commas as separators.
func TestListForms(t *testing.T) {
	type lists struct {
		Path   []string `path:"path"`
		Header []string `header:"X-Header"`
		Cookie []string `cookie:"c"`
		Bytes  []byte   `query:"bytes"`
		Tag    tagText  `header:"X-Tag"`
	}
	in := Input{
		Path: segment("a%2Cb,c"), Header: http.Header{"X-Header": {`a, "b,c"`, "d"}, "X-Tag": {`"1", "2"`, `"3"`}},
		Cookies: []string{"c=1; x=0; c=2,3"}, Query: "bytes=65",
	}
	plain, err := For[lists]()
	if err != nil {
		t.Fatal(err)
	}
	documented, err := ForDocument[lists]()
	if err != nil {
		t.Fatal(err)
	}
	var got lists
	want := lists{[]string{"a,b,c"}, []string{`a, "b,c"`, "d"}, []string{"1", "2,3"}, []byte{65}, tagText{`"1", "2"`, `"3"`}}
	if err := plain.Bind(&in, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ngot  %q\nwant %q", err, got, want)
	}
	in.Query, got = "bytes=QUI%3D", lists{}
	want = lists{[]string{"a,b", "c"}, []string{"a", "b,c", "d"}, []string{"1", "2", "3"}, []byte("AB"), tagText{`"1", "2"`, `"3"`}}
	if err := documented.Bind(&in, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ngot  %q\nwant %q", err, got, want)
	}
	in = Input{Header: http.Header{"X-Header": {`"a`}}, Query: "bytes=?"}
	if err := documented.Bind(&in, &got); err == nil || len(err.(Errors)) != 2 {
		t.Errorf("%v", err)
	}
}

// TestListLimit binds lists of the maximum number of elements, and longer lists, which are errors.
func TestListLimit(t *testing.T) {
	type lists struct {
		Path   []string `path:"l"`
		Header []string `header:"X-L"`
		Cookie []string `cookie:"l"`
	}
	most, more := "a"+strings.Repeat(",a", maxParams-1), "a"+strings.Repeat(",a", maxParams)
	huge := "a" + strings.Repeat(",a", 1<<19-1) // as many as a header of 1 MB has
	header := func(lines ...string) Input { return Input{Header: http.Header{"X-L": lines}} }
	for name, test := range map[string]struct {
		in       Input
		elements int // -1 if there are too many
	}{
		"path":                     {Input{Path: segment(most)}, maxParams},
		"long path":                {Input{Path: segment(more)}, -1},
		"huge path":                {Input{Path: segment(huge)}, -1},
		"unescaped path":           {Input{Path: PathValues{"l": most}}, maxParams},
		"long unescaped path":      {Input{Path: PathValues{"l": more}}, -1},
		"header":                   {header(most), maxParams},
		"long header":              {header(more), -1},
		"huge header":              {header(huge), -1},
		"lines":                    {header(most[2:], "a"), maxParams},
		"too many lines":           {header(most, "a"), -1},
		"quoted elements":          {header(strings.ReplaceAll(most, "a", `"a"`)), maxParams},
		"too many quoted elements": {header(strings.ReplaceAll(more, "a", `"a"`)), -1},
		"commas in quotes":         {header(`"` + huge + `"`), 1},
		"empty elements":           {header(strings.Repeat(", ", 1<<19), "a"), 1},
		"cookie":                   {Input{Cookies: []string{"l=" + most}}, maxParams},
		"long cookie":              {Input{Cookies: []string{"l=" + more}}, -1},
		"huge cookie":              {Input{Cookies: []string{"l=" + huge}}, -1},
		"cookies":                  {Input{Cookies: []string{"l=" + most[2:], "x=0; l=a"}}, maxParams},
		"too many cookies":         {Input{Cookies: []string{"l=" + most, "x=0; l=a"}}, -1},
		"huge number of cookies":   {Input{Cookies: []string{strings.Repeat("l=a;", 1<<18)}}, -1},
	} {
		b, err := ForDocument[lists]()
		if err != nil {
			t.Fatal(err)
		}
		var got lists
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err = b.Bind(&test.in, &got)
		runtime.ReadMemStats(&after)
		elements := len(got.Path) + len(got.Header) + len(got.Cookie)
		if test.elements >= 0 && (err != nil || elements != test.elements) {
			t.Errorf("%s: %v, %d elements", name, err, elements)
		}
		if test.elements < 0 {
			var errs Errors
			if !errors.As(err, &errs) || len(errs) != 1 || errs[0].Err != ErrTooMany || errs[0].Name == "" || errs[0].Value == "" || elements != 0 {
				t.Errorf("%s: %v, %d elements", name, err, elements)
			}
			if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
				t.Errorf("%s: %d bytes are allocated", name, bytes)
			}
		}
	}
}

// TestListAllocations: a list is allocated once, with its number of elements.
func TestListAllocations(t *testing.T) {
	list := "a" + strings.Repeat(",a", maxParams-1)
	for name, split := range map[string]func() ([]string, error){
		"path":   func() ([]string, error) { return splitList(list) },
		"header": func() ([]string, error) { return headerList([]string{list}) },
		"cookie": func() ([]string, error) { return cookieList([]string{"l=" + list}, "l", true) },
	} {
		values, err := split()
		if err != nil || len(values) != maxParams || cap(values) != maxParams {
			t.Errorf("%s: %v, %d elements in %d", name, err, len(values), cap(values))
		}
		// An iterator over the elements of a cookie may be allocated too.
		if n := testing.AllocsPerRun(10, func() { _, _ = split() }); n > 2 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// A tagText is a slice that describes itself as text, so its values have no commas between them.
type tagText []string

func (tagText) SchemaType() (name, format string) { return "string", "" }
