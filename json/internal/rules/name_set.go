package rules

import (
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// A NameSet is a set of the names in an object. The zero value is empty. Adding the first name
// allocates.
type NameSet struct {
	names map[string]struct{}
	// Alias maps a name to the name of the field that matches if case is ignored. It returns
	// other names unchanged. A nil Alias means that names are case-sensitive.
	Alias func(name string) string
}

// LooseName returns the name with case folded, and without dashes and underscores.
func LooseName(name string) string {
	return shape.Fold(strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return r
	}, name))
}

// MatchesLoosely reports whether a name matches a field with an equal LooseName. This depends on
// the field's tag option "case" and on the options of the call.
func MatchesLoosely(on option.Flag, casing shape.Casing, field, name string) bool {
	if casing != shape.CaseIgnore && (casing == shape.CaseStrict || on&option.MatchCaseInsensitiveNames == 0) {
		return false
	}
	// With this option, dashes and underscores must match, and the names may only differ in case.
	return on&option.MatchCaseSensitiveDelimiter == 0 || strings.EqualFold(name, field)
}

// Add unquotes a name and adds it. It reports whether the name was not in the set before.
func (s *NameSet) Add(quoted []byte) bool {
	name, _ := syntax.AppendUnquoted(nil, quoted)
	return s.AddName(string(name))
}

// AddName adds a name without quotes. It reports whether the name was not in the set before.
func (s *NameSet) AddName(name string) bool {
	if s.Alias != nil {
		name = s.Alias(name)
	}
	if _, there := s.names[name]; there {
		return false
	}
	if s.names == nil {
		s.names = map[string]struct{}{}
	}
	s.names[name] = struct{}{}
	return true
}
