//go:build !(go1.27 && goexperiment.jsonv2)

package rules

import (
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/hone-go/hone/json/internal/stream"
)

// ErrUnknownName is the cause of a [SemanticError] for a member that matches no field of the
// struct.
var ErrUnknownName = errors.New("unknown object member name")

// errAmbiguousName is the cause for a name that matches several fields if case is ignored.
var errAmbiguousName = errors.New("ambiguous object member name")

// ErrAmbiguousName returns the cause for a name that matches several fields if case is ignored.
func ErrAmbiguousName() error { return errAmbiguousName }

// A SemanticError reports JSON that cannot be decoded into a Go value, or a Go value that cannot be
// encoded.
//
// A method or function that encodes or decodes may return a SemanticError. Hone then fills in
// those fields of the error that are zero.
type SemanticError struct {
	_ struct{}
	_ [0]func()

	action string

	ByteOffset  int64          // the error is at or after this offset
	JSONPointer stream.Pointer // the pointer of the value that contains the error
	JSONKind    stream.Kind    // the kind of the value; 0 if unknown
	JSONValue   stream.Value   // the refused number or string; may be nil
	GoType      reflect.Type   // may be nil
	Err         error          // may be nil
}

// Unwrap returns Err.
func (e *SemanticError) Unwrap() error { return e.Err }

// Error returns the message that encoding/json/v2 would return: the action, the kind of JSON, the
// Go type, the position and the cause.
func (e *SemanticError) Error() string {
	verb, preposition := "handle", ""
	switch e.action {
	case "marshal":
		verb, preposition = "marshal", " from"
	case "unmarshal":
		verb, preposition = "unmarshal", " into"
	}
	text := "json: cannot " + verb
	if name := kindName(e.JSONKind); name != "" {
		text += " JSON " + name
		if preposition == "" {
			preposition = " with"
		}
	}
	if n := len(e.JSONValue); n > 0 && n < 100 {
		text += " " + string(e.JSONValue)
	}
	if e.GoType != nil {
		text += preposition + " Go " + typeName(e.GoType)
	}
	if e.Err == ErrUnknownName || e.Err == errAmbiguousName {
		text += ": " + e.Err.Error() + " " + strconv.Quote(e.JSONPointer.LastToken())
		return text + location(e.JSONPointer.Parent())
	}
	// The message of a syntactic cause already contains a position.
	inner, _ := e.Err.(*stream.SyntacticError)
	switch {
	case e.JSONPointer != "":
		if inner == nil || !e.JSONPointer.Contains(inner.JSONPointer) {
			text += location(e.JSONPointer)
		}
	case e.ByteOffset > 0:
		if inner == nil || e.ByteOffset > inner.ByteOffset {
			text += " after offset " + strconv.FormatInt(e.ByteOffset, 10)
		}
	}
	if e.Err != nil {
		cause := e.Err.Error()
		if inner != nil {
			cause = strings.TrimPrefix(cause, "jsontext: ")
		}
		text += ": " + cause
	}
	return text
}

// location returns the part of an error message that names the enclosing value.
func location(pointer stream.Pointer) string {
	if pointer == "" {
		return ""
	}
	return " within " + strconv.Quote(stream.ShortPointer(string(pointer)))
}

// kindName returns the name of a kind in error messages, or "" for an unknown kind.
func kindName(kind stream.Kind) string {
	switch kind {
	case 'n':
		return "null"
	case 'f', 't':
		return "boolean"
	case '"':
		return "string"
	case '0':
		return "number"
	case '{', '}':
		return "object"
	case '[', ']':
		return "array"
	}
	return ""
}

// typeName returns the name of a type. If the name has more than 100 bytes, typeName returns the
// name of the kind.
func typeName(t reflect.Type) string {
	if name := t.String(); len(name) <= 100 {
		return name
	}
	return t.Kind().String()
}

// NewSemantic returns an empty error for decoding or encoding.
func NewSemantic(decoding bool) *SemanticError { return WithAction(&SemanticError{}, decoding) }

// WithAction returns a copy of err. If err has no action, as an error that a method returned, the
// action of the copy is set to decoding or encoding.
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
