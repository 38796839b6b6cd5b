package migrate

import (
	"bytes"
	"go/format"
)

// sorted returns the edited file with its imports in their groups, in gofmt's order and alignment, or nil if
// the file was not formatted by gofmt before the edit.
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
	f, err := format.Source(s.layout.place(plain(edited), s.moved()))
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

// moved returns the imports that change, by their new paths.
func (s *source) moved() map[string]*spec {
	list := map[string]*spec{}
	for i := range s.specs {
		if sp := &s.specs[i]; s.units[sp.rule.Symbol].change && !s.drops(sp.rule.From) {
			list[sp.rule.To] = sp
		}
	}
	return list
}
