// Package gofile parses and formats Go files of which some are built by newer releases of Go only. Such
// a file may have syntax that the running release refuses.
package gofile

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"slices"
)

// ParseFile reads and parses a file like parser.ParseFile. If a newer release than the running one is
// needed to build the file, a syntax error is not an error: the result has the declarations that the
// running release can parse.
func ParseFile(fset *token.FileSet, name string, mode parser.Mode) (*ast.File, error) {
	source, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Parse(fset, name, source, mode)
}

// Parse is like ParseFile, but parses source. The name is only used for positions.
func Parse(fset *token.FileSet, name string, source []byte, mode parser.Mode) (*ast.File, error) {
	f, err := parser.ParseFile(fset, name, source, mode)
	if err != nil && IsNewer(source) {
		return f, nil
	}
	return f, err
}

// Format formats source like format.Source. If a newer release than the running one is needed to build
// the file, it returns source.
func Format(source []byte) ([]byte, error) {
	if IsNewer(source) {
		return source, nil
	}
	return format.Source(source)
}

// IsNewer reports whether the build constraint of a file excludes the running release of Go and all
// earlier ones.
func IsNewer(source []byte) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", source, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return false
	}
	for _, group := range f.Comments {
		for _, comment := range group.List {
			if comment.Pos() > f.Package || !constraint.IsGoBuild(comment.Text) {
				continue
			}
			if expr, err := constraint.Parse(comment.Text); err == nil {
				least := constraint.GoVersion(expr)
				return least != "" && !slices.Contains(build.Default.ReleaseTags, least)
			}
		}
	}
	return false
}
