//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// TestAPI checks that each package has all exported names of the standard library's package, with
// equal signatures. Own lists the types that this module defines itself. In signatures they count
// as equal to the types of the standard library.
func TestAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("loads packages from source")
	}
	alike := func(s string) string {
		s = strings.ReplaceAll(s, "github.com/hone-go/hone/json/v2/shadow", "encoding/json/v2")
		s = strings.ReplaceAll(s, "github.com/hone-go/hone/json", "encoding/json")
		// In both packages, this type is printed with its aliased name.
		s = strings.ReplaceAll(s, "encoding/json/v2.typedArshalers[encoding/json/jsontext.Encoder]", "encoding/json/v2.Marshalers")
		s = strings.ReplaceAll(s, "encoding/json/v2.typedArshalers[encoding/json/jsontext.Decoder]", "encoding/json/v2.Unmarshalers")
		for _, options := range []string{"encoding/json/jsontext.Options", "encoding/json/v2.Options", "encoding/json/internal/option.Options"} {
			s = strings.ReplaceAll(s, options, "encoding/json/internal/jsonopts.Options")
		}
		for _, alias := range []string{"Kind", "Value", "Pointer", "SyntacticError"} {
			s = strings.ReplaceAll(s, "encoding/json/internal/stream."+alias, "encoding/json/jsontext."+alias)
		}
		return strings.ReplaceAll(s, "encoding/json/internal/rules.", "encoding/json/v2.")
	}
	for _, api := range []testkit.API{
		{
			Standard: "encoding/json/v2", Ours: "github.com/hone-go/hone/json/v2",
			Own: []string{"Marshalers", "Unmarshalers", "MarshalerTo", "UnmarshalerFrom"},
		},
		{
			Standard: "encoding/json/v2", Ours: "github.com/hone-go/hone/json/v2/shadow",
			Own: []string{"Marshalers", "Unmarshalers", "MarshalerTo", "UnmarshalerFrom"},
		},
		{
			Standard: "encoding/json/jsontext", Ours: "github.com/hone-go/hone/json/jsontext",
			Own:     []string{"Decoder", "Encoder", "Token"},
			Without: []string{"Internal"},
		},
	} {
		api.Text = alike
		api.Compare(t)
	}
}
