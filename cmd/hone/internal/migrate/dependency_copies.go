package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// copiesDir is the folder for the modules that -deps copies.
const copiesDir = "third_party/hone"

// A depCopy is a copy of a dependency. The change may edit this copy.
type depCopy struct {
	module, version string
	dir             string // the final folder of the copy, relative to the module, with slashes
	tmp             string // the temporary folder of the copy
	tree            *tree
}

// copyDep copies a module from the module cache to a temporary folder. In the planned go.mod it
// replaces the module by this copy.
func copyDep(m *module, name string, rules []Rule) (*depCopy, error) {
	var info struct {
		Path, Version, Dir, GoMod string
		Replace                   *struct{ Path, Version string }
		Main                      bool
	}
	out, err := m.withMod([]string{"list", "-m"}, "-mod=mod", "-json", name)
	if err == nil {
		err = json.Unmarshal(out, &info)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("-deps %s: %w", name, err)
	case info.Main:
		return nil, fmt.Errorf("-deps %s: this is the module itself", name)
	case info.Path == Hone:
		return nil, fmt.Errorf("-deps %s: Hone itself is not copied", name)
	case info.Replace != nil:
		return nil, fmt.Errorf("-deps %s: go.mod already replaces it by %s: run hone migrate there", name, info.Replace.Path)
	}
	if info.Dir == "" {
		out, err := m.run(m.root, "mod", "download", "-json", info.Path+"@"+info.Version)
		if err == nil {
			err = json.Unmarshal(out, &info)
		}
		if err != nil {
			return nil, fmt.Errorf("-deps %s: %w", name, err)
		}
	}
	c := &depCopy{module: info.Path, version: info.Version, dir: path.Join(copiesDir, info.Path+"@"+info.Version)}
	if err := absentFolder(m.root, c.dir); err != nil {
		return nil, fmt.Errorf("-deps %s: %w", name, err)
	}
	c.tmp = filepath.Join(m.tmp, "deps", filepath.FromSlash(info.Path)+"@"+info.Version)
	if err := copyTree(m.ctx, treeCopy{from: info.Dir, to: c.tmp}); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(c.tmp, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		data, err := os.ReadFile(info.GoMod) // the dependency has no go.mod, so the go command has made one
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(c.tmp, "go.mod"), data, 0o644); err != nil {
			return nil, err
		}
	}
	if c.tree, err = walk(c.tmp, c.dir+"/", rules); err != nil {
		return nil, err
	}
	if err := c.tree.arrange(c.tmp, c.module); err != nil {
		return nil, fmt.Errorf("-deps %s: %w", name, err)
	}
	return c, m.editMod(func(f *modfile.File) error { return f.AddReplace(c.module, "", filepath.ToSlash(c.tmp), "") })
}

// absentFolder returns an error if the folder dir below root exists, or if its path leads out of root through a link.
func absentFolder(root, dir string) error {
	in, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = in.Stat(filepath.FromSlash(dir))
	switch {
	case err == nil:
		return fmt.Errorf("the folder %s already exists", dir)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return fmt.Errorf("the folder %s cannot be created: %w", dir, err)
}

// sums returns the checksums of all files below a folder.
func sums(dir string) (map[string]string, error) {
	list := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(p)
		list[filepath.ToSlash(rel)] = sum(data)
		return err
	})
	return list, err
}

// edited returns the files of a copy that were edited after migrate wrote them.
func (c journalCopy) edited(root string) ([]string, error) {
	dir := filepath.Join(root, filepath.FromSlash(c.Dir))
	in, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if _, err := in.Stat(filepath.FromSlash(c.Dir)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil { // the path has a link whose target is outside of the module
		return nil, err
	}
	now, err := sums(dir)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range sortedKeys(now) {
		if c.Files[name] != now[name] {
			list = append(list, c.Dir+"/"+name)
		}
	}
	return list, nil
}

// removeCopy removes a copy and the parent folders that are empty after that. It does not follow
// links out of the module.
func removeCopy(root, dir string) error {
	in, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := in.RemoveAll(filepath.FromSlash(dir)); err != nil {
		return err
	}
	for d := path.Dir(dir); d != "." && strings.HasPrefix(d, "third_party"); d = path.Dir(d) {
		if in.Remove(filepath.FromSlash(d)) != nil {
			break
		}
	}
	return nil
}

// dropUnused removes from c the copies of dependencies in which nothing changes.
func (c *Change) dropUnused() {
	c.copies = slices.DeleteFunc(c.copies, func(d *depCopy) bool {
		for _, f := range c.Files {
			if strings.HasPrefix(f.Name, d.dir+"/") && len(f.Changes) > 0 {
				return false
			}
		}
		c.note("%s is not copied: none of its imports can change", d.module)
		c.Files = slices.DeleteFunc(c.Files, func(f File) bool { return strings.HasPrefix(f.Name, d.dir+"/") })
		return true
	})
}
