package schema_test

import (
	"testing"

	"github.com/hone-go/hone/wire/schema"
	"github.com/hone-go/hone/wire/schema/gen"
)

// TestKinds checks that each row of the table of kinds is complete, and that package gen has a row
// for the kind too. The test of that name in package gen checks the opposite.
func TestKinds(t *testing.T) {
	if len(schema.Kinds()) < 20 {
		t.Errorf("%d kinds", len(schema.Kinds()))
	}
	elem := &schema.Type{Kind: "bool"}
	for _, kind := range schema.Kinds() {
		if schema.Incomplete(kind) {
			t.Errorf("%s: the row is not complete", kind)
		}
		s := &schema.Schema{Version: schema.Version, Type: &schema.Type{
			Kind: kind, Bits: 32, Coding: "little", Length: "uvarint", Count: 1, Tag: "byte",
			Key: elem, Elem: elem, Cases: []schema.Case{{Name: "A", Type: elem}},
		}}
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if _, err := gen.TypeScript(s); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if _, err := gen.Python(s); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
