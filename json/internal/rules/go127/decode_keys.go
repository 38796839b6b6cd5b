package go127

import (
	"encoding"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
	"github.com/hone-go/hone/shape"
)

// keyForm returns the form of map keys of shape s. Keys of all kinds are allowed.
func keyForm(s *shape.Shape) decode.KeyForm {
	p, form := reflect.PointerTo(s.Type), decode.KeyFormOf(s.Kind)
	if form == decode.KeyUnsupported || p.Implements(rules.TextUnmarshalerType) || rules.ReadsItself(p) {
		return decode.KeyMethod
	}
	return form
}

// readMap is the row for maps that require reflection.
func readMap(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	return v1.Map(d, n, t, a, off, readEntry)
}

// readEntry implements [v1.Entry]. The key is decoded before the element.
func readEntry(d *v1.Decoder, n *decode.Node, name int, key, elem reflect.Value) (next int, ok bool, err error) {
	if ok, err = readKey(d, n.Key, name, key); !ok || err != nil {
		return d.After(name + 1), false, failed(d, err)
	}
	next, err = d.Value(n.Elem, name+1, mem.OfPointer(elem.Addr()), 0)
	return next, true, err
}

// readKey decodes the name at t into key, and reports whether this succeeded.
func readKey(d *v1.Decoder, form decode.KeyForm, t int, key reflect.Value) (fits bool, err error) {
	if form == decode.KeyMethod {
		return keyByMethod(d, t, key)
	}
	text := d.TextOf(t)
	// The name null becomes the zero key of an integer, in the same way as a quoted null decodes to 0.
	if form != decode.KeyString && string(text) == "null" {
		return true, nil
	}
	return d.KeyFromText(form, text, key, d.End(t)), nil
}

// keyByMethod decodes the name at t into key with the method of its type, if it has one, and reports
// whether this succeeded.
func keyByMethod(d *v1.Decoder, t int, key reflect.Value) (fits bool, err error) {
	method := key.Addr().Interface()
	if m, ok := method.(encoding.TextUnmarshaler); ok && !rules.ReadsItself(key.Addr().Type()) {
		return true, methodError(m.UnmarshalText(d.TextToKeep(t)), "UnmarshalText")
	}
	return keyOfAnyKind(d, t, key)
}

// keyOfAnyKind decodes the name at t into key, whose type has no text method, and reports whether
// this succeeded.
func keyOfAnyKind(d *v1.Decoder, t int, key reflect.Value) (fits bool, err error) {
	if rules.ReadsItself(key.Addr().Type()) {
		return standardKey(d, t, key)
	}
	// If the key type is a pointer, allocate its target and decode the name into it. The target's
	// type may have a method.
	if key.Kind() == reflect.Pointer {
		key.Set(reflect.New(key.Type().Elem()))
		return keyByMethod(d, t, key.Elem())
	}
	text := string(d.TextOf(t))
	refused := &rules.UnmarshalTypeError{Value: "string", Type: key.Type()}
	switch kind := key.Kind(); {
	case kind == reflect.String:
		key.SetString(text)
		return true, nil
	case kind == reflect.Interface && key.NumMethod() == 0:
		key.Set(reflect.ValueOf(text))
		return true, nil
	// An interface with methods cannot store a string. The error is about the map.
	case kind == reflect.Interface:
		refused.Offset = int64(len("{"))
	case kind >= reflect.Int && kind <= reflect.Float64:
		if text == "null" || parseQuoted(key, text) {
			return true, nil
		}
		refused.Value = "number " + text
	}
	notKey(d, refused, t)
	return false, nil
}

// notKey saves the error for the name at t, which cannot be decoded into the key type. e is the
// error that encoding/json returns for a map with only this name.
func notKey(d *v1.Decoder, e *rules.UnmarshalTypeError, t int) {
	if d.Saved != nil {
		return
	}
	d.TypeError(e.Value, e.Type, d.End(t), rules.CauseOf(e))
	// An error at the first byte after the brace is about the map and not about the name. The
	// pointer of the map is the pointer of the name without its last token.
	if e.Offset == int64(len("{")) {
		at := d.Words[t].Pos()
		saved, pointer := d.Saved.(*rules.UnmarshalTypeError), pointer(d, at)
		saved.Offset, d.SavedAt = int64(at-d.Space), -1
		setField(d, saved, pointer[:strings.LastIndexByte(pointer, '/')])
	}
}
