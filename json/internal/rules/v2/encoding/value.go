package encoding

import (
	"encoding/base64"
	"errors"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// RunV2 implements [encode.Version2].
func (e *encoder) RunV2(r *encode.Ref, o encode.Op, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	switch o {
	case encode.OpByteArray:
		dst = base64.StdEncoding.AppendEncode(append(dst, '"'), a.Array(off, r.Shape.Len))
		return append(dst, '"'), nil
	case encode.OpOmitEmpty:
		return e.runOmitEmpty(r, dst, a.Add(off))
	case encode.OpMethods:
		return e.runMethods(r, dst, a, off)
	case encode.OpFunctions:
		return e.runFunctions(r, dst, a, off)
	}
	return dst, &encode.Fault{Err: r.Fault, Typ: r.Shape.Type, Where: stream.Next}
}

// Canonical implements [encode.Version2].
func (e *encoder) Canonical(dst []byte, s string) []byte {
	return stream.AppendNumber(dst, s, &e.call.Set)
}

// runOmitEmpty appends a member, and removes it again if its value is null, "", {} or []. It only
// looks at the last bytes of the output. The bytes \"" are the end of a string that is not empty.
func (e *encoder) runOmitEmpty(r *encode.Ref, dst []byte, a mem.Pointer) ([]byte, error) {
	start := len(dst)
	dst, err := r.Program.Run(&e.Encoder, dst, a)
	if err != nil {
		return dst, err
	}
	n := len(dst)
	switch string(dst[n-2:]) {
	case "ll", "{}", "[]":
	case `""`:
		if dst[n-3] == '\\' {
			return dst, nil
		}
	default:
		return dst, nil
	}
	e.back(start)
	return dst[:start], nil
}

// TimeV2 implements [encode.Version2].
func (e *encoder) TimeV2(dst []byte, t *time.Time) ([]byte, error) {
	n := len(dst)
	fail := func(why string) ([]byte, error) {
		if e.Has(option.ReportErrorsWithLegacySemantics) {
			return dst[:n], rules.NewMarshalerError(reflect.TypeFor[*time.Time](), errors.New(why), "MarshalJSON")
		}
		return dst[:n], encode.NewFault(rules.TimeType, errors.New(why))
	}
	dst = t.AppendFormat(append(dst, '"'), time.RFC3339Nano)
	text := dst[n+1:]
	zone := text[len(text)-len("Z07:00"):]
	switch {
	case text[len("9999")] != '-':
		return fail("year outside of range [0,9999]")
	case text[len(text)-1] != 'Z' && (zone[0]-'0' <= 9 || rules.Digits(zone[1:]) >= 24):
		return fail("timezone hour outside of range [0,23]")
	}
	return append(dst, '"'), nil
}
