package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A tree is the Go files of a module.
type tree struct {
	sources []*source           // the files with imports to which a rule applies, sorted by name
	byPath  map[string]*source  // the sources by the paths that go list reports; a linked file has several paths
	all     map[string]bool     // the paths in byPath, and the paths of files that do not parse
	had     map[string][]string // the import paths of Hone in each file, by the name of the file
	files   []string            // all Go files, relative to the root
	nested  []string            // folders of modules inside the module
}

// walk reads the Go files of the module at root. The names of the files begin with prefix.
func walk(root, prefix string, rules []Rule) (*tree, error) {
	t := &tree{byPath: map[string]*source{}, all: map[string]bool{}, had: map[string][]string{}}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	byReal := map[string]*source{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path == root {
				return nil
			}
			if name == "vendor" || name == "testdata" || name[0] == '.' || name[0] == '_' {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				t.nested = append(t.nested, filepath.ToSlash(rel))
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || name[0] == '.' || name[0] == '_' {
			return nil
		}
		return t.add(path, rel, prefix, real, d, byReal, rules)
	})
	slices.SortFunc(t.sources, func(a, b *source) int { return strings.Compare(a.name, b.name) })
	return t, err
}

// add reads one file.
func (t *tree) add(path, rel, prefix, root string, d fs.DirEntry, byReal map[string]*source, rules []Rule) error {
	keep := ""
	info, err := os.Stat(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the link is broken
		}
		return err
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	if d.Type()&fs.ModeSymlink != 0 {
		inside, err := filepath.Rel(root, real)
		if err != nil || !filepath.IsLocal(inside) || hidden(inside) || nestedModule(root, inside) {
			keep = "the file is a link to a file outside of the module's packages"
		} else {
			rel = inside
		}
	}
	t.all[path] = true
	if s := byReal[real]; s != nil {
		t.byPath[path] = s
		return nil
	}
	data, err := os.ReadFile(real)
	if err != nil {
		return err
	}
	s := &source{name: prefix + filepath.ToSlash(rel), path: real, mode: info.Mode().Perm(), data: data, keep: keep}
	t.files = append(t.files, s.name)
	if err := parseSource(s, rules); err != nil {
		return nil // the syntax errors of the file are among the errors of its package
	}
	if len(s.had) > 0 {
		t.had[s.name] = s.had
	}
	byReal[real] = s
	if len(s.specs) > 0 || len(s.notes) > 0 {
		t.sources = append(t.sources, s)
	}
	t.byPath[path] = s
	return nil
}

// arrange sets the layout of the imports in the files. The error says which settings cannot be read.
func (t *tree) arrange(root, module string) error {
	l, err := readLayout(root, module)
	l.learn(unique(t.byPath))
	for _, s := range t.byPath {
		s.layout = l
	}
	return err
}

// dropOwn removes the imports of the module's own packages, which do not change.
func (t *tree) dropOwn(module string) {
	for _, s := range t.sources {
		s.specs = slices.DeleteFunc(s.specs, func(sp spec) bool { return sp.rule.Module != "" && sp.rule.Module == module })
		for symbol := range s.units {
			if !slices.ContainsFunc(s.specs, func(sp spec) bool { return sp.rule.Symbol == symbol }) {
				delete(s.units, symbol)
			}
		}
	}
}

// hidden reports whether the go command ignores a folder in the path.
func hidden(path string) bool {
	parts := strings.Split(filepath.ToSlash(path), "/")
	return slices.ContainsFunc(parts[:len(parts)-1], func(p string) bool {
		return p == "vendor" || p == "testdata" || p[0] == '.' || p[0] == '_'
	})
}

// nestedModule reports whether a file below root belongs to a module inside the module.
func nestedModule(root, file string) bool {
	for dir := filepath.Dir(file); dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(root, dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

// temporary matches the temporary files of [write].
var temporary = regexp.MustCompile(`^\.hone-migrate-[0-9]+$`)

// removeTemporary removes the temporary files of a run that was killed within [write].
func removeTemporary(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // a folder that cannot be read has no temporary files
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.Type().IsRegular() || !temporary.MatchString(d.Name()):
			return nil
		}
		return os.Remove(path)
	})
}

// write replaces a file atomically and keeps its mode.
func write(path string, data []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".hone-migrate-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
