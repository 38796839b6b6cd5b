// Package exported lists the exported names of packages, so that tests can compare
// Hone's API with the API of the package that it replaces.
package exported

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Load loads packages from source, by their import paths. The result maps each path to the exported
// names of the package, and each name to its signature. The names of parameters do not count.
func Load(paths ...string) (map[string]map[string]string, error) {
	config := &packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax | packages.NeedTypesInfo}
	loaded, err := packages.Load(config, paths...)
	if err != nil {
		return nil, err
	}
	apis := map[string]map[string]string{}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %v", p.PkgPath, p.Errors)
		}
		apis[p.PkgPath] = of(p.Types)
	}
	return apis, nil
}

// of returns the exported names of a package with their signatures. The names of
// parameters do not count, and the names of type parameters are replaced by their positions.
func of(p *types.Package) map[string]string {
	api := map[string]string{}
	for _, name := range p.Scope().Names() {
		object := p.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		var d describer
		typeName, ok := object.(*types.TypeName)
		if !ok {
			api[name] = d.kind(object) + d.of(object.Type())
			continue
		}
		t := types.Unalias(typeName.Type())
		if named, ok := t.(*types.Named); ok {
			api[name] = "type " + d.parameters(named.TypeParams()) + d.underlying(named.Underlying())
		} else {
			api[name] = "type " + d.of(t)
		}
		methods := types.NewMethodSet(types.NewPointer(t))
		values := types.NewMethodSet(t)
		for i := range methods.Len() {
			m := methods.At(i).Obj()
			if m.Exported() && !types.IsInterface(t) {
				receiver := "*"
				if values.Lookup(p, m.Name()) != nil {
					receiver = ""
				}
				api[name+"."+m.Name()] = receiver + d.of(methods.At(i).Type())
			}
		}
	}
	return api
}

// A describer prints the types of a declaration. The texts of equal types in two packages are
// equal, whatever their type parameters are called.
type describer struct{}

func (d describer) kind(o types.Object) string {
	switch o.(type) {
	case *types.Const:
		return "const "
	case *types.Var:
		return "var "
	}
	return "func "
}

func (d describer) parameters(list *types.TypeParamList) string {
	var all []string
	for i := range list.Len() {
		all = append(all, d.of(list.At(i).Constraint()))
	}
	if len(all) == 0 {
		return ""
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// underlying leaves unexported fields out of a struct.
func (d describer) underlying(t types.Type) string {
	s, ok := t.(*types.Struct)
	if !ok {
		return d.of(t)
	}
	var fields []string
	for i := range s.NumFields() {
		if f := s.Field(i); f.Exported() {
			fields = append(fields, f.Name()+" "+d.of(f.Type()))
		}
	}
	return "struct{" + strings.Join(fields, "; ") + "}"
}

func (d describer) of(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return d.of(types.Unalias(t))
	case *types.TypeParam:
		return fmt.Sprintf("$%d", t.Index())
	case *types.Signature:
		s := "func" + d.parameters(t.TypeParams()) + "(" + d.tuple(t.Params()) + ")(" + d.tuple(t.Results()) + ")"
		if t.Variadic() {
			s += "..."
		}
		return s
	case *types.Named:
		name := t.Obj().Name()
		if t.Obj().Pkg() != nil {
			name = t.Obj().Pkg().Path() + "." + name
		}
		var arguments []string
		for i := range t.TypeArgs().Len() {
			arguments = append(arguments, d.of(t.TypeArgs().At(i)))
		}
		return name + "[" + strings.Join(arguments, ", ") + "]"
	case *types.Pointer:
		return "*" + d.of(t.Elem())
	case *types.Slice:
		return "[]" + d.of(t.Elem())
	case *types.Interface:
		var methods []string
		for i := range t.NumMethods() {
			methods = append(methods, t.Method(i).Name()+d.of(t.Method(i).Type()))
		}
		slices.Sort(methods)
		return "interface{" + strings.Join(methods, "; ") + "}"
	}
	return t.String()
}

func (d describer) tuple(t *types.Tuple) string {
	var all []string
	for i := range t.Len() {
		all = append(all, d.of(t.At(i).Type()))
	}
	return strings.Join(all, ", ")
}
