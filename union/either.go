package union

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/hone-go/hone/shape"
)

// fillEither checks the cases of an mo.Either whose type arguments are types, and adds them to s.
// types is nil if the type is not an Either.
func fillEither(s *shape.Sum, types []reflect.Type, cases []Variant) error {
	if types == nil {
		return fmt.Errorf("%v is not an mo.Either", s.Type)
	}
	if err := checkNames(s); err != nil {
		return err
	}
	if len(cases) != len(types) {
		return fmt.Errorf("%v has %d type arguments, but %d declared cases", s.Type, len(types), len(cases))
	}
	for i, c := range cases {
		if err := checkSide(s, types[i], c, cases[:i]); err != nil {
			return err
		}
		s.Cases = append(s.Cases, shape.SumCase{Name: c.name, Number: c.number, Type: c.typ})
	}
	if s.Form == shape.SumUntagged {
		return distinguishCases(s)
	}
	return nil
}

// checkSide returns an error if c cannot be the case for t, the next type argument of an Either.
// earlier are the cases of the type arguments before t.
func checkSide(s *shape.Sum, t reflect.Type, c Variant, earlier []Variant) error {
	position := len(earlier) + 1
	switch {
	case c.unknown:
		return fmt.Errorf("%v cannot hold a value with an unknown name; only a declared interface can", s.Type)
	case c.typ != t:
		return fmt.Errorf("case %d of %v is declared as %v, but must be %v: the cases of an Either are its type arguments, in order", position, s.Type, c.typ, t)
	case c.number != uint32(position):
		return fmt.Errorf("%v has the number %d; the cases of an Either are numbered by their position, so it must be %d", c.typ, c.number, position)
	case s.Form == shape.SumUntagged:
		return nil
	}
	for _, name := range []string{s.Tag, s.Value, c.name} {
		if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\<>&`, r) }) {
			return fmt.Errorf("%q cannot be a name in the JSON of an Either: use ASCII characters that JSON does not escape", name)
		}
	}
	if c.name == "" {
		return fmt.Errorf("the case %v has no name; pass one to union.Case", c.typ)
	}
	for _, other := range earlier {
		if other.name == c.name {
			return fmt.Errorf("%v and %v have the same name %q", other.typ, c.typ, c.name)
		}
	}
	if s.Form != shape.SumInternal {
		return nil
	}
	if c.typ.Kind() == reflect.Pointer {
		return fmt.Errorf("a nil %v is null in JSON, which cannot have the member %q; use %v, or union.Adjacent", c.typ, s.Tag, c.typ.Elem())
	}
	return checkMembers(s, c.typ)
}
