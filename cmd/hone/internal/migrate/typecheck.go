package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A graph has the packages of one build configuration, type-checked from source. A package that no
// planned file can affect is checked once, without the bodies of functions. The other packages are
// checked again whenever a plan changes them.
//
// The syntax trees and the types of expressions of a large module take gigabytes. So, unless retain
// is set, a graph drops them after the check of a package, and keeps the errors and the
// declarations. open checks a package again for a caller that needs them.
type graph struct {
	config config
	retain bool            // all packages keep their syntax trees and the types of expressions
	watch  map[string]bool // the paths of packages, for node.watched
	count  func(done, total int, part float64)
	fset   *token.FileSet // the files of all graphs of shared
	shared *dependencyCache
	nodes  []*node          // dependencies first
	byPath map[string]*node // packages that are not test variants
	sizes  types.Sizes
	text   func(path string) ([]byte, bool) // returns the text of a planned file
	round  int

	checked map[string][]byte // the texts of the planned files that were last parsed
}

// A node is a package of a graph.
type node struct {
	pkg    *packages.Package
	deps   []*node // the packages that it imports
	target bool    // the package may change, or it imports a target
	own    bool    // it has files that may change
	shared bool    // an earlier graph checks the bodies of its functions, with the same files

	types    *types.Package
	info     *types.Info   // nil unless the package is open
	files    []*ast.File   // nil unless the package is open
	tokens   []*token.File // its files in the graph's fset
	names    []string      // the names of its files in go list
	texts    [][]byte      // the texts of the files at the last check
	errs     []types.Error
	key      dependencyKey // only set for a package that no plan affects
	unlisted bool          // it imports a package that go list does not report as an import
	checked  int           // the round in which the package was last checked
	broken   bool          // the package has errors even without the change
	watched  bool          // an expression has a type of a package in graph.watch
}

// load lists the packages that match patterns, and the packages targets of Hone, in a build
// configuration. It does not check the packages.
func (p *planner) load(c config, patterns, targets []string) (*graph, error) {
	m := p.m
	g := &graph{config: c, fset: p.shared.fset, shared: p.shared, byPath: map[string]*node{}, text: p.text, retain: p.retain(), count: p.count, watch: map[string]bool{}, checked: map[string][]byte{}}
	for _, r := range p.rules {
		g.watch[r.From], g.watch[r.To] = true, true
	}
	cfg := &packages.Config{
		Context:    m.ctx,
		Mode:       packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedForTest | packages.NeedTypesSizes,
		Dir:        m.root,
		Env:        append(append(os.Environ(), m.env...), c.environ()...),
		BuildFlags: append(m.buildFlags(), c.flags()...),
		Tests:      c.file == "",
	}
	var roots []*packages.Package
	var err error
	if c.file == "" {
		roots, err = packages.Load(cfg, append(slices.Clone(patterns), targets...)...)
	} else if roots, err = packages.Load(cfg, c.file); err == nil {
		// go list accepts files or packages, not both.
		var more []*packages.Package
		more, err = packages.Load(cfg, targets...)
		roots = append(roots, more...)
	}
	if err != nil {
		return nil, err
	}
	if m.ctx.Err() != nil {
		return nil, m.ctx.Err()
	}
	seen := map[string]*node{}
	var visit func(*packages.Package) *node
	visit = func(pkg *packages.Package) *node {
		if n := seen[pkg.ID]; n != nil {
			return n
		}
		n := &node{pkg: pkg, checked: -1}
		seen[pkg.ID] = n
		for _, path := range sortedKeys(pkg.Imports) {
			n.deps = append(n.deps, visit(pkg.Imports[path]))
		}
		for _, f := range pkg.GoFiles {
			n.own = n.own || p.isTarget(f)
		}
		n.target = n.own || slices.ContainsFunc(n.deps, func(d *node) bool { return d.target })
		if g.sizes == nil {
			g.sizes = pkg.TypesSizes
		}
		if pkg.ForTest == "" && !strings.HasSuffix(pkg.ID, ".test") {
			if _, has := g.byPath[pkg.PkgPath]; !has {
				g.byPath[pkg.PkgPath] = n
			}
		}
		g.nodes = append(g.nodes, n)
		return n
	}
	slices.SortStableFunc(roots, func(a, b *packages.Package) int {
		// Packages that planned files may import are checked before these files.
		return boolOrder(slices.Contains(targets, b.PkgPath), slices.Contains(targets, a.PkgPath))
	})
	for _, p := range roots {
		if strings.HasSuffix(p.ID, ".test") {
			continue
		}
		visit(p)
	}
	return g, nil
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// lists calls yield for each file of each package of a graph.
func (g *graph) lists(yield func(path string, n *node)) {
	for _, n := range g.nodes {
		for _, f := range n.pkg.GoFiles {
			yield(f, n)
		}
	}
}

// check type-checks the packages that have changed since the last check, with the current plan.
func (g *graph) check() {
	g.round++
	done, all := 0, 0
	for _, n := range g.nodes {
		all += g.work(n)
	}
	for i, n := range g.nodes {
		g.count(i, len(g.nodes), float64(done)/float64(max(all, 1)))
		done += g.work(n)
		if n.checked < 0 || n.target && g.stale(n) {
			g.checkOne(n)
			n.checked = g.round
		}
	}
	g.count(len(g.nodes), len(g.nodes), 1)
}

// share marks the packages whose bodies an earlier graph checks: a package with the same files that imports only such
// packages of the module. Dependencies may differ from graph to graph, but they do not change.
func (g *graph) share(earlier []*graph) {
	if g.retain {
		return
	}
	lists := map[string]bool{}
	key := func(n *node) string { return n.pkg.ID + "\n" + strings.Join(n.pkg.GoFiles, "\n") }
	for _, e := range earlier {
		for _, n := range e.nodes {
			lists[key(n)] = true
		}
	}
	for _, n := range g.nodes {
		n.shared = n.target && lists[key(n)] && !slices.ContainsFunc(n.deps, func(d *node) bool { return d.target && !d.shared })
	}
}

// work estimates the work of checking a package. The unit is the check of one file without the bodies
// of functions.
func (g *graph) work(n *node) int {
	switch {
	case n.target && !n.shared:
		return 4 * len(n.pkg.GoFiles)
	case n.checked < 0:
		return len(n.pkg.GoFiles)
	}
	return 0
}

// stale reports whether a package's files or imports have changed.
func (g *graph) stale(n *node) bool {
	for _, d := range n.deps {
		if d.checked == g.round {
			return true
		}
	}
	for i, name := range n.names {
		if text, ok := g.text(name); ok && !bytes.Equal(text, n.texts[i]) {
			return true
		}
	}
	return false
}

// checkOne checks a package with the current plan. If the package may change and g.retain is not
// set, checkOne checks the package twice. The first check, without the bodies of functions, gets
// the declarations for the packages that import this package: the scopes of bodies would take
// memory. The second check, with the bodies, gets the errors.
func (g *graph) checkOne(n *node) {
	for _, f := range n.tokens {
		g.fset.RemoveFile(f)
	}
	n.files, n.tokens, n.names, n.texts, n.errs, n.info = nil, nil, nil, nil, nil, nil
	if n.pkg.PkgPath == "unsafe" {
		n.types, n.key = types.Unsafe, dependencyKey{1}
		return
	}
	if !n.target {
		g.checkDependency(n)
		return
	}
	g.parse(n, g.read(n))
	switch {
	case n.shared:
		n.types = g.checkTypes(n, true)
		n.errs = nil
		g.close(n)
	case g.retain:
		n.types = g.checkTypes(n, false)
		n.watched = true
	default:
		errs := n.errs
		n.types = g.checkTypes(n, true)
		n.errs = errs
		g.checkTypes(n, false)
		n.watched = g.watches(n)
		g.close(n)
	}
}

// open checks again the package n, which may change. n then has its syntax trees, the types of its
// expressions, and its errors with positions in these trees.
func (g *graph) open(n *node) {
	if n.info != nil || n.pkg.PkgPath == "unsafe" {
		return
	}
	n.names, n.texts, n.errs = nil, nil, nil
	g.parse(n, g.read(n))
	g.checkTypes(n, false)
}

// close drops the syntax trees and the types of expressions that open has set.
func (g *graph) close(n *node) {
	if !g.retain {
		n.files, n.info = nil, nil
	}
}

// watches reports whether an expression of an open package has a type of a package in g.watch.
func (g *graph) watches(n *node) bool {
	seen := map[types.Type]bool{}
	for _, tv := range n.info.Types {
		if tv.Type == nil || seen[tv.Type] {
			continue
		}
		seen[tv.Type] = true
		for _, named := range namedTypes(tv.Type) {
			if p := named.Obj().Pkg(); p != nil && g.watch[p.Path()] {
				return true
			}
		}
	}
	return false
}

// read returns the texts of the files of a package with the current plan. A text is nil if the file is not a Go
// file or cannot be read.
func (g *graph) read(n *node) [][]byte {
	for _, e := range n.pkg.Errors {
		if n.own && e.Kind == packages.ListError && !strings.Contains(e.Msg, "import cycle") {
			n.fail(g, errors.New(e.Msg))
		}
	}
	texts := make([][]byte, len(n.pkg.GoFiles))
	for i, name := range n.pkg.GoFiles {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		text, ok := g.text(name)
		if ok {
			g.checked[filepath.Clean(name)] = text
		} else {
			var err error
			if text, err = os.ReadFile(name); err != nil {
				n.fail(g, err)
				continue
			}
		}
		if texts[i] = text; text == nil {
			texts[i] = []byte{} // a file without text
		}
	}
	return texts
}

// parse parses the files of a package.
func (g *graph) parse(n *node, texts [][]byte) {
	mode := parser.SkipObjectResolution
	if n.target {
		mode |= parser.ParseComments
	}
	for i, name := range n.pkg.GoFiles {
		text := texts[i]
		if text == nil {
			continue
		}
		f, err := parser.ParseFile(g.fset, name, text, mode)
		if err != nil {
			n.fail(g, err)
		}
		if f == nil {
			continue
		}
		if file := g.fset.File(f.FileStart); file != nil {
			n.tokens = append(n.tokens, file)
		}
		n.files, n.names = append(n.files, f), append(n.names, name)
		if n.target {
			n.texts = append(n.texts, text)
		}
	}
}

// fail adds an error to the package.
func (n *node) fail(g *graph, err error) {
	e := types.Error{Fset: g.fset, Msg: err.Error()}
	var syntax scanner.ErrorList
	if errors.As(err, &syntax) && len(syntax) > 0 {
		pos := syntax[0].Pos
		e.Msg = fmt.Sprintf("line %d: %s", pos.Line, syntax[0].Msg)
	}
	if typed := (types.Error{}); errors.As(err, &typed) {
		e = typed
	}
	n.errs = append(n.errs, e)
}

// checkTypes type-checks a parsed package. With the bodies of functions it fills n.info too.
func (g *graph) checkTypes(n *node, declarations bool) *types.Package {
	conf := types.Config{
		Importer:         importer{g, n},
		FakeImportC:      true,
		IgnoreFuncBodies: declarations,
		Sizes:            g.sizes,
		Error:            func(err error) { n.fail(g, err) },
	}
	if m := n.pkg.Module; m != nil && m.GoVersion != "" {
		conf.GoVersion = "go" + m.GoVersion
	}
	if !declarations {
		n.info = &types.Info{
			Types:      map[ast.Expr]types.TypeAndValue{},
			Uses:       map[*ast.Ident]types.Object{},
			Defs:       map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{},
			Implicits:  map[ast.Node]types.Object{},
		}
	}
	// The errors are collected in n.errs.
	pkg, _ := conf.Check(n.pkg.PkgPath, g.fset, n.files, n.info)
	return pkg
}

// An importer finds the imports of a package, including imports that the plan may add.
type importer struct {
	g *graph
	n *node
}

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	var found *node
	if p := i.n.pkg.Imports[path]; p != nil {
		for _, d := range i.n.deps {
			if d.pkg == p {
				found = d
			}
		}
	}
	if found == nil {
		found, i.n.unlisted = i.g.byPath[path], true
	}
	if found == nil || found.types == nil || len(found.pkg.GoFiles) == 0 {
		return nil, fmt.Errorf("there is no package %s", path)
	}
	return found.types, nil
}

// at returns the position of an error.
func (g *graph) at(p token.Pos) (file string, line int) {
	pos := g.fset.PositionFor(p, false)
	return filepath.Clean(pos.Filename), pos.Line
}
