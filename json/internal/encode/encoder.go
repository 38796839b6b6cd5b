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

// An Encoder is the state of one call that its programs share.
type Encoder struct {
	Escapes syntax.Escapes
	On      option.Flag
	Mode    *Mode
	V2      Version2         // nil by the rules of v1
	Start   int              // where the value starts in the buffer
	level   int              // pointers, maps and slices that are being followed
	seen    map[any]struct{} // from cycleLevel on, which ones
}

// EscapesHTML reports whether <, > and & are escaped.
func (e *Encoder) EscapesHTML() bool { return e.Escapes&syntax.EscapeHTML != 0 }

func (e *Encoder) Has(f option.Flag) bool { return e.On&f != 0 }

// useV1 makes a zero Encoder the state of a call of v1. It sets the fields in place: a copy of
// what has just been written in smaller pieces would wait for them.
func (e *Encoder) useV1(on option.Flag, start int) {
	e.Escapes, e.On, e.Mode, e.Start = syntax.StandardEscapes, option.V1, v1Mode(on), start
	if on&option.EscapeForHTML != 0 {
		e.Escapes |= syntax.EscapeHTML
	}
}

// Append appends the encoding of v, by the rules of v1. On error what it returns is not to be
// used.
func Append(dst []byte, v any, on option.Flag) ([]byte, error) {
	var state Encoder
	state.useV1(on, len(dst))
	dst, err := mem.NoEscape(&state).Any(dst, v)
	runtime.KeepAlive(&state)
	return dst, err
}

// Append appends the encoding of the value at a, which a pointer of type t points to, by the
// rules of v1. On error what it returns is not to be used.
func (p *Program) Append(dst []byte, a mem.Pointer, t reflect.Type, on option.Flag) ([]byte, error) {
	var state Encoder
	state.useV1(on, len(dst))
	dst, err := p.Run(mem.NoEscape(&state), dst, a)
	runtime.KeepAlive(&state)
	if err != nil {
		return dst, throughPointer(err, t)
	}
	return dst, nil
}

// cycleLevel is the nesting from which on a cycle is looked for.
const cycleLevel = 1000

// enter goes a level deeper, along a pointer, map or slice. Past cycleLevel it
// asks identity for a key of what is entered, and refuses to enter it twice.
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

func (e *Encoder) leave(key any) {
	e.level--
	if key != nil {
		delete(e.seen, key)
	}
}

type Version2 interface {
	RunV2(r *Ref, o Op, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)
	Canonical(dst []byte, s string) []byte
	TimeV2(dst []byte, t *time.Time) ([]byte, error)
	CastV2(c MapCast, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)
	ObjectV2(dst []byte, m map[string]any) ([]byte, error)
	RestOfText(w *Rest, dst, text []byte, names *rules.NameSet) ([]byte, error)
	MapByNames(r *Ref, dst []byte, m reflect.Value) ([]byte, error)
}
