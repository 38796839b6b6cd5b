package rules

import (
	"github.com/hone-go/hone/internal/syntax"
)

// A NameSet is the names that an object has, as they are written.
type NameSet struct {
	names map[string]struct{}
}

// Add reports whether the name is a new one.
func (s *NameSet) Add(quoted []byte) bool {
	name, _ := syntax.AppendUnquoted(nil, quoted)
	return s.AddName(string(name))
}

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
