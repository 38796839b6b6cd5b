package migrate

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// A Warning is code that compiles, but may behave differently.
type Warning struct {
	Where string `json:"where"`
	Text  string `json:"text"`
}

// warnings finds code that compares the type of a value at run time with a type of a package that
// changes. Types that Hone declares as aliases stay the same, so they cause no warning.
func (p *planner) warnings() []Warning {
	var list []Warning
	for _, g := range p.graphs {
		w := &warner{p: p, g: g, outside: map[string]string{}}
		w.findOutside()
		for _, n := range g.nodes {
			if !n.own || !n.watched {
				continue
			}
			g.open(n)
			for i, f := range n.files {
				if p.isTarget(n.names[i]) {
					w.file(n, f)
				}
			}
			g.close(n)
		}
		list = append(list, w.list...)
	}
	slices.SortFunc(list, func(a, b Warning) int { return strings.Compare(a.Where+a.Text, b.Where+b.Text) })
	return slices.Compact(list)
}

type warner struct {
	p       *planner
	g       *graph
	outside map[string]string // a symbol -> a package that still imports the old package
	list    []Warning
}

// findOutside finds the packages that still import the old packages. The standard library is
// ignored, since its API does not contain types of the old packages.
func (w *warner) findOutside() {
	for _, n := range w.g.nodes {
		if n.own || n.pkg.Module == nil || n.pkg.Module.Path == Hone || strings.HasPrefix(n.pkg.Module.Path, Hone+"/") {
			continue
		}
		for _, r := range w.p.rules {
			if r.Module != "" && n.pkg.Module.Path == r.Module {
				continue
			}
			if n.pkg.Imports[r.From] != nil && w.outside[r.Symbol] == "" {
				w.outside[r.Symbol] = n.pkg.PkgPath
			}
		}
	}
	for _, s := range w.p.sources {
		for symbol, u := range s.units {
			has := slices.ContainsFunc(s.specs, func(sp spec) bool { return sp.rule.Symbol == symbol })
			if has && !u.change && w.outside[symbol] == "" {
				w.outside[symbol] = s.name
			}
		}
	}
}

func (w *warner) add(at ast.Node, format string, args ...any) {
	file, line := w.g.at(at.Pos())
	if s := w.p.byPath[file]; s != nil {
		file = s.name
	} else if rel, err := filepath.Rel(w.p.m.root, file); err == nil {
		file = filepath.ToSlash(rel)
	}
	w.list = append(w.list, Warning{fmt.Sprintf("%s:%d", file, line), fmt.Sprintf(format, args...)})
}

func (w *warner) file(n *node, f *ast.File) {
	ast.Inspect(f, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.TypeAssertExpr:
			if x.Type != nil {
				w.asked(n, x.Type, "a type assertion")
			}
		case *ast.TypeSwitchStmt:
			for _, c := range x.Body.List {
				if c, ok := c.(*ast.CaseClause); ok {
					for _, e := range c.List {
						w.asked(n, e, "a type switch")
					}
				}
			}
		case *ast.CallExpr:
			w.call(n, x)
		}
		return true
	})
}

// asked adds a warning for an expression whose type is compared at run time.
func (w *warner) asked(n *node, e ast.Expr, how string) {
	tv, ok := n.info.Types[e]
	if !ok || tv.Type == nil || isTypeParam(tv.Type) {
		return
	}
	name, now, who := w.differs(tv.Type)
	switch {
	case name == "":
	case now:
		w.add(e, "%s with the type %s, which is now Hone's type; values from %s still have the old type", how, name, who)
	default:
		w.add(e, "%s with the type %s; values from the changed files now have Hone's type", how, name)
	}
}

// isTypeParam reports whether t is a type parameter, or a pointer to one. Its type argument decides
// which values it has, so a warning with the parameter's name would say nothing.
func isTypeParam(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// differs reports whether a type changes. It returns the type's name, whether the type is from the
// new package, and a package that still uses the old one.
func (w *warner) differs(t types.Type) (name string, now bool, who string) {
	for _, named := range namedTypes(t) {
		pkg := named.Obj().Pkg()
		if pkg == nil {
			continue
		}
		for _, r := range w.p.rules {
			switch pkg.Path() {
			case r.To:
				if who := w.outside[r.Symbol]; who != "" && named.Obj().Exported() {
					return types.TypeString(t, nil), true, who
				}
			case r.From:
				if to := w.g.byPath[r.To]; to != nil && to.types != nil && w.changes(r.Symbol) {
					o := to.types.Scope().Lookup(named.Obj().Name())
					if o != nil && !types.Identical(o.Type(), named) {
						return types.TypeString(t, nil), false, ""
					}
				}
			}
		}
	}
	return "", false, ""
}

func (w *warner) changes(symbol string) bool {
	return slices.ContainsFunc(w.p.sources, func(s *source) bool {
		u := s.units[symbol]
		return u != nil && u.change
	})
}

// callee returns the function or method that a call names, and the expressions of its type
// arguments. It returns nil for conversions, and for calls of function values.
func (n *node) callee(c *ast.CallExpr) (f *types.Func, index []ast.Expr) {
	fun := ast.Unparen(c.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun, index = x.X, []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		fun, index = x.X, x.Indices
	}
	switch x := fun.(type) {
	case *ast.SelectorExpr:
		f, _ = n.info.Uses[x.Sel].(*types.Func)
	case *ast.Ident:
		f, _ = n.info.Uses[x].(*types.Func)
	}
	return f, index
}

// call adds warnings for errors.As and reflection, and for values that are passed to a package that
// only knows the old type.
func (w *warner) call(n *node, c *ast.CallExpr) {
	f, index := n.callee(c)
	if f == nil || f.Pkg() == nil {
		return
	}
	switch path, name := f.Pkg().Path(), f.Name(); {
	case path == "errors" && name == "As" && len(c.Args) == 2:
		w.asked(n, c.Args[1], "errors.As")
		return
	case path == "errors" && name == "AsType" && len(index) > 0:
		w.asked(n, index[0], "errors.AsType")
		return
	case path == "reflect" && name == "TypeFor" && len(index) > 0:
		w.asked(n, index[0], "reflect.TypeFor")
		return
	case path == "reflect" && name == "TypeOf" && len(c.Args) == 1:
		w.asked(n, c.Args[0], "reflect.TypeOf")
		return
	}
	callee := w.g.byPath[f.Pkg().Path()]
	if callee == nil || callee.own || callee.pkg.Module == nil {
		return
	}
	sig, ok := f.Type().(*types.Signature)
	if !ok || sig.Params().Len() == 0 {
		return
	}
	for i, arg := range c.Args {
		param := sig.Params().At(min(i, sig.Params().Len()-1)).Type()
		if s, ok := param.(*types.Slice); ok && sig.Variadic() && i >= sig.Params().Len()-1 {
			param = s.Elem()
		}
		tv := n.info.Types[arg]
		if tv.Type == nil || !types.IsInterface(param) || types.IsInterface(tv.Type) {
			continue
		}
		for _, named := range namedTypes(tv.Type) {
			for _, r := range w.p.rules {
				if pkg := named.Obj().Pkg(); pkg != nil && pkg.Path() == r.To && callee.pkg.Imports[r.From] != nil {
					w.add(arg, "%s.%s, which supports only %s, is passed a %s in an interface", f.Pkg().Path(), f.Name(), r.From, types.TypeString(tv.Type, nil))
				}
			}
		}
	}
}
