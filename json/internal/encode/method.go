package encode

import (
	"bytes"
	"encoding"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// runMethod calls a marshal method of the value's type and appends the result. It checks JSON from
// a method, and removes white space. If the method declines, runMethod runs r.Program.
func (r *Ref) runMethod(e *Encoder, o Op, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	t := r.Shape.Type
	// A nil pointer or interface is encoded as null without calling the method.
	var method any
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
		v := a.Value(off, t)
		if v.IsNil() {
			return append(dst, "null"...), nil
		}
		method = v.Interface()
	default:
		method = r.Pointer.Any(a, off)
	}
	switch o {
	case opTextMarshaler:
		text, err := method.(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return dst, e.textError(t, method, err, "MarshalText")
		}
		dst, _ = syntax.AppendText(dst, string(text), e.Escapes)
		return dst, nil
	case opTextAppender:
		text, err := method.(encoding.TextAppender).AppendText(nil)
		if err != nil {
			return dst, e.textError(t, method, err, "AppendText")
		}
		dst, _ = syntax.AppendText(dst, string(text), e.Escapes)
		return dst, nil
	}
	// As in version 2, a method that takes one of Hone's streams takes precedence. It appends to
	// dst. The stream has the options of version 1, so if the method encodes a value with version
	// 2, the rules of this call still apply. If the method declines, r.Program encodes the value
	// with another method or by the rules of its kind.
	if r.Streams {
		m := method.(rules.MarshalerTo)
		on := option.V1
		if !e.EscapesHTML() {
			on &^= option.EscapeForHTML
		}
		out, err := rules.MarshalTo(dst, e.Start, &e.track, m, on)
		switch {
		case err == nil:
			return out, nil
		case err == rules.ErrDeclined:
			return r.Program.Run(e, dst, a.Add(off))
		}
		return dst, rules.NewMarshalerError(reflect.TypeOf(method), rules.LegacySyntax(err), "MarshalJSONTo")
	}
	b, err := e.marshalJSON(method)
	if err == nil {
		// Check and copy the text in one pass. If it is not valid, encoding/json creates the error.
		out, ok := e.compact(dst, b)
		if ok {
			return out, nil
		}
		err = e.invalid(dst, b)
	}
	return dst, e.methodError(t, method, err)
}

// compact appends the JSON in text without white space. It returns false if text is not valid JSON.
// From Go 1.27 on it escapes U+2028 and U+2029, even if it does not escape <, > and &.
func (e *Encoder) compact(dst, text []byte) ([]byte, bool) {
	n := len(dst)
	out, ok := syntax.AppendCompact(dst, text, e.EscapesHTML())
	if ok && !e.EscapesHTML() && !e.Mode.First() && bytes.IndexByte(out[n:], separator) >= 0 {
		out = syntax.AppendEscaped(out[:n], bytes.Clone(out[n:]), syntax.EscapeJS)
	}
	return out, ok
}

// separator is the first byte of U+2028 and U+2029.
const separator = 0xe2

// invalid returns the error of encoding/json for text, the invalid result of a method. dst is the
// output so far. From Go 1.27 on the offset in the error is relative to the start of the output of
// the call.
func (e *Encoder) invalid(dst, text []byte) error {
	err := rules.CompactErrorOf(text, e.Mode.Flags)
	if s, ok := err.(*rules.SyntaxError); ok && !e.Mode.First() {
		s.Offset += int64(len(dst) - e.Start)
	}
	return err
}

// Marshal methods of a type, as bits. If a type has several of them, marshalerOf selects one.
const (
	hasJSON = 1 << iota
	hasText
	hasAppend
	hasStream // MarshalJSONTo with one of Hone's streams
)

// methodsOf returns the bits of the marshal methods in t's method set.
func (m *Mode) methodsOf(t reflect.Type) (set int) {
	if t.Implements(rules.MarshalerType) || !m.First() && rules.WritesItself(t) {
		set |= hasJSON
	}
	if t.Implements(rules.TextMarshalerType) {
		set |= hasText
	}
	if !m.First() && t.Implements(rules.TextAppenderType) {
		set |= hasAppend
	}
	if rules.MarshalsTo(t) {
		set |= hasStream
	}
	return set
}

// marshalerOf returns the instruction that calls a marshal method of t, and whether the method may
// decline. If the value is addressable, methods with a pointer receiver are included. If declined
// is set, the method that takes a stream is excluded.
func (m *Mode) marshalerOf(t reflect.Type, addressable, declined bool) (o Op, declines, ok bool) {
	set := m.methodsOf(t)
	// If the value is addressable, methods with a pointer receiver can be called too.
	if addressable && t.Kind() != reflect.Pointer {
		set |= m.methodsOf(reflect.PointerTo(t))
	}
	switch {
	case set&hasStream != 0 && !declined:
		return opMarshaler, true, true
	case set&hasJSON != 0:
		return opMarshaler, false, true
	case set&hasAppend != 0:
		return opTextAppender, false, true
	case set&hasText != 0:
		return opTextMarshaler, false, true
	}
	return 0, false, false
}
