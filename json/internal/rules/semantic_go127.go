//go:build go1.27 && goexperiment.jsonv2

package rules

import (
	jsonv2 "encoding/json/v2"
	"strings"
	"sync"
)

// SemanticError is the type of the standard library.
type SemanticError = jsonv2.SemanticError

// ErrUnknownName is the error of the standard library.
var ErrUnknownName = jsonv2.ErrUnknownName

// provokedErrors contains copies of errors that only the standard library can create: a
// SemanticError for each action, and the cause for an ambiguous name. They are created when the
// first one is needed.
var provokedErrors struct {
	once               sync.Once
	marshal, unmarshal *SemanticError
	ambiguous          error
}

// provokeErrors makes the standard library return these errors.
func provokeErrors() {
	provokedErrors.marshal = provoked(func() error { _, err := jsonv2.Marshal(make(chan int)); return err })
	provokedErrors.unmarshal = provoked(func() error { return jsonv2.Unmarshal([]byte("0"), new(chan int)) })
	provokedErrors.ambiguous = provoked(func() error {
		var v struct {
			A int `json:"aa,case:ignore"`
			B int `json:"AA,case:ignore"`
		}
		return jsonv2.Unmarshal([]byte(`{"aA":0}`), &v)
	}).Err
}

// ErrAmbiguousName returns the cause for a name that matches several fields if case is ignored.
func ErrAmbiguousName() error {
	provokedErrors.once.Do(provokeErrors)
	return provokedErrors.ambiguous
}

// provoked calls failing, and returns the SemanticError that the error of failing contains.
func provoked(failing func() error) *SemanticError {
	if e, ok := failing().(*SemanticError); ok {
		return e
	}
	return &SemanticError{}
}

// NewSemantic returns an empty error for decoding or encoding. Only the standard library can set
// the action, so the result is a copy of an error of the standard library.
func NewSemantic(decoding bool) *SemanticError {
	provokedErrors.once.Do(provokeErrors)
	e := provokedErrors.marshal
	if decoding {
		e = provokedErrors.unmarshal
	}
	made := *e
	made.ByteOffset, made.JSONPointer, made.JSONKind, made.JSONValue, made.GoType, made.Err = 0, "", 0, nil, nil, nil
	return &made
}

// WithAction returns a copy of err. If err has no action, as an error that a method returned, the
// action of the copy is set to decoding or encoding.
func WithAction(err *SemanticError, decoding bool) *SemanticError {
	text := err.Error()
	if !strings.HasPrefix(text, "json: cannot handle") && !strings.HasPrefix(text, "json: unable to handle") {
		return CopyError(err)
	}
	made := NewSemantic(decoding)
	made.ByteOffset, made.JSONPointer, made.JSONKind = err.ByteOffset, err.JSONPointer, err.JSONKind
	made.JSONValue, made.GoType, made.Err = err.JSONValue, err.GoType, err.Err
	return made
}

// CopyError returns a copy of err.
func CopyError(err *SemanticError) *SemanticError {
	made := *err
	return &made
}
