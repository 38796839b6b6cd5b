package encode

import (
	"reflect"
	"runtime"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// An Encoder holds the state of one call, which all programs of the call share. In version 1 it is
// on the caller's stack.
type Encoder struct {
	// Escapes contains the characters that are escaped in strings.
	Escapes syntax.Escapes
	// On contains the options that are on.
	On option.Flag
	// Mode holds the compiled programs.
	Mode *Mode
	// V2 is the encoder of version 2 that embeds this Encoder, or nil in version 1.
	V2 Version2
	// Start is the length of the caller's part of the output.
	Start int
	// level is the number of open pointers, maps and slices.
	level int
	// seen contains the keys of the open pointers, maps and slices beyond cycleLevel.
	seen map[any]struct{}
	// track is the position of the last stream of a method that needed one, or nil.
	track *stream.Track
}

// EscapesHTML reports whether <, > and & are escaped.
func (e *Encoder) EscapesHTML() bool { return e.Escapes&syntax.EscapeHTML != 0 }

// Has reports whether an option is on.
func (e *Encoder) Has(f option.Flag) bool { return e.On&f != 0 }

// useV1 initializes a zero Encoder for a call of version 1. It sets the fields in place instead of
// copying a struct: loading a wide value that was just stored in smaller pieces stalls the CPU.
func (e *Encoder) useV1(on option.Flag, start int) {
	mode := v1Mode(on)
	e.Escapes, e.On, e.Mode, e.Start = mode.escapes, option.V1, mode, start
	if on&option.EscapeForHTML != 0 {
		e.Escapes |= syntax.EscapeHTML
	}
}

// Append appends the JSON of v by the rules of version 1. It supports the flags EscapeForHTML,
// OmitWriteOnly and the flags of a release. On error the returned slice must not be used.
func Append(dst []byte, v any, on option.Flag) ([]byte, error) {
	var state Encoder
	state.useV1(on, len(dst))
	dst, err := mem.NoEscape(&state).Any(dst, v)
	if err == nil && state.seen != nil {
		err = state.checkDepth(dst[state.Start:], on)
	}
	runtime.KeepAlive(&state)
	return dst, err
}

// Append appends the JSON of the value at a by the rules of version 1. t is the pointer type that
// errors of methods contain. On error the returned slice must not be used.
func (p *Program) Append(dst []byte, a mem.Pointer, t reflect.Type, on option.Flag) ([]byte, error) {
	var state Encoder
	state.useV1(on, len(dst))
	dst, err := p.Run(mem.NoEscape(&state), dst, a)
	if err == nil && state.seen != nil {
		err = state.checkDepth(dst[state.Start:], on)
	}
	runtime.KeepAlive(&state)
	if err != nil {
		return dst, state.throughPointer(err, t)
	}
	return dst, nil
}

// A Version2 encodes the types and the features that only version 2 has. Package rules/v2/encoding
// implements it. Because version 1 calls the implementation only through this interface, a program
// that imports only version 1 does not link it.
type Version2 interface {
	// RunV2 runs an instruction that only version 2 has.
	RunV2(r *Ref, o Op, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)
	// Canonical appends a number in the canonical form of RFC 8785.
	Canonical(dst []byte, s string) []byte
	// TimeV2 appends a time that is outside of the years 0 to 9999 or has an unusual zone.
	TimeV2(dst []byte, t *time.Time) ([]byte, error)
	// CastV2 appends a map with its MapCast, in the order that the options require.
	CastV2(c MapCast, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)
	// ObjectV2 is like CastV2, for a map[string]any.
	ObjectV2(dst []byte, m map[string]any) ([]byte, error)
	// RestOfText appends the members of the JSON object in text, which is in the field of unknown
	// members.
	RestOfText(w *Rest, dst, text []byte, names *rules.NameSet) ([]byte, error)
	// MapByNames appends a map. A program encodes its keys.
	MapByNames(r *Ref, dst []byte, m reflect.Value) ([]byte, error)
}
