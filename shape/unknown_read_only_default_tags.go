package shape

import (
	"errors"
)

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
