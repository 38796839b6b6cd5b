package docs

import (
	"path/filepath"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

var root = filepath.Join("..", "..", "..")

// blocks returns the blocks of all pages, except for the reports of benchmark runs.
func blocks(t *testing.T) (all []Block) {
	t.Helper()
	pages, err := Pages(root, "docs/benchmarks")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		list, err := Read(root, page)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	return all
}

// TestGo compiles the Go code of all pages, except for blocks that name another module, which a test
// of that module compiles.
func TestGo(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	testkit.SkipInVariant(t)
	var files []Block
	for _, b := range blocks(t) {
		if b.Omitted == "" && b.Module == "." {
			files = append(files, Files(b)...)
		}
	}
	if len(files) < 60 {
		t.Errorf("the pages have only %d blocks of Go", len(files))
	}
	errs, err := Compile(root, files)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range errs {
		t.Error(err)
	}
}
