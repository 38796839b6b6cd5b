//go:build go1.27 && goexperiment.jsonv2

package rules

import (
	jsonv2 "encoding/json/v2"
	"strings"
	"sync"
)

// SemanticError is the standard library's.
type SemanticError = jsonv2.SemanticError

// ErrUnknownName is the standard library's.
var ErrUnknownName = jsonv2.ErrUnknownName

// provokedErrors are what the standard library alone can make: errors that say what was being
// done, and the error for a name that may be of several fields. They are taken from errors of
// its own, when one is asked for: a program that has none of V2 does not provoke them.
var provokedErrors struct {
	once               sync.Once
	marshal, unmarshal *SemanticError
	ambiguous          error
}

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

// ErrAmbiguousName returns the error for a name that may be of several fields.
func ErrAmbiguousName() error {
	provokedErrors.once.Do(provokeErrors)
	return provokedErrors.ambiguous
}

func provoked(by func() error) *SemanticError {
	if e, ok := by().(*SemanticError); ok {
		return e
	}
	return &SemanticError{}
}

// NewSemantic returns an error of encoding, or of decoding.
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

// WithAction returns a copy of err that says what was being done, if err does not.
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

func CopyError(err *SemanticError) *SemanticError {
	made := *err
	return &made
}
