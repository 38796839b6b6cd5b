//go:build go1.27 && goexperiment.jsonv2

package rules

import (
	"encoding/json"
	stdtext "encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"reflect"
	"sync"

	"github.com/hone-go/hone/json/internal/stream"
)

// NewMarshalerError returns the error of v1 for a method or a function that failed.
func NewMarshalerError(t reflect.Type, err error, by string) error {
	made := MarshalerError{}
	failures.once.Do(provokeFailures)
	if known := failures.by[by]; known != nil {
		made = *known
	}
	made.Type, made.Err = t, err
	return &made
}

// A failing has methods that fail, of which each type below has one.
type failing struct{}

func (failing) MarshalJSONTo(*stdtext.Encoder) error { return ErrSingle }

type failingText struct{}

func (failingText) MarshalText() ([]byte, error) { return nil, ErrSingle }

type failingAppend struct{}

func (failingAppend) AppendText([]byte) ([]byte, error) { return nil, ErrSingle }

// failures are errors of encoding/json which say that a method or a function failed: only it
// can make them.
var failures struct {
	once sync.Once
	by   map[string]*MarshalerError
}

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

// LegacySyntax returns an error of the text, or of the reader, as v1 returns it.
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

// withCause adds a cause to an error of v1.
func withCause(e *UnmarshalTypeError, cause error) { e.Err = cause }
