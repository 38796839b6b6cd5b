package results

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/gofile"
)

// Rooms are the folders of the measured code.
var Rooms = []string{
	"mo", "shape", "wire", "json", "bind", "web", "api", "internal/http/body", "internal/memory/buffer", "internal/http/drain", "internal/http/header", "internal/syntax", "internal/limit", "internal/literal",
	"internal/memory/mem", "internal/memory/optional", "internal/plan", "internal/http/problem", "internal/http/route", "internal/http/urlpath", "internal/memory/vector",
	"internal/http/routed", "internal/path", "internal/release", "internal/variadic", "internal/zero",
}

// Sources returns a hash for each of the Rooms. The hash covers the Go files and the assembly files of the folder
// and its subfolders, without tests and testdata. The hash does not cover the layout of Go files, comments other than
// directives that begin with //go:, and the file in which a package has a declaration. These do not change the
// instructions; the file of a declaration can change its place in the program, and so a time by a few percent.
func Sources(root string) (map[string]string, error) {
	hashes := map[string]string{}
	for _, room := range Rooms {
		var parts []string
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
			if strings.HasSuffix(path, ".s") {
				parts = append(parts, filepath.ToSlash(name)+"\n"+string(data))
				return nil
			}
			declared, err := declarations(filepath.ToSlash(name), data)
			parts = append(parts, declared...)
			return err
		})
		if err != nil {
			return nil, err
		}
		h := sha256.New()
		slices.Sort(parts)
		for _, part := range slices.Compact(parts) {
			fmt.Fprintf(h, "%d\n%s", len(part), part)
		}
		hashes[room] = fmt.Sprintf("%x", h.Sum(nil)[:8])
	}
	return hashes, nil
}

// platform matches the end of a file name for which the go command builds the file on some systems only.
var platform = regexp.MustCompile(`(_(darwin|js|linux|wasip1|windows))?(_(386|amd64|arm64|s390x|wasm))?\.go$`)

// declarations returns the package clause, the imports and the declarations of a Go file, each with the folder of the
// file and its build constraints.
func declarations(name string, source []byte) (list []string, err error) {
	fset := token.NewFileSet()
	f, err := gofile.Parse(fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	folder := name[:strings.LastIndexByte(name, '/')+1]
	where := fmt.Sprintf("%s %s\n%s", folder, platform.FindString(name), tokens(source[:at(f.Package)]))
	list = append(list, where+"package "+f.Name.Name)
	end := at(f.Name.End())
	for _, d := range f.Decls {
		start := end // a directive may be separated from its declaration by an empty line
		end = at(d.End())
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			for _, spec := range d.Specs {
				list = append(list, where+"import "+string(tokens(source[at(spec.Pos()):at(spec.End())])))
			}
			continue
		}
		list = append(list, where+string(tokens(source[start:end])))
	}
	return list, nil
}

// tokens returns the tokens of Go code, one on each line. It drops all comments except those that begin with
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
