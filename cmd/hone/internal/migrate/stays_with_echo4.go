package migrate

import (
	"cmp"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hone-go/hone/cmd/hone/internal/echo4"
)

// A holder finds the packages that keep their imports of Echo v4. A package keeps them in three
// cases: it exchanges values of Echo's types with a dependency, it has files that do not change, or
// it exchanges such values with a package that keeps its imports.
type holder struct {
	p      *planner
	parent map[string]string     // the union-find forest of packages that exchange values
	why    map[string]holdReason // the reasons of the packages that stay because of their own code
	forced map[*source][]codePlace
	uses   map[*types.Package]bool // whether a package imports Echo v4, directly or not
	types  map[types.Type]bool
}

// A holdReason is the reason why a package keeps its imports of Echo v4.
type holdReason struct {
	reason string
	use    string // the name of a dependency that the package uses; "" for another reason
	where  position
}

func newHolder(p *planner) *holder {
	h := &holder{p: p, parent: map[string]string{}, why: map[string]holdReason{}, forced: map[*source][]codePlace{}, uses: map[*types.Package]bool{}, types: map[types.Type]bool{}}
	for _, g := range p.graphs {
		own := map[*types.Package]bool{}
		for _, n := range g.nodes {
			if n.own && n.types != nil {
				own[n.types] = true
			}
		}
		for _, n := range g.nodes {
			if n.own && !n.broken && n.info != nil {
				h.look(g, n, own)
			}
		}
		for _, n := range g.nodes {
			if n.own {
				h.stays(n)
			}
		}
	}
	return h
}

func (h *holder) find(pkg string) string {
	for h.parent[pkg] != "" && h.parent[pkg] != pkg {
		pkg = h.parent[pkg]
	}
	return pkg
}

func (h *holder) join(a, b string) {
	if a, b = h.find(a), h.find(b); a != b {
		h.parent[max(a, b)] = min(a, b)
	}
}

// look finds uses of names that other packages declare, if the types of the names contain Echo's
// types.
func (h *holder) look(g *graph, n *node, own map[*types.Package]bool) {
	inFile := map[string]*source{}
	for id, o := range n.info.Uses {
		pkg := o.Pkg()
		if pkg == nil || pkg == n.types || pkg.Path() == echo4.Module || strings.HasPrefix(pkg.Path(), echo4.Module+"/") || !h.knows(pkg) || !h.mentions(o.Type()) {
			continue
		}
		if own[pkg] {
			h.join(n.pkg.PkgPath, pkg.Path())
			continue
		}
		pos := g.fset.PositionFor(id.Pos(), false)
		name := filepath.Clean(pos.Filename)
		s := inFile[name]
		if s == nil {
			s = h.p.byPath[name]
			inFile[name] = s
		}
		if s == nil || s.units[echo4Symbol] == nil {
			continue
		}
		module := pkg.Path()
		if d := g.byPath[pkg.Path()]; d != nil && d.pkg.Module != nil {
			module = d.pkg.Module.Path
		}
		old := pkg.Name() + "." + o.Name()
		if h.p.force {
			x := codePlace{at: s.position(pos.Offset), old: old, say: module + " is built for Echo v4: " + instead(module)}
			if !slices.ContainsFunc(h.forced[s], func(y codePlace) bool { return y.at.String() == x.at.String() && y.old == x.old }) {
				h.forced[s] = append(h.forced[s], x)
			}
			continue
		}
		why := holdReason{module + " is built for Echo v4: " + instead(module) + ", or use -force, which lists the places", old, h.p.position(g, id.Pos())}
		if was, ok := h.why[n.pkg.PkgPath]; !ok || cmp.Or(strings.Compare(why.where.String(), was.where.String()), strings.Compare(why.use, was.use)) < 0 {
			h.why[n.pkg.PkgPath] = why
		}
	}
}

// companions maps modules for Echo v4 to successors for Echo v5, which also work with Hone.
var companions = map[string]string{
	"github.com/labstack/echo-jwt/v4":  "github.com/labstack/echo-jwt/v5",
	"github.com/labstack/echo-contrib": "github.com/labstack/echo-contrib/v5",
}

// instead returns advice on how to replace a module for Echo v4.
func instead(module string) string {
	if v5 := companions[module]; v5 != "" {
		return "use " + v5 + " for Echo v5, which works with Hone through integrations/echoshim; or -deps " + module + " to rewrite a copy"
	}
	return "use -deps " + module + " to rewrite a copy"
}

// stays marks a package if one of its files uses Echo v4 and does not change.
func (h *holder) stays(n *node) {
	for _, f := range n.pkg.GoFiles {
		s := h.p.byPath[filepath.Clean(f)]
		if s == nil || !s.echo4 || s.dep {
			continue
		}
		u := s.units[echo4Symbol]
		if _, ok := h.why[n.pkg.PkgPath]; u == nil || u.change || ok {
			continue
		}
		reason := s.name + " stays: " + u.reason
		if !u.selected {
			reason = s.name + " is left out by -only, -skip or the packages named"
		}
		h.why[n.pkg.PkgPath] = holdReason{reason: reason}
	}
}

// apply excludes packages from the change: the packages that keep their imports, and all packages
// that exchange types of Echo with them.
func (h *holder) apply() {
	cause := map[string]string{} // a group of packages -> the package that makes the group stay
	for _, pkg := range sortedKeys(h.why) {
		if g := h.find(pkg); cause[g] == "" {
			cause[g] = pkg
		}
	}
	for _, g := range h.p.graphs {
		for _, n := range g.nodes {
			pkg := cause[h.find(n.pkg.PkgPath)]
			if !n.own || pkg == "" {
				continue
			}
			for _, f := range n.pkg.GoFiles {
				s := h.p.byPath[filepath.Clean(f)]
				if s == nil || s.units[echo4Symbol] == nil || !s.units[echo4Symbol].change {
					continue
				}
				u := s.units[echo4Symbol]
				why, own := h.why[n.pkg.PkgPath]
				if !own {
					why, u.shares = h.why[pkg], pkg
				}
				u.change, u.reason, u.use, u.where = false, why.reason, why.use, why.where
				if u.cause = ruleEcho4; !own {
					u.cause = ruleShares
				}
			}
		}
	}
}

// knows reports whether a package imports Echo v4, directly or not.
func (h *holder) knows(pkg *types.Package) bool {
	if known, ok := h.uses[pkg]; ok {
		return known
	}
	h.uses[pkg] = false
	found := pkg.Path() == echo4.Module
	for _, i := range pkg.Imports() {
		found = found || h.knows(i)
	}
	h.uses[pkg] = found
	return found
}

// mentions reports whether a type contains a type of Echo. It examines the fields and methods of
// named types too.
func (h *holder) mentions(t types.Type) bool {
	known, ok := h.types[t]
	if !ok {
		known = h.inside(t, map[types.Type]bool{})
		h.types[t] = known
	}
	return known
}

func (h *holder) inside(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		pkg := t.Obj().Pkg()
		for a := range t.TypeArgs().Types() {
			if h.inside(a, seen) {
				return true
			}
		}
		if pkg == nil || !h.knows(pkg) {
			return false
		}
		if pkg.Path() == echo4.Module || strings.HasPrefix(pkg.Path(), echo4.Module+"/") {
			return true
		}
		for m := range t.Methods() {
			if h.inside(m.Type(), seen) {
				return true
			}
		}
		return h.inside(t.Underlying(), seen)
	case *types.Pointer:
		return h.inside(t.Elem(), seen)
	case *types.Slice:
		return h.inside(t.Elem(), seen)
	case *types.Array:
		return h.inside(t.Elem(), seen)
	case *types.Chan:
		return h.inside(t.Elem(), seen)
	case *types.Map:
		return h.inside(t.Key(), seen) || h.inside(t.Elem(), seen)
	case *types.Tuple:
		for v := range t.Variables() {
			if h.inside(v.Type(), seen) {
				return true
			}
		}
	case *types.Signature:
		return h.inside(t.Params(), seen) || h.inside(t.Results(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if h.inside(f.Type(), seen) {
				return true
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if h.inside(m.Type(), seen) {
				return true
			}
		}
	}
	return false
}
