package encode

import (
	"fmt"
	"reflect"
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

// notObject returns the error for a value that was not encoded as an object, so that an internal tag
// cannot be added. The declaration requires structs for such cases, but a function of version 2 may
// encode a struct as any JSON.
func (e *Encoder) notObject(s *shape.Sum, i int, v reflect.Value) error {
	return e.sumError(v, fmt.Sprintf("the case %q of %v is not encoded as an object, so the member %q cannot be added to it", s.Cases[i].Name, s.Type, s.Tag))
}

// sumError returns the error for a value that cannot be encoded: an UnsupportedValueError in
// version 1, and a Fault in version 2.
func (e *Encoder) sumError(v reflect.Value, text string) error {
	if e.Mode.IsV1() {
		return e.unsupported(v, text)
	}
	return NewFault(v.Type(), fmt.Errorf("%s", text))
}
