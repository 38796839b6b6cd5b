package migrate

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/hone-go/hone/cmd/hone/internal/echo4"
)

// A source is a Go file whose imports may change.
type source struct {
	name       string // relative to the module, with slashes
	path       string // the path of the file, with links resolved
	mode       fs.FileMode
	data       []byte
	generated  bool
	dep        bool   // the file is in a copied dependency
	keep       string // the reason why the file never changes; "" if it may change
	specs      []spec
	had        []string // import paths of Hone in the file before the change
	echo4      bool     // it imports Echo v4
	experiment bool     // it imports go-json-experiment/json
	code       *rewriting
	layout     *layout
	groups     [][]string // the paths in each group of an import declaration in parentheses, without imports for side effects
	importEnd  int        // the offset after the last import declaration
	notes      []edit     // the edits that remove the comments of hone migrate
	unnote     bool       // whether to remove these comments, as a revert does
	exact      []byte     // the original text, if the journal has it; used if all imports are reverted
	units      map[string]*unit
	aligned    map[[2]*byte]*alignment // by the addresses of the first bytes of the two texts
}

// A unit is a file's imports of one symbol, which change in one step.
type unit struct {
	source   *source
	symbol   string
	selected bool     // the selection includes it
	change   bool     // the current plan changes the imports
	reason   string   // the reason why the imports stay
	cause    string   // the name of the rule of the reason
	note     bool     // a comment in the file gives the reason
	where    position // the position that the compiler's message names, or the position of the use
	broken   bool     // the package of the file does not compile before the change
	use      string   // the name of the dependency that is the reason why the imports stay
	shares   string   // a package that shares types with this file's package, and whose imports stay for reason
	fixed    bool     // the unit never changes
	forced   []reachedType
}

// A spec is an import to which a rule applies. The fields are offsets in the file.
type spec struct {
	rule     *Rule
	name     string // the name in the file, "" if there is none
	nameAt   int
	nameEnd  int
	path     int
	pathEnd  int
	line     int // the start of the import's line
	noteAt   int // the start of hone migrate's comment above the import; equal to line if there is none
	comments bool
}

// parseSource finds the imports of a file to which rules apply.
func parseSource(s *source, rules []Rule) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, s.path, s.data, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return err
	}
	s.generated = ast.IsGenerated(file)
	s.specs, s.units, s.had, s.groups = nil, map[string]*unit{}, nil, nil
	offset := func(p token.Pos) int { return fset.PositionFor(p, false).Offset }
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			s.importEnd = offset(g.End())
			s.groups = append(s.groups, groupPaths(fset, g)...)
		}
	}
	s.notes = s.removeStayComments()
	for _, imp := range file.Imports {
		path, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			return err
		}
		s.experiment = s.experiment || path == experimentModule || strings.HasPrefix(path, experimentModule+"/")
		s.echo4 = s.echo4 || path == echo4.Module || strings.HasPrefix(path, echo4.Module+"/")
		if path == Hone || strings.HasPrefix(path, Hone+"/") {
			s.had = append(s.had, path)
		}
		i := slices.IndexFunc(rules, func(r Rule) bool { return r.From == path })
		if i < 0 {
			continue
		}
		sp := spec{rule: &rules[i], path: offset(imp.Path.Pos()), pathEnd: offset(imp.Path.End())}
		start := sp.path
		if imp.Name != nil {
			sp.name, sp.nameAt, sp.nameEnd = imp.Name.Name, offset(imp.Name.Pos()), offset(imp.Name.End())
			start = sp.nameAt
		}
		sp.line = bytes.LastIndexByte(s.data[:start], '\n') + 1
		// A comment above an import on the line of the package clause would be the package's doc comment.
		sp.comments = sp.line > offset(file.Name.End())
		sp.noteAt = s.stayCommentAbove(sp.line)
		s.specs = append(s.specs, sp)
		if s.units[sp.rule.Symbol] == nil {
			s.units[sp.rule.Symbol] = &unit{source: s, symbol: sp.rule.Symbol}
		}
	}
	return nil
}

// changed reports whether the plan changes the file.
func (s *source) changed() bool {
	for _, u := range s.units {
		if u.change {
			return true
		}
	}
	return false
}

// whole reports whether the file gets its old content.
func (s *source) whole() bool {
	for _, u := range s.units {
		if !u.change {
			return false
		}
	}
	return s.exact != nil && s.keep == ""
}
