package rules

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hone-go/hone/json/jsontext"
	"github.com/hone-go/hone/shape"
)

// TestTypeName compares the names of jsontext's types with constants, which are the same in every release of Go.
func TestTypeName(t *testing.T) {
	for want, of := range map[string]reflect.Type{
		"json.RawMessage": reflect.TypeFor[jsontext.Value](), "[]json.RawMessage": reflect.TypeFor[[]json.RawMessage](),
		"map[jsontext.Kind]*json.RawMessage": reflect.TypeFor[map[jsontext.Kind]*jsontext.Value](),
		"*jsontext.Token":                    reflect.TypeFor[*jsontext.Token](),
	} {
		if got := shape.TypeName(of); got != want {
			t.Errorf("%v: got %s, want %s", of, got, want)
		}
	}
}
