package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/imports"
	"golang.org/x/tools/txtar"

	"github.com/hone-go/hone/internal/test/testkit"
)

const revertFiles = `
-- go.mod --
module example.com/app

go 1.26.0
-- a.go --
package app

import (
	"encoding/json"
	"fmt"
)

var _, _ = json.Marshal(fmt.Sprint())
-- b.go --
package app

import   "encoding/json"

var _, _ = json.Marshal(2)
`

func edit1(t *testing.T, path, old, new string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s has no %q:\n%s", path, old, data)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), old, new, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Files that were edited after the change get their imports back, and keep the edit.
func TestRevertEdited(t *testing.T) {
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte(revertFiles)))
	before := read(t, dir)
	writeChange(t, prepare(t, Options{Dir: dir}))
	edit1(t, filepath.Join(dir, "a.go"), "fmt.Sprint()", `fmt.Sprint("new")`)
	writeChange(t, prepare(t, Options{Dir: dir, Revert: true}))
	before["a.go"] = strings.Replace(before["a.go"], "fmt.Sprint()", `fmt.Sprint("new")`, 1)
	requireSame(t, "a revert", before, read(t, dir))
}

// A revert restores every byte after a formatter too, but not over an edit, which it names.
func TestRevertFormatted(t *testing.T) {
	t.Parallel()
	const more = `-- c.go --
package app

import (
	"bytes"
	// json is for clients.
	"encoding/json"
)
import "os"

// all
var _, _ = json.Marshal(  []any{bytes.MinRead,os.Args,
})
-- crlf.go.crlf --
package app

import "encoding/json"

var _, _ = json.Marshal(3)
`
	goimports := func(text []byte) []byte {
		out, err := imports.Process("a.go", text, &imports.Options{FormatOnly: true, Comments: true, TabIndent: true, TabWidth: 8})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, test := range []struct {
		name, old, new string // an edit of c.go after the formatter
		note           string
	}{
		{name: "formatted"},
		{"code", "os.Args", "1, os.Args", "c.go was edited since"},
		{"comment", "// json is", "// It is", "c.go was edited since"},
		{"import", "import (", "import (\n\t_ \"embed\"", "c.go was edited since"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, _ := unpack(t, txtar.Parse([]byte(revertFiles+more)))
			before := read(t, dir)
			writeChange(t, prepare(t, Options{Dir: dir}))
			for _, name := range []string{"a.go", "b.go", "c.go", "crlf.go"} {
				path := filepath.Join(dir, name)
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				formatted := goimports(data)
				if bytes.Equal(data, formatted) != (name == "a.go") {
					t.Fatalf("goimports of %s gives\n%s", name, formatted)
				}
				if err := os.WriteFile(path, formatted, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if test.note != "" {
				edit1(t, filepath.Join(dir, "c.go"), test.old, test.new)
			}
			c := prepare(t, Options{Dir: dir, Revert: true})
			if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, test.note) || (notes == "") != (test.note == "") {
				t.Errorf("notes: %s", notes)
			}
			writeChange(t, c)
			after := read(t, dir)
			if test.note != "" {
				if !strings.Contains(after["c.go"], strings.TrimPrefix(test.new, "import (\n")) || strings.Contains(after["c.go"], Hone) {
					t.Errorf("c.go is\n%s", after["c.go"])
				}
				after["c.go"] = before["c.go"]
			}
			requireSame(t, "a revert", before, after)
		})
	}
}

// If a formatter has changed lines that the record does not have, the revert restores the imports and says so.
func TestRevertReflowed(t *testing.T) {
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte(revertFiles)))
	before := read(t, dir)
	writeChange(t, prepare(t, Options{Dir: dir}))
	edit1(t, filepath.Join(dir, "a.go"), "json.Marshal(fmt.Sprint())", "json.Marshal(\n\tfmt.Sprint(),\n)")
	c := prepare(t, Options{Dir: dir, Revert: true})
	if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, "a.go was formatted since") {
		t.Errorf("notes: %s", notes)
	}
	writeChange(t, c)
	before["a.go"] = strings.Replace(before["a.go"], "json.Marshal(fmt.Sprint())", "json.Marshal(\n\tfmt.Sprint(),\n)", 1)
	requireSame(t, "a revert", before, read(t, dir))
}

// Code that compiles only with Hone stays, and is reported.
func TestRevertOfHonesOwn(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte(revertFiles)))
	writeChange(t, prepare(t, Options{Dir: dir}))
	edit1(t, filepath.Join(dir, "a.go"), "json.Marshal(fmt", "json.Append(nil, fmt")
	c := prepare(t, Options{Dir: dir, Revert: true})
	if c.moves() != 1 || !strings.Contains(c.Diff(), "b.go") || strings.Contains(c.Diff(), "+++ b/go.mod") {
		t.Errorf("%s", c.Diff())
	}
	var stays []Stay
	for _, f := range c.Files {
		stays = append(stays, f.Stays...)
	}
	if len(stays) != 1 || stays[0].Import != Hone+"/json" || !strings.Contains(stays[0].Reason, "Append") {
		t.Errorf("%+v", stays)
	}
	writeChange(t, c)
	if again := prepare(t, Options{Dir: dir, Revert: true}); !again.Nothing() {
		t.Errorf("a second revert: %s", again.Diff())
	}
}

// A file that sets up a shadow package keeps its import of that package, and is reported.
func TestRevertOfShadow(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte(revertFiles)))
	writeChange(t, prepare(t, Options{Dir: dir, Only: []string{"json=shadow"}}))
	main := "package app\n\nimport \"github.com/hone-go/hone/json/shadow\"\n\nfunc init() { shadow.Set(shadow.Settings{Share: 1}) }\n"
	if err := os.WriteFile(filepath.Join(dir, "c.go"), []byte(main), 0o644); err != nil {
		t.Fatal(err)
	}
	c := prepare(t, Options{Dir: dir, Revert: true})
	var stays []Stay
	for _, f := range c.Files {
		stays = append(stays, f.Stays...)
	}
	if len(stays) != 1 || stays[0].Import != Hone+"/json/shadow" || c.moves() != 2 {
		t.Errorf("%d imports change, %+v stay", c.moves(), stays)
	}
	writeChange(t, c)
	// The module can now move to package json, and back.
	writeChange(t, prepare(t, Options{Dir: dir, Only: []string{"json"}}))
	if got := read(t, dir); !strings.Contains(got["a.go"], `"`+Hone+`/json"`) || !strings.HasSuffix(got["c.go"], main) {
		t.Errorf("%s%s", got["a.go"], got["c.go"])
	}
}

// Two changes are undone together. Imports of Hone that existed before the first change stay.
func TestRevertOfTwoChanges(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte(revertFiles+`-- c.go --
package app

import (
	std "encoding/json"

	"github.com/hone-go/hone/json"
)

var _, _ = json.Append(nil, std.Number("1"))
`)))
	mod := "module example.com/app\n\ngo 1.26.0\n\nrequire github.com/hone-go/hone v0.0.0\n\nreplace github.com/hone-go/hone => " + checkout(t) + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644); err != nil {
		t.Fatal(err)
	}
	before := read(t, dir)
	writeChange(t, prepare(t, Options{Dir: dir, Only: []string{"a.go", "c.go"}}))
	writeChange(t, prepare(t, Options{Dir: dir}))
	half := read(t, dir)
	writeChange(t, prepare(t, Options{Dir: dir, Revert: true, Only: []string{"b.go"}}))
	if got := read(t, dir); got["a.go"] != half["a.go"] || !strings.Contains(got["b.go"], `"encoding/json"`) {
		t.Errorf("%s%s", got["a.go"], got["b.go"])
	}
	writeChange(t, prepare(t, Options{Dir: dir, Revert: true}))
	got := read(t, dir)
	got["go.mod"] = before["go.mod"] // go mod tidy may have formatted it
	requireSame(t, "a revert", before, got)
}

// A file that a link leads to does not change if it belongs to another module, even a nested one.
func TestLinkedFileOfNestedModule(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	nested := "\n-- nested/go.mod --\nmodule example.com/nested\n\ngo 1.26.0\n-- nested/deep/c.go --\npackage app\n\nimport \"encoding/json\"\n\nvar _ = json.Valid\n"
	dir, _ := unpack(t, txtar.Parse([]byte(revertFiles+nested)))
	if err := os.Symlink(filepath.Join("nested", "deep", "c.go"), filepath.Join(dir, "c.go")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "nested", "deep", "c.go")
	before, _ := os.ReadFile(path)
	c := prepare(t, Options{Dir: dir})
	writeChange(t, c)
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) || c.moves() == 0 {
		t.Errorf("%v, %d imports changed\n%s", err, c.moves(), after)
	}
}

// A file that changes while hone migrate looks at it is not overwritten.
func TestWriteOverNewer(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte(revertFiles)))
	c := prepare(t, Options{Dir: dir})
	edit1(t, filepath.Join(dir, "b.go"), "2", "3")
	if err := c.Write(); err == nil || !strings.Contains(err.Error(), "b.go has changed") {
		t.Error(err)
	}
}

// Files that were written before a failure are reported, and can be reverted.
func TestWriteFails(t *testing.T) {
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte(revertFiles)))
	before := read(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	c, err := Prepare(ctx, t.TempDir(), Options{Dir: dir, Hone: checkout(t)})
	if err != nil {
		t.Fatal(err)
	}
	// The folder of the second file does not exist when that file is written.
	c.Files[1].path = filepath.Join(dir, "b.go", "nowhere")
	c.Files[1].text.before = nil
	cancel()
	err = c.writeFiles(new([]string))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	c.m.ctx = t.Context()
	var failed *WriteError
	if err := c.writeAll(); !errors.As(err, &failed) || len(failed.Written) != 1 || failed.Written[0] != "a.go" {
		t.Fatalf("%v", err)
	}
	if text := failed.Error(); !strings.Contains(text, "a.go") || !strings.Contains(text, "-revert") {
		t.Error(text)
	}
	writeChange(t, prepare(t, Options{Dir: dir, Revert: true}))
	requireSame(t, "a revert of half a change", before, read(t, dir))
}

// A stopping context is canceled after a number of calls of Err.
type stopping struct {
	context.Context
	left *int
}

func (s stopping) Err() error {
	if *s.left--; *s.left < 0 {
		return context.Canceled
	}
	return nil
}

// If a change or a revert stops before one of its writes, a revert restores every byte. A partial
// file of a killed run is removed.
func TestStopBetweenWrites(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	testkit.SkipInVariant(t)
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte(revertFiles)))
	before := read(t, dir)
	for _, revert := range []bool{false, true} {
		for stop := 0; ; stop++ {
			if revert {
				writeChange(t, prepare(t, Options{Dir: dir}))
			}
			c := prepare(t, Options{Dir: dir, Revert: revert})
			c.m.ctx = stopping{t.Context(), &stop}
			writes := stop
			err := c.Write()
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			stop = writes
			if err := os.WriteFile(filepath.Join(dir, ".hone-migrate-123"), []byte("pack"), 0o600); err != nil {
				t.Fatal(err)
			}
			writeChange(t, prepare(t, Options{Dir: dir, Revert: true}))
			requireSame(t, fmt.Sprintf("a stop before write %d (a revert: %v) and a revert", writes, revert), before, read(t, dir))
			if err == nil {
				if writes != 3 {
					t.Errorf("a revert: %v: it was stopped before %d writes, want a.go, b.go and go.mod", revert, writes)
				}
				break
			}
		}
	}
}

// If a journal names other folders than -deps makes, -revert removes nothing.
func TestRevertOfHostileJournal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ dir, module string }{
		{"../other", "../../../other"}, {".", "../.."}, {"third_party/hone/../../../other", "x"}, {"third_party/hone", "."}, {"/", "/"}, {"", ""},
	} {
		top := t.TempDir()
		for name, text := range map[string]string{
			"other/precious.txt":  "x",
			"app/go.mod":          "module example.com/app\n\ngo 1.26.0\n",
			"app/a.go":            "package app\n",
			"app/" + journalName:  fmt.Sprintf(`{"files": [], "copies": [{"module": %q, "version": "v1", "dir": %q, "files": {"precious.txt": %q}}]}`, c.module, c.dir, sum([]byte("x"))),
			"app/other/README.md": "x",
		} {
			path := filepath.Join(top, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		before := read(t, top)
		if ch, err := Prepare(t.Context(), t.TempDir(), Options{Dir: filepath.Join(top, "app"), Revert: true}); err == nil {
			t.Errorf("%q was accepted", c.dir)
			_ = ch.Write()
		}
		requireSame(t, c.dir, before, read(t, top))
	}
}

// A write replaces files, so it refuses a go.mod that is a link: a revert could not restore the link.
func TestWriteOfLinkedGoMod(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte("-- real.mod --\nmodule example.com/app\n\ngo 1.26.0\n-- a.go --\npackage app\n\nimport \"encoding/json\"\n\nvar _ = json.Valid\n")))
	if err := os.Symlink("real.mod", filepath.Join(dir, "go.mod")); err != nil {
		t.Skip(err)
	}
	before := read(t, dir)
	if err := prepare(t, Options{Dir: dir}).Write(); err == nil || !strings.Contains(err.Error(), "go.mod is a link") {
		t.Error(err)
	}
	requireSame(t, "a refused write", before, read(t, dir))
}

// A copy is not removed if its path passes through a link out of the module.
func TestRevertOfLinkedCopy(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte("-- go.mod --\nmodule example.com/app\n\ngo 1.26.0\n-- a.go --\npackage app\n")))
	outside := t.TempDir()
	copied := filepath.Join(outside, "hone", "x@v1")
	if err := errors.Join(os.MkdirAll(copied, 0o755), os.WriteFile(filepath.Join(copied, "precious.txt"), []byte("x"), 0o644), os.Symlink(outside, filepath.Join(dir, "third_party"))); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"files": [], "copies": [{"module": "x", "version": "v1", "dir": "third_party/hone/x@v1", "files": {"precious.txt": %q}}]}`, sum([]byte("x")))
	if err := os.WriteFile(filepath.Join(dir, journalName), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if c, err := Prepare(t.Context(), t.TempDir(), Options{Dir: dir, Revert: true}); err == nil {
		t.Error("the link was followed")
		_ = c.Write()
	}
	if _, err := os.Stat(filepath.Join(copied, "precious.txt")); err != nil {
		t.Error(err)
	}
}

// Numbers of a damaged journal do not cause a panic.
func TestUndoOfDamagedJournal(t *testing.T) {
	data := []byte("abc")
	for _, f := range []journalFile{{At: -1}, {At: 4}, {At: 1, New: -2}, {At: 1, New: math.MaxInt}} {
		f.After = sum(data)
		if out, ok := f.undo(data); ok {
			t.Errorf("%+v: %q", f, out)
		}
	}
}

// A file that changes while hone migrate runs is not overwritten.
func TestWriteOverNewerMod(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	for _, name := range []string{"go.mod", "go.sum", journalName} {
		dir, _ := unpack(t, txtar.Parse([]byte(revertFiles)))
		c := prepare(t, Options{Dir: dir})
		path := filepath.Join(dir, name)
		data, _ := os.ReadFile(path)
		if err := os.WriteFile(path, append(data, "// an edit\n"...), 0o644); err != nil {
			t.Fatal(err)
		}
		before := read(t, dir)
		if err := c.Write(); err == nil || !strings.Contains(err.Error(), name+" has changed") {
			t.Errorf("%s: %v", name, err)
		}
		requireSame(t, name, before, read(t, dir))
	}
}

// A symbolic link leads to a file outside of the module. This file keeps its comments.
func TestLinkedFileKeepsNotes(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	for _, revert := range []bool{false, true} {
		dir, _ := unpack(t, txtar.Parse([]byte(revertFiles)))
		outside := filepath.Join(t.TempDir(), "c.go")
		text := "package app\n\nimport (\n\t" + marker + "encoding/json: because\n\t\"encoding/json\"\n)\n\nvar _ = json.Valid\n"
		if err := errors.Join(os.WriteFile(outside, []byte(text), 0o644), os.Symlink(outside, filepath.Join(dir, "c.go"))); err != nil {
			t.Fatal(err)
		}
		writeChange(t, prepare(t, Options{Dir: dir, Revert: revert}))
		if data, err := os.ReadFile(outside); err != nil || string(data) != text {
			t.Errorf("revert %v: %v\n%s", revert, err, data)
		}
	}
}

// TestRecordTwice records two changes of a file of rewritten code. Between the changes, the file was
// restored, kept or edited.
func TestRecordTwice(t *testing.T) {
	old, first, second := []byte("package a // old\n"), []byte("package a // first\n"), []byte("package a // second\n")
	for _, test := range []struct {
		name    string
		between []byte
		undone  bool
	}{{"restored", old, true}, {"kept", first, true}, {"edited", []byte("package a // edited\n"), false}} {
		var j journal
		j.record("a.go", old, first, true)
		j.record("a.go", test.between, second, true)
		f := j.file("a.go")
		if got, ok := f.undo(second); ok != test.undone || ok && string(got) != string(old) {
			t.Errorf("%s: undone: %v, %q", test.name, ok, got)
		}
		mod := (*journalText)(nil).text(old, first).text(test.between, second)
		if got, ok := mod.undo(second); ok != test.undone || ok && string(got) != string(old) {
			t.Errorf("%s: go.mod undone: %v, %q", test.name, ok, got)
		}
	}
}
