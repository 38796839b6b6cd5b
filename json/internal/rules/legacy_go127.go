//go:build go1.27 && goexperiment.jsonv2

package rules

import (
	"encoding/json"
	stdtext "encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"errors"
	"reflect"
	"sync"

	"github.com/hone-go/hone/json/internal/stream"
)

// NewMarshalerError returns the error of v1 for a method or a function that failed. By names
// it, as the text of the error does.
func NewMarshalerError(t reflect.Type, err error, by string) error {
	made := MarshalerError{}
	failures.once.Do(provokeFailures)
	if known := failures.by[by]; known != nil {
		made = *known
	}
	made.Type, made.Err = t, err
	return &made
}

// failing has a method that fails, as each type below has. Encoding one makes encoding/json
// return the MarshalerError that says which method it was.
type failing struct{}

func (failing) MarshalJSONTo(*stdtext.Encoder) error { return ErrSingle }

type failingText struct{}

func (failingText) MarshalText() ([]byte, error) { return nil, ErrSingle }

type failingAppend struct{}

func (failingAppend) AppendText([]byte) ([]byte, error) { return nil, ErrSingle }

// failures has errors of encoding/json that say which method or function failed. Their source
// is a private field, so they are copied from errors that encoding/json made itself.
var failures struct {
	once sync.Once
	by   map[string]*MarshalerError
}

// provokeFailures makes encoding/json return each of these errors once. It runs when the first
// one is needed.
func provokeFailures() {
	list := map[string]*MarshalerError{}
	provoke := func(by string, v any, options ...jsonv2.Options) {
		_, err := jsonv2.Marshal(v, append(options, json.DefaultOptionsV1())...)
		list[by], _ = err.(*MarshalerError)
	}
	provoke("MarshalJSONTo", failing{})
	provoke("MarshalText", failingText{})
	provoke("AppendText", failingAppend{})
	provoke("MarshalFunc", 0, jsonv2.WithMarshalers(jsonv2.MarshalFunc(func(int) ([]byte, error) { return nil, ErrSingle })))
	provoke("MarshalToFunc", 0, jsonv2.WithMarshalers(jsonv2.MarshalToFunc(func(*stdtext.Encoder, int) error { return ErrSingle })))
	failures.by = list
}

// LegacySyntax returns an error of the text or of the reader in the form that v1 gives it.
func LegacySyntax(err error) error {
	switch err := err.(type) {
	case *stream.IOError:
		return err.Err
	case *stream.SyntacticError:
		// Only encoding/json can make its error.
		return jsonv2.Unmarshal([]byte("0"), new(int), json.DefaultOptionsV1(), jsonv2.WithUnmarshalers(
			jsonv2.UnmarshalFromFunc(func(*stdtext.Decoder, *int) error { return err })))
	}
	return err
}

// SetCause sets the cause of an error of v1. Before Go 1.27 UnmarshalTypeError has no field for
// one.
func SetCause(e *UnmarshalTypeError, cause error) { e.Err = cause }

// CauseOf returns the cause of an error of v1.
func CauseOf(e *UnmarshalTypeError) error { return e.Err }

// InnerError returns the error of encoding/json for the text in the string raw, which is not a
// string.
func InnerError(raw []byte) error {
	var field struct {
		V string `json:",string"`
	}
	return errors.Unwrap(json.Unmarshal(append(append([]byte(`{"V":`), raw...), '}'), &field))
}
