//go:build !(go1.27 && goexperiment.jsonv2)

package rules

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/hone-go/hone/json/internal/stream"
)

// NewMarshalerError returns the error of v1 for a method or a function that failed. By names
// it, as the text of the error does; this encoding/json has no text for the names of version 2.
func NewMarshalerError(t reflect.Type, err error, by string) error {
	made := MarshalerError{}
	if by == "MarshalText" {
		made = textFailure()
	}
	made.Type, made.Err = t, err
	return &made
}

// failingText has a method that fails. Encoding one makes encoding/json return a MarshalerError
// that names the method, in a field that only it can set.
type failingText struct{}

func (failingText) MarshalText() ([]byte, error) { return nil, ErrSingle }

var textFailure = sync.OnceValue(func() MarshalerError {
	_, err := json.Marshal(failingText{})
	if e, ok := err.(*MarshalerError); ok {
		return *e
	}
	return MarshalerError{}
})

// LegacySyntax returns an error of the text or of the reader in the form that v1 gives it. This
// encoding/json has no SyntaxError for the errors of a stream.
func LegacySyntax(err error) error {
	if err, ok := err.(*stream.IOError); ok {
		return err.Err
	}
	return err
}

// SetCause sets the cause of an error of v1. Before Go 1.27 UnmarshalTypeError has no field for
// one.
func SetCause(*UnmarshalTypeError, error) {}

// CauseOf returns the cause of an error of v1.
func CauseOf(*UnmarshalTypeError) error { return nil }

// InnerError returns the error of encoding/json for the text in the string raw, which is not a
// string.
func InnerError([]byte) error { return nil }
