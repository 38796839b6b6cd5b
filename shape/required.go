package shape

import (
	"encoding"
	"reflect"
	"slices"
)

// Required reports whether a JSON object must have the member when the struct's tags are enforced.
// A member is not required if its type is an option or a pointer, if its json tag has the option
// omitempty or omitzero, if it has a `default` tag, or if it is promoted through an embedded
// pointer. The tags required:"false" and required:"true" override all of these rules except the
// last.
func (m *Member) Required() bool {
	if len(m.Through) > 0 {
		return false
	}
	switch m.Field.tag.Get("required") {
	case "true":
		return true
	case "false":
		return false
	}
	_, hasDefault := m.Field.tag.Lookup("default")
	return !hasDefault && !m.OmitEmpty && !m.OmitZero && !m.Field.Shape.Optional()
}

// MayBeSkipped reports whether the input may lack the member and then leaves its field unchanged: the
// member is not required and has no `default` tag.
func (m *Member) MayBeSkipped() bool {
	_, hasDefault := m.Field.tag.Lookup("default")
	return !hasDefault && !m.Required()
}

// InAnswers reports whether the schema of an answer lists the member as required: requests must have
// it, and it is always written, because its json tag has neither omitempty nor omitzero. Other
// members that are always written are not listed, so that most types have one schema for both.
func (m *Member) InAnswers() bool { return m.Required() && !m.OmitEmpty && !m.OmitZero }

// Optional reports whether s can represent an absent value: s is an mo.Option, an mo.Nullable or a
// pointer.
func (s *Shape) Optional() bool { return s.Held() != nil || s.Endless() }

// MayBeSkipped reports whether a request may lack the parameter although its zero value may break a
// limit: the field is tagged required:"false", or its embedded pointer stays nil if the request has
// none of the struct's parameters. The field must have no `default` tag and not be part of the path.
func (p *Param) MayBeSkipped() bool {
	_, hasDefault := p.Field.tag.Lookup("default")
	return !hasDefault && p.Source != FromPath && !p.Field.RequiredParam() && (p.Field.tag.Get("required") == "false" || len(p.Through) > 0)
}

// RequiredParam reports whether the field is tagged required:"true", which makes a parameter
// required.
func (f *Field) RequiredParam() bool { return f.tag.Get("required") == "true" }

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
