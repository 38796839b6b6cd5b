package gofile

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

// next is the release tag of the release after the running one.
var next = fmt.Sprintf("go1.%d", len(build.Default.ReleaseTags)+1)

func TestIsNewer(t *testing.T) {
	running := build.Default.ReleaseTags[len(build.Default.ReleaseTags)-1]
	for source, want := range map[string]bool{
		"package p": false,
		"//go:build " + running + "\n\npackage p":               false,
		"//go:build !" + running + "\n\npackage p":              false,
		"//go:build " + next + "\n\npackage p":                  true,
		"//go:build " + next + ".2\n\npackage p":                false, // not a release tag, so no release builds it
		"//go:build !" + next + "\n\npackage p":                 false,
		"//go:build linux && " + next + "\n\npackage p":         true,
		"//go:build linux || " + next + "\n\npackage p":         false,
		"//go:build go1.2 && " + next + "\n\npackage p":         true,
		"// A comment.\n\n//go:build " + next + "\n\npackage p": true,
		"/* A comment */ package p //go:build " + next:          false,
		"package p\n\n//go:build " + next + "\n":                false,
		"//go:build " + next + " &&\n\npackage p":               false,
		"//go:build " + next:                                    false, // no package clause
		"":                                                      false,
	} {
		if got := IsNewer([]byte(source)); got != want {
			t.Errorf("%q: %v, want %v", source, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	// No release accepts the second function.
	wrong := "package p\n\nfunc A() {}\n\nfunc 1() {}\n\nfunc (t T) M[U any](u U) {}\n\nfunc B() {}\n"
	newer := "//go:build " + next + "\n\n" + wrong
	if _, err := Parse(token.NewFileSet(), "", []byte(wrong), 0); err == nil {
		t.Error("a syntax error in a file for this release is not reported")
	}
	if _, err := Format([]byte(wrong)); err == nil {
		t.Error("a file for this release with a syntax error is formatted")
	}
	if got, err := Format([]byte(newer)); err != nil || string(got) != newer {
		t.Errorf("a file for a newer release: %q, %v", got, err)
	}
	if got, err := Format([]byte("package  p")); err != nil || string(got) != "package p\n" {
		t.Errorf("%q, %v", got, err)
	}
	name := filepath.Join(t.TempDir(), "p.go")
	if _, err := ParseFile(token.NewFileSet(), name, 0); !os.IsNotExist(err) {
		t.Errorf("a file that is missing: %v", err)
	}
	if err := os.WriteFile(name, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := ParseFile(token.NewFileSet(), name, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if a, ok := f.Decls[0].(*ast.FuncDecl); !ok || a.Name.Name != "A" {
		t.Errorf("the first declaration is %v", f.Decls[0])
	}
}

// TestGenericMethods fails if the running release does not parse every declaration of a file with methods
// that have type parameters. Go 1.26 reports a syntax error for each of them.
func TestGenericMethods(t *testing.T) {
	source := []byte("//go:build go1.27\n\npackage p\n\n// M is a method.\nfunc (t T) M[U any](f func() U) U { return f() }\n\nfunc B() {}\n")
	fset := token.NewFileSet()
	f, err := Parse(fset, "", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range f.Decls {
		fn := d.(*ast.FuncDecl)
		got = append(got, fmt.Sprint(fn.Name.Name, fset.Position(fn.Pos()).Line, fset.Position(fn.End()).Column))
	}
	if want := "[M6 49 B8 12]"; fmt.Sprint(got) != want {
		t.Errorf("the declarations are %v, want %v", got, want)
	}
	if len(f.Comments) != 2 {
		t.Errorf("%d comments", len(f.Comments))
	}
}
