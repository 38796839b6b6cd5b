package migrate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// keepTags keeps the struct tags of a package if all its imports stay.
func keepTags(sources []*source) {
	moved := map[string]bool{}
	for _, s := range sources {
		u := s.units[experimentSymbol]
		moved[path.Dir(s.name)] = moved[path.Dir(s.name)] || u != nil && u.change && len(s.specs) > 0
	}
	for _, s := range sources {
		if u := s.units[experimentSymbol]; u != nil && !moved[path.Dir(s.name)] {
			u.change = false
		}
	}
}

// tagsOf returns the changes of the struct tags in a source, or nil if there are none. In older
// versions of go-json-experiment/json, the tag options inline and unknown have the meaning of
// json/v2's option embed. All versions have the option format, which json/v2 does not have.
func tagsOf(s *source) *rewriting {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", s.data, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var code rewriting
	ast.Inspect(f, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok || field.Tag == nil {
			return true
		}
		at := fset.PositionFor(field.Tag.Pos(), false).Offset
		old := field.Tag.Value
		changed, hasFormat := tagFor(old)
		if hasFormat {
			code.places = append(code.places, codePlace{
				at: s.position(at), old: old, compiles: true,
				say: "json/v2 returns an error for a type with the tag option format: use a type of package json/format for the field",
			})
		}
		if changed != old {
			code.edits = append(code.edits, edit{at, at + len(old), changed})
			code.count++
		}
		return true
	})
	if len(code.edits)+len(code.places) == 0 {
		return nil
	}
	return &code
}

// tagFor returns the literal of a struct tag in which the option embed replaces the options inline and unknown in the
// key json. It also reports whether the tag has the option format.
func tagFor(literal string) (changed string, hasFormat bool) {
	tag, err := strconv.Unquote(literal)
	if err != nil {
		return literal, false
	}
	const key = `json:"`
	start := 0
	for {
		i := strings.Index(tag[start:], key)
		if i < 0 {
			return literal, false
		}
		if start += i; start == 0 || tag[start-1] == ' ' {
			break
		}
		start += len(key)
	}
	start += len(key)
	end := strings.IndexByte(tag[start:], '"')
	if end < 0 {
		return literal, false
	}
	options := strings.Split(tag[start:start+end], ",")
	var kept []string
	for i, option := range options {
		switch {
		case i > 0 && (option == "inline" || option == "unknown"):
			option = "embed"
		case i > 0 && (option == "format" || strings.HasPrefix(option, "format:")):
			hasFormat = true
		}
		if i == 0 || option != "embed" || !slices.Contains(kept[1:], "embed") {
			kept = append(kept, option)
		}
	}
	if slices.Equal(kept, options) {
		return literal, hasFormat
	}
	tag = tag[:start] + strings.Join(kept, ",") + tag[start+end:]
	if literal[0] == '`' {
		return "`" + tag + "`", hasFormat
	}
	return strconv.Quote(tag), hasFormat
}
