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
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// The modes of version 1, indexed by option.ReleaseIndex. v1ReadOnly omits members with the tag
// writeOnly. The index 3 would mean two releases at once. No call selects it, so its mode stays
// empty.
var (
	v1 = [option.Releases]Mode{
		{Key: rules.Key{Flags: v1Flags}, escapes: secondEscapes},
		{Key: rules.Key{Flags: v1Flags | option.FirstEngine}, escapes: firstEscapes},
		{Key: rules.Key{Flags: v1Flags | option.NewestPatch}, escapes: secondEscapes},
	}
	v1ReadOnly = [option.Releases]Mode{
		{Key: rules.Key{Flags: v1Flags | option.OmitWriteOnly}, escapes: secondEscapes},
		{Key: rules.Key{Flags: v1Flags | option.OmitWriteOnly | option.FirstEngine}, escapes: firstEscapes},
		{Key: rules.Key{Flags: v1Flags | option.OmitWriteOnly | option.NewestPatch}, escapes: secondEscapes},
	}
)

const v1Flags = option.V1 | rules.StandardErrors

// v1Mode returns the mode of version 1 for the given flags.
func v1Mode(on option.Flag) *Mode {
	if on&option.OmitWriteOnly != 0 {
		return &v1ReadOnly[option.ReleaseIndex(on)]
	}
	return &v1[option.ReleaseIndex(on)]
}

// This file contains all differences between the two engines of encoding/json. Go 1.26, and Go 1.27
// with GOEXPERIMENT=nojsonv2, have the first engine. Go 1.27 has the second one. The mode of a call
// selects the rules, independently of the linked engine.

// The characters that version 1 escapes if EscapeForHTML is off, before Go 1.27 (firstEscapes) and
// from then on (secondEscapes). Before Go 1.27, invalid UTF-8 is written as the escape \ufffd.
const (
	firstEscapes  = syntax.EscapeJS | syntax.EscapeInvalid
	secondEscapes = syntax.EscapeJS
)

// unsupported returns the error for a value that has no JSON form. Before Go 1.27 the error
// contains a copy of the value. From Go 1.27 on it contains no value, except that from a patch
// release on it contains a float; see [rules.ErrorValue].
func (e *Encoder) unsupported(v reflect.Value, why string) error {
	fails := &rules.UnsupportedValueError{Str: why}
	switch {
	// Copy v, which may alias the caller's memory.
	case e.Mode.First():
		fails.Value = reflect.New(v.Type()).Elem()
		fails.Value.Set(v)
	case v.CanFloat() && rules.ErrorValue.In(e.Mode.Flags):
		fails.Value = v
	}
	return fails
}

// throughPointer converts the error of a marshal method that was called through a pointer of type
// t. Before Go 1.27 the error contains t if t has the method too. Callers check for an error first,
// because the compiler does not inline throughPointer.
func (e *Encoder) throughPointer(err error, t reflect.Type) error {
	if !e.Mode.First() {
		return err
	}
	if m, ok := err.(*rules.MarshalerError); ok && m.Type == t.Elem() && (t.Implements(rules.MarshalerType) || t.Implements(rules.TextMarshalerType)) {
		m.Type = t
	}
	return err
}

// methodType returns the type that the error of a marshal method contains from Go 1.27 on.
func methodType(method any) reflect.Type {
	t := reflect.TypeOf(method)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return reflect.PointerTo(t)
}

// numberError returns the error for a Number whose text is not a valid JSON number.
func (e *Encoder) numberError(text string, quoted bool) error {
	if e.Mode.First() {
		return fmt.Errorf("json: invalid number literal %q", text)
	}
	if quoted {
		text = `"` + text + `"`
	}
	// From Go 1.27 on a Number has a marshal method, whose error is returned.
	err := fmt.Errorf("cannot parse %q as JSON number: %w", text, strconv.ErrSyntax)
	return rules.NewMarshalerError(reflect.TypeFor[*rules.Number](), err, "MarshalJSONTo")
}

// keyError returns the error of a key's method. t is the type of the map, and by is the name of the
// method.
func (e *Encoder) keyError(t reflect.Type, key reflect.Value, err error, by string) error {
	if e.Mode.First() {
		return fmt.Errorf("json: encoding error for type %q: %q", t.String(), err.Error())
	}
	return e.textError(nil, key.Interface(), err, by)
}

// textError returns the error of a text method. t is the type of the value, and by is the name of
// the method.
func (e *Encoder) textError(t reflect.Type, method any, err error, by string) error {
	if e.Mode.First() {
		return rules.NewMarshalerError(t, err, by)
	}
	return rules.NewMarshalerError(methodType(method), rules.LegacySyntax(rules.NotUnsupported(err, by)), by)
}

// timeError returns the error for a time that has no JSON form. err is the error of its MarshalJSON
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

// methodError returns the error of a marshal method.
func (e *Encoder) methodError(t reflect.Type, method any, err error) error {
	if e.Mode.First() {
		return &rules.MarshalerError{Type: t, Err: err}
	}
	// From Go 1.27 on encoding/json does not call the method of a time.
	if at, ok := method.(*time.Time); ok {
		return e.timeError(at, err)
	}
	// An error from the standard library's stream already contains the name of the method.
	if m, ok := err.(*rules.MarshalerError); ok && rules.WritesItself(reflect.TypeOf(method)) {
		return m
	}
	return &rules.MarshalerError{Type: methodType(method), Err: rules.LegacySyntax(rules.NotUnsupported(err, "MarshalJSON"))}
}

// keyNamerOf returns the keyNamer for keys of the given shape, or nil if maps with such keys cannot
// be encoded. plain reports whether the name is the key itself, which is a string.
func (m *Mode) keyNamerOf(key *shape.Shape) (name keyNamer, plain bool) {
	t := key.Type
	name = kindKey(key.Kind)
	// Before Go 1.27 the name for a string key is the key, even if its type has methods. For other
	// kinds, methods take precedence.
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
	// The rules from Go 1.27 on. With the patch PlainKeys, the text methods of a string type are
	// not called.
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

// heldKey is the keyNamer for interface types with a text method.
func heldKey(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error) {
	// encoding/json panics with this message, and callers may recover it.
	if key.IsNil() {
		panic("unexpected map key type")
	}
	return textKey(e, dst, t, key)
}

// namesItself reports whether a type has a text method.
func namesItself(t reflect.Type) bool {
	return t.Implements(rules.TextAppenderType) || t.Implements(rules.TextMarshalerType)
}

// pointedKey is the keyNamer for pointers to strings. A nil pointer becomes the empty name.
func pointedKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	if key.IsNil() {
		return "", nil
	}
	return key.Elem().String(), nil
}

// appendedKey is the keyNamer for keys with an AppendText method.
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

// anyKey is the keyNamer for all kinds from Go 1.27 on. For a pointer or an interface it encodes
// the target, and for a float the number. Other kinds without a text method are an error.
func anyKey(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error) {
	switch kind := key.Kind(); kind {
	case reflect.Float32:
		return e.floatKey(key, 32)
	case reflect.Float64:
		return e.floatKey(key, 64)
	case reflect.Complex64, reflect.Complex128, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return "", &rules.UnsupportedTypeError{Type: key.Type()}
	case reflect.Pointer, reflect.Interface:
		// A float64 in an interface is encoded as a number, which is not a name.
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

// notName returns the error for a key that is not encoded as a string. text is the output before
// the key.
func notName(text []byte) error {
	// The offset of encoding/json includes the first byte of the name.
	where := stream.SyntacticError{ByteOffset: int64(len(text)) + 1, JSONPointer: pointerAt(text), Err: stream.ErrNonStringName}
	return &rules.UnsupportedValueError{Str: where.Error()}
}

// pointerAt returns the JSON pointer of the array or object that is open at the end of text, which
// must be the start of a valid value.
func pointerAt(text []byte) stream.Pointer {
	type level struct {
		object, named bool
		name          []byte // the last member's name, in quotes
		index         int
	}
	var levels []level
	// The engine wrote the text, so brackets match and tokens are complete.
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
	// The innermost level adds no token, because it is the open array or object itself.
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

// floatKey returns the name for a float. bits is its size.
func (e *Encoder) floatKey(key reflect.Value, bits int) (string, error) {
	f := key.Float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return "", named(e.notFinite(f, bits), key.Type())
	}
	return string(syntax.AppendFloat(nil, f, bits)), nil
}
