//go:build !(go1.27 && goexperiment.jsonv2)

package rules

import (
	"reflect"

	"github.com/hone-go/hone/json/internal/stream"
)

// NewMarshalerError returns the error of v1 for a method or a function that failed. By names
// it, as the text of the error does.
func NewMarshalerError(t reflect.Type, err error, _ string) error {
	return &MarshalerError{Type: t, Err: err}
}

// LegacySyntax returns an error of the text or of the reader in the form that v1 gives it.
func LegacySyntax(err error) error {
	if err, ok := err.(*stream.IOError); ok {
		return err.Err
	}
	return err
}

// withCause sets the cause of an error of v1. Before Go 1.27 UnmarshalTypeError has no field
// for one.
func withCause(*UnmarshalTypeError, error) {}
