package main

import (
	"slices"
	"testing"
)

// TestCode compares files that differ in comments, in layout and in code.
func TestCode(t *testing.T) {
	const plain = "package a\n\nfunc f(x int) int { return x }\n"
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{plain, "// Package a is new.\npackage a\n\n// f returns x.\nfunc f(x int) int { return x }\n", true},
		{plain, "package a\nfunc f(x int) int { return x } // x\n", true},
		{plain, "package a\n\nfunc f(x int) int { return x + 1 }\n", false},
		{plain, "//go:build linux\n\npackage a\n\nfunc f(x int) int { return x }\n", false},
		{plain, "package a\n\nfunc f(x int) int { return\n", false},
		{`package a; var s = "a b"`, `package a; var s = "a  b"`, false},
		{"package a; var s = `a\nb`", "package a; var s = `a\n\nb`", false},
		{"package a\nvar (\n\t//go:embed a\n\ts string\n)\n", "package a\nvar (\n\t//go:embed b\n\ts string\n)\n", false},
		{"package a\n//go:noinline\nfunc f() {}\nfunc g() {}\n", "package a\nfunc f() {}\n//go:noinline\nfunc g() {}\n", false},
		{"package a\nvar s = 'a'\n", "package a\n\n\nvar  s =\t'a' // a\n", true},
	} {
		if got := slices.Equal(code(test.a, false), code(test.b, false)); got != test.same {
			t.Errorf("%q and %q: the same: %v", test.a, test.b, got)
		}
	}
	if slices.Equal(code("package a // 1", true), code("package a // 2", true)) {
		t.Error("comments do not count")
	}
}
