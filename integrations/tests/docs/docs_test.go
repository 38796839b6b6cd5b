package docs

import (
	"path/filepath"
	"testing"

	"github.com/hone-go/hone/internal/test/docs"

	_ "github.com/coder/websocket" // code on a page uses these
	_ "github.com/golang-jwt/jwt/v5"
	_ "github.com/gorilla/sessions"
	_ "github.com/labstack/echo/v5"
	_ "github.com/labstack/echo/v5/middleware"
)

// TestGo compiles the blocks of Go code that are marked as code of this module.
func TestGo(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	pages, err := docs.Pages(root, "docs/benchmarks")
	if err != nil {
		t.Fatal(err)
	}
	var files []docs.Block
	for _, page := range pages {
		blocks, err := docs.Read(root, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks {
			if b.Omitted == "" && b.Module == "integrations/tests" {
				files = append(files, docs.Files(b)...)
			}
		}
	}
	if len(files) == 0 {
		t.Error("no page has code of this module")
	}
	errs, err := docs.Compile(".", files)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range errs {
		t.Error(err)
	}
}
