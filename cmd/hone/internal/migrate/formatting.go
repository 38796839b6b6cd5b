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

// codeSum returns a checksum of a Go file that does not depend on its formatting: on white space, on commas and
// semicolons at the ends of lines, and on the order and the groups of imports. It is "" if the file does not parse.
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
	for _, i := range parsed.Imports {
		name := ""
		if i.Name != nil {
			name = i.Name.Name
		}
		imports = append(imports, name+" "+i.Path.Value)
	}
	file := token.NewFileSet().AddFile("", -1, len(data))
	var s scanner.Scanner
	s.Init(file, data, func(token.Position, string) {}, scanner.ScanComments)
	comma := false // the last token was a comma, which is not in code yet
	for {
		pos, tok, lit := s.Scan()
		at := file.Offset(pos)
		switch {
		case tok == token.EOF:
			slices.Sort(imports)
			return sum([]byte(strings.Join(append(imports, code...), "\n")))
		case tok == token.SEMICOLON:
			continue
		case tok == token.COMMENT:
			lit = strings.Join(strings.Fields(lit), " ")
		case lit == "":
			lit = tok.String()
		}
		if at >= from && at < to {
			if tok == token.COMMENT {
				imports = append(imports, lit)
			}
			continue
		}
		if tok == token.COMMENT {
			code = append(code, lit)
			continue
		}
		if comma && tok != token.RPAREN && tok != token.RBRACE && tok != token.RBRACK {
			code = append(code, ",")
		}
		if comma = tok == token.COMMA; !comma {
			code = append(code, lit)
		}
	}
}

// isFormatted reports whether gofmt would not change the file.
func isFormatted(data []byte) bool {
	formatted, err := format.Source(data)
	return err == nil && bytes.Equal(formatted, data)
}
