package encode

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// The two engines of encoding/json differ in the points of this file. Go 1.26 has the first one,
// and so has Go 1.27 with GOEXPERIMENT=nojsonv2. Go 1.27 has the second one. The
// mode of a call selects one of them, whichever is linked.

// The escapes of the engines, without EscapeHTML. The first one writes bytes that are not UTF-8 as
// an escape.
const (
	firstEscapes  = syntax.EscapeJS | syntax.EscapeInvalid
	secondEscapes = syntax.EscapeJS
)

// unsupported returns the error for a value that has no JSON form. The first engine copies the
// value, whose memory may be used again. Since a patch of the second one the error has the value
// of a float.
func (e *Encoder) unsupported(v reflect.Value, why string) error {
	fails := &rules.UnsupportedValueError{Str: why}
	switch {
	// V may be a view of the caller's memory.
	case e.Mode.First():
		fails.Value = reflect.New(v.Type()).Elem()
		fails.Value.Set(v)
	case v.CanFloat() && rules.ErrorValue.In(e.Mode.Flags):
		fails.Value = v
	}
	return fails
}

// throughPointer changes the error of a marshal method that was called through a pointer of
// type t: the first engine names t if that has the method too.
func (e *Encoder) throughPointer(err error, t reflect.Type) error {
	if err == nil || !e.Mode.First() {
		return err
	}
	if m, ok := err.(*rules.MarshalerError); ok && m.Type == t.Elem() && (t.Implements(rules.MarshalerType) || t.Implements(rules.TextMarshalerType)) {
		m.Type = t
	}
	return err
}

// methodType returns the type that an error of a marshal method names from Go 1.27 on.
func methodType(method any) reflect.Type {
	t := reflect.TypeOf(method)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return reflect.PointerTo(t)
}

// numberError returns the error for a Number whose text is not a number.
func (e *Encoder) numberError(text string, quoted bool) error {
	if e.Mode.First() {
		return fmt.Errorf("json: invalid number literal %q", text)
	}
	if quoted {
		text = `"` + text + `"`
	}
	// A Number encodes itself from Go 1.27 on, so its method failed.
	err := fmt.Errorf("cannot parse %q as JSON number: %w", text, strconv.ErrSyntax)
	return rules.NewMarshalerError(reflect.TypeFor[*rules.Number](), err, "MarshalJSONTo")
}

// keyError returns the error for a key whose method failed. T is the type of the map, and by names
// the method.
func (e *Encoder) keyError(t reflect.Type, key reflect.Value, err error, by string) error {
	if e.Mode.First() {
		return fmt.Errorf("json: encoding error for type %q: %q", t.String(), err.Error())
	}
	return e.textError(nil, key.Interface(), err, by)
}

// textError returns the error for a method that failed to make text. T is the type of the value,
// and by names the method.
func (e *Encoder) textError(t reflect.Type, method any, err error, by string) error {
	if e.Mode.First() {
		return rules.NewMarshalerError(t, err, by)
	}
	return rules.NewMarshalerError(methodType(method), rules.LegacySyntax(rules.NotUnsupported(err, by)), by)
}

// timeError returns the error for a time that has no JSON form. Err is the error of the time's own
// method.
func (e *Encoder) timeError(t *time.Time, err error) error {
	if e.Mode.First() {
		return &rules.MarshalerError{Type: rules.TimeType, Err: err}
	}
	why := "timezone hour outside of range [0,23]"
	if year := t.Year(); year < 0 || year > 9999 {
		why = "year outside of range [0,9999]"
	}
	return &rules.MarshalerError{Type: reflect.TypeFor[*time.Time](), Err: errors.New(why)}
}

// methodError returns the error for a marshal method that failed.
func (e *Encoder) methodError(t reflect.Type, method any, err error) error {
	if e.Mode.First() {
		return &rules.MarshalerError{Type: t, Err: err}
	}
	// A time is one of the types that encoding/json encodes without a call of its method.
	if at, ok := method.(*time.Time); ok {
		return e.timeError(at, err)
	}
	// An error of a stream names its method already.
	if m, ok := err.(*rules.MarshalerError); ok && rules.WritesItself(reflect.TypeOf(method)) {
		return m
	}
	return &rules.MarshalerError{Type: methodType(method), Err: rules.LegacySyntax(rules.NotUnsupported(err, "MarshalJSON"))}
}

// keyNamerOf returns the keyNamer of keys of this shape, or nil if such maps cannot be encoded.
// Plain reports whether the name is the key itself.
func (m *Mode) keyNamerOf(key *shape.Shape) (name keyNamer, plain bool) {
	t := key.Type
	name = kindKey(key.Kind)
	// The kind of a string outweighs its methods, and the methods of other kinds outweigh the kind.
	if m.First() {
		switch {
		case key.Kind == shape.String:
			return name, true
		case key.Kind == shape.Interface && t.Implements(rules.TextMarshalerType):
			return heldKey, false
		case t.Implements(rules.TextMarshalerType):
			return textKey, false
		}
		return name, false
	}
	// The methods of a string are not called, unless it writes to a stream.
	switch {
	case rules.WritesItself(t):
		return standardKey, false
	case t.Kind() == reflect.Interface:
		return anyKey, false
	case key.Kind == shape.String && namesItself(t) && rules.PlainKeys.In(m.Flags):
		return stringKey, true
	case key.Kind == shape.Pointer && t.Elem().Kind() == reflect.String && namesItself(t) && rules.PlainKeys.In(m.Flags):
		return pointedKey, false
	case t.Implements(rules.TextAppenderType):
		return appendedKey, false
	case t.Implements(rules.TextMarshalerType):
		return textKey, false
	case name == nil:
		return anyKey, false
	}
	return name, key.Kind == shape.String
}

// heldKey names keys of an interface type by the method of the value that they hold.
func heldKey(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error) {
	// Encoding/json panics with this text, and callers may recover it.
	if key.IsNil() {
		panic("unexpected map key type")
	}
	return textKey(e, dst, t, key)
}

// namesItself reports whether a type has a method that makes text.
func namesItself(t reflect.Type) bool {
	return t.Implements(rules.TextAppenderType) || t.Implements(rules.TextMarshalerType)
}

// pointedKey names keys that are pointers to strings. A nil pointer has the empty name.
func pointedKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	if key.IsNil() {
		return "", nil
	}
	return key.Elem().String(), nil
}

// appendedKey names keys by their method AppendText.
func appendedKey(e *Encoder, _ []byte, t reflect.Type, key reflect.Value) (string, error) {
	if key.Kind() == reflect.Pointer && key.IsNil() {
		return "", nil
	}
	text, err := key.Interface().(encoding.TextAppender).AppendText(nil)
	if err != nil {
		return "", e.keyError(t, key, err, "AppendText")
	}
	return string(text), nil
}

// anyKey names keys of any kind by the rules from Go 1.27 on: pointers and interfaces by the value
// that they lead to, and floats as numbers. Other kinds without a method for text have no name.
func anyKey(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error) {
	switch kind := key.Kind(); kind {
	case reflect.Float32:
		return e.floatKey(key, 32)
	case reflect.Float64:
		return e.floatKey(key, 64)
	case reflect.Complex64, reflect.Complex128, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return "", &rules.UnsupportedTypeError{Type: key.Type()}
	case reflect.Pointer, reflect.Interface:
		// A float64 in an interface is written as a number, which is not a name.
		if kind == reflect.Interface && !key.IsNil() && key.Elem().Type() == rules.FloatType {
			if _, err := e.floatKey(key.Elem(), 64); err != nil {
				return "", err
			}
		} else if !key.IsNil() {
			name, _ := e.Mode.keyNamerOf(shape.Of(key.Elem().Type()))
			return name(e, dst, t, key.Elem())
		}
	}
	return "", notName(append(dst[e.Start:len(dst):len(dst)], '{'))
}

// notName returns the error for a key that is not written as a string. Text is the JSON before
// it.
func notName(text []byte) error {
	// Encoding/json counts the first byte of the name too.
	where := stream.SyntacticError{ByteOffset: int64(len(text)) + 1, JSONPointer: pointerAt(text), Err: stream.ErrNonStringName}
	return &rules.UnsupportedValueError{Str: where.Error()}
}

// pointerAt returns the JSON pointer of the array or object that is open at the end of text, the
// start of a valid value.
func pointerAt(text []byte) stream.Pointer {
	type level struct {
		object, named bool
		name          []byte // of the last member, in quotes
		index         int
	}
	var levels []level
	// The text was written by the engine, so brackets match and every token is whole.
	for pos := 0; pos < len(text); {
		switch c := text[pos]; c {
		case '{', '[':
			levels = append(levels, level{object: c == '{'})
			pos++
		case '}', ']':
			levels = levels[:len(levels)-1]
			pos++
		case ',':
			levels[len(levels)-1].index++
			levels[len(levels)-1].named = false
			pos++
		case ':', ' ', '\t', '\r', '\n':
			pos++
		default:
			end := syntax.SkipValue(text, pos)
			if n := len(levels); n > 0 && levels[n-1].object && !levels[n-1].named {
				levels[n-1].named, levels[n-1].name = true, text[pos:end]
			}
			pos = end
		}
	}
	// The innermost level is the one that is open: the pointer leads to it and not into it.
	var pointer stream.Pointer
	for _, l := range levels[:max(len(levels)-1, 0)] {
		token := strconv.Itoa(l.index)
		if l.object {
			unquoted, _ := syntax.AppendUnquoted(nil, l.name)
			token = string(unquoted)
		}
		pointer = pointer.AppendToken(token)
	}
	return pointer
}

// floatKey names a float of that many bits.
func (e *Encoder) floatKey(key reflect.Value, bits int) (string, error) {
	// Keys of a map may be NaN, of which there can be several.
	f := key.Float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return "", named(e.notFinite(f, bits), key.Type())
	}
	return string(syntax.AppendFloat(nil, f, bits)), nil
}
