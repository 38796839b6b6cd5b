package shape_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/shape"
)

type (
	page struct {
		Limit int `query:"limit"`
		Inner struct {
			Token string `header:"x-token"`
		}
	}
	point struct{ X, Y int }
	body  struct {
		Seen int `query:"seen"`
	}
)

func (p *point) UnmarshalParam(string) error { return nil }

func TestRequest(t *testing.T) {
	for _, test := range []struct {
		name             string
		of               any
		params           []string // source, name, index
		bodies, untagged []string // Go paths
	}{
		{name: "every source", of: struct {
			A, Plain int
			P        string    `path:"p"`
			Q        string    `query:"q,omitempty"`
			H        string    `header:"content-md5"`
			C        string    `cookie:"c"`
			F        time.Time `form:"f" format:"2006"`
		}{}, params: []string{"path p [2]", "query q [3]", "header Content-Md5 [4]", "cookie c [5]", "form f [6]"}, untagged: []string{".A", ".Plain"}},
		{name: "several sources of one field", of: struct {
			A string `query:"a" header:"X-A" param:"a" path:"b"`
		}{}, params: []string{"path a [0]", "header X-A [0]", "query a [0]"}},
		{name: "kept out, and no name", of: struct {
			A string `query:"-"`
			B string `query:",omitempty"`
		}{}, untagged: []string{".B"}},
		{name: "embeds itself", of: Self{}, params: []string{"query x [1]"}},
		{name: "embedded and nested", of: struct {
			page
			At   time.Time
			Next *page
		}{}, params: []string{"query limit [0 0]", "header X-Token [0 1 0]"}, untagged: []string{".At", ".Next"}},
		{name: "a source that is taken on the way", of: struct {
			P page `query:"-"`
			Q page `header:"q"`
		}{}, params: []string{"header X-Token [0 1 0]", "header Q [1]", "query limit [1 0]"}, untagged: []string{".Q.Inner"}},
		{name: "a type that reads a parameter", of: struct{ At point }{}, untagged: []string{".At"}},
		{name: "a body is not looked into", of: struct {
			B body `body:"Text/CSV, image/*"`
		}{}, bodies: []string{".B"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			typ := reflect.TypeOf(test.of)
			request := shape.Of(typ).Request()
			var params []string
			for _, p := range request.Params {
				params = append(params, fmt.Sprintf("%s %s %v", p.Source, p.Name, p.Index))
				comparePlace(t, typ, &p.Place)
			}
			compareParamsOf(t, typ)
			paths := func(places []shape.Place) (paths []string) {
				for _, p := range places {
					paths = append(paths, p.GoPath())
				}
				return paths
			}
			for _, compare := range []struct {
				what      string
				got, want []string
			}{
				{what: "parameters", got: params, want: test.params},
				{what: "bodies", got: paths(request.Bodies), want: test.bodies},
				{what: "untagged", got: paths(request.Untagged), want: test.untagged},
			} {
				if !slices.Equal(compare.got, compare.want) {
					t.Errorf("%s\ngot  %q\nwant %q", compare.what, compare.got, compare.want)
				}
			}
		})
	}
}

// TestParamsOf computes the parameters of each source of random types. They must be the parameters of
// this source in the Request of the type.
func TestParamsOf(t *testing.T) {
	tags := []string{
		``, `query:"a"`, `query:"-"`, `path:"b"`, `param:"c" path:"b"`, `param:"," path:"b"`, `header:"x-d" query:"d"`, `cookie:"e" form:"e,omitempty"`,
		`form:"f" path:"-"`, `query:"*"`, `body:"text/csv"`, `body:"" query:"g"`, `json:"h"`, `query`,
	}
	found := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		typ := random.Type(r, 3, tags, reflect.TypeFor[page](), reflect.TypeFor[point](), reflect.TypeFor[Self](), reflect.TypeFor[body]())
		if typ.Kind() == reflect.Struct {
			found += compareParamsOf(t, typ)
		}
	}
	if found < 1000 {
		t.Errorf("the types have %d parameters", found)
	}
}

// compareParamsOf compares ParamsOf for each source with Request, and returns the number of parameters.
func compareParamsOf(t *testing.T, typ reflect.Type) (n int) {
	t.Helper()
	s := shape.Of(typ)
	all := s.Request().Params
	for _, source := range []shape.Source{shape.FromPath, shape.FromHeader, shape.FromCookie, shape.FromQuery, shape.FromForm} {
		var want []shape.Param
		for _, p := range all {
			if p.Source == source {
				want = append(want, p)
			}
		}
		if got := s.ParamsOf(source); len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%v: the parameters of the %s are %+v, want %+v", typ, source, got, want)
		}
		n += len(want)
	}
	return n
}

func TestBodyTypes(t *testing.T) {
	bodies := shape.For[struct {
		B body `body:"Text/CSV, ,image/*"`
	}]().Request().Bodies
	if got, ok := bodies[0].Field.BodyTypes(); !ok || !slices.Equal(got, []string{"text/csv", "image/*"}) {
		t.Errorf("got %q %v", got, ok)
	}
}

// FuzzCanonicalHeader computes canonical header names, which must be the same as with net/http.
func FuzzCanonicalHeader(f *testing.F) {
	for _, seed := range []string{"x-request-id", "ETAG", "-", "a b", "é", "X-", "a1-b", "!#$%&'*+-.^_`|~", "x\x80"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		typ := reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[int](), Tag: reflect.StructTag(fmt.Sprintf("header:%q", name))}})
		for _, p := range shape.Of(typ).Request().Params {
			tag := typ.Field(0).Tag.Get("header")
			if p.Name != http.CanonicalHeaderKey(cut(tag)) {
				t.Errorf("%q: got %q, want %q", tag, p.Name, http.CanonicalHeaderKey(cut(tag)))
			}
		}
	})
}

// cut returns the text before the first comma.
func cut(s string) string {
	for i := range len(s) {
		if s[i] == ',' {
			return s[:i]
		}
	}
	return s
}
