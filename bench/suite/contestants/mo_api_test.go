package contestants_test

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const (
	samberPath = "github.com/samber/mo"
	honePath   = "github.com/hone-go/hone/mo"
)

// leftOut is what samber/mo exports and mo does not.
var leftOut = map[string]string{
	samberPath + "/result.TestPipeTypeTransformations": "a test that samber/mo exports from a file that is not one",
	samberPath + "/either.TestPipeTypeTransformations": "a test that samber/mo exports from a file that is not one",
}

// TestMoAPI compares what samber/mo exports with mo: with the import path
// rewritten nothing is missing, and no signature is different.
func TestMoAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("loads packages from source")
	}
	var paths []string
	for _, sub := range []string{"", "/option", "/result", "/either", "/either3", "/either4", "/either5", "/typeclass"} {
		paths = append(paths, samberPath+sub, honePath+sub)
	}
	config := &packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax | packages.NeedTypesInfo}
	loaded, err := packages.Load(config, paths...)
	if err != nil {
		t.Fatal(err)
	}
	apis := map[string]map[string]string{}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			t.Fatalf("%s: %v", p.PkgPath, p.Errors)
		}
		apis[p.PkgPath] = exported(p.Types)
	}
	compared := 0
	for path, theirs := range apis {
		if !strings.HasPrefix(path, samberPath) {
			continue
		}
		ours := apis[strings.Replace(path, samberPath, honePath, 1)]
		for name, want := range theirs {
			compared++
			want = strings.ReplaceAll(want, samberPath, honePath)
			got, ok := ours[name]
			full := path + "." + name
			switch _, out := leftOut[full]; {
			case out && ok:
				t.Errorf("%s is there, and listed as left out", full)
			case out:
			case !ok:
				t.Errorf("%s is missing: %s", full, want)
			case got != want:
				t.Errorf("%s differs:\n got %s\nwant %s", full, got, want)
			}
		}
	}
	if compared < 300 {
		t.Errorf("only %d names were compared: does this test look in the right place?", compared)
	}
	t.Logf("%d names compared", compared)
}

// exported describes what a package exports: name to signature. The names of
// parameters do not count, and those of type parameters are their positions.
func exported(p *types.Package) map[string]string {
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

// A describer prints types of one declaration alike in both packages, whatever
// their type parameters are called.
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

// underlying leaves out of a struct what is not exported.
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
