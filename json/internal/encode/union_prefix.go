package encode

import (
	"strings"

	"github.com/hone-go/hone/shape"
)

// sumPrefixes returns the text that precedes the value of each case; see sumPrefix.
func sumPrefixes(s *shape.Sum) []string {
	list := make([]string, len(s.Cases))
	for i := range s.Cases {
		list[i] = sumPrefix(s, &s.Cases[i])
	}
	return list
}

// sumPrefix returns the text that precedes the value of a case, or "" if a call may have to escape one
// of the names in it.
func sumPrefix(s *shape.Sum, c *shape.SumCase) string {
	if strings.ContainsFunc(s.Tag+s.Value+c.Name, func(r rune) bool {
		return r < ' ' || r > '~' || strings.ContainsRune(`"\<>&`, r)
	}) {
		return ""
	}
	// The text ends before the first byte of the value. In the internal form this byte is a brace,
	// and the function joined replaces it by a comma.
	switch s.Form {
	case shape.SumAdjacent:
		return `{"` + s.Tag + `":"` + c.Name + `","` + s.Value + `":`
	case shape.SumExternal:
		return `{"` + c.Name + `":`
	}
	return `{"` + s.Tag + `":"` + c.Name + `"`
}

// joined merges the tag at dst[start:at] and the object at dst[at:] into one object: it replaces the
// opening brace at dst[at] by a comma. err is the error of encoding the object. If dst[at:] is not an
// object, joined returns the error of notObject.
func (e *Encoder) joined(dst []byte, start, at int, err error, notObject func() error) ([]byte, error) {
	switch {
	case err != nil:
		// The position of err will be computed from dst, so dst must be the start of valid JSON.
		if len(dst) > at {
			dst[at] = ','
		}
		return dst, err
	// A method or a function has written a value that is not an object, such as a string.
	case len(dst) < at+2 || dst[at] != '{':
		return dst[:start], notObject()
	// The object has no members, so no comma follows the tag.
	case dst[at+1] == '}':
		dst = append(dst[:at], '}')
	default:
		dst[at] = ','
	}
	return dst, nil
}
