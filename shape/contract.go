package shape

import (
	"encoding"
	"errors"
	"reflect"
	"strconv"
)

// Required reports whether a JSON object has to have the member, where somebody holds it to
// the tags of the struct: it does unless the member is an option or a pointer, has one of the
// options omitempty and omitzero or the tag default, lies behind an embedded pointer, or is
// tagged required:"false". The tag required:"true" decides for all of these but the last.
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

// Optional reports whether values of s say themselves that there is none: an mo.Option, an
// mo.Nullable or a pointer.
func (s *Shape) Optional() bool { return s.Held() != nil }

// Unknown returns the tag unknown of a blank field of a struct type, such as
//
//	_ struct{} `unknown:"refused"`
//
// which says what becomes of members that no field takes: "refused", "ignored", or "" for
// what the operation says.
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

// ReadOnly reports whether the field is tagged readOnly:"true": it is in what a server
// sends, and not in what it takes.
func (f *Field) ReadOnly() bool { return f.tag.Get("readOnly") == "true" }

// WriteOnly reports whether the field is tagged writeOnly:"true": it is in what a server
// takes, and not in what it sends.
func (f *Field) WriteOnly() bool { return f.tag.Get("writeOnly") == "true" }

// RequiredParam reports whether the tag required says that a parameter has to be there.
func (f *Field) RequiredParam() bool { return f.tag.Get("required") == "true" }

// Default returns the tag default, the value that an absent member or parameter stands for,
// and reports whether f has it. The text is written as [Limits] are: that of a string, a time
// or a duration as it is, with commas between the elements of a slice, and JSON for the rest.
func (f *Field) Default() (text string, ok bool) { return f.tag.Lookup("default") }

// Example returns the tag example, which is written like the tag default, and reports
// whether f has it.
func (f *Field) Example() (text string, ok bool) { return f.tag.Lookup("example") }

// checkFlags checks the tags that are either true or false.
func (f *Field) checkFlags() error {
	for _, tag := range []string{"required", "readOnly", "writeOnly", "uniqueItems"} {
		if text, ok := f.tag.Lookup(tag); ok && text != "true" && text != "false" {
			return f.TagError(tag, errors.New("it is neither true nor false"))
		}
	}
	if f.ReadOnly() && f.WriteOnly() {
		return f.TagError("readOnly", errors.New("the field is tagged writeOnly too"))
	}
	return nil
}

var (
	jsonUnmarshaler = reflect.TypeFor[interface{ UnmarshalJSON([]byte) error }]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	schemaTyper     = reflect.TypeFor[interface{ SchemaType() (name, format string) }]()
)

// TakesNull reports whether null is a value of the type in JSON, as package json writes it
// and API documents describe it. A type that decodes JSON itself decides by itself, unless it
// has a method SchemaType.
func (s *Shape) TakesNull() bool {
	switch {
	case s.Union != nil:
		return s.Union.Nullable() >= 0
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

// readsItself reports whether the type has the method of an encoding/json/v2.UnmarshalerFrom,
// be it of the standard library or of this module.
func (s *Shape) readsItself() bool {
	_, ok := reflect.PointerTo(s.Type).MethodByName("UnmarshalJSONFrom")
	return ok
}

// Values returns what the method Values of a named string or integer type lists, as the tag
// enum would: the method has no arguments and returns a slice of the type, or of strings. It
// is called on the zero value. It returns nil for any other type.
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
