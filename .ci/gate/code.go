package main

import (
	"context"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
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
	// The comments before import "C" are code, and those in an Example are its expected output.
	comments := false
	for _, text := range []string{before, string(now)} {
		comments = comments || strings.Contains(text, `"C"`) || strings.Contains(text, "func Example")
	}
	return !slices.Equal(code(before, comments), code(string(now), comments))
}

// code returns the tokens of a Go file: literals as they are written, without line ends, and without comments except for
// directives such as //go:embed. With comments, it returns all of them.
func code(text string, comments bool) (tokens []string) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(_ token.Position, message string) { tokens = append(tokens, message) }, scanner.ScanComments)
	for {
		switch _, tok, literal := s.Scan(); {
		case tok == token.EOF:
			return tokens
		case tok == token.SEMICOLON:
			tokens = append(tokens, ";") // the literal says whether it is written
		case tok == token.COMMENT && !comments && !strings.HasPrefix(literal, "//go:") && !strings.HasPrefix(literal, "//line "):
		default:
			tokens = append(tokens, tok.String(), literal)
		}
	}
}
