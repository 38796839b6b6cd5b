package main

import (
	"bytes"
	"context"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// changedFiles returns the files that differ from a commit in more than comments and layout. Pages are left out,
// except in test data. Names are relative to the root, with slashes.
func (r *repository) changedFiles(ctx context.Context, base string) (changed []string, err error) {
	tracked, err := output(ctx, r.root, "git", "diff", "--name-only", "--no-renames", "-z", base, "--")
	if err != nil {
		return nil, err
	}
	untracked, err := output(ctx, r.root, "git", "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(tracked+untracked, "\x00") {
		if name == "" || path.Ext(name) == ".md" && !strings.Contains(name, "testdata/") {
			continue
		}
		if r.differs(ctx, base, name) {
			changed = append(changed, name)
		}
	}
	return changed, nil
}

// differs reports whether a file that git calls different has other code than at the base.
func (r *repository) differs(ctx context.Context, base, name string) bool {
	if path.Ext(name) != ".go" {
		return true
	}
	before, err := output(ctx, r.root, "git", "show", base+":"+name)
	if err != nil {
		return true // it is new
	}
	now, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(name)))
	if err != nil {
		return true // it was removed
	}
	a, err := code(before)
	if err != nil {
		return true
	}
	b, err := code(string(now))
	return err != nil || !bytes.Equal(a, b)
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
