package migrate

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/hone-go/hone/internal/test/testkit"
)

const depFiles = `
-- LICENSE --
Do what you want.
-- go.mod --
module example.com/dep

go 1.21
-- dep.go --
package dep

import "encoding/json"

// Read reads a number.
func Read(d *json.Decoder) (n int, err error) { err = d.Decode(&n); return }
-- dep_windows.go --
package dep

import "encoding/json"

var _ json.Number
-- unused/unused.go --
package unused

import "encoding/json"

var _ json.Number
`

const depUser = `
-- go.mod --
module example.com/app

go 1.26.0

require example.com/dep v1.2.3
-- app.go --
package app

import (
	"encoding/json"
	"strings"

	"example.com/dep"
)

// Number reads a number.
func Number(s string) (int, error) { return dep.Read(json.NewDecoder(strings.NewReader(s))) }
-- app_test.go --
package app

import "testing"

func TestNumber(t *testing.T) {
	if n, err := Number("5"); n != 5 || err != nil {
		t.Error(n, err)
	}
}
`

// proxy creates a module proxy with one module, and makes the go command use no other proxy.
func proxy(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "example.com/dep/@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	put := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(at, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range txtar.Parse([]byte(depFiles)).Files {
		in, err := w.Create("example.com/dep@v1.2.3/" + f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write(f.Data); err != nil {
			t.Fatal(err)
		}
		if f.Name == "go.mod" {
			put("v1.2.3.mod", f.Data)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	put("v1.2.3.zip", b.Bytes())
	put("v1.2.3.info", []byte(`{"Version":"v1.2.3"}`))
	put("list", []byte("v1.2.3\n"))
	for name, value := range map[string]string{
		"GOPROXY": "file://" + filepath.ToSlash(dir), "GOSUMDB": "off", "GOWORK": "off",
		"GOFLAGS": "-modcacherw", "GOMODCACHE": filepath.Join(t.TempDir(), "mod"),
	} {
		t.Setenv(name, value)
	}
}

func prepare(t *testing.T, o Options) *Change {
	t.Helper()
	if !o.Revert {
		o.Hone = checkout(t)
	}
	c, err := Prepare(t.Context(), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func writeChange(t *testing.T, c *Change) {
	t.Helper()
	if err := c.Write(); err != nil {
		t.Fatal(err)
	}
}

func TestDeps(t *testing.T) {
	testkit.SkipInVariant(t)
	proxy(t)
	dir, _ := unpack(t, txtar.Parse([]byte(depUser)))
	if out, errs, err := (&module{ctx: t.Context()}).start(dir, "mod", "tidy"); err != nil {
		t.Fatalf("%s%s%v", out, errs, err)
	}
	before := read(t, dir)

	alone := prepare(t, Options{Dir: dir})
	if alone.moves() != 0 || len(alone.Files) != 1 || !alone.Files[0].Stays[0].Comment {
		t.Errorf("without the dependency: %+v", alone.Files)
	}

	o := Options{Dir: dir, Deps: []string{"example.com/dep"}}
	c := prepare(t, o)
	requireSame(t, "looking", before, read(t, dir))
	diff := c.Diff()
	for _, part := range []string{
		"+++ b/app.go", "+++ b/third_party/hone/example.com/dep@v1.2.3/dep.go", "+++ b/third_party/hone/example.com/dep@v1.2.3/dep_windows.go",
		"+replace example.com/dep => ./third_party/hone/example.com/dep@v1.2.3",
	} {
		if !strings.Contains(diff, part) {
			t.Errorf("the diff has no %q:\n%s", part, diff)
		}
	}
	if strings.Contains(diff, "b/third_party/hone/example.com/dep@v1.2.3/unused") {
		t.Errorf("a package that is not built was changed:\n%s", diff)
	}
	trial, err := c.Try(t.Context(), func(string, ...any) {})
	if err != nil || trial.After.Pass != 1 || trial.Differs() {
		t.Errorf("%+v, %v", trial, err)
	}
	writeChange(t, c)
	if data, err := os.ReadFile(filepath.Join(dir, "third_party/hone/example.com/dep@v1.2.3/LICENSE")); err != nil || string(data) != "Do what you want.\n" {
		t.Errorf("the licence: %q, %v", data, err)
	}
	if out, errs, err := c.m.start(dir, "test", "./..."); err != nil {
		t.Errorf("%s%s%v", out, errs, err)
	}
	if again := prepare(t, Options{Dir: dir}); !again.Nothing() {
		t.Errorf("a second run changes\n%s", again.Diff())
	}
	if _, err := Prepare(t.Context(), t.TempDir(), o); err == nil || !strings.Contains(err.Error(), "already replaces it") {
		t.Errorf("a second copy: %v", err)
	}

	// A copy that a user has edited is not removed.
	own := filepath.Join(dir, "third_party/hone/example.com/dep@v1.2.3/own.go")
	if err := os.WriteFile(own, []byte("package dep\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Prepare(t.Context(), t.TempDir(), Options{Dir: dir, Revert: true}); err == nil || !strings.Contains(err.Error(), "own.go") {
		t.Errorf("an edited copy: %v", err)
	}
	if err := os.Remove(own); err != nil {
		t.Fatal(err)
	}
	writeChange(t, prepare(t, Options{Dir: dir, Revert: true}))
	requireSame(t, "a revert", before, read(t, dir))
}

func TestDepsErrors(t *testing.T) {
	proxy(t)
	dir, _ := unpack(t, txtar.Parse([]byte(depUser)))
	for name, want := range map[string]string{
		"example.com/none": "example.com/none",
		"example.com/app":  "the module itself",
		Hone:               "Hone itself",
	} {
		_, err := Prepare(t.Context(), t.TempDir(), Options{Dir: dir, Hone: checkout(t), Deps: []string{name}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A copy is not written through a link out of the module.
func TestDepsOfLinkedFolder(t *testing.T) {
	testkit.SkipInVariant(t)
	proxy(t)
	for _, link := range []string{"third_party", "third_party/hone", "third_party/hone/example.com", "third_party/hone/example.com/dep@v1.2.3"} {
		dir, _ := unpack(t, txtar.Parse([]byte(depUser)))
		if out, errs, err := (&module{ctx: t.Context()}).start(dir, "mod", "tidy"); err != nil {
			t.Fatalf("%s%s%v", out, errs, err)
		}
		outside, at := t.TempDir(), filepath.Join(dir, filepath.FromSlash(link))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(outside, at)); err != nil {
			t.Fatal(err)
		}
		if c, err := Prepare(t.Context(), t.TempDir(), Options{Dir: dir, Hone: checkout(t), Deps: []string{"example.com/dep"}}); err == nil {
			t.Errorf("%s: the link was followed", link)
			_ = c.Write()
		}
		if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
			t.Errorf("%s: %v, %v", link, entries, err)
		}
	}
}
