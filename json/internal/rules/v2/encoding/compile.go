package encoding

import (
	"errors"
	"reflect"
	"slices"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// Custom implements [encode.Rules]. It emits code for a type that version 2 encodes with a function
// of the call, with a method of the type, or by a special rule, in this order of precedence. A
// function or method that takes a stream may decline the value. Its instruction therefore has a
// program for the next function, method or rule. This program is compiled with a larger
// Key.Declined.
func (compiler) Custom(w *encode.Writer, key encode.Key, off uintptr) bool {
	c, s, mode := w.Compiler, key.Shape, w.Compiler.Mode
	if key.Declined == 0 {
		if calls := mode.Types.Of(s.Type); len(calls) > 0 {
			key.Declined = 1
			row := &functionsRow{receiverOf(key), calls}
			w.Emit(encode.OpRow, off, &encode.Ref{Shape: s, Row: row, CallsMethods: true, Program: c.Program(key)})
			return true
		}
	}
	legacy := mode.Flags&option.CallMethodsWithLegacySemantics != 0
	switch {
	case s.Type == rules.NumberType, s.Kind == shape.Option, s.Union != nil:
	case s.Kind == shape.Time:
		if key.Quoted && mode.Flags&option.ReportErrorsWithLegacySemantics == 0 {
			fail(w, s, rules.ErrString)
			return true
		}
		return false
	case key.Declined <= 1:
		methods := rules.EncodeMethods(s.Type)
		if legacy {
			methods = slices.DeleteFunc(methods, func(m rules.MethodForm) bool {
				return key.Name && (m <= rules.MethodJSON || s.Kind == shape.String && rules.PlainKeys.Applied()) || !key.Addressable && !rules.HasMethod(s.Type, m)
			})
		}
		if len(methods) == 0 {
			break
		}
		r := &encode.Ref{Shape: s, Row: &methodsRow{receiverOf(key), methods, key.Quoted}, CallsMethods: true}
		if methods[0] <= rules.MethodStandard {
			key.Declined = 2
			r.Program = c.Program(key)
		}
		w.Emit(encode.OpRow, off, r)
		return true
	}
	if s.Type == rules.DurationType && mode.Flags&option.FormatDurationAsNano == 0 {
		fail(w, s, rules.ErrDuration)
		return true
	}
	if key.Quoted && mode.RefusesString(s) {
		fail(w, s, rules.ErrString)
		return true
	}
	switch k := s.Kind; {
	case k == shape.Chan, k == shape.Func, k == shape.UnsafePointer, k == shape.Complex64, k == shape.Complex128, k == shape.Invalid:
		fail(w, s, nil)
		return true
	case key.Name && k != shape.String && k != shape.Pointer && k != shape.Interface && k != shape.Bytes && !(k >= shape.Int8 && k <= shape.Float64) && s.Type != rules.NumberType:
		if k == shape.Array && s.Elem.Kind == shape.Uint8 && mode.Flags&option.FormatByteArrayAsArray == 0 && mode.IsBytes(s) {
			return false
		}
		fail(w, s, errNotName)
		return true
	case k == shape.Struct && s.Union == nil:
		if f := mode.FaultOf(s); f != nil {
			fail(w, shape.Of(f.Type), f.Err)
			return true
		}
	}
	return false
}

// errNotName is the error for a map key that is not encoded as a string. The caller replaces it by
// an error with the position of the key.
var errNotName = errors.New("not a name")

// fail emits an instruction that returns err for a value of shape s.
func fail(w *encode.Writer, s *shape.Shape, err error) {
	w.Emit(encode.OpRow, 0, &encode.Ref{Shape: s, Row: failure{err}})
}

// A failure is the row for a type that cannot be encoded. err is the cause, or nil.
type failure struct{ err error }

// Run implements [encode.Row].
func (f failure) Run(_ *encode.Encoder, r *encode.Ref, dst []byte, _ mem.Pointer, _ uintptr) ([]byte, error) {
	return dst, &encode.Fault{Err: f.err, Typ: r.Shape.Type, Where: stream.Next}
}

// Map implements [encode.Rules]. Maps with string keys and elements of a basic type are encoded by
// a cast. For other maps it compiles a program for the keys.
func (compiler) Map(w *encode.Writer, s *shape.Shape, off uintptr) {
	c, mode := w.Compiler, w.Compiler.Mode
	r := encode.Ref{Shape: s, Program: c.Program(encode.Key{Shape: s.Elem})}
	plainKey := s.Key.Kind == shape.String && len(mode.Types.Of(s.Key.Type)) == 0 && s.Key.Type != rules.NumberType && len(rules.EncodeMethods(s.Key.Type)) == 0
	plainElem := len(mode.Types.Of(s.Elem.Type)) == 0 && len(rules.EncodeMethods(s.Elem.Type)) == 0 && s.Elem.Type != rules.NumberType &&
		s.Elem.Type != rules.DurationType && (mode.Flags&option.StringifyNumbers == 0 || s.Elem.Kind == shape.String || s.Elem.Kind == shape.Bool || s.Elem.Kind == shape.Interface)
	if plainKey && plainElem {
		r.Row = encode.CastOf(s.Elem)
	}
	if r.Row == nil {
		k := s.Key.Kind
		repeats := len(mode.Types.Of(s.Key.Type)) > 0 || len(rules.EncodeMethods(s.Key.Type)) > 0 || s.Key.Type == rules.NumberType ||
			!(k == shape.String || k == shape.Bool || k >= shape.Int8 && k <= shape.Uintptr)
		r.Row = &namedMap{c.Program(encode.Key{Shape: s.Key, Name: true}), repeats}
	}
	w.Emit(encode.OpMap, off, &r)
}

// compiler implements [encode.Rules].
type compiler struct{}

// Members implements [encode.Rules]. The tag option "string" applies to all types.
func (compiler) Members(s *shape.Shape) ([]shape.Member, *shape.Member) {
	list := slices.Clone(s.Object().Members)
	for i := range list {
		list[i].Quoted = list[i].String
	}
	return list, s.Object().Rest
}

// HasMethods implements [encode.Rules].
func (compiler) HasMethods(t reflect.Type) bool {
	for m := rules.MethodStream; m <= rules.MethodText; m++ {
		if rules.HasMethod(t, m) || rules.HasMethod(reflect.PointerTo(t), m) {
			return true
		}
	}
	return false
}
