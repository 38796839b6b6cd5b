package main

import "testing"

// TestCode compares files that differ in comments, in layout and in code.
func TestCode(t *testing.T) {
	const plain = "package a\n\nfunc f(x int) int { return x }\n"
	for text, same := range map[string]bool{
		"// Package a is new.\npackage a\n\n// f returns x.\nfunc f(x int) int { return x }\n": true,
		"package a\nfunc f(x int) int { return x } // x\n":                                     true,
		"package a\n\nfunc f(x int) int { return x + 1 }\n":                                    false,
		"//go:build linux\n\npackage a\n\nfunc f(x int) int { return x }\n":                    false,
		"package a\n\nfunc f(x int) int { return\n":                                            false,
	} {
		a, err := code(plain)
		if err != nil {
			t.Fatal(err)
		}
		b, err := code(text)
		if got := err == nil && string(a) == string(b); got != same {
			t.Errorf("%q: the same: %v, want %v", text, got, same)
		}
	}
}
