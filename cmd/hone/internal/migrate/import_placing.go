package migrate

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// An importEntry is an import of a declaration in parentheses, or a comment without an import.
type importEntry struct {
	name, path string
	doc, text  string // lines with their ends: the comment above the import, and the import
}

// An importGroup is successive imports of a declaration. A blank line begins a group, and so does a comment above an
// import: gofmt sorts the imports below the comment apart from those above it.
type importGroup struct {
	blank   bool   // a blank line is above the group
	header  string // a comment about the group
	entries []importEntry
}

// An importDecl is an import declaration in parentheses.
type importDecl struct {
	from, to int // the offsets of the lines between the parentheses
	groups   []*importGroup
}

// A placing moves imports of one file into the groups where the layout wants them.
type placing struct {
	*layout
	decls   []*importDecl
	pending map[importEntry]bool // the imports that may still move
}

// place moves imports into the groups where the layout wants them. moved has these imports before the change, by
// their new paths. The text is formatted by gofmt, except for the order of the imports within their groups.
func (l *layout) place(text []byte, moved map[string]*spec) []byte {
	decls, ok := importDecls(text, l.sections != nil)
	if !ok {
		return text
	}
	p := &placing{l, decls, map[importEntry]bool{}}
	for _, d := range decls {
		for _, g := range d.groups {
			for _, e := range g.entries {
				if sp := moved[e.path]; sp != nil && p.leaves(e, sp) {
					p.pending[e] = true
				}
			}
		}
	}
	if len(p.pending) == 0 {
		return text
	}
	var edits []edit
	for _, d := range decls {
		for _, g := range slices.Clone(d.groups) {
			for _, e := range slices.Clone(g.entries) {
				if p.pending[e] {
					delete(p.pending, e)
					p.placeOne(d, g, e)
				}
			}
		}
	}
	for _, d := range decls {
		edits = append(edits, edit{d.from, d.to, d.String()})
	}
	return apply(text, edits)
}

// leaves reports whether an import belongs to another group than before the change.
func (p *placing) leaves(e importEntry, before *spec) bool {
	name := e.name
	if before.name == "" {
		name = ""
	}
	old, _ := p.group(name, before.rule.From)
	class, _ := p.group(e.name, e.path)
	return old != class
}

// placeOne moves the import e, which is in the group g of d.
func (p *placing) placeOne(d *importDecl, g *importGroup, e importEntry) {
	class, rank := p.group(e.name, e.path)
	has := func(in *importGroup, is func(class, rank int, path string) bool) bool {
		return slices.ContainsFunc(in.entries, func(x importEntry) bool {
			if x.path == "" || x == e || p.pending[x] {
				return false
			}
			c, r := p.group(x.name, x.path)
			return p.joins(e.name, x.name, c) && is(c, r, x.path)
		})
	}
	host := func(path string) string { first, _, _ := strings.Cut(path, "/"); return first }
	for _, is := range []func(c, r int, path string) bool{
		func(c, _ int, path string) bool { return c == class && host(path) == host(e.path) },
		func(c, _ int, _ string) bool { return c == class },
		func(_, r int, _ string) bool { return r == rank },
	} {
		if has(g, is) {
			return
		}
		for _, in := range append([]*importDecl{d}, p.decls...) {
			for _, to := range in.groups {
				if has(to, is) && (in == d || d.size() > 1) {
					d.remove(g, e)
					in.insert(to, e, p.sections != nil)
					return
				}
			}
		}
	}
	d.remove(g, e)
	at := slices.IndexFunc(d.groups, func(x *importGroup) bool {
		first := true
		follows := false
		for _, y := range x.entries {
			if y.path == "" || p.pending[y] {
				continue
			}
			c, r := p.group(y.name, y.path)
			after := r > rank || r == rank && !p.joins(e.name, y.name, c)
			follows = after && (first || follows)
			first = false
		}
		return follows
	})
	if at < 0 {
		at = len(d.groups)
	}
	d.groups = slices.Insert(d.groups, at, &importGroup{blank: true, entries: []importEntry{e}})
	if at+1 < len(d.groups) {
		d.groups[at+1].blank = true
	}
}

// importDecls returns the import declarations in parentheses. With sections, only blank lines begin a group. ok is false if the lines of a declaration have
// several imports, or other code.
func importDecls(text []byte, sections bool) (decls []*importDecl, ok bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return nil, false
	}
	file := fset.File(f.FileStart)
	lineAt := func(p token.Pos) int { return file.PositionFor(p, false).Line } // without //line comments
	offset := func(line int) int { return file.Offset(file.LineStart(line)) }
	for _, decl := range f.Decls {
		g, is := decl.(*ast.GenDecl)
		if !is || g.Tok != token.IMPORT || !g.Lparen.IsValid() {
			continue
		}
		first, end := lineAt(g.Lparen)+1, lineAt(g.Rparen)
		if first > end || lineAt(g.Pos()) != lineAt(g.Lparen) {
			return nil, false
		}
		d := &importDecl{from: offset(first), to: offset(end)}
		line, group := first, &importGroup{}
		// gap adds the lines before an import to the groups.
		gap := func(to int) {
			for ; line < to; line++ {
				t := string(text[offset(line):offset(line+1)])
				switch {
				case strings.TrimSpace(t) != "":
					group.entries = append(group.entries, importEntry{text: t})
				case len(group.entries) > 0:
					d.groups, group = append(d.groups, group), &importGroup{blank: true}
				}
			}
		}
		for _, spec := range g.Specs {
			s := spec.(*ast.ImportSpec)
			start, at, last := lineAt(s.Pos()), lineAt(s.Pos()), lineAt(s.End())
			if s.Doc != nil {
				start = lineAt(s.Doc.Pos())
			}
			if s.Comment != nil {
				last = lineAt(s.Comment.End())
			}
			path, err := strconv.Unquote(s.Path.Value)
			if start < line || last >= end || err != nil {
				return nil, false
			}
			gap(start)
			e := importEntry{path: path, doc: string(text[offset(start):offset(at)]), text: string(text[offset(at):offset(last+1)])}
			if s.Name != nil {
				e.name = s.Name.Name
			}
			if e.doc != "" && len(group.entries) > 0 && !sections {
				d.groups, group = append(d.groups, group), &importGroup{}
			}
			group.entries = append(group.entries, e)
			line = last + 1
		}
		gap(end)
		if len(group.entries) > 0 {
			d.groups = append(d.groups, group)
		}
		if d.String() != string(text[d.from:d.to]) {
			return nil, false
		}
		d.findHeaders()
		decls = append(decls, d)
	}
	return decls, true
}

// findHeaders finds the comments about groups: at least two groups begin with a comment, and no other import has
// one. Other comments stay with their imports, and so does the code in C above the import "C".
func (d *importDecl) findHeaders() {
	headers := 0
	for _, g := range d.groups {
		for i, e := range g.entries {
			switch {
			case e.doc == "":
			case i > 0, e.path == "C", !g.blank && g != d.groups[0], strings.Contains(e.doc, marker), strings.HasPrefix(strings.TrimSpace(e.doc), "//nolint"):
				return
			default:
				headers++
			}
		}
	}
	if headers < 2 {
		return
	}
	for _, g := range d.groups {
		g.header, g.entries[0].doc = g.entries[0].doc, ""
	}
}

// size returns the number of imports.
func (d *importDecl) size() (n int) {
	for _, g := range d.groups {
		n += len(g.entries)
	}
	return n
}

// remove removes an import from its group, and a group that becomes empty. A comment about the group stays.
func (d *importDecl) remove(g *importGroup, e importEntry) {
	g.entries = slices.DeleteFunc(g.entries, func(x importEntry) bool { return x == e })
	if len(g.entries) > 0 || g.header != "" {
		return
	}
	i := slices.Index(d.groups, g)
	d.groups = slices.Delete(d.groups, i, i+1)
	if i < len(d.groups) {
		d.groups[i].blank = d.groups[i].blank || g.blank
	}
}

// insert adds an import to a group in gofmt's order. A comment above the first import stays directly above it.
func (d *importDecl) insert(g *importGroup, e importEntry, sections bool) {
	at := slices.IndexFunc(g.entries, func(x importEntry) bool {
		return x.path == "" || cmp.Or(strings.Compare(x.path, e.path), strings.Compare(x.name, e.name)) > 0
	})
	if at < 0 {
		at = len(g.entries)
	}
	i := slices.Index(d.groups, g)
	switch {
	case sections: // gci sorts a whole section, with its comments
	case at == 0 && g.entries[0].doc != "":
		g.blank = false
		d.groups = slices.Insert(d.groups, i, &importGroup{blank: true, entries: []importEntry{e}})
		return
	case i+1 < len(d.groups):
		d.groups[i+1].blank = true // goimports puts a blank line between several imports and a comment
	}
	g.entries = slices.Insert(g.entries, at, e)
}

// String returns the lines between the parentheses.
func (d *importDecl) String() string {
	var b bytes.Buffer
	for i, g := range d.groups {
		if i > 0 && g.blank {
			b.WriteByte('\n')
		}
		b.WriteString(g.header)
		for _, e := range g.entries {
			b.WriteString(e.doc + e.text)
		}
	}
	return b.String()
}
