package migrate

import (
	"cmp"
	"fmt"
	"slices"
)

// A rewriting is the change of a file's code, beyond its imports.
type rewriting struct {
	edits   []edit
	dropped []string // imports that edits remove
	places  []codePlace
	count   int
}

// A codePlace is code that the user has to write, or code that may behave differently.
type codePlace struct {
	at       position
	old, say string
	compiles bool
}

// A Place is code that the user has to write.
type Place struct {
	Location
	Old string `json:"old"`
	Say string `json:"say"`
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
			return fmt.Errorf("%s is missing or does not parse. Its code was rewritten: restore it from version control, for example with git restore %s", f.Name, f.Name)
		}
		s := all[at]
		if sum(s.data) == f.Before {
			continue // the write of the change failed before this file, or git has restored it
		}
		before, ok := f.undo(s.data)
		if !ok {
			return fmt.Errorf("%s was edited after its code was rewritten: undo the edit, or restore the file from version control, for example with git restore %s", f.Name, f.Name)
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

// codeWarnings returns the places that compile, but may behave differently.
func (p *planner) codeWarnings() []Warning {
	var list []Warning
	for _, s := range p.sources {
		if !s.rewritesCode() {
			continue
		}
		for _, x := range s.code.sorted() {
			if x.compiles {
				list = append(list, Warning{at: x.at, Text: x.old + ": " + x.say})
			}
		}
	}
	return list
}

// sorted returns the places in the order of the file before the change.
func (c *rewriting) sorted() []codePlace {
	return slices.SortedStableFunc(slices.Values(c.places), func(a, b codePlace) int {
		_, aLine, aColumn, _ := a.at.before()
		_, bLine, bColumn, _ := b.at.before()
		return cmp.Or(cmp.Compare(aLine, bLine), cmp.Compare(aColumn, bColumn))
	})
}
