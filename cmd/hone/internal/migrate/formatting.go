package migrate

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// codeSum returns a checksum of a Go file that does not depend on its formatting: on white space between tokens and
// at the ends of lines, on commas and semicolons before a closing bracket, and on the order and the groups of imports.
// A comment above an import may move too, because it may be about the group. It is "" if the file does not parse.
func codeSum(data []byte) string {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", data, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return ""
	}
	from, to := len(data), 0 // the import declarations
	for _, d := range parsed.Decls {
		p := fset.PositionFor(d.Pos(), false).Offset
		from, to = min(from, p), max(to, fset.PositionFor(d.End(), false).Offset)
	}
	var code, imports []string
	attached := map[int]bool{} // the offsets of comments on the line of an import
	for _, i := range parsed.Imports {
		name := ""
		if i.Name != nil {
			name = i.Name.Name
		}
		entry := name + " " + i.Path.Value
		if i.Comment != nil {
			for _, c := range i.Comment.List {
				entry += " " + commentText(c.Text)
				attached[fset.PositionFor(c.Pos(), false).Offset] = true
			}
		}
		imports = append(imports, entry)
	}
	file := token.NewFileSet().AddFile("", -1, len(data))
	var s scanner.Scanner
	s.Init(file, data, func(token.Position, string) {}, scanner.ScanComments)
	pending := "" // a comma or a semicolon, which a closing bracket makes redundant
	for {
		pos, tok, lit := s.Scan()
		at := file.Offset(pos)
		switch {
		case tok == token.EOF:
			slices.Sort(imports)
			return sum([]byte(strings.Join(append(imports, code...), "\n")))
		case tok == token.SEMICOLON: // written, or inserted at the end of a line
			lit = ";"
		case tok == token.COMMENT:
			lit = commentText(lit)
		case lit == "":
			lit = tok.String()
		}
		if at >= from && at < to {
			if tok == token.COMMENT && !attached[at] {
				imports = append(imports, lit)
			}
			continue
		}
		if tok == token.COMMENT {
			code = append(code, lit)
			continue
		}
		if pending != "" && tok != token.RPAREN && tok != token.RBRACE && tok != token.RBRACK {
			code = append(code, pending)
		}
		if pending = ""; tok == token.COMMA || tok == token.SEMICOLON {
			pending = lit
		} else {
			code = append(code, lit)
		}
	}
}

// commentText returns a comment without the white space that gofmt may change: at the ends of its lines, and at the
// starts of the lines of a block after the first.
func commentText(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, " \t\r")
		if i > 0 {
			line = strings.TrimLeft(line, " \t")
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

// isFormatted reports whether gofmt would not change the file.
func isFormatted(data []byte) bool {
	formatted, err := format.Source(data)
	return err == nil && bytes.Equal(formatted, data)
}
