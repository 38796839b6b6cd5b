package v1

import (
	"encoding"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A methodRow is the row for types with a method that encodes a value.
type methodRow struct {
	release EncodeRelease
	pointer mem.AddressType
	form    rules.MethodForm
}

// Run implements [encode.Row]. It calls the method and appends the result. It checks JSON from a
// method, and removes white space. If the method declines, it runs r.Program.
func (m *methodRow) Run(e *encode.Encoder, r *encode.Ref, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	t := r.Shape.Type
	// A nil pointer or interface is encoded as null without calling the method.
	var v any
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
		held := a.Value(off, t)
		if held.IsNil() {
			return append(dst, "null"...), nil
		}
		v = held.Interface()
	default:
		v = m.pointer.Any(a, off)
	}
	var text []byte
	var err error
	name := "MarshalJSON"
	switch m.form {
	case rules.MethodText:
		name = "MarshalText"
		text, err = v.(encoding.TextMarshaler).MarshalText()
	case rules.MethodAppend:
		name = "AppendText"
		text, err = v.(encoding.TextAppender).AppendText(nil)
	case rules.MethodStream:
		return appendStream(e, r, dst, a.Add(off), v.(rules.MarshalerTo))
	default:
		if text, err = m.release.CallJSON(e, v); err == nil {
			if dst, err = m.release.AppendCompact(e, dst, text); err == nil {
				return dst, nil
			}
		}
	}
	if err != nil {
		return dst, m.release.MethodError(t, v, err, name)
	}
	dst, _ = syntax.AppendText(dst, string(text), e.Escapes)
	return dst, nil
}

// appendStream calls a method that takes one of Hone's streams. As in version 2, such a method takes
// precedence. It appends to dst. The stream has the options of version 1, so if the method encodes a
// value with version 2, the rules of this call still apply. If the method declines, r.Program encodes
// the value at a with another method or by the rules of its kind.
func appendStream(e *encode.Encoder, r *encode.Ref, dst []byte, a mem.Pointer, v rules.MarshalerTo) ([]byte, error) {
	on := option.V1
	if !e.EscapesHTML() {
		on &^= option.EscapeForHTML
	}
	out, err := rules.MarshalTo(dst, e.Start, &e.Track, v, on)
	switch {
	case err == nil:
		return out, nil
	case err == rules.ErrDeclined:
		return r.Program.Run(e, dst, a)
	}
	return dst, rules.NewMarshalerError(reflect.TypeOf(v), rules.LegacySyntax(err), "MarshalJSONTo")
}

// TextName returns the name for a key with a MarshalText method. A nil pointer becomes the empty name.
func TextName(e *encode.Encoder, _ []byte, t reflect.Type, key reflect.Value) (string, error) {
	if key.Kind() == reflect.Pointer && key.IsNil() {
		return "", nil
	}
	text, err := key.Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return "", releaseOf(e).KeyError(t, key, err, "MarshalText")
	}
	return string(text), nil
}

// KindName returns the function for the names of keys of kind k without methods, or nil if the kind is
// not supported.
func KindName(k shape.Kind) encode.KeyNamer {
	switch {
	case k == shape.String:
		return stringName
	case k >= shape.Int8 && k <= shape.Int64:
		return intName
	case k >= shape.Uint8 && k <= shape.Uintptr:
		return uintName
	}
	return nil
}

func stringName(_ *encode.Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	return key.String(), nil
}

func intName(_ *encode.Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	return strconv.FormatInt(key.Int(), 10), nil
}

func uintName(_ *encode.Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	return strconv.FormatUint(key.Uint(), 10), nil
}
