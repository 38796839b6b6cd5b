package shape

import (
	"encoding"
	"reflect"
	"slices"
)

var (
	jsonUnmarshaler = reflect.TypeFor[interface{ UnmarshalJSON([]byte) error }]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	schemaTyper     = reflect.TypeFor[SchemaTyper]()
)

// A SchemaTyper is a type that describes its JSON. SchemaType returns a type of JSON Schema, such as
// "number", and the name of a format or "". It is for types whose methods write JSON or text, and is
// called on a zero value.
type SchemaTyper interface{ SchemaType() (name, format string) }

// TakesNull reports whether null is a JSON value of the type, as package json decodes it and API
// documents describe it. A type that decodes JSON itself is assumed to accept null, unless it has a
// method SchemaType.
func (s *Shape) TakesNull() bool {
	switch {
	case s.Union != nil:
		return s.Union.Nullable() >= 0 || s.Union.Sum != nil && slices.ContainsFunc(s.Union.Sum.Cases, SumCase.takesNull)
	case s.Sum != nil:
		return false // null is not one of the cases
	case s.Kind == Option, s.Kind == Pointer, s.Kind == Interface:
		return true
	case s.hasMethod(schemaTyper):
		return false
	case s.Kind == Time:
		return false
	case s.hasMethod(jsonUnmarshaler), s.readsItself():
		return true
	case s.hasMethod(textUnmarshaler):
		return false
	}
	return s.Kind == Slice || s.Kind == Bytes || s.Kind == Map
}

func (s *Shape) hasMethod(of reflect.Type) bool { return reflect.PointerTo(s.Type).Implements(of) }

// readsItself reports whether the type has a method UnmarshalJSONFrom for encoding/json/v2 or for
// json/v2 of this module.
func (s *Shape) readsItself() bool {
	_, ok := reflect.PointerTo(s.Type).MethodByName("UnmarshalJSONFrom")
	return ok
}
