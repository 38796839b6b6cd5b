package union

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hone-go/hone/shape"
)

// declare registers the cases of t, an interface or an mo.Either, and returns its Union. It panics
// if the declaration is invalid.
func declare(t reflect.Type, form shape.SumForm, tag, value string, cases []Variant) Union {
	s := &shape.Sum{Type: t, Form: form, Tag: tag, Value: value, Unknown: -1, Where: caller()}
	err := fill(s, cases)
	if err == nil {
		err = shape.Declare(s)
	}
	if err != nil {
		panic(fmt.Sprintf("union: %s: %v", s.Where, err))
	}
	return Union{s}
}

// caller returns the file and line of the declaration.
func caller() string {
	// The frames are caller, declare, the exported function, and its caller.
	_, file, line, _ := runtime.Caller(3)
	return file[strings.LastIndexByte(file, '/')+1:] + ":" + strconv.Itoa(line)
}

// fill checks the cases and adds them to s.
func fill(s *shape.Sum, cases []Variant) error {
	if types := shape.EitherTypes(s.Type); types != nil || s.Form == shape.SumUntagged {
		return fillEither(s, types, cases)
	}
	if err := checkInterface(s.Type); err != nil {
		return err
	}
	if err := checkNames(s); err != nil {
		return err
	}
	if len(cases) == 0 {
		return fmt.Errorf("%v has no cases", s.Type)
	}
	for i, c := range cases {
		if err := checkCase(s, c, cases[:i]); err != nil {
			return err
		}
		if c.unknown {
			s.Unknown = i
		}
		s.Cases = append(s.Cases, shape.SumCase{Name: c.name, Number: c.number, Type: c.typ})
	}
	return nil
}

// checkNames returns an error if the names of the members of s are invalid.
func checkNames(s *shape.Sum) error {
	if (s.Form == shape.SumInternal || s.Form == shape.SumAdjacent) && (s.Tag == "" || !utf8.ValidString(s.Tag)) {
		return fmt.Errorf("%q cannot be the name of the member that names the case; use a name that is valid UTF-8 and not empty", s.Tag)
	}
	if s.Form == shape.SumAdjacent && (s.Value == "" || !utf8.ValidString(s.Value) || strings.EqualFold(s.Value, s.Tag)) {
		return fmt.Errorf("%q cannot be the name of the member that holds the case's value; use a name that is valid UTF-8, not empty, and different from the tag even if letter case is ignored", s.Value)
	}
	return nil
}

// methods are the names of methods by which a type encodes or decodes itself.
var (
	methods     = slices.Concat(jsonMethods, textMethods)
	jsonMethods = []string{"MarshalJSON", "UnmarshalJSON", "MarshalJSONTo", "UnmarshalJSONFrom"}
	textMethods = []string{"MarshalText", "UnmarshalText", "AppendText"}
)

// methodOf returns the first name in methods for which t or a pointer to t has a method, or "".
func methodOf(t reflect.Type, methods []string) string {
	for _, name := range methods {
		if _, has := reflect.PointerTo(t).MethodByName(name); has {
			return name
		}
	}
	return ""
}

// checkInterface returns an error if t cannot have declared cases.
func checkInterface(t reflect.Type) error {
	switch {
	case t.Kind() != reflect.Interface:
		return fmt.Errorf("%v is not an interface type", t)
	case t.Name() == "":
		return fmt.Errorf("%v is not a named type; declare one", t)
	case t.NumMethod() == 0:
		return fmt.Errorf("%v has no methods, so every type would implement it; add one, such as is%s()", t, t.Name())
	}
	for _, name := range methods {
		if _, has := t.MethodByName(name); has {
			return fmt.Errorf("%v has the method %s, so its values encode themselves", t, name)
		}
	}
	return nil
}

// checkCase returns an error if c cannot be a case of s after the cases in earlier.
func checkCase(s *shape.Sum, c Variant, earlier []Variant) error {
	for _, other := range earlier {
		switch {
		case other.typ == c.typ:
			return fmt.Errorf("%v is declared twice", c.typ)
		case other.unknown && c.unknown:
			return fmt.Errorf("%v and %v are both declared by Default; only one case can keep unknown names", other.typ, c.typ)
		case other.unknown || c.unknown:
		case other.name == c.name:
			return fmt.Errorf("%v and %v have the same name %q", other.typ, c.typ, c.name)
		case other.number == c.number:
			return fmt.Errorf("%v and %v have the same number %d", other.typ, c.typ, c.number)
		}
	}
	switch {
	case c.typ == nil || c.typ.Kind() == reflect.Interface:
		return fmt.Errorf("the case %v is an interface; a case must be the concrete type of a value in %v", c.typ, s.Type)
	case !c.typ.Implements(s.Type):
		hint := ""
		if reflect.PointerTo(c.typ).Implements(s.Type) {
			hint = fmt.Sprintf("; *%v does", c.typ)
		}
		return fmt.Errorf("%v does not implement %v%s", c.typ, s.Type, hint)
	case c.unknown:
		return checkUnknown(s, c.typ)
	case c.name == "" || !utf8.ValidString(c.name):
		return fmt.Errorf("%q cannot be the name of %v; use a name that is valid UTF-8 and not empty", c.name, c.typ)
	case c.number == 0:
		return fmt.Errorf("%v has the number 0, which represents nil; use 1 or more", c.typ)
	case s.Form == shape.SumInternal:
		return checkMembers(s, c.typ)
	}
	return nil
}

// checkUnknown finds the Unknown that the struct t embeds, or the target of t if t is a pointer. It
// stores the offsets of the fields of this Unknown in s. If the struct embeds none, it returns an error.
func checkUnknown(s *shape.Sum, t reflect.Type) error {
	of := t
	if t.Kind() == reflect.Pointer {
		of = t.Elem()
	}
	var ok bool
	if s.UnknownName, s.UnknownText, ok = shape.EmbeddedUnknown(of, reflect.TypeFor[Unknown]()); ok {
		return nil
	}
	return fmt.Errorf("%v does not embed union.Unknown, so it cannot be the case for unknown names", t)
}

// checkMembers returns an error if the tag cannot be in the same JSON object as the members of t.
func checkMembers(s *shape.Sum, t reflect.Type) error {
	of := t
	if t.Kind() == reflect.Pointer {
		of = t.Elem()
	}
	if of.Kind() != reflect.Struct {
		return fmt.Errorf("%v is not a struct, so its JSON cannot have the member %q; use union.Adjacent", t, s.Tag)
	}
	if name := methodOf(of, methods); name != "" {
		return fmt.Errorf("%v has the method %s, which would not write or read the member %q; use union.Adjacent", t, name, s.Tag)
	}
	if path, found := shape.MemberLike(of, s.Tag); found {
		return fmt.Errorf("the field %v.%s can use the JSON name %q, which names the case; rename the field, or use union.Adjacent", t, path, s.Tag)
	}
	return nil
}
