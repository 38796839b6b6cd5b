package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// archive opens the archive of a module in a file proxy.
func archive(proxy string, u unit) (*zip.ReadCloser, error) {
	return zip.OpenReader(filepath.Join(proxy, filepath.FromSlash(u.path), "@v", u.version+".zip"))
}

// checkExports reports the modules that export no name and contain no command that users install. Nobody can use them, so
// they must not be released.
func (t *tree) checkExports(proxy string) error {
	var errs []error
	for _, u := range t.modules {
		z, err := archive(proxy, u)
		if err != nil {
			return err
		}
		exports, err := exportsName(&z.Reader, u.path+"@"+u.version+"/")
		z.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", u.path, err)
		}
		if !exports && u.dir != "cmd/hone" {
			errs = append(errs, fmt.Errorf("%s exports no name; list it under apart in .ci/release/tree.go", u.dir))
		}
	}
	return errors.Join(errs...)
}

// exportsName reports whether an archive has a package that others can import and that exports a name.
func exportsName(z *zip.Reader, prefix string) (bool, error) {
	for _, f := range z.File {
		name := strings.TrimPrefix(f.Name, prefix)
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || slices.Contains(strings.Split(path.Dir(name), "/"), "internal") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return false, err
		}
		text, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			return false, err
		}
		// Files for a newer release of Go may have syntax that this one refuses. The parser then returns the declarations
		// that it could read. Mistakes in other files are found when try builds the packages.
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil && file.Name.Name == "" {
			return false, err
		}
		if file.Name.Name != "main" && ast.FileExports(file) {
			return true, nil
		}
	}
	return false, nil
}
