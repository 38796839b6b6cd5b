package main

import (
	"archive/zip"
	"bytes"
	"testing"
)

func zipped(t *testing.T, files map[string]string) *zip.Reader {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create("m@v1/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestExportsName checks two kinds of modules: other modules can import the packages of the first kind,
// and cannot import the packages of the second.
func TestExportsName(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"a.go", "package a\n\nfunc F() {}\n", true},
		{"b/a.go", "package b\n\ntype T struct{}\n", true},
		{"a.go", "package a\n\nfunc f() {}\n", false},
		{"doc.go", "// Package a has only tests.\npackage a\n", false},
		{"a_test.go", "package a\n\nfunc TestA() {}\n", false},
		{"main.go", "package main\n\nfunc F() {}\n", false},
		{"internal/a/a.go", "package a\n\nfunc F() {}\n", false},
		{"a.go", "//go:build go1.27\n\npackage a\n\ntype T struct{}\n\nfunc (T) M[U any](U) {}\n", true},
		{"a.go", "//go:build go1.27\n\npackage a\n\ntype t struct{}\n\nfunc (t) m[U any](U) {}\n", false},
	} {
		got, err := exportsName(zipped(t, map[string]string{test.name: test.text}), "m@v1/")
		if err != nil || got != test.want {
			t.Errorf("%s %q: %v, %v, want %v", test.name, test.text, got, err, test.want)
		}
	}
	if _, err := exportsName(zipped(t, map[string]string{"a.go": "no package\n"}), "m@v1/"); err == nil {
		t.Error("a file without a package clause is no error")
	}
}
