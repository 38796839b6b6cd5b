package migrate

import (
	"cmp"
	"slices"
)

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
