package urlpath

import (
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	for p, want := range map[string]bool{
		"/": true, "/a/b": true, "/a/": true, "/.a": true, "/a/.well-known": true, "/...": true, "/a.": true, "/a../b": true, "": true, "7/": true,
		"//": false, "/a//b": false, "/.": false, "/..": false, "/a/./b": false, "/a/../b": false, "/a/..": false, "/a%20": false, `/a\b`: false,
		"/a;b/c": false, "/a?": false, "/a#b": false, "/a\x00": false,
	} {
		if got := Plain(p); got != want {
			t.Errorf("%s: %v", p, got)
		}
	}
}

func TestPlainForms(t *testing.T) {
	for p, want := range map[string]string{
		"/a/b":             "/a/b",
		"/a/":              "/a /a/",
		"//a//b":           "/a/b",
		"/a/./b/.":         "/a/b /a/b/",
		"/x/../a":          "/a",
		"/x//../a":         "/a /x/a",
		"/../../a":         "/a",
		"/a/..":            "/",
		"/x%2f..%2fa":      "/a /x%2f..%2fa",
		"/%2561":           "/%2561 /%61 /a",
		"/%252561":         "/%252561 /%2561 /%61 /a",
		`/x\..\a`:          `/a /x\..\a`,
		"/%":               "/%",
		"/%zz%41%4":        "/%zz%41%4 /%zzA%4",
		"/.well-known/...": "/.well-known/...",
		"/a;v=1/b":         "/a/b /a;v=1/b",
		"/x/..;/a":         "/a /x/..;/a",
		"/a%3bv/b":         "/a%3bv/b /a/b /a;v/b",
		"/a%3fb":           "/a /a%3fb /a?b",
		"/a/%00b":          "/a /a/ /a/\x00b /a/%00b",
		"/a/%2e%2e/../%62": "/a/%62 /a/b /b",
	} {
		got := slices.Sorted(maps.Keys(maps.Collect(PlainForms(p))))
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", p, got, want)
		}
	}
}

// FuzzPlainForms computes the plain forms of a path. They must include the results of package path
// and of net/url, and a path that is plain must have no other form.
func FuzzPlainForms(f *testing.F) {
	for _, p := range []string{"/a//../b", "/%2e%2e/%252e", `/a\..\b`, "/./.././/", "/%", "/a/..//./b/"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		if !strings.HasPrefix(p, "/") {
			return
		}
		forms := slices.Collect(maps.Keys(maps.Collect(PlainForms(p))))
		for _, form := range forms {
			if Plain(p) && form != p && form+"/" != p {
				t.Errorf("%q is plain, but has the other form %q", p, form)
			}
		}
		if want := path.Clean(p); !slices.Contains(forms, want) {
			t.Errorf("%q: no %q in %q", p, want, forms)
		}
		resolved := (&url.URL{Path: "/"}).ResolveReference(&url.URL{Path: p}).Path
		if want := path.Clean(resolved); !slices.Contains(forms, want) {
			t.Errorf("%q: no %q in %q", p, want, forms)
		}
		if decoded, err := url.PathUnescape(p); err == nil {
			if want := path.Clean(decoded); !slices.Contains(forms, want) {
				t.Errorf("%q: no %q in %q", p, want, forms)
			}
		}
		for u, before := p, ""; u != before; {
			if clean := path.Clean(strings.TrimLeft(u, "/")); (clean == ".." || strings.HasPrefix(clean, "../")) && !Climbs(p) {
				t.Errorf("%q: the form %q leads above the root", p, u)
			}
			before = u
			if decoded, err := url.PathUnescape(u); err == nil {
				u = decoded
			}
		}
		for _, form := range forms {
			for segment := range strings.SplitSeq(form[1:], "/") {
				if segment == "." || segment == ".." {
					t.Errorf("%q: %q has dots", p, form)
				}
			}
			if strings.Contains(form, "//") {
				t.Errorf("%q: %q has an empty segment", p, form)
			}
		}
	})
}

func TestFileName(t *testing.T) {
	for _, test := range []struct {
		path     string
		dotFiles bool
		want     string
		ok       bool
	}{
		{path: "", want: ".", ok: true},
		{path: "a/b", want: "a/b", ok: true},
		{path: "a/", want: "a", ok: true},
		{path: ".well-known/x", want: ".well-known/x", ok: true},
		{path: ".env"},
		{path: "a/.git/x"},
		{path: ".env", dotFiles: true, want: ".env", ok: true},
		{path: "/"}, {path: "."}, {path: "..", dotFiles: true}, {path: "/a"}, {path: "a//b"}, {path: "a/./b"}, {path: "a/../b", dotFiles: true},
		{path: `a\b`}, {path: "a\x00"}, {path: "a//"},
	} {
		if got, ok := FileName(test.path, test.dotFiles); got != test.want || ok != test.ok {
			t.Errorf("%+v: %q, %v", test, got, ok)
		}
	}
}

func TestDeviceNames(t *testing.T) {
	for name, want := range map[string]bool{
		"con": true, "CON.txt": true, "aux.tar.gz": true, "com1": true, "LPT9.txt": true, "com¹": true, "prn ": true,
		"conin$": true, "nul:x": true, "console": false, "com": false, "comx": false, "a.con": false, "": false,
	} {
		if got := deviceName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func TestClimbs(t *testing.T) {
	for path, want := range map[string]bool{
		"": false, "/": false, "/a": false, "/a/..": false, "/a/../b": false, "/a/b/../../c": false, "/..a": false, "/a..": false, "/...": false,
		"/..": true, "..": true, "/../a": true, "/a/../..": true, "/a/../../b": true, "/./../a": true, "//../a": true,
		"/%2e%2e/a": true, "/%2E./a": true, "/a%2f..%2f..%2fb": true, "/a%2Fb": false, "/%252e%252e/a": true, "/%25252e%25252e/a": true,
		`/..\a`: true, `/a\..\..\b`: true, "/%5c..%5ca": true, "/..;v=1/a": true, "/..%3bv/a": true, "/;v=1/../a": true,
		"/b%2fc/../%2e%2e/x": true, "/%252e%252e/%25zz": true, "/%2525252561": true, "a/../..": true, "a/..": false,
		"/100%25": false, "/a%20b": false, "/%zz": false, "/group%2Fissues": false,
	} {
		if got := Climbs(path); got != want {
			t.Errorf("Climbs(%q) = %v", path, got)
		}
	}
}
