package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	code   = regexp.MustCompile("`([^`]+)`")
	symbol = regexp.MustCompile(`(?m)^TEXT ·?(\w+)(?:<>)?\(SB\)`)
)

// TestUnsafePage fails if docs/unsafe.md has no row for a function that uses package unsafe or for a function in
// assembly, or has a row for one that does not exist.
func TestUnsafePage(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	_, mem, ok := strings.Cut(read(t, root, "docs/unsafe.md"), "\n## Package mem\n")
	mem, assembly, ok2 := strings.Cut(mem, "\n## Assembly\n")
	if !ok || !ok2 {
		t.Fatal("docs/unsafe.md does not have its two sections")
	}

	var functions []string
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "internal/memory/mem/unsafe.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.IsExported() {
			functions = append(functions, f.Name.Name)
		}
	}
	compareNames(t, "unsafe.go", functions, firstColumn(mem))

	var symbols []string
	paths, err := filepath.Glob(filepath.Join(root, "internal/memory/vector/*.s"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no assembly", err)
	}
	for _, path := range paths {
		for _, m := range symbol.FindAllStringSubmatch(read(t, path), -1) {
			symbols = append(symbols, m[1])
		}
	}
	compareNames(t, "the assembly", symbols, firstColumn(assembly))
}

// firstColumn returns the names in the first column of all tables of text.
func firstColumn(text string) (names []string) {
	for line := range strings.Lines(text) {
		if row, ok := strings.CutPrefix(line, "| "); ok {
			cell, _, _ := strings.Cut(row, "|")
			for _, m := range code.FindAllStringSubmatch(cell, -1) {
				names = append(names, m[1])
			}
		}
	}
	return names
}

func compareNames(t *testing.T, where string, have, listed []string) {
	t.Helper()
	if len(have) == 0 {
		t.Errorf("no functions found in %s", where)
	}
	for _, name := range have {
		if !slices.Contains(listed, name) {
			t.Errorf("docs/unsafe.md has no row for %s of %s", name, where)
		}
	}
	for _, name := range listed {
		if !slices.Contains(have, name) {
			t.Errorf("docs/unsafe.md has a row for %s, which is not in %s", name, where)
		}
	}
}
