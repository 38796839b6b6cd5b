package migrate

import (
	"cmp"
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
	Rule string `json:"rule"` // needs-edit
	Old  string `json:"old"`
	Say  string `json:"say"`
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
				list = append(list, Warning{Rule: ruleRewritten, at: x.at, Text: x.old + ": " + x.say})
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
