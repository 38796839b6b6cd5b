package shape

import (
	"encoding"
	"errors"
	"reflect"
	"slices"
	"strconv"
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

// Optional reports whether s can represent an absent value: s is an mo.Option, an mo.Nullable or a
// pointer.
func (s *Shape) Optional() bool { return s.Held() != nil }

// Unknown returns the `unknown` tag of a blank field of a struct type, such as
//
//	_ struct{} `unknown:"refused"`
//
// The tag selects how unknown members are handled: "refused" or "ignored". Without the tag the
// result is "", and the handler that uses the type decides.
func (s *Shape) Unknown() string {
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Name == "_" {
			if says := f.tag.Get("unknown"); says != "" {
				return says
			}
		}
	}
	return ""
}

// ReadOnly reports whether the field is tagged readOnly:"true". A server sends such a field but
// does not accept it.
func (f *Field) ReadOnly() bool { return f.tag.Get("readOnly") == "true" }

// WriteOnly reports whether the field is tagged writeOnly:"true". A server accepts such a field but
// does not send it.
func (f *Field) WriteOnly() bool { return f.tag.Get("writeOnly") == "true" }

// RequiredParam reports whether the field is tagged required:"true", which makes a parameter
// required.
func (f *Field) RequiredParam() bool { return f.tag.Get("required") == "true" }

// Default returns the `default` tag, which is the value of an absent member or parameter, and
// reports whether f has the tag. A string, a time or a duration is written as plain text. The
// elements of a slice are separated by commas. Other values are JSON.
func (f *Field) Default() (text string, ok bool) { return f.tag.Lookup("default") }

// Example returns the `example` tag, which has the format of the `default` tag, and reports whether
// f has the tag.
func (f *Field) Example() (text string, ok bool) { return f.tag.Lookup("example") }

// checkFlags checks the tags whose values are true or false.
func (f *Field) checkFlags() error {
	for _, tag := range []string{"required", "readOnly", "writeOnly", "uniqueItems"} {
		if text, ok := f.tag.Lookup(tag); ok && text != "true" && text != "false" {
			return f.TagError(tag, errors.New("the value must be true or false"))
		}
	}
	if f.ReadOnly() && f.WriteOnly() {
		return f.TagError("readOnly", errors.New("the field is also tagged writeOnly"))
	}
	return nil
}

var (
	jsonUnmarshaler = reflect.TypeFor[interface{ UnmarshalJSON([]byte) error }]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	schemaTyper     = reflect.TypeFor[interface{ SchemaType() (name, format string) }]()
)

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

// Values returns the values listed by the method Values of a named string or integer type, in the
// format of the `enum` tag. The method has no arguments and returns a slice of the type or of
// strings. It is called on the zero value. Values returns nil for other types.
func (s *Shape) Values() []string {
	if s.Type.Name() == "" || s.Type.PkgPath() == "" || s.Kind != String && (s.Kind < Int8 || s.Kind > Uintptr) {
		return nil
	}
	method := reflect.New(s.Type).MethodByName("Values")
	if !method.IsValid() {
		return nil
	}
	t := method.Type()
	if t.NumIn() != 0 || t.NumOut() != 1 || t.Out(0).Kind() != reflect.Slice {
		return nil
	}
	if elem := t.Out(0).Elem(); elem != s.Type && elem.Kind() != reflect.String {
		return nil
	}
	list := method.Call(nil)[0]
	values := make([]string, list.Len())
	for i := range values {
		switch v := list.Index(i); {
		case v.Kind() == reflect.String:
			values[i] = v.String()
		case v.CanInt():
			values[i] = strconv.FormatInt(v.Int(), 10)
		default:
			values[i] = strconv.FormatUint(v.Uint(), 10)
		}
	}
	return values
}
