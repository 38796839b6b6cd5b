package encode

import (
	"reflect"
	"runtime"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// An Encoder is the state of one call. All programs of the call share it. In version 1 it is on the
// caller's stack.
type Encoder struct {
	// The characters that are escaped in strings.
	Escapes syntax.Escapes
	// The options that are on.
	On option.Flag
	// The mode, which has the compiled programs.
	Mode *Mode
	// The encoder of version 2 that embeds this one; nil in version 1.
	V2 Version2
	// The length of dst before the call.
	Start int
	// The number of pointers, maps and slices that are open.
	level int
	// The keys of the open pointers, maps and slices from cycleLevel on.
	seen map[any]struct{}
}

// EscapesHTML reports whether <, > and & are escaped.
func (e *Encoder) EscapesHTML() bool { return e.Escapes&syntax.EscapeHTML != 0 }

// Has reports whether an option is on.
func (e *Encoder) Has(f option.Flag) bool { return e.On&f != 0 }

// useV1 initializes a zero Encoder for a call of v1. It sets the fields in place, since copying a
// struct that was just written in smaller pieces has to wait until all of the pieces have reached
// memory.
func (e *Encoder) useV1(on option.Flag, start int) {
	mode := v1Mode(on)
	e.Escapes, e.On, e.Mode, e.Start = mode.escapes, option.V1, mode, start
	if on&option.EscapeForHTML != 0 {
		e.Escapes |= syntax.EscapeHTML
	}
}

// Append appends the encoding of v by the rules of v1. It supports the options EscapeForHTML,
// OmitWriteOnly and the release. On error the returned slice must not be used.
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

// Append appends the encoding of the value at a by the rules of v1. T is the pointer type in errors
// of methods. On error the returned slice must not be used.
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

// cycleLevel is the depth of nesting from which on cycles are detected. Values that are less deep
// cost nothing.
const cycleLevel = 1000

// enter goes one level deeper, into the target of a pointer, a map or a slice. Past cycleLevel it
// calls identity for a key of the value, and returns an error if a value with this key is already
// open.
func (e *Encoder) enter(identity func() (any, reflect.Value)) (key any, err error) {
	if e.level++; e.level <= cycleLevel {
		return nil, nil
	}
	key, v := identity()
	if _, ok := e.seen[key]; ok {
		return nil, e.cycle(v)
	}
	if e.seen == nil {
		e.seen = map[any]struct{}{}
	}
	e.seen[key] = struct{}{}
	return key, nil
}

// leave ends a level. Key is the result of enter.
func (e *Encoder) leave(key any) {
	e.level--
	if key != nil {
		delete(e.seen, key)
	}
}

// A Version2 does the parts of encoding that only version 2 needs. Package encode/call implements
// it; a program that imports version 1 alone links no implementation. In an Encoder of v1 it is
// nil.
type Version2 interface {
	// RunV2 appends a value by an instruction that only version 2 has.
	RunV2(r *Ref, o Op, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)
	// Canonical appends a number in the canonical form of RFC 8785.
	Canonical(dst []byte, s string) []byte
	// TimeV2 appends a time that is outside of the years 0 to 9999 or has an unusual zone.
	TimeV2(dst []byte, t *time.Time) ([]byte, error)
	// CastV2 appends a map by its MapCast, in the order that the options require.
	CastV2(c MapCast, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)
	// ObjectV2 is CastV2 for a map[string]any.
	ObjectV2(dst []byte, m map[string]any) ([]byte, error)
	// RestOfText appends the members of an object that a struct holds as text.
	RestOfText(w *Rest, dst, text []byte, names *rules.NameSet) ([]byte, error)
	// MapByNames appends a map whose keys are encoded by a program.
	MapByNames(r *Ref, dst []byte, m reflect.Value) ([]byte, error)
}
