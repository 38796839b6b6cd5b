package rules

import (
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// A NameSet is the set of an object's names so far. The zero value is empty; the first name
// allocates.
type NameSet struct {
	names map[string]struct{}
	// Alias returns the name of the field that a name in another case belongs to, or the name; nil
	// if case counts.
	Alias func(name string) string
}

// LooseName returns the name in one case, without dashes and underscores.
func LooseName(name string) string {
	return shape.Fold(strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return r
	}, name))
}

// MatchesLoosely reports whether a name with the same LooseName as a field's belongs to the field, by
// the field's tag option case and the options of the call.
func MatchesLoosely(on option.Flag, casing shape.Casing, field, name string) bool {
	if casing != shape.CaseIgnore && (casing == shape.CaseStrict || on&option.MatchCaseInsensitiveNames == 0) {
		return false
	}
	// The delimiters count with this option: the names may differ in case alone.
	return on&option.MatchCaseSensitiveDelimiter == 0 || strings.EqualFold(name, field)
}

// Add unquotes a name, adds it, and reports whether it is new.
func (s *NameSet) Add(quoted []byte) bool {
	name, _ := syntax.AppendUnquoted(nil, quoted)
	return s.AddName(string(name))
}

// AddName adds a name without quotes, and reports whether the name is new.
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
