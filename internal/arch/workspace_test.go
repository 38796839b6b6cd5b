package arch

import (
	"encoding/json"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWorkspace holds go.work to the tree: every module is in it, or is one of
// those that keep their dependencies to themselves.
func TestWorkspace(t *testing.T) {
	apart := map[string]string{
		"bench/suite":                       "the module graphs of some thirty peers would slow down every first build",
		"integrations/echoshim/conformance": "it replaces Echo, and has the dependencies of libraries for it",
	}
	cmd := exec.Command("go", "work", "edit", "-json", filepath.Join("..", "..", "go.work"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var work struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal(out, &work); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, u := range work.Use {
		used[filepath.ToSlash(filepath.Clean(u.DiskPath))] = true
	}
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "go.mod" {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		rel = filepath.ToSlash(rel)
		if !used[rel] && apart[rel] == "" && !strings.Contains(rel, "testdata") {
			t.Errorf("module %s is not in go.work, so `go test work` passes it over", rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
