package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// A listed package is a line of go list.
type listed struct {
	Dir        string
	ImportPath string // of a test: "path [path.test]" or "path.test"
	ForTest    string // the package that a test belongs to
	Deps       []string
	Module     *struct{ Dir string }
}

// A change says how a package differs from the base.
type change uint8

const (
	unchanged change = iota
	testsOnly
	codeToo
)

// packages are the packages of the workspace, and how they differ from the base.
type packages struct {
	listed []listed
	change map[string]change // by import path
	data   map[string]bool   // the packages whose test data differ, by import path; other packages may read them
}

func (r *repository) packages(ctx context.Context) (*packages, error) {
	p := &packages{change: map[string]change{}, data: map[string]bool{}}
	// "work" names the packages of all modules of the workspace.
	out, err := output(ctx, r.root, "go", "list", "-test", "-json=Dir,ImportPath,ForTest,Deps,Module", "work")
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		p.listed = append(p.listed, l)
	}
	base, _, err := r.baseCommit(ctx)
	if err != nil {
		return nil, err
	}
	if base == "" {
		for l := range p.plain() {
			p.change[l.ImportPath] = codeToo
		}
		return p, nil
	}
	files, err := r.changedFiles(ctx, base)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		p.mark(filepath.Join(r.root, filepath.FromSlash(name)))
	}
	return p, nil
}

// plain yields the packages themselves, without the variants of packages that tests build.
func (p *packages) plain() func(yield func(listed) bool) {
	return func(yield func(listed) bool) {
		for _, l := range p.listed {
			if l.ForTest == "" && !strings.HasSuffix(l.ImportPath, ".test") && !yield(l) {
				return
			}
		}
	}
}

// mark notes the change of a file for its package, which is in the file's folder or in the nearest folder above.
// go.mod and go.sum concern all packages of their module, and go.work all packages.
func (p *packages) mark(name string) {
	kind := codeToo
	if strings.HasSuffix(name, "_test.go") || strings.Contains(filepath.ToSlash(name), "/testdata/") {
		kind = testsOnly
	}
	dir, base := filepath.Split(name)
	dir = filepath.Clean(dir)
	inDir := map[string]string{} // import paths by folder
	for l := range p.plain() {
		inDir[l.Dir] = l.ImportPath
		switch {
		case kind == testsOnly:
		case base == "go.work", base == "go.work.sum",
			(base == "go.mod" || base == "go.sum") && l.Module != nil && l.Module.Dir == dir:
			p.change[l.ImportPath] = codeToo
		}
	}
	if strings.HasPrefix(base, "go.") && kind == codeToo {
		return
	}
	for {
		if path, ok := inDir[dir]; ok {
			p.change[path] = max(p.change[path], kind)
			p.data[path] = p.data[path] || kind == testsOnly && !strings.HasSuffix(base, "_test.go")
			return
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return
		}
		dir = parent
	}
}

// choose returns the import paths for an argument of "gate packages", sorted. The packages whose tests differ are
// among the reached ones.
func (p *packages) choose(which string) (paths []string) {
	for l := range p.plain() {
		if c := p.change[l.ImportPath]; which == "changed" && c == codeToo || which != "changed" && c == testsOnly {
			paths = append(paths, l.ImportPath)
		}
	}
	if which == "reached" {
		for _, l := range p.listed {
			uses := func(dep string) bool {
				path, _, _ := strings.Cut(dep, " ") // "path [other.test]" is path, built for a test
				return p.change[path] == codeToo || p.data[path]
			}
			if slices.ContainsFunc(l.Deps, uses) {
				paths = append(paths, strings.TrimSuffix(cmp.Or(l.ForTest, l.ImportPath), ".test"))
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
