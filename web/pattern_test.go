package web

import (
	"errors"
	"strings"
	"testing"
)

func TestSplitPattern(t *testing.T) {
	tests := []struct {
		pattern            string
		method, path, rest string // method "" if it is refused
	}{
		{"GET /", "GET", "/", ""},
		{"POST  /a/{b}/c", "POST", "/a/:b/c", ""},
		{"GET /a/:b/c", "GET", "/a/:b/c", ""},
		{"GET /{a}/:b", "GET", "/:a/:b", ""},
		{"GET /files/{name...}", "GET", "/files/*", "name"},
		{"GET /files/*", "GET", "/files/*", ""},
		{"GET /posts/{$}", "GET", "/posts/", ""},
		{"GET /{", "", "", ""},
		{"GET /}", "", "", ""},
		{"GET /{}", "", "", ""},
		{"GET /a{b}", "", "", ""},
		{"GET /{b}c", "", "", ""},
		{"GET /{$}/a", "", "", ""},
		{"GET /{a:b}", "", "", ""},
		{"GET /{a...}/b", "", "", ""},
		{"GET", "", "", ""},
		{"/a", "", "", ""},
		{"GET a", "", "", ""},
		{"", "", "", ""},
	}
	for _, tt := range tests {
		method, path, rest, err := splitPattern(tt.pattern)
		if tt.method == "" {
			if !errors.Is(err, ErrRoutePattern) {
				t.Errorf("%q: got %v, want ErrRoutePattern", tt.pattern, err)
			}
			continue
		}
		if err != nil || method != tt.method || path != tt.path || rest != tt.rest {
			t.Errorf("%q: got %q %q %q, %v", tt.pattern, method, path, rest, err)
		}
	}
}

// A pattern that is taken can be registered, and one with only braces or only
// colons has the names that it shows.
func FuzzPattern(f *testing.F) {
	f.Add("GET /a/{b}/c")
	f.Add("GET /a/:b/{c...}")
	f.Add("PUT /{$}")
	f.Fuzz(func(t *testing.T, pattern string) {
		method, path, rest, err := splitPattern(pattern)
		if err != nil {
			return
		}
		ri, err := NewRouter(RouterConfig{}).Add(Route{Method: method, Path: path, Handler: echoRoute, restName: rest})
		if err != nil {
			var ae *AddRouteError
			if !errors.As(err, &ae) {
				t.Errorf("%q: the error is a %T", pattern, err)
			}
			return
		}
		for _, name := range ri.Parameters {
			if name != "*" && !strings.Contains(pattern, name) {
				t.Errorf("%q: parameter %q", pattern, name)
			}
		}
	})
}
