package jsoncode

import (
	"encoding/base64"
	"math"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
)

// An Encoder is the state of one call.
type Encoder = encode.Encoder

// A Program is the list of instructions of a type.
type Program = encode.Program

// An Encoding is the generated encoder of one type.
type Encoding = encode.Code

// EncodingOf returns the encoder of T that calls the function append. fingerprint is the fingerprint of T
// when the code was generated. inner are the encoders of types that T refers to.
func EncodingOf[T any](fingerprint uint64, append func(*Encoder, *Program, []byte, *T) []byte, inner ...Encoding) Encoding {
	return Encoding{Type: reflect.TypeFor[T](), Fingerprint: fingerprint, Run: mem.Erased(append), Inner: inner}
}

// Comma appends a comma, unless dst ends in an opening brace.
func Comma(dst []byte) []byte {
	if dst[len(dst)-1] != '{' {
		return append(dst, ',')
	}
	return dst
}

// Null appends null.
func Null(dst []byte) []byte { return append(dst, "null"...) }

// NilSlice appends a nil slice: null or [], as the options of the call require.
func NilSlice(e *Encoder, dst []byte) []byte {
	if e.Has(option.FormatNilSliceAsNull) {
		return Null(dst)
	}
	return append(dst, "[]"...)
}

// Bool appends true or false.
func Bool(dst []byte, v bool) []byte {
	if v {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

// Int appends a decimal number.
func Int(dst []byte, v int64) []byte { return syntax.AppendInt(dst, v) }

// Uint appends a decimal number.
func Uint(dst []byte, v uint64) []byte { return syntax.AppendUint(dst, v) }

// Float32 appends a number, or returns false if v is infinite or NaN.
func Float32(dst []byte, v float32) ([]byte, bool) {
	if !isFinite(float64(v)) {
		return dst, false
	}
	return syntax.AppendFloat(dst, float64(v), 32), true
}

// Float64 appends a number, or returns false if v is infinite or NaN.
func Float64(dst []byte, v float64) ([]byte, bool) {
	if !isFinite(v) {
		return dst, false
	}
	return syntax.AppendFloat(dst, v, 64), true
}

func isFinite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// String appends a string, or returns dst and false if the options of the call require valid UTF-8
// and v is not valid.
func String(e *Encoder, dst []byte, v string) ([]byte, bool) {
	out, ok := syntax.AppendText(dst, v, e.Escapes)
	if !ok {
		return dst, false
	}
	return out, true
}

// Time appends a time, or returns dst and false if v has no JSON form.
func Time(e *Encoder, dst []byte, v *time.Time) ([]byte, bool) {
	out, err := e.Time(dst, v)
	if err != nil {
		return dst, false
	}
	return out, true
}

// Bytes appends a string with the base64 of v, or null if v is nil and the options require it.
func Bytes(e *Encoder, dst, v []byte) []byte {
	if v == nil && e.Has(option.FormatNilSliceAsNull) {
		return Null(dst)
	}
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), v), '"')
}

// Part lets the engine append the literal and the value of step i. If it returns false, there is an
// error, and the caller returns dst.
func Part[T any](e *Encoder, p *Program, i int, dst []byte, v *T) ([]byte, bool) {
	return p.Part(i, e, dst, mem.Of(v))
}

// Fail is called after the literal of step i, if the value has an error. It lets the engine encode
// the value again, which sets the error of e. The caller returns the result.
func Fail[T any](e *Encoder, p *Program, i int, dst []byte, v *T) []byte {
	return p.Fail(i, e, dst, mem.Of(v))
}

// Omits reports whether step i, which is a test, omits the field that it tests.
func Omits[T any](p *Program, i int, v *T) bool { return p.Omits(i, mem.Of(v)) }
