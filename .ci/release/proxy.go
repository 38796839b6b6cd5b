package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	modzip "golang.org/x/mod/zip"
)

// writeProxy writes every module to dir, in the layout that `GOPROXY=file://` reads. The go.sum of
// a module gets the sums of Hone's modules that it requires.
func (t *tree) writeProxy(dir string) error {
	var sums []string
	for _, u := range t.modules {
		at := filepath.Join(dir, u.path, "@v")
		if err := os.MkdirAll(at, 0o755); err != nil {
			return err
		}
		goMod, err := os.ReadFile(filepath.Join(t.root, u.dir, "go.mod"))
		if err != nil {
			return err
		}
		info, err := json.Marshal(struct {
			Version string
			Time    time.Time
		}{u.version, time.Now().UTC().Truncate(time.Second)})
		if err != nil {
			return err
		}
		archive := filepath.Join(at, u.version+".zip")
		if err := t.writeZip(archive, u, sums); err != nil {
			return fmt.Errorf("%s: %w", u.dir, err)
		}
		for name, text := range map[string][]byte{".mod": goMod, ".info": info} {
			if err := os.WriteFile(filepath.Join(at, u.version+name), text, 0o644); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(at, "list"), []byte(u.version+"\n"), 0o644); err != nil {
			return err
		}
		more, err := sumsOf(u, archive, goMod)
		if err != nil {
			return err
		}
		sums = append(sums, more...)
	}
	return nil
}

// sumsOf returns the lines for a module in a go.sum.
func sumsOf(u unit, archive string, goMod []byte) ([]string, error) {
	whole, err := dirhash.HashZip(archive, dirhash.Hash1)
	if err != nil {
		return nil, err
	}
	one, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(goMod)), nil })
	if err != nil {
		return nil, err
	}
	return []string{
		fmt.Sprintf("%s %s %s\n", u.path, u.version, whole),
		fmt.Sprintf("%s %s/go.mod %s\n", u.path, u.version, one),
	}, nil
}

// withSums returns a go.sum with the lines for the modules of Hone that u requires.
func (u unit) withSums(goSum []byte, sums []string) []byte {
	lines := slices.Collect(strings.Lines(string(goSum)))
	for _, r := range u.mod.Require {
		if isOurs(r.Mod.Path) {
			for _, line := range sums {
				if strings.HasPrefix(line, r.Mod.Path+" ") {
					lines = append(lines, line)
				}
			}
		}
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, ""))
}

// A treeFile is a file of a module, with the content of the tree or with other content.
type treeFile struct {
	name, from string
	content    []byte // the content; nil means the content of the file in the tree
}

func (f treeFile) Path() string { return f.name }

func (f treeFile) Lstat() (os.FileInfo, error) {
	info, err := os.Lstat(f.from)
	if f.content != nil && err == nil {
		info = sized{info, int64(len(f.content))}
	}
	return info, err
}

type sized struct {
	os.FileInfo
	size int64
}

func (s sized) Size() int64 { return s.size }

func (f treeFile) Open() (io.ReadCloser, error) {
	if f.content != nil {
		return io.NopCloser(bytes.NewReader(f.content)), nil
	}
	return os.Open(f.from)
}

// files returns the files of a module that git tracks, or would add.
func (t *tree) files(u unit) ([]modzip.File, error) {
	all, err := t.listed(u.dir)
	return slices.DeleteFunc(all, func(f modzip.File) bool { return t.nested(u, f.Path()) }), err
}

// listed returns the files of a folder, including the files of nested modules.
func (t *tree) listed(dir string) ([]modzip.File, error) {
	at := filepath.Join(t.root, dir)
	names, err := output(context.Background(), at, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", ".")
	if err != nil {
		return nil, err
	}
	var files []modzip.File
	for name := range strings.SplitSeq(strings.TrimSuffix(names, "\x00"), "\x00") {
		from := filepath.Join(at, filepath.FromSlash(name))
		if _, err := os.Lstat(from); err == nil {
			files = append(files, treeFile{name: name, from: from})
		}
	}
	return files, nil
}

// nested reports whether a file of the folder belongs to a nested module.
func (t *tree) nested(u unit, name string) bool {
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(t.root, u.dir, dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

// writeZip writes the archive of a module. A module below the root has the licence of the root.
func (t *tree) writeZip(archive string, u unit, sums []string) error {
	files, err := t.files(u)
	if err != nil {
		return err
	}
	goSum, err := os.ReadFile(filepath.Join(t.root, u.dir, "go.sum"))
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if text := u.withSums(goSum, sums); len(text) > 0 {
		files = slices.DeleteFunc(files, func(f modzip.File) bool { return f.Path() == "go.sum" })
		files = append(files, treeFile{"go.sum", filepath.Join(t.root, u.dir, "go.mod"), text})
	}
	if !slices.ContainsFunc(files, func(f modzip.File) bool { return f.Path() == "LICENSE" }) {
		files = append(files, treeFile{name: "LICENSE", from: filepath.Join(t.root, "LICENSE")})
	}
	to, err := os.Create(archive)
	if err != nil {
		return err
	}
	defer to.Close()
	if err := modzip.Create(to, module.Version{Path: u.path, Version: u.version}, files); err != nil {
		return err
	}
	return to.Close()
}
