package rules

import (
	"encoding"
	"reflect"
	"time"

	text "github.com/hone-go/hone/json/jsontext"
)

// A MarshalerTo is a value with a method that writes the value to one of Hone's streams.
type MarshalerTo interface{ MarshalJSONTo(*text.Encoder) error }

// An UnmarshalerFrom is a value with a method that reads the value from one of Hone's streams.
type UnmarshalerFrom interface{ UnmarshalJSONFrom(*text.Decoder) error }

// Types with special rules.
var (
	NumberType     = reflect.TypeFor[Number]()
	RawMessageType = reflect.TypeFor[RawMessage]()
	TimeType       = reflect.TypeFor[time.Time]()
	DurationType   = reflect.TypeFor[time.Duration]()
	FloatType      = reflect.TypeFor[float64]()
	ErrorType      = reflect.TypeFor[error]()
)

// Interfaces with methods that encode or decode a value.
var (
	MarshalerType       = reflect.TypeFor[Marshaler]()
	TextMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	TextAppenderType    = reflect.TypeFor[encoding.TextAppender]()
	UnmarshalerType     = reflect.TypeFor[Unmarshaler]()
	TextUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
	marshalerToType     = reflect.TypeFor[MarshalerTo]()
	unmarshalerFromType = reflect.TypeFor[UnmarshalerFrom]()
)

// A MethodForm identifies a method that encodes or decodes a value. If a type has several of them,
// the one with the smallest number is tried first.
type MethodForm uint8

const (
	MethodStream   MethodForm = iota // MarshalJSONTo, UnmarshalJSONFrom
	MethodStandard                   // MarshalJSONTo and UnmarshalJSONFrom, with the standard library's streams
	MethodJSON
	MethodAppend
	MethodText
)

// EncodeMethods returns the methods of t or of a pointer to t that encode a value, in the order in
// which they are tried. For a pointer or an interface it returns none, because the element has its
// own program.
func EncodeMethods(t reflect.Type) (list []MethodForm) {
	if k := t.Kind(); k == reflect.Pointer || k == reflect.Interface {
		return nil
	}
	for m := MethodStream; m <= MethodText; m++ {
		if HasMethod(reflect.PointerTo(t), m) {
			list = append(list, m)
		}
	}
	return list
}

// DecodeMethods returns the methods of a pointer to t that decode a value, in the order in which
// they are tried. For a pointer or an interface it returns none, because the element has its own
// node.
func DecodeMethods(t reflect.Type) (list []MethodForm) {
	if k := t.Kind(); k == reflect.Pointer || k == reflect.Interface {
		return nil
	}
	p := reflect.PointerTo(t)
	if p.Implements(unmarshalerFromType) {
		list = append(list, MethodStream)
	}
	if ReadsItself(p) {
		list = append(list, MethodStandard)
	}
	if p.Implements(UnmarshalerType) {
		list = append(list, MethodJSON)
	}
	if p.Implements(TextUnmarshalerType) {
		list = append(list, MethodText)
	}
	return list
}

// HasMethod reports whether t has the method m, which encodes a value.
func HasMethod(t reflect.Type, m MethodForm) bool {
	switch m {
	case MethodStream:
		return t.Implements(marshalerToType)
	case MethodStandard:
		return WritesItself(t)
	case MethodJSON:
		return t.Implements(MarshalerType)
	case MethodAppend:
		return t.Implements(TextAppenderType)
	}
	return t.Implements(TextMarshalerType)
}

// customizes reports whether t has a method that encodes or decodes a value.
func customizes(t reflect.Type) bool { return len(EncodeMethods(t)) > 0 || len(DecodeMethods(t)) > 0 }
