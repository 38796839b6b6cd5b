//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"go/importer"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// ownTypes are the types that are this module's and not the standard library's, by package:
// signatures are compared as if they were the same.
var ownTypes = map[string][]string{
	"encoding/json/jsontext": {"Decoder", "Encoder", "Token"},
	"encoding/json/v2":       {"Marshalers", "Unmarshalers", "MarshalerTo", "UnmarshalerFrom"},
}

// notOurs are names that are for the standard library's own packages.
var notOurs = map[string]bool{"Internal": true}

// TestAPI compares what the standard library's packages export with ours.
func TestAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("loads packages from source")
	}
	from := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for stdPath, path := range map[string]string{
		"encoding/json/v2":       "github.com/hone-go/hone/json/v2",
		"encoding/json/jsontext": "github.com/hone-go/hone/json/jsontext",
	} {
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
			s = strings.ReplaceAll(s, "github.com/hone-go/hone/json", "encoding/json")
			// Both spell the type of functions by what it is an alias of.
			s = strings.ReplaceAll(s, "encoding/json/v2.typedArshalers[encoding/json/jsontext.Encoder]", "encoding/json/v2.Marshalers")
			s = strings.ReplaceAll(s, "encoding/json/v2.typedArshalers[encoding/json/jsontext.Decoder]", "encoding/json/v2.Unmarshalers")
			for _, options := range []string{"encoding/json/jsontext.Options", "encoding/json/v2.Options", "encoding/json/internal/option.Options"} {
				s = strings.ReplaceAll(s, options, "encoding/json/internal/jsonopts.Options")
			}
			for _, alias := range []string{"Kind", "Value", "Pointer", "SyntacticError"} {
				s = strings.ReplaceAll(s, "encoding/json/internal/stream."+alias, "encoding/json/jsontext."+alias)
			}
			return strings.ReplaceAll(s, "encoding/json/internal/engine.", "encoding/json/v2.")
		}
		compared := 0
		for _, name := range std.Scope().Names() {
			want := std.Scope().Lookup(name)
			if !want.Exported() || notOurs[name] {
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
			if !contains(ownTypes[stdPath], name) {
				t.Errorf("%s is not the standard library's", text(got))
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
			t.Errorf("only %d names of %s were compared", compared, stdPath)
		}
	}
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
