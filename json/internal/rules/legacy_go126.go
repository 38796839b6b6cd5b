//go:build !(go1.27 && goexperiment.jsonv2)

package rules

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/hone-go/hone/json/internal/stream"
)

// NewMarshalerError returns the error of version 1 for a method or function that failed. The
// message of the error contains the name of the method. Before Go 1.27 this name can only be
// MarshalText or MarshalJSON, so any other value of the argument method has no effect.
func NewMarshalerError(t reflect.Type, err error, method string) error {
	made := MarshalerError{}
	if method == "MarshalText" {
		made = textFailure()
	}
	made.Type, made.Err = t, err
	return &made
}

// failingText has a MarshalText method that fails. When encoding/json encodes a failingText, it
// returns a MarshalerError that contains the name of the method in a private field.
type failingText struct{}

func (failingText) MarshalText() ([]byte, error) { return nil, ErrSingle }

var textFailure = sync.OnceValue(func() MarshalerError {
	_, err := json.Marshal(failingText{})
	if e, ok := err.(*MarshalerError); ok {
		return *e
	}
	return MarshalerError{}
})

// LegacySyntax converts an error about the JSON text or the reader to the error of version 1. In
// this release of encoding/json, the errors of a stream are not SyntaxErrors.
func LegacySyntax(err error) error {
	if err, ok := err.(*stream.IOError); ok {
		return err.Err
	}
	return err
}

// SetCause does nothing, since UnmarshalTypeError has no cause before Go 1.27.
func SetCause(*UnmarshalTypeError, error) {}

// CauseOf returns nil, since UnmarshalTypeError has no cause before Go 1.27.
func CauseOf(*UnmarshalTypeError) error { return nil }

// InnerError returns nil, since UnmarshalTypeError has no cause before Go 1.27.
func InnerError([]byte) error { return nil }
