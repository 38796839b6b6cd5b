package migrate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// A Warning is code that compiles, but may behave differently.
type Warning struct {
	Location
	Rule string `json:"rule"`
	Text string `json:"text"`
	// Import is the import through which the module gets the values of the warning; nil if there is none.
	Import *WarnedImport `json:"import,omitempty"`

	at   position
	from position // of Import
}

// A WarnedImport is an import of a file.
type WarnedImport struct {
	Location
	Path string `json:"path"`
}

// sortWarnings sorts a list by position, and removes duplicates.
func sortWarnings(list []Warning) []Warning {
	compare := func(a, b Warning) int {
		name, line, column, _ := a.at.before()
		other, otherLine, otherColumn, _ := b.at.before()
		return cmp.Or(strings.Compare(name, other), cmp.Compare(line, otherLine), cmp.Compare(column, otherColumn), strings.Compare(a.Text, b.Text))
	}
	slices.SortFunc(list, compare)
	return slices.CompactFunc(list, func(a, b Warning) bool { return compare(a, b) == 0 })
}

// warnings finds code that compares the type of a value at run time with a type of a package that
// changes. Types that Hone declares as aliases stay the same, so they cause no warning.
func (p *planner) warnings() []Warning {
	var list []Warning
	for _, g := range p.graphs {
		w := &warner{p: p, g: g, parsed: map[*source]map[string]position{}, relations: map[string]*relation{}}
		w.findUses()
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
	return list
}

type warner struct {
	p    *planner
	g    *graph
	uses map[string][]use // by symbol
	// origins has, by symbol and dependency, the path of the package that imports the old package: the
	// dependency or a package that it depends on.
	origins   map[string]map[*node]string
	importers map[*node][]*node
	parsed    map[*source]map[string]position
	relations map[string]*relation
	list      []Warning
}

func (w *warner) add(rule string, at ast.Node, format string, args ...any) {
	w.list = append(w.list, Warning{Rule: rule, at: w.p.position(w.g, at.Pos()), Text: fmt.Sprintf(format, args...)})
}

func (w *warner) file(n *node, f *ast.File) {
	ast.Inspect(f, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.TypeAssertExpr:
			if x.Type != nil {
				w.typeTest(n, x.Type, "a type assertion")
			}
		case *ast.TypeSwitchStmt:
			for _, c := range x.Body.List {
				if c, ok := c.(*ast.CaseClause); ok {
					for _, e := range c.List {
						w.typeTest(n, e, "a type switch")
					}
				}
			}
		case *ast.CallExpr:
			w.call(n, x)
		}
		return true
	})
}

// typeTest adds a warning for an expression if a program compares its type at run time.
func (w *warner) typeTest(n *node, e ast.Expr, how string) {
	tv, ok := n.info.Types[e]
	if !ok || tv.Type == nil || isTypeParam(tv.Type) {
		return
	}
	name, old := w.differs(n, tv.Type, e)
	switch {
	case name == "":
	case old != nil:
		w.add(ruleTypeTest, e, "%s with the type %s, which is now Hone's type; values from %s still have the old type", how, name, old.origin)
		if old.path != "" {
			last := &w.list[len(w.list)-1]
			last.Import, last.from = &WarnedImport{Path: old.path}, old.at
		}
	default:
		w.add(ruleTypeTest, e, "%s with the type %s; values from the changed files now have Hone's type", how, name)
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

// differs returns the name of t, the type of the expression e, if the type changes, and otherwise "". If the
// type is from the new package, differs also returns a use of the old package.
func (w *warner) differs(n *node, t types.Type, e ast.Expr) (name string, old *use) {
	file, _ := w.g.at(e.Pos())
	for _, named := range namedTypes(t) {
		pkg := named.Obj().Pkg()
		if pkg == nil {
			continue
		}
		for _, r := range w.p.rules {
			switch pkg.Path() {
			case r.To:
				if u, ok := w.oldValues(n, w.p.byPath[file], r.Symbol); ok && named.Obj().Exported() {
					return types.TypeString(t, nil), &u
				}
			case r.From:
				if to := w.g.byPath[r.To]; to != nil && to.types != nil && w.changes(r.Symbol) {
					o := to.types.Scope().Lookup(named.Obj().Name())
					if o != nil && !types.Identical(o.Type(), named) {
						return types.TypeString(t, nil), nil
					}
				}
			}
		}
	}
	return "", nil
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
		w.typeTest(n, c.Args[1], "errors.As")
		return
	case path == "errors" && name == "AsType" && len(index) > 0:
		w.typeTest(n, index[0], "errors.AsType")
		return
	case path == "reflect" && name == "TypeFor" && len(index) > 0:
		w.typeTest(n, index[0], "reflect.TypeFor")
		return
	case path == "reflect" && name == "TypeOf" && len(c.Args) == 1:
		w.typeTest(n, c.Args[0], "reflect.TypeOf")
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
					w.add(ruleInterface, arg, "%s.%s, which supports only %s, is passed a %s in an interface", f.Pkg().Path(), f.Name(), r.From, types.TypeString(tv.Type, nil))
				}
			}
		}
	}
}
