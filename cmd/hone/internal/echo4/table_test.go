package echo4

import (
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"
)

// members describes the exported names of a package. In the descriptions package web is called
// echo, and its middleware package middleware, so that they can be compared with Echo's.
func members(p *types.Package, prefix string) map[string]string {
	list := map[string]string{}
	qualifier := func(p *types.Package) string {
		switch p.Path() {
		case Module, web:
			return "echo"
		case middleware, web + "/middleware":
			return "middleware"
		}
		return p.Path()
	}
	describe := func(t types.Type) string {
		if s, ok := t.(*types.Signature); ok {
			// Parameters have names, which do not matter.
			tuple := func(t *types.Tuple) *types.Tuple {
				var vars []*types.Var
				for v := range t.Variables() {
					vars = append(vars, types.NewVar(0, nil, "", v.Type()))
				}
				return types.NewTuple(vars...)
			}
			t = types.NewSignatureType(nil, nil, nil, tuple(s.Params()), tuple(s.Results()), s.Variadic())
		}
		text := strings.ReplaceAll(types.TypeString(t, qualifier), "interface{}", "any")
		return strings.ReplaceAll(strings.ReplaceAll(text, "*echo.Context", "echo.Context"), "interface {", "interface{")
	}
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		t, ok := o.(*types.TypeName)
		if !ok {
			list[prefix+name] = describe(o.Type())
			continue
		}
		list[prefix+name] = "type"
		switch u := t.Type().Underlying().(type) {
		case *types.Struct:
			for f := range u.Fields() {
				if f.Exported() {
					list[prefix+name+"."+f.Name()] = describe(f.Type())
				}
			}
		case *types.Signature:
			list[prefix+name] = describe(u)
		}
		recv := t.Type()
		if !types.IsInterface(recv) {
			recv = types.NewPointer(recv)
		}
		for m := range types.NewMethodSet(recv).Methods() {
			if m.Obj().Exported() {
				list[prefix+name+"."+m.Obj().Name()] = describe(m.Type())
			}
		}
	}
	return list
}

// The table has each name of Echo v4 that web lacks or has with another type. It has no other names.
func TestTableIsComplete(t *testing.T) {
	w := theWorld(t)
	known := func(name string) bool {
		if byName[name] != nil {
			return true
		}
		// Methods that register routes return a Route in Echo v4 and a RouteInfo in web (see echo.Route in
		// the table). A few of them take middleware only in web.
		method := name[strings.LastIndexByte(name, '.')+1:]
		if strings.HasPrefix(name, "echo.Echo.") || strings.HasPrefix(name, "echo.Group.") {
			return verbs[method] != "" || slices.Contains([]string{"Add", "Any", "Match", "File", "FileFS", "Static", "StaticFS", "RouteNotFound"}, method)
		}
		// In Echo v4 a Visitor embeds a rate.Limiter, whose methods web lacks.
		return name == "echo.Version" || strings.HasPrefix(name, "middleware.Visitor.")
	}
	seen := map[string]bool{}
	for _, x := range []struct{ from, to, prefix string }{{Module, web, "echo."}, {middleware, web + "/middleware", "middleware."}} {
		old, now := members(w[x.from], x.prefix), members(w[x.to], x.prefix)
		for name, was := range old {
			seen[name] = true
			if is, ok := now[name]; (!ok || is != was) && !known(name) {
				t.Errorf("%s is not in the table: %s, and in web %q", name, was, is)
			}
		}
	}
	for _, e := range table {
		if !seen[e.name] && !strings.HasPrefix(e.name, "middleware.JWT") { // Echo removed JWT in 4.10
			t.Errorf("%s is in the table, and not in Echo v4", e.name)
		}
		if e.rewrite == nil && e.say == "" {
			t.Errorf("%s: nothing says what to write instead", e.name)
		}
	}
}

// The page of the documentation has all names.
func TestTableIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/migrating/echo-v4.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range table {
		short := strings.TrimPrefix(e.name, "echo.")
		if !strings.Contains(string(page), short) && !strings.Contains(string(page), short[strings.LastIndexByte(short, '.')+1:]) {
			t.Errorf("docs/migrating/echo-v4.md does not name %s", e.name)
		}
	}
}
