//go:build !(go1.27 && goexperiment.jsonv2)

package encode

import (
	"io"
	"reflect"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// standardKey is never called, because types with methods for the standard library's streams exist
// only in builds with encoding/json/v2.
func standardKey(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error) {
	return anyKey(e, dst, t, key)
}

// marshalJSON calls v's MarshalJSON method.
func (e *Encoder) marshalJSON(v any) ([]byte, error) { return v.(rules.Marshaler).MarshalJSON() }

// restError returns the error for a field of unknown members whose JSON text is not an object.
func restError(text []byte) error {
	if syntax.Valid(text) {
		return &rules.UnsupportedValueError{Str: rules.ErrRestNotObject.Error()}
	}
	f := syntax.FaultOf(text)
	where := stream.SyntacticError{ByteOffset: int64(f.Read - 1), Err: errInvalidCharacter}
	if f.Read == len(text) {
		where.ByteOffset, where.Err = int64(f.After), io.ErrUnexpectedEOF
	}
	return &rules.UnsupportedValueError{Str: where.Error()}
}
