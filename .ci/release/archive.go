package main

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// unpackedLimit is the maximum size in bytes of the unpacked archive of the core. Everyone who uses Hone has it in
// the module cache.
const unpackedLimit = 5 << 20

// archive opens the archive of a module in a file proxy.
func archive(proxy string, u unit) (*zip.ReadCloser, error) {
	return zip.OpenReader(filepath.Join(proxy, filepath.FromSlash(u.path), "@v", u.version+".zip"))
}

// checkSize reports an error if the archive of the core unpacks to more than unpackedLimit.
func (t *tree) checkSize(proxy string) error {
	for _, u := range t.modules {
		if u.path != core {
			continue
		}
		z, err := archive(proxy, u)
		if err != nil {
			return err
		}
		defer z.Close()
		fmt.Printf("%s unpacks to %.2f MB\n", core, float64(unpacked(&z.Reader))/1e6)
		return checkUnpacked(&z.Reader, unpackedLimit)
	}
	return errors.New("the core is not released")
}

func unpacked(z *zip.Reader) (size uint64) {
	for _, f := range z.File {
		size += f.UncompressedSize64
	}
	return size
}

// checkUnpacked reports an error with the largest folders if an archive unpacks to more than limit bytes.
func checkUnpacked(z *zip.Reader, limit uint64) error {
	size := unpacked(z)
	if size <= limit {
		return nil
	}
	folders := map[string]uint64{}
	for _, f := range z.File {
		folders[path.Dir(f.Name)] += f.UncompressedSize64
	}
	largest := slices.SortedFunc(maps.Keys(folders), func(a, b string) int { return cmp.Compare(folders[b], folders[a]) })
	list := ""
	for _, name := range largest[:min(10, len(largest))] {
		list += fmt.Sprintf("\n%9d %s", folders[name], name)
	}
	return fmt.Errorf("the archive unpacks to %d bytes, more than %d: put data that programs do not need into a nested module. The largest folders are%s", size, limit, list)
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
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return false, err
		}
		if file.Name.Name != "main" && ast.FileExports(file) {
			return true, nil
		}
	}
	return false, nil
}
