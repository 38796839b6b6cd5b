//go:build !(go1.27 && goexperiment.jsonv2)

package rules

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/hone-go/hone/json/internal/stream"
)

// NewMarshalerError returns the error of v1 for a method or function that failed. By is its name,
// which the text of the error contains. In this release of encoding/json the text cannot contain
// the names of version 2.
func NewMarshalerError(t reflect.Type, err error, by string) error {
	made := MarshalerError{}
	if by == "MarshalText" {
		made = textFailure()
	}
	made.Type, made.Err = t, err
	return &made
}

// failingText has a method that fails. Encoding a failingText makes encoding/json return a
// MarshalerError with the name of the method, in a field that only encoding/json can set.
type failingText struct{}

func (failingText) MarshalText() ([]byte, error) { return nil, ErrSingle }

var textFailure = sync.OnceValue(func() MarshalerError {
	_, err := json.Marshal(failingText{})
	if e, ok := err.(*MarshalerError); ok {
		return *e
	}
	return MarshalerError{}
})

// LegacySyntax returns an error of the text or of the reader in the form of v1. This release of
// encoding/json has no SyntaxError for the errors of a stream.
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
