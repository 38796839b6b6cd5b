package migrate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// A workspace is a go.work that uses the module. The go command cannot read a copy of go.mod in a
// workspace. So it runs without the workspace, and the copy of go.mod replaces the other modules of the
// workspace by their folders. [workspace.strip] removes these replacements.
type workspace struct {
	file     string
	release  string           // the version in its go line
	others   []workspaceEntry // the other modules
	replaces []*modfile.Replace
	sums     []byte // the lines of all go.sum
}

type workspaceEntry struct{ path, dir string }

// unpublished is the version that the go command writes for a module that a folder replaces.
const unpublished = "v0.0.0-00010101000000-000000000000"

// readWorkspace reads a go.work. It returns nil if the workspace does not use the module in root.
func readWorkspace(file, root string) (*workspace, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f, err := modfile.ParseWork(file, data, nil)
	if err != nil {
		return nil, err
	}
	w := &workspace{file: file}
	if f.Go != nil {
		w.release = f.Go.Version
	}
	top := filepath.Dir(file)
	w.addReplaces(f.Replace, top)
	if w.sums, err = os.ReadFile(filepath.Join(top, "go.work.sum")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	used := false
	for _, u := range f.Use {
		dir := absolute(u.Path, top)
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil {
			return nil, fmt.Errorf("%s uses %s, which is not a module: %w", file, u.Path, err)
		}
		if sameFolder(dir, root) {
			used = true
			continue
		}
		their, err := modfile.Parse(filepath.Join(dir, "go.mod"), mod, nil)
		if err != nil {
			return nil, err
		}
		w.others = append(w.others, workspaceEntry{modfile.ModulePath(mod), dir})
		w.addReplaces(their.Replace, dir)
		if sums, err := os.ReadFile(filepath.Join(dir, "go.sum")); err == nil {
			w.sums = append(w.sums, sums...)
		}
	}
	if !used && root != "" {
		return nil, nil
	}
	return w, nil
}

// addReplaces adds replacements, unless one for the same module exists.
func (w *workspace) addReplaces(list []*modfile.Replace, dir string) {
	for _, r := range list {
		if slices.ContainsFunc(w.replaces, func(x *modfile.Replace) bool { return x.Old == r.Old }) {
			continue
		}
		c := *r
		if c.New.Version == "" {
			c.New.Path = absolute(c.New.Path, dir)
		}
		w.replaces = append(w.replaces, &c)
	}
}

// absolute returns the absolute form of a path in a go.mod or go.work. The file is in the folder dir.
func absolute(path, dir string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// patterns returns patterns for the packages of the other modules, which are checked with the change.
func (w *workspace) patterns() []string {
	if w == nil {
		return nil
	}
	var list []string
	for _, o := range w.others {
		list = append(list, o.path+"/...")
	}
	return list
}

// names returns the folders of the modules, relative to the go.work.
func (w *workspace) names() string {
	var list []string
	for _, o := range w.others {
		name := o.dir
		if rel, err := filepath.Rel(filepath.Dir(w.file), o.dir); err == nil {
			name = filepath.ToSlash(rel)
		}
		list = append(list, name)
	}
	return strings.Join(list, ", ")
}

// joined returns the module's go.mod, with requirements on the other modules of the workspace and all
// replacements of the workspace, and its go.sum, with the lines of go.work.sum and of the other
// modules' go.sum. If w is nil, it returns mod and sum.
func (w *workspace) joined(mod, sum []byte) ([]byte, []byte, error) {
	if w == nil {
		return mod, sum, nil
	}
	f, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		return nil, nil, err
	}
	own := ""
	if f.Module != nil {
		own = f.Module.Mod.Path
	}
	for _, r := range w.replaces {
		if r.Old.Path == own || slices.ContainsFunc(f.Replace, func(x *modfile.Replace) bool { return x.Old.Path == r.Old.Path }) {
			continue
		}
		if err := f.AddReplace(r.Old.Path, r.Old.Version, filepath.ToSlash(r.New.Path), r.New.Version); err != nil {
			return nil, nil, err
		}
	}
	for _, o := range w.others {
		if !requires(f, o.path) {
			f.AddNewRequire(o.path, unpublished, false)
		}
		if err := f.AddReplace(o.path, "", filepath.ToSlash(o.dir), ""); err != nil {
			return nil, nil, err
		}
	}
	f.Cleanup()
	out, err := f.Format()
	return out, slices.Concat(sum, w.sums), err
}

// strip returns the module's original go.mod and go.sum, changed in three ways as planned: the requirements
// on Hone and on the modules in m.needs, the replacements of Hone and of copied dependencies, and the go
// line.
func (m *module) strip(planned, sums []byte) (mod, sum []byte, err error) {
	f, err := modfile.Parse("go.mod", m.mod, nil)
	if err != nil {
		return nil, nil, err
	}
	p, err := modfile.Parse("go.mod", planned, nil)
	if err != nil {
		return nil, nil, err
	}
	changed := false
	own := append([]string{Hone}, m.needs...)
	list := []*modfile.Require{}
	for _, r := range f.Require {
		if !slices.Contains(own, r.Mod.Path) {
			list = append(list, &modfile.Require{Mod: r.Mod, Indirect: r.Indirect})
		}
	}
	for _, path := range own {
		before, after := requirement(f, path), requirement(p, path)
		changed = changed || before != after
		for _, r := range p.Require {
			if r.Mod.Path == path {
				list = append(list, &modfile.Require{Mod: r.Mod})
			}
		}
	}
	// The other replacements of the planned go.mod are from the workspace.
	mine := func(r *modfile.Replace) bool {
		return r.Old.Path == Hone && (m.replaced || replaces(f, Hone)) || strings.HasPrefix(r.New.Path, "./"+copiesDir+"/")
	}
	for _, r := range slices.Clone(f.Replace) {
		if mine(r) && !replaces(p, r.Old.Path) {
			changed = true
			if err := f.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, r := range p.Replace {
		if mine(r) && !slices.ContainsFunc(f.Replace, func(x *modfile.Replace) bool { return x.Old == r.Old && x.New == r.New }) {
			changed = true
			if err := f.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version); err != nil {
				return nil, nil, err
			}
		}
	}
	if !changed {
		return m.mod, m.sum, nil
	}
	f.SetRequireSeparateIndirect(list)
	if p.Go != nil && requires(p, Hone) && (f.Go == nil || older(f.Go.Version, p.Go.Version)) {
		if err := f.AddGoStmt(p.Go.Version); err != nil {
			return nil, nil, err
		}
	}
	f.Cleanup()
	if mod, err = f.Format(); err != nil {
		return nil, nil, err
	}
	sum = m.sum
	for line := range strings.Lines(string(sums)) {
		path, _, _ := strings.Cut(line, " ")
		if slices.Contains(own, path) && !strings.Contains(string(sum), line) {
			sum = append(slices.Clip(sum), line...)
		}
	}
	return mod, sum, nil
}

func requires(f *modfile.File, path string) bool { return requirement(f, path) != "" }

// requirement returns the version of a module that a go.mod requires, or "".
func requirement(f *modfile.File, path string) string {
	for _, r := range f.Require {
		if r.Mod.Path == path {
			return r.Mod.Version
		}
	}
	return ""
}

func replaces(f *modfile.File, path string) bool {
	return slices.ContainsFunc(f.Replace, func(r *modfile.Replace) bool { return r.Old.Path == path })
}
