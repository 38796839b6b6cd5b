//go:build go1.27 && goexperiment.jsonv2

package encode

import (
	"bytes"
	"encoding"
	"encoding/json"
	stdtext "encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// appendsText is whether AppendText is one of the methods that encoding/json calls.
const appendsText = true

// unsupported returns the error for a value that has no JSON form. Since a patch of Go 1.27 it
// has the value of a float.
func unsupported(v reflect.Value, why string) error {
	e := &rules.UnsupportedValueError{Str: why}
	if v.CanFloat() && rules.ErrorValue.Applied() {
		e.Value = v
	}
	return e
}

// throughPointer changes the error of a marshal method that was called through a pointer of
// type t: encoding/json names t if that has the method too.
func throughPointer(err error, _ reflect.Type) error { return err }

// methodType returns the type that an error of a marshal method names.
func methodType(_ reflect.Type, method any) reflect.Type {
	t := reflect.TypeOf(method)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return reflect.PointerTo(t)
}

// numberError returns the error for a Number whose text is not a number.
func numberError(text string, quoted bool) error {
	var err error
	if quoted {
		_, err = json.Marshal(struct {
			N rules.Number `json:",string"`
		}{rules.Number(text)})
	} else {
		_, err = json.Marshal(rules.Number(text))
	}
	return err
}

// keyError returns the error for a key whose text method failed. T is the type of the map.
func keyError(_ reflect.Type, key reflect.Value, err error) error {
	return errorBy(failedText{err}, methodType(nil, key.Interface()))
}

// timeError returns the error for a time that has no JSON form.
func timeError(t *time.Time, _ error) error {
	_, err := json.Marshal(*t)
	return err
}

// methodError returns the error for a marshal method that failed.
func methodError(t reflect.Type, method any, err error) error {
	if at, ok := method.(*time.Time); ok {
		return timeError(at, err)
	}
	if e, ok := err.(*rules.MarshalerError); ok && rules.WritesItself(reflect.TypeOf(method)) {
		return e
	}
	return &rules.MarshalerError{Type: methodType(t, method), Err: rules.LegacySyntax(rules.NotUnsupported(err, "MarshalJSON"))}
}

// keyNamerOf returns the keyNamer of keys of this shape, or nil if such maps cannot be encoded.
// Plain reports whether the name is the key itself.
func keyNamerOf(key *shape.Shape) (name keyNamer, plain bool) {
	t := key.Type
	switch name = kindKey(key.Kind); {
	case t.Kind() == reflect.Interface || rules.WritesItself(t):
		return standardKey, false
	case key.Kind == shape.String && namesItself(t) && rules.PlainKeys.Applied():
		return stringKey, true
	case key.Kind == shape.Pointer && t.Elem().Kind() == reflect.String && namesItself(t) && rules.PlainKeys.Applied():
		return pointedKey, false
	case t.Implements(rules.TextAppenderType):
		return appendedKey, false
	case t.Implements(rules.TextMarshalerType):
		return textKey, false
	case name == nil:
		return standardKey, false
	}
	return name, key.Kind == shape.String
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
func appendedKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	if key.Kind() == reflect.Pointer && key.IsNil() {
		return "", nil
	}
	text, err := key.Interface().(encoding.TextAppender).AppendText(nil)
	if err != nil {
		return "", errorBy(failedAppend{err}, methodType(nil, key.Interface()))
	}
	return string(text), nil
}

// standardKey names a key as encoding/json does, by encoding a map of this key alone. It is for
// floats, for interfaces and for types that write to a stream.
func standardKey(e *Encoder, dst []byte, _ reflect.Type, key reflect.Value) (string, error) {
	one := reflect.MakeMap(reflect.MapOf(key.Type(), reflect.TypeFor[struct{}]()))
	one.SetMapIndex(key, reflect.ValueOf(struct{}{}))
	text, err := json.Marshal(one.Interface())
	if err != nil {
		if u, ok := err.(*rules.UnsupportedValueError); ok && strings.Contains(u.Str, stream.ErrNonStringName.Error()) {
			err = notName(append(dst[e.Start:], '{'))
		}
		return "", err
	}
	name, _ := syntax.AppendUnquoted(nil, text[1:len(text)-len(":{}}")])
	return string(name), nil
}

// notName returns the error for a key that is not written as a string. Text is the JSON before
// it.
func notName(text []byte) error {
	at := stdtext.NewDecoder(bytes.NewReader(text), stdtext.AllowDuplicateNames(true), stdtext.AllowInvalidUTF8(true))
	for {
		if _, err := at.ReadToken(); err != nil {
			break
		}
	}
	// Encoding/json counts the first byte of the name too.
	offset := int64(len(text)) + 1
	where := stdtext.SyntacticError{ByteOffset: offset, JSONPointer: at.StackPointer(), Err: stdtext.ErrNonStringName}
	return &rules.UnsupportedValueError{Str: where.Error()}
}

// marshalJSON returns the JSON that a value's own method makes.
func marshalJSON(v any, html bool) ([]byte, error) {
	if _, ok := v.(jsonv2.MarshalerTo); ok && rules.WritesItself(reflect.TypeOf(v)) {
		return jsonv2.Marshal(v, json.DefaultOptionsV1(), stdtext.EscapeForHTML(html))
	}
	return v.(rules.Marshaler).MarshalJSON()
}

// standardRest appends the members of an object that a struct holds as text. If the text is not
// an object, encoding/json returns the error.
func standardRest(dst, text []byte, html bool) ([]byte, error) {
	if len(text) == 0 {
		return dst, nil
	}
	n := len(dst)
	out, ok := syntax.AppendCompact(dst, text, html)
	switch {
	case !ok || out[n] != '{':
		_, err := json.Marshal(struct {
			Rest stdtext.Value `json:",embed"`
		}{text})
		return dst, err
	case len(out) == n+len("{}"):
		return out[:n], nil
	case out[n-1] == '{':
		out = slices.Delete(out, n, n+1)
	default:
		out[n] = ','
	}
	return out[:len(out)-1], nil // without the brace
}
