package arch

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// heavy lists packages of the standard library that make programs larger or slower to start, or
// that register themselves.
var heavy = []string{
	"archive/zip", "compress/flate", "crypto/tls", "database/sql", "encoding/gob", "encoding/json", "encoding/xml", "expvar", "go/ast",
	"html/template", "log/slog", "mime/multipart", "net", "net/http", "net/mail", "os/exec", "regexp", "testing", "text/template",
}

// TestWeight lists, for each package, the heavy packages that it may link, and the packages of the
// core module that it must not link. It looks at both builds.
func TestWeight(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	onHTTP := []string{"compress/flate", "crypto/tls", "mime/multipart", "net", "net/http"}
	for _, test := range []struct {
		pkg    string
		may    []string
		not    []string // of the core module
		reason string
	}{
		{pkg: "shape", reason: "every engine links it"},
		{pkg: "internal/plan", reason: "every engine links it"},
		{pkg: "internal/http/route", reason: "it knows no requests"},
		{pkg: "mo", may: []string{"database/sql", "encoding/gob", "encoding/json", "log/slog"}, reason: "its types have methods of these, as samber/mo's do"},
		{pkg: "json", may: []string{"encoding/json"}, not: []string{"mo"}, reason: "a codec brings in its original and nothing else"},
		{pkg: "wire", not: []string{"mo", "json"}, reason: "a codec must not bring in what mo's methods need"},
		{pkg: "wire/layout", may: []string{"database/sql", "encoding/gob", "encoding/json", "log/slog"}, reason: "it takes an mo.Option"},
		{pkg: "bind", may: onHTTP, not: []string{"mo", "json"}, reason: "it reads requests"},
		{pkg: "web", may: slices.Concat(onHTTP, []string{"encoding/json", "encoding/xml", "log/slog"}), not: []string{"mo", "wire", "api", "api/openapi"},
			reason: "a program that uses only Echo's API takes in neither the binary codec nor typed handlers"},
		{pkg: "api", may: slices.Concat(onHTTP, []string{"encoding/json", "log/slog", "net/mail", "regexp"}), not: []string{"mo", "web", "api/openapi"},
			reason: "typed handlers run on any router, and the document is for those who serve it"},
	} {
		for _, tags := range []string{"", "purego"} {
			cmd := exec.Command("go", "list", "-deps", "-tags", tags, "./"+test.pkg)
			cmd.Dir = filepath.Join("..", "..", "..")
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("go list %s: %v", test.pkg, err)
			}
			deps := strings.Fields(string(out))
			for _, pkg := range heavy {
				if slices.Contains(deps, pkg) && !slices.Contains(test.may, pkg) {
					t.Errorf("%s (tags %q) links %s: %s", test.pkg, tags, pkg, test.reason)
				}
			}
			for _, pkg := range test.may {
				if !slices.Contains(deps, pkg) {
					t.Errorf("%s (tags %q) does not link %s: remove it from the list", test.pkg, tags, pkg)
				}
			}
			for _, pkg := range test.not {
				if slices.Contains(deps, module+"/"+pkg) {
					t.Errorf("%s (tags %q) links %s: %s", test.pkg, tags, pkg, test.reason)
				}
			}
		}
	}
}
