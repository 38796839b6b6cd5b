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

// NewMarshalerError returns the error of version 1 for a method or function that failed. The
// argument method is the name of the method or function, which the message of the error contains.
func NewMarshalerError(t reflect.Type, err error, method string) error {
	made := MarshalerError{}
	failures.once.Do(provokeFailures)
	if known := failures.by[method]; known != nil {
		made = *known
	}
	made.Type, made.Err = t, err
	return &made
}

// failing and the types below each have one method that fails. When encoding/json encodes such a
// value, it returns a MarshalerError for the method.
type failing struct{}

func (failing) MarshalJSONTo(*stdtext.Encoder) error { return ErrSingle }

type failingText struct{}

func (failingText) MarshalText() ([]byte, error) { return nil, ErrSingle }

type failingAppend struct{}

func (failingAppend) AppendText([]byte) ([]byte, error) { return nil, ErrSingle }

// failures maps the name of a method or function to the MarshalerError of encoding/json for it. The
// name is in a private field, so only encoding/json can create these errors.
var failures struct {
	once sync.Once
	by   map[string]*MarshalerError
}

// provokeFailures fills failures: it makes encoding/json return each of the errors once. It is
// called when an error is needed for the first time.
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

// LegacySyntax converts an error about the JSON text or the reader to the error of version 1.
func LegacySyntax(err error) error {
	switch err := err.(type) {
	case *stream.IOError:
		return err.Err
	case *stream.SyntacticError:
		// Only encoding/json can create a SyntaxError with a message.
		return jsonv2.Unmarshal([]byte("0"), new(int), json.DefaultOptionsV1(), jsonv2.WithUnmarshalers(
			jsonv2.UnmarshalFromFunc(func(*stdtext.Decoder, *int) error { return err })))
	}
	return err
}

// SetCause sets the cause of an error of v1.
func SetCause(e *UnmarshalTypeError, cause error) { e.Err = cause }

// CauseOf returns the cause of an error of v1.
func CauseOf(e *UnmarshalTypeError) error { return e.Err }

// InnerError returns the cause that encoding/json reports for a string field with the tag option
// "string". raw is the field's value, a JSON string whose content is not a valid JSON string.
func InnerError(raw []byte) error {
	var field struct {
		V string `json:",string"`
	}
	return errors.Unwrap(json.Unmarshal(append(append([]byte(`{"V":`), raw...), '}'), &field))
}
