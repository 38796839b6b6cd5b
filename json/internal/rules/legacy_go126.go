//go:build !(go1.27 && goexperiment.jsonv2)

package rules

import (
	"reflect"

	"github.com/hone-go/hone/json/internal/stream"
)

// NewMarshalerError returns the error of v1 for a method that failed.
func NewMarshalerError(t reflect.Type, err error, _ string) error {
	return &MarshalerError{Type: t, Err: err}
}

// LegacySyntax returns an error of the text, or of the reader, as v1 returns it, as far as
// errors of encoding/json can be made.
func LegacySyntax(err error) error {
	if err, ok := err.(*stream.IOError); ok {
		return err.Err
	}
	return err
}

// withCause adds a cause to an error of v1, which has no room for one.
func withCause(*UnmarshalTypeError, error) {}
