package gen

import (
	"strings"
	"testing"

	"github.com/hone-go/hone/wire/schema"
)

// TestKinds checks that each kind in the tables of this package is a kind of package schema. The
// test of that name in package schema checks the opposite.
func TestKinds(t *testing.T) {
	check := func(kind string) {
		s := schema.Schema{Version: schema.Version, Type: &schema.Type{Kind: kind, Length: "uvarint"}}
		if err := s.Check(); err != nil && strings.Contains(err.Error(), "unknown kind") {
			t.Errorf("%s: %v", kind, err)
		}
	}
	for kind, row := range primitives {
		check(kind)
		if row.ts.typ == nil || row.ts.codec == nil || row.py.typ == nil || row.py.zero == nil || row.py.codec == nil {
			t.Errorf("%s: the row is not complete", kind)
		}
	}
	for kind := range composites {
		check(kind)
	}
}
