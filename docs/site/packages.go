package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const module = "github.com/hone-go/hone"

// pkg is the folder of the site that has the pages of packages.
const pkg = "pkg"

// A library is a package that programs import, or the command.
type library struct {
	dir     string // path from the root
	path    string // import path
	name    string
	fset    *token.FileSet
	doc     *doc.Package
	anchors map[string]bool // the names for which its page has anchors, such as "Decoder.Decode"
}

// page returns the library's page in the site.
func (l *library) page() string { return path.Join(pkg, l.dir+".md") }

// writePackages writes a page for each library, and a page that lists them. It adds the folders of the libraries to
// pages, and returns the libraries' groups in the navigation.
func writePackages(root, dir string, files []string, pages map[string]string) ([]group, error) {
	libraries, err := load(root, files)
	if err != nil {
		return nil, err
	}
	for _, l := range libraries {
		// If the folder has a README, links to the folder still lead to it.
		if pages[l.dir] == "" {
			pages[l.dir] = l.page()
		}
		text, err := l.markdown(libraries)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.path, err)
		}
		if err := write(filepath.Join(dir, l.page()), text); err != nil {
			return nil, err
		}
	}
	list := strings.Builder{}
	list.WriteString("# Packages\n")
	groups := []group{{Name: "Packages", Items: []item{{path.Join(pkg, "index.md"), "All packages"}}}}
	integrations := group{Name: "Integrations", Folded: true}
	table := func(title string, some func(*library) bool, g *group) {
		fmt.Fprintf(&list, "\n## %s\n\n| package | |\n|---|---|\n", title)
		for _, l := range libraries {
			if some(l) {
				name := strings.TrimPrefix(l.dir, "integrations/")
				fmt.Fprintf(&list, "| [%s](/%s) | %s |\n", name, l.page(), strings.ReplaceAll(l.doc.Synopsis(l.doc.Doc), "|", "\\|"))
				g.Items = append(g.Items, item{l.page(), name})
			}
		}
	}
	table("The core module and the command", func(l *library) bool { return !strings.HasPrefix(l.dir, "integrations/") }, &groups[0])
	table("Integrations", func(l *library) bool { return strings.HasPrefix(l.dir, "integrations/") }, &integrations)
	groups[0].Groups = []group{integrations}
	return groups, write(filepath.Join(dir, pkg, "index.md"), []byte(list.String()))
}

// load parses the libraries, sorted by folder.
func load(root string, files []string) ([]*library, error) {
	var dirs []string
	for _, file := range files {
		dir := path.Dir(file)
		if path.Ext(file) != ".go" || slices.Contains(dirs, dir) || !public(dir) {
			continue
		}
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	var libraries []*library
	for _, dir := range dirs {
		l, err := read(root, dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		if l != nil {
			libraries = append(libraries, l)
		}
	}
	return libraries, nil
}

// public reports whether a folder may have a package for users. The benchmarks and the examples have
// none, and echoshim has the names of package web.
func public(dir string) bool {
	for part := range strings.SplitSeq(dir, "/") {
		if part == "internal" || part == "testdata" || part == "examples" || strings.HasPrefix(part, ".") {
			return false
		}
	}
	for _, apart := range []string{"bench", "docs", "integrations/tests", "integrations/echoshim"} {
		if dir == apart || strings.HasPrefix(dir, apart+"/") {
			return false
		}
	}
	return dir != "."
}

// read parses the package of a folder with its examples. It returns nil for a folder without code and
// for a program other than the command.
func read(root, dir string) (*library, error) {
	built, err := build.ImportDir(filepath.Join(root, filepath.FromSlash(dir)), 0)
	if none := (*build.NoGoError)(nil); errors.As(err, &none) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if built.Name == "main" && dir != "cmd/hone" {
		return nil, nil
	}
	l := &library{dir: dir, path: module + "/" + dir, name: built.Name, fset: token.NewFileSet(), anchors: map[string]bool{}}
	var parsed []*ast.File
	for _, name := range slices.Concat(built.GoFiles, built.CgoFiles, built.TestGoFiles, built.XTestGoFiles) {
		file, err := parser.ParseFile(l.fset, filepath.Join(built.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	if l.doc, err = doc.NewFromFiles(l.fset, parsed, l.path); err != nil {
		return nil, err
	}
	if built.Name == "main" {
		return l, nil // a command has no names for users
	}
	for _, f := range l.doc.Funcs {
		l.anchors[f.Name] = true
	}
	for _, t := range l.doc.Types {
		l.anchors[t.Name] = true
		for _, f := range t.Funcs {
			l.anchors[f.Name] = true
		}
		for _, m := range t.Methods {
			l.anchors[t.Name+"."+m.Name] = true
		}
	}
	return l, nil
}

// link returns the address of the documentation of a name in a comment of l.
func (l *library) link(libraries []*library, link *comment.DocLink) string {
	name := link.Name
	if link.Recv != "" {
		name = link.Recv + "." + name
	}
	target := l
	if link.ImportPath != "" && link.ImportPath != l.path {
		i := slices.IndexFunc(libraries, func(other *library) bool { return other.path == link.ImportPath })
		if i < 0 {
			if dir, ours := strings.CutPrefix(link.ImportPath, module+"/"); ours {
				return repository + "/tree/main/" + dir
			}
			return link.DefaultURL("https://pkg.go.dev")
		}
		target = libraries[i]
	}
	switch {
	case target.anchors[name]:
	case target.anchors[link.Recv]:
		name = link.Recv // a field
	default:
		return "/" + target.page() // a constant or a variable, or the package
	}
	if target == l {
		return "#" + name
	}
	return "/" + target.page() + "#" + name
}
