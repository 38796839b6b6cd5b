package migrate

import (
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/hone-go/hone/cmd/hone/internal/echo4"
)

// A rewriting is the change of a file's code, beyond its imports.
type rewriting struct {
	edits   []edit
	dropped []string // imports that edits remove
	places  []echo4.Place
	count   int
}

// A Place is code that the user has to write.
type Place struct {
	Where   string `json:"where"`   // file:line:column before the change
	Written string `json:"written"` // file:line:column after the change
	Old     string `json:"old"`
	Say     string `json:"say"`
}

// rewritesCode reports whether the plan changes the file's code.
func (s *source) rewritesCode() bool {
	if s.code == nil {
		return false
	}
	for symbol := range froms {
		if u := s.units[symbol]; u != nil && u.change {
			return true
		}
	}
	return false
}

func (s *source) codeEdits(edits []edit) []edit {
	if !s.rewritesCode() {
		return edits
	}
	return append(edits, s.code.edits...)
}

// drops reports whether the new code does not need an import.
func (s *source) drops(path string) bool {
	return s.rewritesCode() && slices.Contains(s.code.dropped, path)
}

// hasCode reports whether a change rewrote code.
func (j *journal) hasCode() bool {
	return j != nil && slices.ContainsFunc(j.Files, func(f journalFile) bool { return f.Code })
}

// revertCode plans to restore the files whose code was rewritten. Only the journal has their old
// content.
func (c *Change) revertCode(t *tree, sel *selection) error {
	if !c.journal.hasCode() {
		return nil
	}
	if !sel.everything() {
		return fmt.Errorf("the change rewrote code, so it can only be undone as a whole: run -revert without -only, -skip and packages")
	}
	all := unique(t.byPath)
	for i := range c.journal.Files {
		f := &c.journal.Files[i]
		if !f.Code {
			continue
		}
		at := slices.IndexFunc(all, func(s *source) bool { return s.name == f.Name })
		if at < 0 {
			return fmt.Errorf("%s is missing or does not parse. Its code was rewritten: restore it from version control", f.Name)
		}
		s := all[at]
		before, ok := f.undo(s.data)
		if !ok {
			return fmt.Errorf("%s was edited after its code was rewritten: undo the edit, or restore the file from version control", f.Name)
		}
		s.exact = before
		if !slices.Contains(t.sources, s) {
			t.sources = append(t.sources, s)
		}
	}
	return nil
}

func (c *rewriting) size() int {
	n := 0
	for _, e := range c.edits {
		n += len(e.text)
	}
	return n
}

// before converts an offset in the planned file to an offset in the file before the change.
func (s *source) before(at int) int {
	edits := s.codeEdits(nil)
	for i := range s.specs {
		edits = s.specs[i].imports(edits, s)
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	shift := 0 // how much longer the planned text is than the old text, up to the current edit
	for _, e := range edits {
		switch start := e.from + shift; {
		case at < start:
			return at - shift
		case at < start+len(e.text):
			return e.from
		}
		shift += len(e.text) - (e.to - e.from)
	}
	return min(at-shift, len(s.data))
}

// after is the inverse of before: it converts an offset in the file before the change.
func (s *source) after(at int) int {
	edits := s.codeEdits(nil)
	for i := range s.specs {
		edits = s.specs[i].imports(edits, s)
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	shift := 0
	for _, e := range edits {
		if at < e.from || at == e.from && e.to > e.from {
			break
		}
		if at < e.to {
			return e.from + shift
		}
		shift += len(e.text) - (e.to - e.from)
	}
	return at + shift
}

func line(data []byte, at int) int { return strings.Count(string(data[:min(at, len(data))]), "\n") + 1 }

// place formats an offset as line and column.
func place(data []byte, at int) string {
	at = min(at, len(data))
	return fmt.Sprintf("%d:%d", line(data, at), at-strings.LastIndexByte(string(data[:at]), '\n'))
}

// placed returns the places of the file that do not compile, with their positions before and after
// the change.
func (s *source) placed(written []byte) []Place {
	slices.SortStableFunc(s.code.places, func(a, b echo4.Place) int { return cmp.Compare(a.Offset, b.Offset) })
	planned := s.planned()
	from, to := tokens(planned), tokens(written)
	var list []Place
	for _, x := range s.code.places {
		if x.Compiles {
			continue
		}
		// gofmt changes only white space outside of imports, so the order of tokens is the same.
		at := s.after(x.Offset)
		if i, _ := slices.BinarySearch(from, at); len(from) == len(to) && i < len(to) {
			at = to[i]
		}
		list = append(list, Place{s.name + ":" + place(s.data, x.Offset), s.name + ":" + place(written, at), x.Old, x.Say})
	}
	return list
}

// tokens returns the offsets of a file's tokens.
func tokens(data []byte) []int {
	fset := token.NewFileSet()
	f := fset.AddFile("", fset.Base(), len(data))
	var sc scanner.Scanner
	sc.Init(f, data, func(token.Position, string) {}, 0)
	var list []int
	for {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			return list
		}
		if tok != token.SEMICOLON || lit != "\n" {
			list = append(list, f.Offset(pos))
		}
	}
}

// codeWarnings returns the places that compile, but may behave differently.
func (p *planner) codeWarnings() []Warning {
	var list []Warning
	for _, s := range p.sources {
		if !s.rewritesCode() {
			continue
		}
		for _, x := range s.code.places {
			if x.Compiles {
				list = append(list, Warning{s.name + ":" + place(s.data, x.Offset), x.Old + ": " + x.Say})
			}
		}
	}
	return list
}
