package bind

import (
	"net/http"
	"net/url"
	"reflect"
	"slices"
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
	f.Fuzz(func(t *testing.T, first, second string) {
		values := []string{first, second}
		if got, err := pathList(segment(appendPathList(values)), "", ""); err != nil || !slices.Equal(got, values) {
			t.Errorf("path: %q as %q: %q, %v", values, appendPathList(values), got, err)
		}
		if got, err := headerList([]string{appendHeaderList(values)}); err != nil || !slices.Equal(got, values) {
			t.Errorf("header: %q as %q: %q, %v", values, appendHeaderList(values), got, err)
		}
		_, _ = headerList(values)
		_, _ = pathList(segment(first), "", "")
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

// A tagText is a slice that describes itself as text, so its values have no commas between them.
type tagText []string

func (tagText) SchemaType() (name, format string) { return "string", "" }
