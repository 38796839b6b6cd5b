package migrate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/hone-go/hone/internal/test/testkit"
)

const workspaceFiles = `
-- go.work --
go 1.26.0

use (
	./lib
	./app
)
-- lib/go.mod --
module example.com/lib

go 1.24
-- lib/read.go --
package lib

import "encoding/json"

// Read decodes a number.
func Read(d *json.Decoder) (n int, err error) { return n, d.Decode(&n) }
-- lib/text.go --
package lib

import "encoding/json"

// Text encodes a value.
func Text(v any) string { b, _ := json.Marshal(v); return string(b) }
-- app/go.mod --
module example.com/app

go 1.26.0
-- app/app.go --
package app

import (
	"encoding/json"
	"strings"

	"example.com/lib"
)

// Number decodes a number.
func Number(s string) (int, error) { return lib.Read(json.NewDecoder(strings.NewReader(s))) }
-- app/app_test.go --
package app

import (
	"encoding/json"
	"testing"

	"example.com/lib"
)

func TestNumber(t *testing.T) {
	if n, err := Number("3"); n != 3 || err != nil || lib.Text(3) != "3" || !json.Valid([]byte("3")) {
		t.Error(n, err)
	}
}
`

// A run changes one module of the workspace, and checks the other modules with the change. After both changes and
// after both reverts the workspace compiles.
func TestWorkspace(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Setenv("GOWORK", "")
	dir, _ := unpack(t, txtar.Parse([]byte(workspaceFiles)))
	before := read(t, dir)
	build := func(when string) {
		t.Helper()
		if out, errs, err := (&module{ctx: t.Context()}).start(dir, "vet", "./lib/...", "./app/..."); err != nil {
			t.Errorf("%s: %s%s%v", when, out, errs, err)
		}
	}
	build("before")
	for _, x := range []struct{ module, stays, changes string }{
		{"lib", "read.go", "text.go"},
		{"app", "app.go", "app_test.go"},
	} {
		o := Options{Dir: filepath.Join(dir, x.module)}
		c := prepare(t, o)
		var stays, changes []string
		for _, f := range c.Files {
			if len(f.Stays) > 0 {
				stays = append(stays, f.Name)
			}
			if len(f.Changes) > 0 {
				changes = append(changes, f.Name)
			}
		}
		if strings.Join(stays, " ") != x.stays || strings.Join(changes, " ") != x.changes {
			t.Errorf("%s: %v stay and %v change\n%s", x.module, stays, changes, c.Diff())
		}
		if mod := string(c.mod.after); strings.Contains(mod, "example.com/lib v") || strings.Contains(mod, "example.com/app v") {
			t.Errorf("go.mod has the workspace:\n%s", mod)
		}
		if x.module == "app" {
			trial, err := c.Try(t.Context(), func(string, ...any) {})
			if err != nil {
				t.Fatal(err)
			}
			if trial.Differs() || trial.After.Pass != 1 {
				t.Errorf("%+v", trial)
			}
		}
		writeChange(t, c)
		build(x.module)
		if again := prepare(t, o); !again.Nothing() {
			t.Errorf("a second run changes\n%s", again.Diff())
		}
	}
	for _, module := range []string{"lib", "app"} {
		writeChange(t, prepare(t, Options{Dir: filepath.Join(dir, module), Revert: true}))
		build("a revert of " + module)
	}
	requireSame(t, "both reverts", before, read(t, dir))
}

// If hone runs in a folder of a workspace that belongs to none of the workspace's modules, it returns an
// error that lists the modules. A note mentions the go line of go.work if it is too old for the change. A
// replacement of Hone in go.work is respected.
func TestWorkspaceNotes(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Setenv("GOWORK", "")
	dir, _ := unpack(t, txtar.Parse([]byte(strings.Replace(workspaceFiles, "go 1.26.0", "go 1.24", 1))))
	if _, err := Prepare(t.Context(), t.TempDir(), Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "lib, app") {
		t.Error(err)
	}
	work := filepath.Join(dir, "go.work")
	text, err := os.ReadFile(work)
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, "\nreplace "+Hone+" => "+checkout(t)+"\n"...)
	if err := os.WriteFile(work, text, 0o644); err != nil {
		t.Fatal(err)
	}
	edit1(t, filepath.Join(dir, "app", "go.mod"), "1.26.0", "1.24")
	c, err := Prepare(t.Context(), t.TempDir(), Options{Dir: filepath.Join(dir, "lib")})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(c.Notes, "\n")
	if !strings.Contains(notes, "run go work use") || !strings.Contains(string(c.mod.after), "require "+Hone+" v0.0.0") || strings.Contains(string(c.mod.after), "replace") {
		t.Errorf("%s\n%s", notes, c.mod.after)
	}
}
