package migrate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// A blamer finds the units that cause an error of the compiler. A unit is a file's imports of one
// symbol.
type blamer struct {
	g     *graph
	units func(path string) []*unit // the units of a file, by the file's path in go list
	paths map[string]string         // import path after the change -> symbol
}

// changing returns the units of a file that the plan changes.
func (b *blamer) changing(path string) []*unit {
	var list []*unit
	for _, u := range b.units(path) {
		if u.change {
			list = append(list, u)
		}
	}
	return list
}

// blame returns the units to restore for an error in a package. It looks for them in this order: in
// the names in the statement of the error, in the declarations that the statement uses, in the types
// in the statement, in the rest of the file, in the package, and in the direct and then the indirect
// imports of the package.
func (b *blamer) blame(n *node, e types.Error) []*unit {
	name, _ := b.g.at(e.Pos)
	i := slices.Index(n.names, name)
	if i >= 0 {
		part := statement(n.files[i], e.Pos)
		direct, used, inside := b.evidence(n, name, part)
		for _, found := range [][]*unit{direct, used, inside} {
			if len(found) > 0 {
				return found
			}
		}
		if found := b.named(b.changing(name), e.Msg); len(found) > 0 {
			return found
		}
	}
	level, seen := []*node{n}, map[*node]bool{n: true}
	for len(level) > 0 {
		var found []*unit
		var next []*node
		for _, p := range level {
			for _, f := range p.pkg.GoFiles {
				found = append(found, b.changing(f)...)
			}
			for _, d := range p.deps {
				if d.target && !seen[d] {
					seen[d] = true
					next = append(next, d)
				}
			}
		}
		if found = b.named(found, e.Msg); len(found) > 0 {
			return found
		}
		level = next
	}
	return nil
}

// named returns the units whose old or new import path is in the message, or
// all units if the message names none.
func (b *blamer) named(list []*unit, message string) []*unit {
	var kept []*unit
	for _, u := range list {
		for _, sp := range u.source.specs {
			if sp.rule.Symbol == u.symbol && (strings.Contains(message, sp.rule.To) || strings.Contains(message, sp.rule.From)) {
				kept = append(kept, u)
				break
			}
		}
	}
	if len(kept) > 0 {
		return kept
	}
	return list
}

// statement returns the innermost statement, declaration or spec that contains a position. It omits
// the body of an if, a for or a function. With a return statement it also returns the type of the
// function.
func statement(f *ast.File, pos token.Pos) ast.Node {
	path, _ := astutil.PathEnclosingInterval(f, pos, pos)
	for i, n := range path {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			continue
		case *ast.ReturnStmt:
			for _, outer := range path[i:] {
				switch o := outer.(type) {
				case *ast.FuncLit:
					return &ast.ExprStmt{X: &ast.CallExpr{Fun: o.Type, Args: n.Results}}
				case *ast.FuncDecl:
					return &ast.ExprStmt{X: &ast.CallExpr{Fun: o.Type, Args: n.Results}}
				}
			}
			return n
		case *ast.IfStmt:
			return &ast.IfStmt{Init: n.Init, Cond: n.Cond, Body: &ast.BlockStmt{}}
		case *ast.ForStmt:
			return &ast.ForStmt{Init: n.Init, Cond: n.Cond, Post: n.Post, Body: &ast.BlockStmt{}}
		case *ast.RangeStmt:
			return &ast.RangeStmt{Key: n.Key, Value: n.Value, X: n.X, Body: &ast.BlockStmt{}}
		case *ast.FuncDecl:
			return &ast.FuncDecl{Recv: n.Recv, Name: n.Name, Type: n.Type}
		case ast.Stmt, ast.Spec:
			return n
		}
	}
	return f.Name
}

// evidence examines the names in a part of a file. direct has the units of this file for the
// packages that the part uses. used has the units of the files that declare the names in the part,
// if the types of these names change. inside has the units of the fields and methods of the types
// in the part.
func (b *blamer) evidence(n *node, file string, part ast.Node) (direct, used, inside []*unit) {
	add := func(list *[]*unit, path, symbol string) {
		for _, u := range b.changing(path) {
			if u.symbol == symbol && !slices.Contains(*list, u) {
				*list = append(*list, u)
			}
		}
	}
	declared := func(list *[]*unit, o types.Object) {
		if o == nil || !o.Pos().IsValid() {
			return
		}
		path, _ := b.g.at(o.Pos())
		for _, symbol := range b.mentioned(o.Type()) {
			add(list, path, symbol)
		}
	}
	seen := map[types.Type]bool{}
	consider := func(t types.Type) {
		for _, named := range namedTypes(t) {
			if seen[named] {
				continue
			}
			seen[named] = true
			for i := range named.NumMethods() {
				declared(&inside, named.Method(i))
			}
			switch u := named.Underlying().(type) {
			case *types.Struct:
				for i := range u.NumFields() {
					declared(&inside, u.Field(i))
				}
			case *types.Interface:
				for i := range u.NumMethods() {
					declared(&inside, u.Method(i))
				}
			}
		}
	}
	ast.Inspect(part, func(x ast.Node) bool {
		if e, ok := x.(ast.Expr); ok {
			if tv, ok := n.info.Types[e]; ok && tv.Type != nil {
				consider(tv.Type)
			}
		}
		id, ok := x.(*ast.Ident)
		if !ok {
			return true
		}
		o := n.info.Uses[id]
		if o == nil {
			o = n.info.Defs[id]
		}
		switch o := o.(type) {
		case nil:
		case *types.PkgName:
			if symbol := b.paths[o.Imported().Path()]; symbol != "" {
				add(&direct, file, symbol)
			}
		default:
			declared(&used, o)
			if p := o.Pkg(); p != nil && b.paths[p.Path()] != "" {
				add(&direct, file, b.paths[p.Path()]) // the name is from a dot import, or is a method of the package
			}
			if t := o.Type(); t != nil {
				consider(t)
			}
		}
		return true
	})
	return direct, used, inside
}

// mentioned returns the symbols of the new packages that declare the type t or a type inside t.
func (b *blamer) mentioned(t types.Type) []string {
	var list []string
	for _, n := range namedTypes(t) {
		if p := n.Obj().Pkg(); p != nil {
			if s := b.paths[p.Path()]; s != "" && !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	return list
}

// namedTypes returns the named types in the expression of a type.
func namedTypes(t types.Type) []*types.Named {
	var list []*types.Named
	seen := map[types.Type]bool{}
	var visit func(types.Type)
	visit = func(t types.Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		switch t := types.Unalias(t).(type) {
		case *types.Named:
			list = append(list, t)
			for i := range t.TypeArgs().Len() {
				visit(t.TypeArgs().At(i))
			}
		case *types.Pointer:
			visit(t.Elem())
		case *types.Slice:
			visit(t.Elem())
		case *types.Array:
			visit(t.Elem())
		case *types.Chan:
			visit(t.Elem())
		case *types.Map:
			visit(t.Key())
			visit(t.Elem())
		case *types.Tuple:
			for i := range t.Len() {
				visit(t.At(i).Type())
			}
		case *types.Signature:
			visit(t.Params())
			visit(t.Results())
		case *types.Struct:
			for i := range t.NumFields() {
				visit(t.Field(i).Type())
			}
		case *types.Interface:
			for i := range t.NumExplicitMethods() {
				visit(t.ExplicitMethod(i).Type())
			}
		case *types.TypeParam:
			visit(t.Constraint())
		}
	}
	visit(t)
	return list
}
