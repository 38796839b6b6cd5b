package bind

import (
	"net/url"
	"strings"
	"testing"
)

func TestQueryValue(t *testing.T) {
	queries := []string{
		"", "a", "a=", "a=1", "a=1&a=2", "b=2&a=1", "a=%zz&a=2", "%61=1", "a+b=c+d", "a=1;b=2&a=3",
		"&&a=1", "=1", "a==1", "a=%", "a=%4", "%=1&a=2", "A=1", "a=%26", "aa=1&a=2", "a;=1", "a%3b=1",
	}
	for _, q := range queries {
		for _, name := range []string{"a", "b", "", "a b", "a;", "A", "missing"} {
			want, _ := url.ParseQuery(q)
			if got, ok := QueryValue(q, name); got != want.Get(name) || ok != want.Has(name) {
				t.Errorf("%q of %q: got %q %v, want %q", name, q, got, ok, want[name])
			}
		}
	}
}

func TestQueryValueLimit(t *testing.T) {
	for _, n := range []int{maxParams, maxParams + 1} {
		q := strings.Repeat("b=1&", n-1) + "a=2"
		want := ""
		if n <= maxParams {
			want = "2"
		}
		if got, ok := QueryValue(q, "a"); got != want || ok != (want != "") {
			t.Errorf("%d parameters: got %q, want %q", n, got, want)
		}
	}
}

func FuzzQueryValue(f *testing.F) {
	f.Add("a=1&b=2", "a")
	f.Add("a=%zz&a=2;&%61=3+4", "a")
	f.Add("a+b=%26", "a b")
	f.Fuzz(func(t *testing.T, query, name string) {
		want, _ := url.ParseQuery(query)
		if strings.Count(query, "&") >= maxParams {
			return // depends on the Go release
		}
		if got, ok := QueryValue(query, name); got != want.Get(name) || ok != want.Has(name) {
			t.Errorf("%q of %q: got %q %v, want %q", name, query, got, ok, want[name])
		}
	})
}
