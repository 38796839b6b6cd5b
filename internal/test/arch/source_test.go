package arch

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/hone-go/hone"

// A file is one Go file of the core module.
type file struct {
	path    string // path from the root, with slashes
	imports []string
}

func (f file) pkg() string { return filepath.ToSlash(filepath.Dir(f.path)) }

// coreFiles parses every file of the core module, whatever its build tags.
func coreFiles(t *testing.T) []file {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	var files []file
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
				return filepath.SkipDir
			}
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		f := file{path: filepath.ToSlash(rel)}
		for _, i := range parsed.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			f.imports = append(f.imports, name)
		}
		files = append(files, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("found %d files: is this the root of the module?", len(files))
	}
	return files
}

func TestUnsafe(t *testing.T) {
	importers := 0
	for _, f := range coreFiles(t) {
		if !slices.Contains(f.imports, "unsafe") {
			continue
		}
		importers++
		if f.pkg() != "internal/memory/mem" {
			t.Errorf("%s imports unsafe: only internal/memory/mem may, so that the purego build does not use it", f.path)
		}
		if data, err := os.ReadFile(filepath.Join("..", "..", "..", f.path)); err != nil {
			t.Error(err)
		} else if !strings.Contains(string(data), "//go:build !purego") {
			t.Errorf("%s is part of the purego build", f.path)
		}
	}
	if importers == 0 {
		t.Error("nothing imports unsafe: does the test read the right files?")
	}
}

// TestAssembly fails if a package other than vector has assembly, or if the purego build has
// any.
func TestAssembly(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	found := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".s", ".S", ".syso", ".c"}, filepath.Ext(path)) {
			if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root {
				return filepath.SkipDir
			}
			return err
		}
		found++
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, "internal/memory/vector/") || filepath.Ext(rel) != ".s" {
			t.Errorf("%s: only internal/memory/vector has assembly", rel)
		}
		data, err := os.ReadFile(path)
		if err == nil && !strings.HasPrefix(string(data), "//go:build !purego\n") {
			t.Errorf("%s is part of the purego build", rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("no assembly is found: does the test read the right files?")
	}
}

// TestNoLinkname fails for go:linkname, because a Go release may remove the linked name.
func TestNoLinkname(t *testing.T) {
	for _, f := range coreFiles(t) {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", f.path))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "//go:"+"linkname") {
			t.Errorf("%s uses go:linkname, which a release of Go may break", f.path)
		}
	}
}
