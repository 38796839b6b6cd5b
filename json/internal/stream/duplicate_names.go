package stream

import (
	"github.com/hone-go/hone/internal/syntax"
)

// linearNames is the maximum number of names that are compared one by one.
const linearNames = 96

// name sets the last name of the innermost object to quoted. plain says that the name has no
// escapes and no invalid UTF-8. If unique is set, it returns false for a name that is already in
// the object, and leaves the stack unchanged.
func (s *stack) name(quoted []byte, plain, unique bool) bool {
	start := len(s.text)
	if !unique {
		start = s.names.text
	}
	s.text = s.text[:start]
	if plain {
		text := quoted[1 : len(quoted)-1]
		if unique {
			h := digest(text)
			if !s.isNew(text, h) {
				return false
			}
			s.list = append(s.list, name{h, start, start + len(text)})
		}
		s.text = append(s.text, text...)
		s.names.last, s.names.end = start, len(s.text)
		return true
	}
	s.text, _ = syntax.AppendUnquoted(s.text, quoted)
	return s.added(start, unique)
}

// added implements name for a name that was unquoted into s.text[start:].
func (s *stack) added(start int, unique bool) bool {
	if unique {
		text := s.text[start:]
		h := digest(text)
		if !s.isNew(text, h) {
			s.text = s.text[:start]
			return false
		}
		s.list = append(s.list, name{h, start, len(s.text)})
	}
	s.names.last, s.names.end = start, len(s.text)
	return true
}

// isNew reports whether the name text is not yet in the innermost object. h is its digest.
func (s *stack) isNew(text []byte, h uint64) bool {
	o := &s.names
	if names := s.list[o.first:]; len(names) < linearNames {
		bit := uint64(1) << (h * 0x9e3779b97f4a7c15 >> 58)
		if o.seen&bit == 0 {
			o.seen |= bit
			return true
		}
		for i := range names {
			if n := &names[i]; n.digest == h && string(s.text[n.start:n.end]) == string(text) {
				return false
			}
		}
		return true
	}
	return s.isNewOfMany(text)
}

// isNewOfMany implements isNew for an object with many names.
func (s *stack) isNewOfMany(text []byte) bool {
	o := &s.names
	if o.index == 0 {
		names := s.list[o.first:]
		index := make(map[string]struct{}, 2*len(names))
		for _, n := range names {
			index[string(s.text[n.start:n.end])] = struct{}{}
		}
		s.indexes = append(s.indexes, index)
		o.index = len(s.indexes)
	}
	index := s.indexes[o.index-1]
	if _, there := index[string(text)]; there {
		return false
	}
	index[string(text)] = struct{}{}
	return true
}

// digest returns a hash of the length of b and of its first and last bytes.
func digest(b []byte) uint64 {
	h := uint64(len(b)) * 0xff51afd7ed558ccd
	switch n := len(b); {
	case n >= 8:
		h += word(b) ^ word(b[n-8:])*0x9fb21c651e98df25
	case n >= 4:
		h += half(b) | half(b[n-4:])<<32
	case n > 0:
		h += uint64(b[0]) | uint64(b[n/2])<<8 | uint64(b[n-1])<<16
	}
	return h
}

func half(b []byte) uint64 {
	_ = b[3]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
}

func word(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
