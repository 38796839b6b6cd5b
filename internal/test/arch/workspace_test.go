package arch

import (
	"encoding/json"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A workspace is the content of a go.work file.
type workspace struct {
	Use     []struct{ DiskPath string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

func readWorkspace(t *testing.T, dir string) workspace {
	t.Helper()
	out, err := exec.Command("go", "work", "edit", "-json", filepath.Join("..", "..", "..", dir, "go.work")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var w workspace
	if err := json.Unmarshal(out, &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// uses returns the modules of a workspace as paths from the root.
func (w workspace) uses(dir string) map[string]bool {
	used := map[string]bool{}
	for _, u := range w.Use {
		used[path.Join(dir, filepath.ToSlash(u.DiskPath))] = true
	}
	return used
}

// modules returns the folder of each module, relative to the root.
func modules(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	var all []string
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || file != root && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if d.Name() != "go.mod" {
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		all = append(all, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestWorkspace fails if one of the go.work files lacks a module or has one too many. The file at
// the root determines which modules a new contributor downloads, and how long `go test work` takes.
// The file in integrations joins every integration with this tree.
func TestWorkspace(t *testing.T) {
	apart := map[string]string{ // modules that are in no workspace, with reasons
		"bench/suite":                       "the module graphs of some thirty peers would slow down every first build",
		"integrations/echoshim/conformance": "it replaces Echo, and has the dependencies of libraries for it",
		"integrations/tests":                "it exports nothing, and has the dependencies of frameworks and databases",
	}
	light := []string{".", "bench", "cmd/hone", "docs", "examples/cookbook", "examples/pulse", "integrations/echoshim/v5", "integrations/routers", "internal/test/arch", "internal/test/gotests"}
	root := readWorkspace(t, ".").uses(".")
	joined := readWorkspace(t, "integrations").uses("integrations")
	for _, m := range modules(t) {
		integration := strings.HasPrefix(m, "integrations/")
		if apart[m] != "" {
			if root[m] || joined[m] {
				t.Errorf("module %s is in a workspace: %s", m, apart[m])
			}
			continue
		}
		if slices.Contains(light, m) != root[m] {
			t.Errorf("module %s: in go.work is %v; go.work has the core and the modules without heavy dependencies", m, root[m])
		}
		if (integration || m == ".") != joined[m] {
			t.Errorf("module %s: in integrations/go.work is %v; it has the core and every integration", m, joined[m])
		}
	}
}

// TestRequirements checks the go.mod files of all modules that users install. Such a module must
// require the next release of Hone's own modules, and must not replace them, so that users get the
// code that was tested. In the workspaces, this tree takes the place of the next release.
func TestRequirements(t *testing.T) {
	var next string
	for _, dir := range []string{".", "integrations"} {
		for _, r := range readWorkspace(t, dir).Replace {
			if r.Old.Path != module || r.New.Version != "" {
				t.Errorf("%s/go.work replaces %s by %s: it may only replace the core", dir, r.Old.Path, r.New.Path)
			}
			if next != "" && r.Old.Version != next {
				t.Errorf("the workspaces disagree on the next release: %s and %s", next, r.Old.Version)
			}
			next = r.Old.Version
		}
	}
	if next == "" {
		t.Fatal("no workspace replaces the next release by this tree")
	}
	for _, m := range modules(t) {
		if slices.Contains([]string{"bench/suite", "integrations/echoshim/conformance", "integrations/tests"}, m) {
			continue // these modules are not released, and outside of a workspace they need a replacement
		}
		out, err := exec.Command("go", "mod", "edit", "-json", filepath.Join("..", "..", "..", m, "go.mod")).Output()
		if err != nil {
			t.Fatal(err)
		}
		var mod struct {
			Go      string
			Require []struct{ Path, Version string }
			Replace []struct{ Old struct{ Path string } }
		}
		if err := json.Unmarshal(out, &mod); err != nil {
			t.Fatal(err)
		}
		if mod.Go != "1.26.0" {
			t.Errorf("%s/go.mod: go %s, but the oldest supported release is 1.26.0", m, mod.Go)
		}
		if len(mod.Replace) > 0 {
			t.Errorf("%s/go.mod replaces %s: users cannot install a module with a replacement", m, mod.Replace[0].Old.Path)
		}
		for _, r := range mod.Require {
			if (r.Path == module || strings.HasPrefix(r.Path, module+"/")) && r.Version != next {
				t.Errorf("%s/go.mod requires %s %s, but the next release is %s", m, r.Path, r.Version, next)
			}
		}
	}
}
