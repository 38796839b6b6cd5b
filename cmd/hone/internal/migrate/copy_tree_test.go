package migrate

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/hone-go/hone/internal/test/testkit"
)

// TestCopies copies a module whose go.mod is a link, which has links of all kinds, and which contains the temporary
// folder. Writes into the copies do not reach the module.
func TestCopies(t *testing.T) {
	testkit.SkipInVariant(t)
	top, _ := unpack(t, txtar.Parse([]byte(`
-- shared/go.mod --
module example.com/app

go 1.21
-- shared/data.txt --
shared
-- app/app.go --
package app

import "encoding/json"

var _ json.Number
-- app/data.txt --
data
-- app/testdata/secret/key --
key
`)))
	dir := filepath.Join(top, "app")
	inside := []string{"local", "absolute", "again", "missing", "app2"}
	for name, target := range map[string]string{
		"go.mod": "../shared/go.mod", "local": "data.txt", "absolute": filepath.Join(dir, "data.txt"), "again": "../app/data.txt",
		"missing": filepath.Join(dir, "absent.txt"), "app2": "../link/data.txt", "../link": "app", "outside": "../shared/data.txt",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	secret := filepath.Join(dir, "testdata", "secret")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(secret, 0o755) }) // the folder is temporary
	tmp := filepath.Join(dir, "testdata", "tmp")
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	c, err := Prepare(t.Context(), tmp, Options{Dir: dir, Hone: checkout(t)})
	if err != nil {
		t.Fatal(err)
	}
	before, after, err := c.Copies()
	if err == nil {
		err = c.RaiseGoLine()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, copied := range []string{before, after} {
		for _, name := range inside {
			if err := os.WriteFile(filepath.Join(copied, name), []byte("written"), 0o600); err != nil {
				t.Error(err)
			}
		}
		if data, err := os.ReadFile(filepath.Join(copied, "outside")); string(data) != "shared\n" {
			t.Errorf("the link that leads out of the module: %q, %v", data, err)
		}
		if _, err := os.Stat(filepath.Join(copied, "testdata", "tmp")); err == nil {
			t.Error("the copy contains the temporary folder")
		}
	}
	for name, want := range map[string]string{"data.txt": "data\n", "go.mod": "module example.com/app\n\ngo 1.21\n"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); string(data) != want {
			t.Errorf("%s of the module: %q, %v", name, data, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "absent.txt")); err == nil {
		t.Error("a write through a broken link reached the module")
	}
	if want := []string{"testdata/secret"}; os.Getuid() > 0 && !reflect.DeepEqual(c.Uncopied, want) {
		t.Errorf("not copied: %v, want %v", c.Uncopied, want)
	}
}
