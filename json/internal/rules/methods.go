package rules

import (
	"encoding"
	"reflect"
	"time"

	text "github.com/hone-go/hone/json/jsontext"
)

// A MarshalerTo encodes itself to one of Hone's streams.
type MarshalerTo interface{ MarshalJSONTo(*text.Encoder) error }

// An UnmarshalerFrom decodes itself from one of Hone's streams.
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

// The interfaces of methods by which types encode and decode themselves.
var (
	MarshalerType       = reflect.TypeFor[Marshaler]()
	TextMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	TextAppenderType    = reflect.TypeFor[encoding.TextAppender]()
	UnmarshalerType     = reflect.TypeFor[Unmarshaler]()
	TextUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
	marshalerToType     = reflect.TypeFor[MarshalerTo]()
	unmarshalerFromType = reflect.TypeFor[UnmarshalerFrom]()
)

// A MethodForm is one of the methods by which a type encodes or decodes itself. Methods with a
// smaller number are tried first.
type MethodForm uint8

const (
	MethodStream   MethodForm = iota // MarshalJSONTo, UnmarshalJSONFrom
	MethodStandard                   // the same names, with the standard library's streams
	MethodJSON
	MethodAppend
	MethodText
)

// EncodeMethods returns the methods by which t or a pointer to t encodes itself, in the order in
// which they are tried. It returns none for a pointer or an interface, whose elements have their
// own nodes.
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

// DecodeMethods returns the methods by which a pointer to t decodes itself, in the order in which
// they are tried. It returns none for a pointer or an interface, whose elements have their own
// nodes.
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

// HasMethod reports whether t itself has the method m, so that m can be called on a value without
// an address.
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

// customizes reports whether t has a method by which it encodes or decodes itself.
func customizes(t reflect.Type) bool { return len(EncodeMethods(t)) > 0 || len(DecodeMethods(t)) > 0 }
