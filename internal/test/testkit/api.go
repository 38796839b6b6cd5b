package testkit

import (
	"go/importer"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

// An API compares the exported names of a package of the standard library with Hone's replacement:
// no name may be missing, and no signature may differ.
type API struct {
	Standard, Ours string // import paths
	// Text rewrites the description of a name: it replaces import paths and Hone's types, so
	// that equal declarations have equal descriptions.
	Text func(string) string
	// Own lists the types that Hone may define itself. All other types must be aliases of the
	// standard library's types. If Own is nil, Hone may define all of them.
	Own []string
	// Without lists names that may be missing in the replacement, such as names for the standard
	// library's own packages.
	Without []string
}

// Compare reports the differences. It loads both packages from their source.
func (a API) Compare(t *testing.T) {
	t.Helper()
	from := importer.ForCompiler(token.NewFileSet(), "source", nil)
	std, err := from.Import(a.Standard)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := from.Import(a.Ours)
	if err != nil {
		t.Fatal(err)
	}
	text := func(o types.Object) string {
		return a.Text(types.ObjectString(o, func(p *types.Package) string { return p.Path() }))
	}
	compared := 0
	for _, name := range std.Scope().Names() {
		want := std.Scope().Lookup(name)
		if !want.Exported() || slices.Contains(a.Without, name) {
			continue
		}
		compared++
		got := ours.Scope().Lookup(name)
		if got == nil {
			t.Errorf("%s is missing", text(want))
			continue
		}
		if _, isType := want.(*types.TypeName); !isType {
			if text(got) != text(want) {
				t.Errorf("got  %s\nwant %s", text(got), text(want))
			}
			continue
		}
		if types.Identical(got.Type(), want.Type()) {
			continue // the type is an alias
		}
		if a.Own != nil && !slices.Contains(a.Own, name) {
			t.Errorf("%s is not the type of the standard library", text(got))
		}
		methods := types.NewMethodSet(types.NewPointer(want.Type()))
		for i := range methods.Len() {
			m := methods.At(i).Obj()
			if !m.Exported() {
				continue
			}
			compared++
			if own, _, _ := types.LookupFieldOrMethod(got.Type(), true, ours, m.Name()); own == nil || text(own) != text(m) {
				t.Errorf("got  %v\nwant %s", own, text(m))
			}
		}
	}
	if compared < 30 {
		t.Errorf("only %d names of %s were compared", compared, a.Standard)
	}
}
