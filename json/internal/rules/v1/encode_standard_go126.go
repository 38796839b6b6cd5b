//go:build !(go1.27 && goexperiment.jsonv2)

package v1

import (
	"errors"
	"io"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// restError returns the error for a field of unknown members whose JSON text is not an object.
func restError(text []byte) error {
	if syntax.Valid(text) {
		return &rules.UnsupportedValueError{Str: rules.ErrRestNotObject.Error()}
	}
	f := syntax.FaultOf(text)
	where := stream.SyntacticError{ByteOffset: int64(f.Read - 1), Err: errors.New("invalid character")}
	if f.Read == len(text) {
		where.ByteOffset, where.Err = int64(f.After), io.ErrUnexpectedEOF
	}
	return &rules.UnsupportedValueError{Str: where.Error()}
}
