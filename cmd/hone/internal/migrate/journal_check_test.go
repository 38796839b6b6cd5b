package migrate

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/hone-go/hone/internal/test/testkit"
)

// TestJournalUnusable reads records that cannot be used. The error has the path, the reason and advice.
func TestJournalUnusable(t *testing.T) {
	for _, c := range []struct{ data, why string }{
		{"", "it is empty"},
		{" \n", "it is empty"},
		{`{"about": "x", "files": [{"name": "a.go"`, "it is truncated, or not JSON: unexpected end of JSON input"},
		{`{"files": [], "from": "ech`, "it is truncated, or not JSON"},
		{"<<<<<<< HEAD\n{}\n", "it is not JSON: invalid character '<'"},
		{`{"files": []} {}`, "not JSON"},
		{`{"version": 2, "files": []}`, "its version is 2, and this hone reads version 1 only"},
		{`{"version": 2, "files": {"a.go": {}}}`, "its version is 2"},
		{`[]`, "it is not a record of hone migrate"},
		{`{"version": "1", "files": []}`, "it is not a record of hone migrate"},
		{`null`, "it has no list of files"},
		{`{"name": "app"}`, "it has no list of files"},
		{`{"files": [], "copies": [{"module": "x", "version": "v1", "dir": "x"}]}`, `"x" is not a folder that -deps copies x v1 to`},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, journalName)
		if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := readJournal(dir)
		var unusable *JournalError
		if !errors.As(err, &unusable) || unusable.Path != path || !strings.Contains(unusable.Why, c.why) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "git restore") {
			t.Errorf("%q: %v, want %s", c.data, err, c.why)
		}
	}
	// Records of the first release have no version.
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, journalName), []byte(`{"files": []}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if j, err := readJournal(dir); j == nil || err != nil {
		t.Errorf("%v %v", j, err)
	}
}

// TestRevertOfOtherContent reverts a module whose files differ from the record, or whose record is
// missing. Each case edits the files of a migrated module, and expects an error or a note.
func TestRevertOfOtherContent(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte(revertFiles)))
	texts := func() map[string]string {
		list := map[string]string{}
		for _, name := range []string{"a.go", "b.go", "go.mod", journalName} {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				list[name] = string(data)
			}
		}
		return list
	}
	old := texts()
	writeChange(t, prepare(t, Options{Dir: dir}))
	written := texts()
	const plain, broken = "package app\n", "\nvar _ = undefined\n"
	for _, c := range []struct {
		name  string
		files map[string]string // the edited files; "" removes a file
		err   string
		note  string
	}{
		{"missing, nothing to restore", map[string]string{"a.go": old["a.go"], "b.go": old["b.go"], "go.mod": old["go.mod"], journalName: ""}, "", "no file has an import that hone migrate makes. If hone migrate has changed the module, use version control"},
		{"missing", map[string]string{journalName: ""}, "", "so -revert restores only imports"},
		{"missing, broken", map[string]string{"a.go": written["a.go"] + broken, journalName: ""}, "is missing. Without it -revert restores only imports, and cannot restore them in a.go: a.go:11: its package does not compile before the change: undefined: undefined", ""},
		{"edited, broken", map[string]string{"a.go": written["a.go"] + broken, "b.go": plain}, "a.go has other content than hone migrate wrote, and its imports cannot be restored: a.go:11: its package does not compile", ""},
		{"not in the record, broken", map[string]string{"a.go": plain, "b.go": plain, "c.go": written["a.go"] + broken}, "c.go is not in the record", ""},
		{"other files", map[string]string{"a.go": "", "b.go": "", "c.go": written["a.go"]}, "it is a record of other files, of which none is in the module: a.go, b.go", ""},
		{"other content", map[string]string{"a.go": plain, "b.go": plain, "go.mod": old["go.mod"]}, "these files are missing, or have other content than before the change and after it, and no import to restore: a.go, b.go", ""},
		{"already restored", map[string]string{"a.go": old["a.go"], "b.go": old["b.go"], "go.mod": old["go.mod"]}, "", "are already as they were before the change"},
		{"other content, but go.mod can be restored", map[string]string{"a.go": plain, "b.go": plain}, "", ""},
	} {
		all := maps.Clone(written)
		all["c.go"] = ""
		maps.Copy(all, c.files)
		for name, text := range all {
			path := filepath.Join(dir, name)
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			if text != "" {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		change, err := Prepare(t.Context(), t.TempDir(), Options{Dir: dir, Revert: true})
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), filepath.Join(dir, journalName)) || !strings.Contains(err.Error(), "git restore") {
				t.Errorf("%s: %v, want %s", c.name, err, c.err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		default:
			hasNote := slices.ContainsFunc(change.Notes, func(n string) bool {
				return strings.Contains(n, c.note) && strings.Contains(n, filepath.Join(dir, journalName))
			})
			if c.note != "" && !hasNote || c.note == "" && len(change.Notes) > 0 {
				t.Errorf("%s: the notes are %q, want %q", c.name, change.Notes, c.note)
			}
		}
	}
}

// TestRevertOfPart reverts a change of code after one of its files was already restored. The other files are restored
// too.
func TestRevertOfPart(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	a := txtar.Parse([]byte(notBuiltFiles))
	dir, _ := unpack(t, a)
	before := read(t, dir)
	writeChange(t, prepare(t, Options{Dir: dir, From: "echo/v4"}))
	if err := os.WriteFile(filepath.Join(dir, "good", "good.go"), []byte(section(a, "good/good.go")), 0o600); err != nil {
		t.Fatal(err)
	}
	writeChange(t, prepare(t, Options{Dir: dir, Revert: true}))
	requireSame(t, "a revert", before, read(t, dir))
}

// TestNoteIgnored writes a change, and expects a note only if git ignores the record.
func TestNoteIgnored(t *testing.T) {
	testkit.SkipInVariant(t)
	testkit.Tool(t, "git")
	for _, c := range []struct {
		name, ignore string
		tree, note   bool
	}{
		{"ignored", "*.json\n", true, true},
		{"ignored but for the record", "*.json\n!" + journalName + "\n", true, false},
		{"not ignored", "*.log\n", true, false},
		{"no work tree", "*.json\n", false, false},
	} {
		dir, _ := unpack(t, txtar.Parse([]byte(revertFiles)))
		t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(c.ignore), 0o600); err != nil {
			t.Fatal(err)
		}
		if c.tree {
			if out, err := exec.Command("git", "-C", dir, "init", "--quiet").CombinedOutput(); err != nil {
				t.Fatalf("%s%v", out, err)
			}
		}
		change := prepare(t, Options{Dir: dir})
		writeChange(t, change)
		text := summary(change, true)
		if want := "note: git ignores " + journalName + ", so git clean -X would delete it"; strings.Contains(text, want) != c.note {
			t.Errorf("%s:\n%s", c.name, text)
		}
	}
}
