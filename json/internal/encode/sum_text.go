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

// sumPrefix returns the text that precedes the value of a case, or "" for names that a call may have to escape.
func sumPrefix(s *shape.Sum, c *shape.SumCase) string {
	if strings.ContainsFunc(s.Tag+s.Value+c.Name, func(r rune) bool {
		return r < ' ' || r > '~' || strings.ContainsRune(`"\<>&`, r)
	}) {
		return ""
	}
	// The text ends where the value of the case begins. In the internal form the value begins with a brace, which
	// becomes a comma.
	switch s.Form {
	case shape.SumAdjacent:
		return `{"` + s.Tag + `":"` + c.Name + `","` + s.Value + `":`
	case shape.SumExternal:
		return `{"` + c.Name + `":`
	}
	return `{"` + s.Tag + `":"` + c.Name + `"`
}

// joined puts the tag at dst[start:at] and the members of the object at dst[at:] into one object: the opening brace of
// the members becomes a comma. err is the error of the members. notObject returns the error for another value.
func (e *Encoder) joined(dst []byte, start, at int, err error, notObject func() error) ([]byte, error) {
	switch {
	case err != nil:
		// The position of the error is computed from the text.
		if len(dst) > at {
			dst[at] = ','
		}
		return dst, err
	// A method or a function has written another value, such as a string.
	case len(dst) < at+2 || dst[at] != '{':
		return dst[:start], notObject()
	// The value has no members, so no comma follows the tag.
	case dst[at+1] == '}':
		dst = append(dst[:at], '}')
	default:
		dst[at] = ','
	}
	return dst, nil
}

// The internal form needs an object. Structs are objects, which the declaration checks. But a function of version 2 may
// write something else, and then the tag has no place.

// notObject returns the error for a value whose method or function did not write an object, which the internal form
// needs.
func (e *Encoder) notObject(s *shape.Sum, i int, v reflect.Value) error {
	return e.sumError(v, fmt.Sprintf("the case %q of %v is not encoded as an object, so it has no place for the member %q", s.Cases[i].Name, s.Type, s.Tag))
}

// sumError returns the error for a value that cannot be encoded, in the form of the version.
func (e *Encoder) sumError(v reflect.Value, text string) error {
	if e.Mode.IsV1() {
		return e.unsupported(v, text)
	}
	return NewFault(v.Type(), fmt.Errorf("%s", text))
}
