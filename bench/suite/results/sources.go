package results

import (
	"crypto/sha256"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Rooms are the folders of the measured code.
var Rooms = []string{
	"mo", "shape", "wire", "json", "bind", "web", "api", "internal/http/body", "internal/memory/buffer", "internal/http/drain", "internal/http/header", "internal/syntax", "internal/limit", "internal/literal",
	"internal/memory/mem", "internal/memory/optional", "internal/plan", "internal/http/problem", "internal/http/route", "internal/http/urlpath", "internal/memory/vector",
	"internal/release",
}

// Sources returns a hash for each of the Rooms. The hash covers the Go files and the assembly files of the folder
// and its subfolders, without tests and testdata. It does not cover the layout of Go files, and of comments only
// the directives that begin with //go:, since the rest changes no time.
func Sources(root string) (map[string]string, error) {
	hashes := map[string]string{}
	for _, room := range Rooms {
		h := sha256.New()
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(room)), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir(), !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".s"), strings.HasSuffix(path, "_test.go"):
				return nil
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if strings.HasSuffix(path, ".go") {
				data = tokens(data)
			}
			_, err = fmt.Fprintf(h, "%s %d\n%s", filepath.ToSlash(name), len(data), data)
			return err
		})
		if err != nil {
			return nil, err
		}
		hashes[room] = fmt.Sprintf("%x", h.Sum(nil)[:8])
	}
	return hashes, nil
}

// tokens returns the tokens of a Go file, one on each line. It drops all comments except those that begin with
// //go:, such as //go:noinline and //go:build.
func tokens(source []byte) []byte {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, source, nil, scanner.ScanComments)
	var out []byte
	for {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return out
		case tok == token.SEMICOLON:
			text = ";" // the scanner also returns the line break that stands for a semicolon
		case tok == token.COMMENT && !strings.HasPrefix(text, "//go:"):
			continue
		case text == "":
			text = tok.String()
		}
		out = append(append(out, text...), '\n')
	}
}
