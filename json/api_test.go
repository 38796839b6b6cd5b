package json

import (
	"go/importer"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestAPI compares what encoding/json exports with this package: with the
// import path rewritten nothing is missing, and no signature is different.
func TestAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("loads packages from source")
	}
	const stdPath, path = "encoding/json", "github.com/hone-go/hone/json"
	from := importer.ForCompiler(token.NewFileSet(), "source", nil)
	std, err := from.Import(stdPath)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := from.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	text := func(o types.Object) string {
		s := types.ObjectString(o, func(p *types.Package) string { return p.Path() })
		return strings.ReplaceAll(s, stdPath, path)
	}
	compared := 0
	for _, name := range std.Scope().Names() {
		want := std.Scope().Lookup(name)
		if !want.Exported() {
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
			continue // an alias
		}
		methods := types.NewMethodSet(types.NewPointer(want.Type()))
		for i := range methods.Len() {
			m := methods.At(i).Obj()
			if !m.Exported() {
				continue
			}
			compared++
			if ours, _, _ := types.LookupFieldOrMethod(got.Type(), true, ours, m.Name()); ours == nil || text(ours) != text(m) {
				t.Errorf("got  %v\nwant %s", ours, text(m))
			}
		}
	}
	if compared < 30 {
		t.Errorf("only %d names were compared", compared)
	}
}
