package main

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
)

// changed prints the folders whose Go code or test data differs from a revision. Comments and
// layout do not count. If only the tests of a folder differ, the word "tests" follows the folder's
// name.
func (t *tree) changed(ctx context.Context, base string) error {
	names, err := output(ctx, t.root, "git", "diff", "--name-only", base, "HEAD", "--", "*.go", "*.s", "*.tmpl", "*.json", "*.txt", "go.mod")
	if err != nil {
		return err
	}
	tests := map[string]bool{} // whether only tests differ, by folder
	for name := range strings.Lines(names) {
		name = strings.TrimSpace(name)
		differs, err := t.differs(ctx, base, name)
		if err != nil {
			return err
		}
		if !differs {
			continue
		}
		dir, data, found := strings.Cut(path.Dir(name)+"/", "testdata/")
		dir = path.Clean(dir)
		only := strings.HasSuffix(name, "_test.go") || found && data != ""
		if before, known := tests[dir]; !known || before {
			tests[dir] = only
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(tests)) {
		if tests[dir] {
			fmt.Println(dir, "tests")
		} else {
			fmt.Println(dir)
		}
	}
	return nil
}

// differs reports whether a file has other code at the revision.
func (t *tree) differs(ctx context.Context, base, name string) (bool, error) {
	before, err := output(ctx, t.root, "git", "show", base+":"+name)
	if err != nil {
		return true, nil // it is new
	}
	now, err := output(ctx, t.root, "git", "show", "HEAD:"+name)
	if err != nil || path.Ext(name) != ".go" {
		return true, nil // the file was removed, or is not Go code
	}
	a, err := code(before)
	if err != nil {
		return true, nil
	}
	b, err := code(now)
	return err != nil || !bytes.Equal(a, b), nil
}

// code returns the text of a Go file without its comments. Files with another order of declarations
// have different code.
func code(text string) ([]byte, error) {
	// Build constraints are comments too.
	var b bytes.Buffer
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "//go:") {
			b.WriteString(line)
		}
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := format.Node(&out, set, f); err != nil {
		return nil, err
	}
	// Lines that had only a comment are now blank, and are removed.
	for line := range strings.Lines(out.String()) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
		}
	}
	return b.Bytes(), nil
}
