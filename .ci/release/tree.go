package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// core is the path of the module at the root of the tree.
const core = "github.com/hone-go/hone"

// A tree is a checkout of Hone.
type tree struct {
	root    string
	version string   // the next release, which the modules require
	modules []unit   // the order: each module follows the modules that it requires
	apart   []string // folders of modules that are not released
}

// A unit is a module that is released.
type unit struct {
	dir     string // path from the root
	path    string // the import path; the go.mod of echoshim has the path of Echo
	version string
	tag     string
	mod     *modfile.File
}

// apart lists the modules that are not released.
var apart = []string{".ci/gate", ".ci/release", "bench", "bench/suite", "docs", "examples/cookbook", "integrations/echoshim/conformance", "integrations/tests", "internal/test/arch", "internal/test/gotests"}

func readTree(ctx context.Context, root string) (*tree, error) {
	t := &tree{root: root, apart: apart}
	work, err := os.ReadFile(filepath.Join(root, "go.work"))
	if err != nil {
		return nil, err
	}
	parsed, err := modfile.ParseWork("go.work", work, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range parsed.Replace {
		if r.Old.Path == core {
			t.version = r.Old.Version
		}
	}
	if !semver.IsValid(t.version) {
		return nil, fmt.Errorf("go.work does not say which release of %s comes next", core)
	}
	files, err := output(ctx, root, "git", "ls-files", "--cached", "--others", "--exclude-standard", "*go.mod")
	if err != nil {
		return nil, err
	}
	for file := range strings.Lines(files) {
		dir := filepath.ToSlash(filepath.Dir(strings.TrimSpace(file)))
		if slices.Contains(t.apart, dir) || strings.Contains(dir, "testdata") {
			continue
		}
		u, err := t.unit(dir)
		if err != nil {
			return nil, err
		}
		t.modules = append(t.modules, u)
	}
	return t, t.sort()
}

func (t *tree) unit(dir string) (u unit, err error) {
	file := filepath.Join(t.root, dir, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return u, err
	}
	if u.mod, err = modfile.Parse(file, text, nil); err != nil {
		return u, err
	}
	u.dir, u.path, u.version, u.tag = dir, core, t.version, t.version
	if dir == "." {
		return u, nil
	}
	u.path += "/" + dir
	prefix, major, _ := module.SplitPathVersion(u.path)
	if major != "" {
		// A module of a later major version is released with the core: v5.1.0 with v0.1.0.
		u.version = strings.TrimPrefix(major, "/") + strings.TrimPrefix(t.version, semver.Major(t.version))
	}
	u.tag = strings.TrimPrefix(prefix, core+"/") + "/" + u.version
	return u, nil
}

// sort puts each module after the modules of Hone that it requires.
func (t *tree) sort() error {
	var sorted []unit
	done := map[string]bool{}
	for len(sorted) < len(t.modules) {
		before := len(sorted)
		for _, u := range t.modules {
			ready := !slices.ContainsFunc(u.mod.Require, func(r *modfile.Require) bool { return isOurs(r.Mod.Path) && !done[r.Mod.Path] })
			if ready && !done[u.path] {
				sorted, done[u.path] = append(sorted, u), true
			}
		}
		if len(sorted) == before {
			return fmt.Errorf("the modules require each other in a circle, or require a module that is not released")
		}
	}
	t.modules = sorted
	return nil
}

// isOurs reports whether a module is one of Hone's.
func isOurs(path string) bool { return path == core || strings.HasPrefix(path, core+"/") }

// runQuietly runs a command and shows its output only if it fails.
func runQuietly(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s in %s: %w\n%s", name, strings.Join(args, " "), dir, err, out)
	}
	return nil
}

// output returns the output of a command.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var wrong bytes.Buffer
	cmd.Stderr = &wrong
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, wrong.Bytes())
	}
	return string(out), nil
}
