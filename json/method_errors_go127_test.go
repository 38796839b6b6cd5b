//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"errors"
	"io"
	"reflect"
	"testing"
)

type failingStream struct{ A int }

func (failingStream) MarshalJSONTo(e *jsontext.Encoder) error {
	_ = e.WriteToken(jsontext.Null)
	return methodError
}

func (*failingStream) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	_ = d.SkipValue()
	return methodError
}

type failingAppend string

func (failingAppend) AppendText(b []byte) ([]byte, error) { return append(b, 'x'), methodError }
func (failingAppend) MarshalText() ([]byte, error)        { return []byte("other"), nil }
func (*failingAppend) UnmarshalText([]byte) error         { return methodError }

// lazyStream has methods that fail before they read or write.
type lazyStream struct{ A int }

func (lazyStream) MarshalJSONTo(*jsontext.Encoder) error      { return methodError }
func (*lazyStream) UnmarshalJSONFrom(*jsontext.Decoder) error { return methodError }

func methodErrorsOfRelease() []error {
	return []error{
		&jsontext.SyntacticError{ByteOffset: 4, Err: io.ErrUnexpectedEOF}, &jsontext.SyntacticError{Err: io.EOF},
		&jsonv2.SemanticError{ByteOffset: 2, GoType: reflect.TypeFor[string](), Err: io.ErrUnexpectedEOF},
		jsonv2.ErrUnknownName,
	}
}

func readsItself(v any) bool {
	_, ok := v.(jsonv2.UnmarshalerFrom)
	return ok
}

// isFatal reports whether encoding/json stops, or continues differently, after a method with a
// stream returns err.
func isFatal(err error) bool {
	_, ok := err.(*jsontext.SyntacticError)
	return ok || err == errors.ErrUnsupported
}

func errorsOfRelease(t *testing.T) {
	errorsOf[failingAppend](t, true)
	errorsOf[failingStream](t, false)
	errorsOf[lazyStream](t, false)
}
