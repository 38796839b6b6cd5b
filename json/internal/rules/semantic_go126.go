//go:build !(go1.27 && goexperiment.jsonv2)

package rules

import (
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/hone-go/hone/json/internal/stream"
)

// ErrUnknownName is the cause of a [SemanticError] for a member that has no field in the struct.
var ErrUnknownName = errors.New("unknown object member name")

// errAmbiguousName is the cause for a name that matches several fields if its case is ignored.
var errAmbiguousName = errors.New("ambiguous object member name")

// ErrAmbiguousName returns the cause for a name that matches several fields if its case is
// ignored.
func ErrAmbiguousName() error { return errAmbiguousName }

// A SemanticError reports JSON that cannot be decoded into a Go value, or a Go value that cannot be
// encoded.
//
// A method or function that encodes or decodes may return one. Hone sets its zero fields.
type SemanticError struct {
	_ struct{}
	_ [0]func()

	action string

	ByteOffset  int64          // the error is at or after this offset
	JSONPointer stream.Pointer // of the value that contains the error
	JSONKind    stream.Kind    // the kind of the value; 0 if unknown
	JSONValue   stream.Value   // the refused number or string; may be nil
	GoType      reflect.Type   // may be nil
	Err         error          // may be nil
}

// Unwrap returns Err.
func (e *SemanticError) Unwrap() error { return e.Err }

// Error describes the error in the words of encoding/json/v2: the action, the kind of JSON, the Go
// type, the position and the cause.
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
	// The text of a syntactic cause has its own position.
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

// kindNames are the names of the kinds of JSON values in errors.
var kindNames = map[stream.Kind]string{
	'n': "null", 'f': "boolean", 't': "boolean", '"': "string", '0': "number",
	'{': "object", '}': "object", '[': "array", ']': "array",
}

// typeName returns the name of a type, or the name of its kind if the name of the type has more
// than 100 bytes.
func typeName(t reflect.Type) string {
	if name := t.String(); len(name) <= 100 {
		return name
	}
	return t.Kind().String()
}

// NewSemantic returns an empty error of decoding or encoding.
func NewSemantic(decoding bool) *SemanticError { return WithAction(&SemanticError{}, decoding) }

// WithAction returns a copy of err. If err has no action, as an error from a method, the copy has
// the action of decoding or encoding.
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
