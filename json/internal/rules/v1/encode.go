package v1

import (
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// An Encoding holds the compiled programs of a release. A call has the options of version 1, and
// EscapeForHTML and OmitWriteOnly if they are in its flags.
type Encoding struct {
	// All has the flags option.V1. ReadOnly has the flags ReadOnlyFlags.
	All, ReadOnly encode.Mode
	// Escapes contains the characters that are escaped in strings without EscapeForHTML.
	Escapes syntax.Escapes
}

// ReadOnlyFlags are the flags of a mode that omits the members with the tag writeOnly.
const ReadOnlyFlags = option.V1 | option.OmitWriteOnly

// start initializes a zero Encoder for a call. It sets the fields in place instead of copying a
// struct: loading a wide value that was just stored in smaller pieces stalls the CPU.
func (r *Encoding) start(e *encode.Encoder, start int, on option.Flag) {
	e.Escapes, e.On, e.Mode, e.Start = r.Escapes, option.V1, r.mode(on), start
	if on&option.EscapeForHTML != 0 {
		e.Escapes |= syntax.EscapeHTML
	}
}

func (r *Encoding) mode(on option.Flag) *encode.Mode {
	if on&option.OmitWriteOnly != 0 {
		return &r.ReadOnly
	}
	return &r.All
}

// ProgramOf returns the program for the target of the pointer type t.
func (r *Encoding) ProgramOf(t reflect.Type, on option.Flag) *encode.Program {
	return r.mode(on).TargetOf(t)
}

// Append appends the JSON of v. On error the returned slice must not be used.
func (r *Encoding) Append(dst []byte, v any, on option.Flag) ([]byte, error) {
	var state encode.Encoder // on the stack
	r.start(&state, len(dst), on)
	e := mem.NoEscape(&state)
	dst, err := e.Any(dst, v)
	if err == nil && e.IsDeep() {
		err = releaseOf(e).TooDeep(e, dst[e.Start:])
	}
	runtime.KeepAlive(&state)
	return dst, err
}

// AppendBy appends the JSON of the value at a with its program p. t is the pointer type that errors of
// methods contain. On error the returned slice must not be used.
func (r *Encoding) AppendBy(p *encode.Program, dst []byte, a mem.Pointer, t reflect.Type, on option.Flag) ([]byte, error) {
	var state encode.Encoder
	r.start(&state, len(dst), on)
	e := mem.NoEscape(&state)
	dst, err := p.Run(e, dst, a)
	if err == nil && e.IsDeep() {
		err = releaseOf(e).TooDeep(e, dst[e.Start:])
	}
	runtime.KeepAlive(&state)
	if err != nil {
		return dst, r.All.Rules.ThroughPointer(err, t)
	}
	return dst, nil
}

// An EncodeRelease contains the rules of encoding of one release. It embeds [EncodeRules], and adds or
// replaces the rules in which the releases differ. A row that needs them gets them from the compiler, or
// with releaseOf.
type EncodeRelease interface {
	encode.Rules

	// NameOf returns a function that returns the names for map keys of the given shape, or nil if maps
	// with such keys cannot be encoded. plain reports whether the name is the key itself, which is a
	// string.
	NameOf(key *shape.Shape) (name encode.KeyNamer, plain bool)
	// CallJSON calls v's MarshalJSON method, or a method for a stream of the standard library.
	CallJSON(e *encode.Encoder, v any) ([]byte, error)
	// AppendCompact appends text, the result of a method, without white space. On error it returns dst.
	AppendCompact(e *encode.Encoder, dst, text []byte) ([]byte, error)
	// MethodError returns the error of the given method of v. t is the type of the encoded value.
	MethodError(t reflect.Type, v any, err error, method string) error
	// KeyError returns the error of the given method of a key. t is the type of the map.
	KeyError(t reflect.Type, key reflect.Value, err error, method string) error
	// TooDeep returns an error if text, the output of the call, is nested too deeply.
	TooDeep(e *encode.Encoder, text []byte) error
}

func releaseOf(e *encode.Encoder) EncodeRelease { return e.Mode.Rules.(EncodeRelease) }

// EncodeRules are the rules of encoding that all releases share, given the methods that a release
// calls.
type EncodeRules struct {
	// Methods are the methods that encode a value, in order of precedence.
	Methods []rules.MethodForm
}

// HasMethods implements [encode.Rules].
func (r *EncodeRules) HasMethods(t reflect.Type) bool {
	_, ok := r.methodOf(t, true, false)
	return ok
}

// methodOf returns the method that encodes values of type t. If the value is addressable, methods with
// a pointer receiver are included. If declined is set, the method that takes a stream is excluded.
func (r *EncodeRules) methodOf(t reflect.Type, addressable, declined bool) (rules.MethodForm, bool) {
	for _, m := range r.Methods {
		if m == rules.MethodStream && declined {
			continue
		}
		if rules.HasMethod(t, m) || addressable && t.Kind() != reflect.Pointer && rules.HasMethod(reflect.PointerTo(t), m) {
			return m, true
		}
	}
	return 0, false
}

// Custom implements [encode.Rules].
func (r *EncodeRules) Custom(w *encode.Writer, key encode.Key, off uintptr) bool {
	s := key.Shape
	// These types are encoded without their methods.
	if s.Kind == shape.Time || s.Kind == shape.Option || s.Union != nil {
		return false
	}
	if m, ok := r.methodOf(s.Type, key.Addressable, key.Declined > 0); ok {
		row := &methodRow{w.Compiler.Mode.Rules.(EncodeRelease), mem.AddressTypeOf(s.Type), m}
		ref := &encode.Ref{Shape: s, Row: row, CallsMethods: true}
		// If the method declines, the same value needs a second program that does not call the method. The
		// second program has another Key, so that a recursive type can refer to both.
		if m == rules.MethodStream {
			key.Declined = 1
			ref.Program = w.Compiler.Program(key)
		}
		w.Emit(encode.OpRow, off, ref)
		return true
	}
	switch s.Kind {
	case shape.Chan, shape.Func, shape.UnsafePointer, shape.Complex64, shape.Complex128, shape.Invalid:
		w.Emit(encode.OpRow, off, &encode.Ref{Shape: s, Row: noJSON{}})
		return true
	}
	return false
}

// noJSON is the row for types that have no JSON form.
type noJSON struct{}

// Run implements [encode.Row].
func (noJSON) Run(_ *encode.Encoder, r *encode.Ref, dst []byte, _ mem.Pointer, _ uintptr) ([]byte, error) {
	return dst, &rules.UnsupportedTypeError{Type: r.Shape.Type}
}

// Map implements [encode.Rules]. Map keys must be strings or integers, or have a text method.
func (r *EncodeRules) Map(w *encode.Writer, s *shape.Shape, off uintptr) {
	name, plain := w.Compiler.Mode.Rules.(EncodeRelease).NameOf(s.Key)
	if name == nil {
		w.Emit(encode.OpRow, off, &encode.Ref{Shape: s, Row: noJSON{}})
		return
	}
	ref := encode.Ref{Shape: s, Program: w.Compiler.Program(encode.Key{Shape: s.Elem})}
	// A cast accesses the map as an unnamed map type, and would not call methods of the elements.
	if _, calls := r.methodOf(s.Elem.Type, false, false); plain && !calls && s.Elem.Type != rules.NumberType {
		ref.Row = encode.CastOf(s.Elem)
	}
	if ref.Row == nil {
		ref.Row = encode.SortedMap(s, name)
	}
	w.Emit(encode.OpMap, off, &ref)
}

// Time implements [encode.Rules].
func (*EncodeRules) Time(e *encode.Encoder, dst []byte, t *time.Time) ([]byte, error) {
	b, err := t.MarshalJSON()
	if err != nil {
		return dst, releaseOf(e).MethodError(rules.TimeType, t, err, "MarshalJSON")
	}
	return append(dst, b...), nil
}

// ThroughPointer implements [encode.Rules].
func (*EncodeRules) ThroughPointer(err error, _ reflect.Type) error { return err }

// NotFinite implements [encode.Rules].
func (*EncodeRules) NotFinite(e *encode.Encoder, v reflect.Value) error {
	return e.Mode.Rules.Unsupported(v, errors.New(strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())))
}

// CallJSON implements [EncodeRelease].
func (*EncodeRules) CallJSON(_ *encode.Encoder, v any) ([]byte, error) {
	return v.(rules.Marshaler).MarshalJSON()
}

// Reason returns the text of an UnsupportedValueError for v.
func Reason(v reflect.Value, cause error) string {
	if cause == encode.ErrCycle {
		return cause.Error() + " via " + v.Type().String()
	}
	return cause.Error()
}

// RestOfText implements [encode.Rules]. Repeated names are allowed.
func (*EncodeRules) RestOfText(e *encode.Encoder, _ *encode.Rest, dst, text []byte, _ *rules.NameSet) ([]byte, error) {
	if len(text) == 0 {
		return dst, nil
	}
	n := len(dst)
	out, err := releaseOf(e).AppendCompact(e, dst, text)
	switch {
	case err != nil || out[n] != '{':
		return dst, restError(text)
	case len(out) == n+len("{}"):
		return out[:n], nil
	case out[n-1] == '{':
		out = slices.Delete(out, n, n+1)
	default:
		out[n] = ','
	}
	return out[:len(out)-1], nil // drop the closing brace
}
