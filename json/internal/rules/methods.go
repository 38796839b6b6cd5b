package rules

import (
	"encoding"
	"reflect"
	"time"

	text "github.com/hone-go/hone/json/jsontext"
)

var FloatType = reflect.TypeFor[float64]()

// An UnmarshalerFrom reads itself from a stream of tokens.
type UnmarshalerFrom interface{ UnmarshalJSONFrom(*text.Decoder) error }

var unmarshalerFromType = reflect.TypeFor[UnmarshalerFrom]()

// DecodeMethods returns the methods of a pointer to t, in the order in which they are asked.
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

var (
	UnmarshalerType     = reflect.TypeFor[Unmarshaler]()
	TextUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
	RawMessageType      = reflect.TypeFor[RawMessage]()
	ErrorType           = reflect.TypeFor[error]()
)

// A MarshalerTo writes itself to a stream of tokens.
type MarshalerTo interface{ MarshalJSONTo(*text.Encoder) error }

// A MethodForm is one of the methods by which values encode or decode themselves.
type MethodForm uint8

const (
	MethodStream   MethodForm = iota // MarshalJSONTo, UnmarshalJSONFrom
	MethodStandard                   // those with the standard library's streams
	MethodJSON
	MethodAppend
	MethodText
)

var (
	marshalerToType  = reflect.TypeFor[MarshalerTo]()
	TextAppenderType = reflect.TypeFor[encoding.TextAppender]()
	DurationType     = reflect.TypeFor[time.Duration]()
)

// EncodeMethods returns the methods of t, or of a pointer to it, in the order in which they
// are asked.
func EncodeMethods(t reflect.Type) (list []MethodForm) {
	if k := t.Kind(); k == reflect.Pointer || k == reflect.Interface {
		return nil
	}
	p := reflect.PointerTo(t)
	if p.Implements(marshalerToType) {
		list = append(list, MethodStream)
	}
	if WritesItself(p) {
		list = append(list, MethodStandard)
	}
	if p.Implements(MarshalerType) {
		list = append(list, MethodJSON)
	}
	if p.Implements(TextAppenderType) {
		list = append(list, MethodAppend)
	}
	if p.Implements(TextMarshalerType) {
		list = append(list, MethodText)
	}
	return list
}

// HasMethod reports whether t itself has the method, and not only a pointer to it.
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

// customizes reports whether t has methods that encode or decode it.
func customizes(t reflect.Type) bool { return len(EncodeMethods(t)) > 0 || len(DecodeMethods(t)) > 0 }

var NumberType = reflect.TypeFor[Number]()

var (
	MarshalerType     = reflect.TypeFor[Marshaler]()
	TextMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
	TimeType          = reflect.TypeFor[time.Time]()
)
