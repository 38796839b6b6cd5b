package rules

import (
	"github.com/hone-go/hone/internal/syntax"
)

// A NameSet is the set of an object's names so far. The zero value is empty; the first name
// allocates.
type NameSet struct {
	names map[string]struct{}
}

// Add unquotes a name, adds it, and reports whether it is new.
func (s *NameSet) Add(quoted []byte) bool {
	name, _ := syntax.AppendUnquoted(nil, quoted)
	return s.AddName(string(name))
}

// AddName adds a name without quotes, and reports whether the name is new.
func (s *NameSet) AddName(name string) bool {
	if _, there := s.names[name]; there {
		return false
	}
	if s.names == nil {
		s.names = map[string]struct{}{}
	}
	s.names[name] = struct{}{}
	return true
}
