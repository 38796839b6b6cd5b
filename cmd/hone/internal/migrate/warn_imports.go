package migrate

import (
	"cmp"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A use is an import through which a file gets values of an old package. It is an import of the old package that
// stays, or an import of a dependency that uses the old package.
type use struct {
	node   *node
	at     position
	path   string // the import path
	origin string // the package or the file that imports the old package
}

// findUses finds the uses of the old package of each symbol. The standard library is ignored, since its API does
// not contain types of the old packages.
func (w *warner) findUses() {
	w.uses = map[string][]use{}
	w.importers = map[*node][]*node{}
	for _, n := range w.g.nodes {
		for _, d := range n.deps {
			w.importers[d] = append(w.importers[d], n)
		}
	}
	origins := map[string]map[*node]string{}
	for _, n := range w.g.nodes {
		if n.own {
			w.addUses(n, origins)
			continue
		}
		// Dependencies come first in the list of nodes, so their origins are known.
		for _, r := range w.p.rules {
			if origins[r.Symbol] == nil {
				origins[r.Symbol] = map[*node]string{}
			}
			known := origins[r.Symbol]
			switch {
			case known[n] != "" || n.pkg.Module == nil || isHone(n.pkg.Module.Path) || n.pkg.Module.Path == r.Module:
			case n.pkg.Imports[r.From] != nil:
				known[n] = n.pkg.PkgPath
			default:
				for _, d := range n.deps {
					if o := known[d]; o != "" && !d.own && (known[n] == "" || o < known[n]) {
						known[n] = o
					}
				}
			}
		}
	}
	w.origins = origins
}

func isHone(module string) bool { return module == Hone || strings.HasPrefix(module, Hone+"/") }

// addUses adds the uses in the files of a package of the module.
func (w *warner) addUses(n *node, origins map[string]map[*node]string) {
	for _, file := range n.pkg.GoFiles {
		s := w.p.byPath[filepath.Clean(file)]
		if s == nil {
			continue
		}
		for path, at := range w.imports(s) {
			dep := n.pkg.Imports[path]
			for _, symbol := range sortedKeys(origins) {
				i := slices.IndexFunc(n.deps, func(d *node) bool { return d.pkg == dep && origins[symbol][d] != "" })
				if i >= 0 {
					w.uses[symbol] = append(w.uses[symbol], use{n, at, path, origins[symbol][n.deps[i]]})
				}
			}
		}
		for _, sp := range s.specs {
			if u := s.units[sp.rule.Symbol]; !u.change {
				at := s.position(sp.path)
				at.column = 0
				w.uses[u.symbol] = append(w.uses[u.symbol], use{n, at, sp.rule.From, s.name})
			}
		}
	}
}

// imports returns the positions of the imports in a file before the change.
func (w *warner) imports(s *source) map[string]position {
	if list, ok := w.parsed[s]; ok {
		return list
	}
	list := map[string]position{}
	w.parsed[s] = list
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", s.data, parser.ImportsOnly)
	if err != nil {
		return list // the package has been reported as one that does not compile
	}
	for _, i := range f.Imports {
		if path, err := strconv.Unquote(i.Path.Value); err == nil {
			list[path] = position{s.name, s, s.data, fset.PositionFor(i.Path.Pos(), false).Line, 0}
		}
	}
	return list
}

// oldValues returns a use of the old package of a symbol, if code in a file of package n may get
// values through it. Packages exchange values only if one program, or one test, has both. It prefers
// a use in the file, then a use in package n, then in a package that imports n or that n imports,
// then in any other package.
func (w *warner) oldValues(n *node, file *source, symbol string) (use, bool) {
	r := w.related(n.pkg.PkgPath)
	rank := func(u use) int {
		switch {
		case u.at.source == file:
			return 0
		case u.node.pkg.PkgPath == n.pkg.PkgPath:
			return 1
		case r.near[u.node]:
			return 2
		}
		return 3
	}
	var best use
	found := false
	for _, u := range w.uses[symbol] {
		if r.linked[u.node] && (!found || cmp.Or(cmp.Compare(rank(u), rank(best)), boolOrder(u.origin != u.path, best.origin != best.path), strings.Compare(u.at.name, best.at.name), cmp.Compare(u.at.line, best.at.line)) < 0) {
			best, found = u, true
		}
	}
	if found {
		return best, true
	}
	// Another module of the workspace may import the package and use the old package.
	for _, m := range w.g.nodes {
		if o := w.origins[symbol][m]; o != "" && r.near[m] {
			return use{origin: o}, true
		}
	}
	return use{}, false
}

// A relation of a package has the packages that may pass values to it.
type relation struct {
	near   map[*node]bool // the packages that it imports, and the packages that import it, directly or not
	linked map[*node]bool // the packages that are in one program or test with it
}

func (w *warner) related(path string) *relation {
	if r := w.relations[path]; r != nil {
		return r
	}
	var own []*node
	for _, n := range w.g.nodes {
		if n.pkg.PkgPath == path {
			own = append(own, n)
		}
	}
	above := map[*node]bool{}
	closure(own, above, func(n *node) []*node { return w.importers[n] })
	r := &relation{map[*node]bool{}, map[*node]bool{}}
	for n := range above {
		closure([]*node{n}, r.linked, func(n *node) []*node { return n.deps })
	}
	closure(own, r.near, func(n *node) []*node { return n.deps })
	for n := range above {
		r.near[n] = true
	}
	w.relations[path] = r
	return r
}

// closure adds the nodes of list to all, and all nodes that can be reached from them through next.
func closure(list []*node, all map[*node]bool, next func(*node) []*node) {
	for len(list) > 0 {
		n := list[len(list)-1]
		list = list[:len(list)-1]
		if !all[n] {
			all[n] = true
			list = append(list, next(n)...)
		}
	}
}
