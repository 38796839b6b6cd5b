package migrate

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/format"
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
	importEnd  int    // the offset after the last import declaration
	notes      []edit // the edits that remove the comments of hone migrate
	unnote     bool   // whether to remove these comments, as a revert does
	exact      []byte // the original text, if the journal has it; used if all imports are reverted
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
	s.specs, s.units, s.had = nil, map[string]*unit{}, nil
	offset := func(p token.Pos) int { return fset.PositionFor(p, false).Offset }
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			s.importEnd = offset(g.End())
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

// An edit replaces bytes of a file.
type edit struct {
	from, to int
	text     string
}

func apply(data []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	out := make([]byte, 0, len(data)+256)
	at := 0
	for _, e := range edits {
		out = append(append(out, data[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, data[at:]...)
}

// planned returns the file with the planned imports for the compiler, without hone migrate's
// comments.
func (s *source) planned() []byte {
	if s.whole() {
		return s.exact
	}
	edits := s.codeEdits(nil)
	for i := range s.specs {
		edits = s.specs[i].imports(edits, s)
	}
	return apply(s.data, edits)
}

// imports appends the edits of an import that changes.
func (sp *spec) imports(edits []edit, s *source) []edit {
	if !s.units[sp.rule.Symbol].change || s.drops(sp.rule.From) {
		return edits
	}
	quote := s.data[sp.path : sp.path+1]
	literal := string(quote) + sp.rule.To + string(quote)
	switch {
	case sp.name == "" && sp.rule.Name != sp.rule.ToName:
		// The rest of the file uses the old name, so the import gets this name.
		literal = sp.rule.Name + " " + literal
	case sp.name != "" && sp.name == sp.rule.ToName && sp.rule.Name != sp.rule.ToName:
		// The name is the package's own name, so the import needs no name. A revert removes the
		// name that migrate added.
		return append(edits, edit{sp.nameAt, sp.pathEnd, literal})
	}
	return append(edits, edit{sp.path, sp.pathEnd, literal})
}

// rewritten returns the file after the change. It has the new imports, and comments on the imports
// that stay. If the file was formatted by gofmt before the change, the new imports are in gofmt's
// order too.
func (s *source) rewritten() []byte {
	if s.keep != "" {
		return s.data
	}
	if s.whole() {
		return s.exact
	}
	var edits []edit
	if s.unnote {
		edits = slices.Clone(s.notes)
	}
	edits = s.codeEdits(edits)
	noted := map[int]bool{}
	for i := range s.specs {
		sp := &s.specs[i]
		edits = sp.imports(edits, s)
		if noted[sp.line] || s.unnote {
			continue
		}
		noted[sp.line] = true
		text := ""
		if u := s.units[sp.rule.Symbol]; u.note && sp.comments {
			text = s.stayComment(sp, u.reason)
		} else if !u.selected {
			continue // other units keep their comments
		}
		if text != string(s.data[sp.noteAt:sp.line]) {
			edits = append(edits, edit{sp.noteAt, sp.line, text})
		}
	}
	if len(edits) == 0 {
		return s.data
	}
	out := apply(s.data, edits)
	if sorted := s.sorted(out); sorted != nil {
		return sorted
	}
	return out
}

// sorted returns the edited file with its imports in gofmt's order and alignment, or nil if the
// file was not formatted by gofmt before the edit.
func (s *source) sorted(edited []byte) []byte {
	crlf := bytes.Contains(s.data, []byte("\r\n"))
	if crlf && bytes.Count(s.data, []byte("\r\n")) != bytes.Count(s.data, []byte("\n")) {
		return nil
	}
	plain := func(b []byte) []byte {
		if crlf {
			return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
		}
		return b
	}
	before := plain(s.data)
	if f, err := format.Source(before); err != nil || !bytes.Equal(f, before) {
		return nil
	}
	f, err := format.Source(plain(edited))
	if err != nil {
		return nil
	}
	if crlf {
		f = bytes.ReplaceAll(f, []byte("\n"), []byte("\r\n"))
	}
	if !s.rewritesCode() && !bytes.HasSuffix(f, s.data[s.importEnd:]) {
		return nil // gofmt would change more than the imports
	}
	return f
}
