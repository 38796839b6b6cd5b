//go:build !(go1.27 && goexperiment.jsonv2)

package rules

import (
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/hone-go/hone/json/internal/stream"
)

// ErrUnknownName is in the [SemanticError] for a member that the struct has no field for.
var ErrUnknownName = errors.New("unknown object member name")

// errAmbiguousName is the cause for a name that matches several fields if its case is ignored.
var errAmbiguousName = errors.New("ambiguous object member name")

// ErrAmbiguousName returns the cause for a name that matches several fields if its case is
// ignored.
func ErrAmbiguousName() error { return errAmbiguousName }

// A SemanticError says that a value does not go into a Go value, or a Go value not into
// JSON.
//
// A method or function that encodes or decodes may return one; its zero fields are filled
// in.
type SemanticError struct {
	_ struct{}
	_ [0]func()

	action string

	ByteOffset  int64          // at or after which the error is
	JSONPointer stream.Pointer // of the value that the error is in
	JSONKind    stream.Kind    // of the value; 0 if that is not known
	JSONValue   stream.Value   // the number or the string that was not taken; may be nil
	GoType      reflect.Type   // may be nil
	Err         error          // may be nil
}

// Unwrap returns Err.
func (e *SemanticError) Unwrap() error { return e.Err }

// Error describes the error in the words of encoding/json/v2: the action, the kind of JSON, the
// Go type, the place and the cause.
func (e *SemanticError) Error() string {
	var b strings.Builder
	b.WriteString("json: cannot ")
	preposition := ""
	switch e.action {
	case "marshal":
		b.WriteString("marshal")
		preposition = " from"
	case "unmarshal":
		b.WriteString("unmarshal")
		preposition = " into"
	default:
		b.WriteString("handle")
	}
	if name, ok := kindNames[e.JSONKind]; ok {
		b.WriteString(" JSON " + name)
		if preposition == "" {
			preposition = " with"
		}
	}
	if n := len(e.JSONValue); n > 0 && n < 100 {
		b.WriteString(" " + string(e.JSONValue))
	}
	if e.GoType != nil {
		b.WriteString(preposition + " Go " + typeName(e.GoType))
	}
	if e.Err == ErrUnknownName || e.Err == errAmbiguousName {
		b.WriteString(": " + e.Err.Error() + " " + strconv.Quote(e.JSONPointer.LastToken()))
		if parent := e.JSONPointer.Parent(); parent != "" {
			b.WriteString(" within " + strconv.Quote(stream.ShortPointer(string(parent))))
		}
		return b.String()
	}
	// A syntactic error inside says itself where it is.
	inner, _ := e.Err.(*stream.SyntacticError)
	switch {
	case e.JSONPointer != "":
		if inner == nil || !e.JSONPointer.Contains(inner.JSONPointer) {
			b.WriteString(" within " + strconv.Quote(stream.ShortPointer(string(e.JSONPointer))))
		}
	case e.ByteOffset > 0:
		if inner == nil || e.ByteOffset > inner.ByteOffset {
			b.WriteString(" after offset " + strconv.FormatInt(e.ByteOffset, 10))
		}
	}
	if e.Err != nil {
		text := e.Err.Error()
		if inner != nil {
			text = strings.TrimPrefix(text, "jsontext: ")
		}
		b.WriteString(": " + text)
	}
	return b.String()
}

// kindNames are the names that errors give the kinds of JSON values.
var kindNames = map[stream.Kind]string{
	'n': "null", 'f': "boolean", 't': "boolean", '"': "string", '0': "number",
	'{': "object", '}': "object", '[': "array", ']': "array",
}

// typeName returns the name of a type, or the name of its kind if the name is longer than 100
// bytes.
func typeName(t reflect.Type) string {
	if name := t.String(); len(name) <= 100 {
		return name
	}
	return t.Kind().String()
}

// NewSemantic returns an empty error of decoding or of encoding. On Go 1.27 only the standard
// library can set the action, so the error is a copy of one that it made.
func NewSemantic(decoding bool) *SemanticError { return WithAction(&SemanticError{}, decoding) }

// WithAction returns a copy of err that names the action, if err does not name one: an error
// that a method made has none.
func WithAction(err *SemanticError, decoding bool) *SemanticError {
	made := *err
	if made.action == "" {
		made.action = "marshal"
		if decoding {
			made.action = "unmarshal"
		}
	}
	return &made
}

// CopyError returns a copy of err.
func CopyError(err *SemanticError) *SemanticError {
	made := *err
	return &made
}
