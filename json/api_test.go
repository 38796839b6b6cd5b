package json

import (
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// TestAPI checks that this package exports everything that encoding/json exports.
func TestAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("loads packages from source")
	}
	api := testkit.API{Standard: "encoding/json", Ours: "github.com/hone-go/hone/json"}
	api.Text = func(s string) string { return strings.ReplaceAll(s, api.Standard, api.Ours) }
	api.Compare(t)
}
