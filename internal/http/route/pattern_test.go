package route

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

func TestParseHTTP(t *testing.T) {
	for _, test := range []struct {
		path string
		want []Part
	}{
		{path: "/{$}", want: []Part{{Literal, "/"}}},
		{path: "/a", want: []Part{{Literal, "/a"}}},
		{path: "/a//b", want: []Part{{Literal, "/a//b"}}},
		{path: "/a%20b/:c", want: []Part{{Literal, "/a b/:c"}}},
		{path: "/a/{b}/c", want: []Part{{Literal, "/a/"}, {Param, "b"}, {Literal, "/c"}}},
		{path: "/{a}/{b}", want: []Part{{Literal, "/"}, {Param, "a"}, {Literal, "/"}, {Param, "b"}}},
		{path: "/files/{name...}", want: []Part{{Literal, "/files/"}, {Rest, "name"}}},
		{path: "/{a}/{$}", want: []Part{{Literal, "/"}, {Param, "a"}, {Literal, "/"}}},
	} {
		got, err := ParseHTTP(test.path)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, %v", test.path, got, err)
		}
	}
	for path, want := range map[string]string{
		"": "begin", "a": "begin", "/": "{$}", "/a/": "{$}", "/{": "braces", "/}": "braces", "/{}": "name", "/a{b}": "braces", "/{b}c": "braces",
		"/{$}/a": "name", "/{a:b}": "name", "/{1}": "name", "/{a...}/b": "last", "/{a}/{a}": "two parameters", "/%2F": "an escaped slash", "/%zz": "invalid escape", "/{a...}/": "last",
	} {
		if got, err := ParseHTTP(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want an error that says %q", path, got, err, want)
		}
	}
}

// withVerb matches a segment with an inline verb; its first group is the parameter.
var withVerb = regexp.MustCompile(`^(:[^:*]*?)\\:(?:[^:*]|\\:)*$`)

// plainParse is a simple implementation of Parse, which reads byte by byte.
func plainParse(pattern string) (parts []Part) {
	if !strings.HasPrefix(pattern, "/") {
		pattern = "/" + pattern
	}
	literal := ""
	flush := func() {
		if literal != "" {
			parts = append(parts, Part{Literal, literal})
			literal = ""
		}
	}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && strings.HasPrefix(pattern[i+1:], ":"):
			literal += ":"
			i++
		case c == ':':
			flush()
			param, _, _ := strings.Cut(pattern[i:], "/")
			if m := withVerb.FindStringSubmatch(param); m != nil {
				param = m[1]
			}
			parts = append(parts, Part{Param, param[1:]})
			i += len(param) - 1
		case c == '*':
			flush()
			return append(parts, Part{Rest, "*"})
		default:
			literal += string(rune(c))
		}
	}
	flush()
	return parts
}

// Every pattern of up to seven significant bytes is parsed as by plainParse.
func TestParse(t *testing.T) {
	const alphabet = `/:*\a`
	patterns := []string{""}
	for n := 0; n < len(patterns); n++ {
		p := patterns[n]
		if got, want := Parse(nil, p), plainParse(p); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %v, want %v", p, got, want)
		}
		if len(p) < 7 {
			for i := range alphabet {
				patterns = append(patterns, p+alphabet[i:i+1])
			}
		}
	}
}

// Adding a route allocates the route, its leaf and its nodes. Parsing its pattern allocates nothing.
func TestAddAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	var tree Tree[target]
	r := &Route[target]{Value: target{"GET", "/users/:id/files/*"}}
	if n := testing.AllocsPerRun(100, func() {
		var few [8]Part
		tree.Add(r, Parse(few[:0], r.Value.path))
	}); n > 0 {
		t.Errorf("%v allocs to add a route again, budget 0", n)
	}
}

type target struct{ method, path string }

func (t target) Method() string  { return t.method }
func (t target) Pattern() string { return t.path }

// TestTree checks single cases. The tests of package web also compare whole sets of routes with a
// simple router.
func TestTree(t *testing.T) {
	var tree Tree[target]
	add := func(method, path string) {
		tree.Add(&Route[target]{Value: target{method, path}}, Parse(nil, path))
	}
	for _, path := range []string{"/users/:id", "/users/me", "/*"} {
		add("GET", path)
	}
	add("PUT", "/users/:id")
	add(NotFound, "/users/*")
	for _, test := range []struct {
		method, path string
		want         string // the value and the parameters, or the Allow list
	}{
		{method: "GET", path: "/users/me", want: "GET /users/me []"},
		{method: "GET", path: "/users/7", want: "GET /users/:id [7]"},
		{method: "PUT", path: "/users/me", want: "PUT /users/:id [me]"},
		{method: "GET", path: "/x/y", want: "GET /* [x/y]"},
		{method: "DELETE", path: "/users/7", want: "OPTIONS, GET, PUT"},
		{method: "DELETE", path: "/x", want: "OPTIONS, GET"},
	} {
		var s Search[target, pathValue]
		found := s.Find(&tree, test.method, test.path)
		got := ""
		if found != nil && found.Value.method != NotFound {
			values := []string{}
			for _, v := range s.Values() {
				values = append(values, v.Value)
			}
			got = fmt.Sprint(found.Value.method, " ", found.Value.path, " ", values)
		} else if allow, _, _ := s.Allow(); allow != nil {
			got = allow.(string)
		}
		if got != test.want {
			t.Errorf("%s %s: %s, want %s", test.method, test.path, got, test.want)
		}
	}
	parts := Parse(nil, "/users/:any")
	tree.Remove(tree.Get("PUT", parts))
	if tree.Get("PUT", parts) != nil || len(tree.Routes()) != 4 {
		t.Errorf("%d routes", len(tree.Routes()))
	}
}
