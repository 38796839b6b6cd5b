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

// A Union describes the declared cases of an interface or an mo.Either.
type Union struct{ sum *shape.Sum }

// Type returns the interface type, or the type of the mo.Either.
func (u Union) Type() reflect.Type { return u.sum.Type }

// String returns the type and the names of its cases.
func (u Union) String() string { return fmt.Sprintf("%v: %s", u.sum.Type, u.sum.Names()) }

// A Variant is one case of a declaration. [Case] and [Default] make them.
type Variant struct {
	typ     reflect.Type
	name    string
	number  uint32
	unknown bool
}

// Case returns the case for values of type V, a type that is not an interface. The name identifies
// the case in JSON and in documents, and the number identifies it in binary formats. The number
// must not be 0, which represents nil.
func Case[V any](name string, number uint32) Variant {
	return Variant{typ: reflect.TypeFor[V](), name: name, number: number}
}

// Default returns the case for values whose name is not declared. V is a struct that embeds
// [Unknown], or a pointer to one.
func Default[V any]() Variant { return Variant{typ: reflect.TypeFor[V](), unknown: true} }

// An Unknown keeps a value whose case has an unknown name. A struct that embeds it is a case for
// [Default].
type Unknown struct {
	// Name is the name of the case.
	Name string
	// Text is the JSON of the whole value, with the name. It is encoded unchanged, except for white
	// space and escapes.
	Text []byte
}

// A CaseError reports a value whose case is missing or not declared.
type CaseError = shape.CaseError

// Internal declares that the values of the interface I have one of the given types, and that JSON
// names the type by the member tag, in the same object as the members of the value:
// {"type":"created","id":1}. Each type is a struct or a pointer to a struct, without methods for
// JSON or text, and without a member that has the name of the tag. An invalid declaration panics;
// see the package comment.
func Internal[I any](tag string, cases ...Variant) Union {
	return declare(reflect.TypeFor[I](), shape.SumInternal, tag, "", cases)
}

// Adjacent is like [Internal], for the form {"type":"created","data":{"id":1}}. The value of a case
// can be any JSON. If the member for the value is missing, the value is the zero value.
func Adjacent[I any](tag, value string, cases ...Variant) Union {
	return declare(reflect.TypeFor[I](), shape.SumAdjacent, tag, value, cases)
}

// External is like [Internal], for the form {"created":{"id":1}}. The value of a case can be any
// JSON.
func External[I any](cases ...Variant) Union {
	return declare(reflect.TypeFor[I](), shape.SumExternal, "", "", cases)
}

// Untagged declares that the JSON of the [mo.Either] E is the JSON of the value that it holds: "a"
// or ["a","b"] for an Either of a string and a []string. A reader recognizes the case by the kind of
// the JSON: bool, number, string, array or object. If several cases are structs, each must have a
// member that is always written and that no other case has; a reader recognizes the case by this
// member. Untagged panics if a reader could confuse two of the types.
//
// [mo.Either]: https://pkg.go.dev/github.com/hone-go/hone/mo#Either
func Untagged[E any]() Union {
	var cases []Variant
	for i, t := range shape.EitherTypes(reflect.TypeFor[E]()) {
		cases = append(cases, Variant{typ: t, number: uint32(i + 1)})
	}
	return declare(reflect.TypeFor[E](), shape.SumUntagged, "", "", cases)
}

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
		return fmt.Errorf("%q cannot be the name of the member with the value; use a name that is valid UTF-8, not empty, and not the tag", s.Value)
	}
	return nil
}

// methods are the names of methods by which a type encodes or decodes itself.
var (
	methods     = slices.Concat(jsonMethods, textMethods)
	jsonMethods = []string{"MarshalJSON", "UnmarshalJSON", "MarshalJSONTo", "UnmarshalJSONFrom"}
	textMethods = []string{"MarshalText", "UnmarshalText", "AppendText"}
)

// methodOf returns the first of the methods that t or a pointer to t has, or "".
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

// checkUnknown sets the offsets in s of the fields of the Unknown that t, or the target of t, embeds.
// It returns an error if there is none.
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
