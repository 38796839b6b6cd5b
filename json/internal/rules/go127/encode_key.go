package go127

import (
	stdencoding "encoding"
	"math"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// NameOf implements [v1.EncodeRelease]. With the patch PlainKeys, the text methods of a string type are
// not called.
func (r *encodeRelease) NameOf(key *shape.Shape) (name encode.KeyNamer, plain bool) {
	t := key.Type
	name = v1.KindName(key.Kind)
	switch {
	case rules.WritesItself(t):
		return standardName, false
	case t.Kind() == reflect.Interface:
		return anyName, false
	case key.Kind == shape.String && namesItself(t) && r.has(rules.PlainKeys):
		return name, true
	case key.Kind == shape.Pointer && t.Elem().Kind() == reflect.String && namesItself(t) && r.has(rules.PlainKeys):
		return pointedName, false
	case t.Implements(rules.TextAppenderType):
		return appendedName, false
	case t.Implements(rules.TextMarshalerType):
		return v1.TextName, false
	case name == nil:
		return anyName, false
	}
	return name, key.Kind == shape.String
}

// namesItself reports whether a type has a text method.
func namesItself(t reflect.Type) bool {
	return t.Implements(rules.TextAppenderType) || t.Implements(rules.TextMarshalerType)
}

// pointedName returns the string to which the key points. A nil pointer becomes the empty name.
func pointedName(_ *encode.Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	if key.IsNil() {
		return "", nil
	}
	return key.Elem().String(), nil
}

// appendedName returns the name for a key with an AppendText method.
func appendedName(e *encode.Encoder, _ []byte, t reflect.Type, key reflect.Value) (string, error) {
	if key.Kind() == reflect.Pointer && key.IsNil() {
		return "", nil
	}
	text, err := key.Interface().(stdencoding.TextAppender).AppendText(nil)
	if err != nil {
		return "", e.Mode.Rules.(*encodeRelease).KeyError(t, key, err, "AppendText")
	}
	return string(text), nil
}

// anyName returns the name for a key of any kind. For a pointer or an interface it encodes the target,
// and for a float the number. Other kinds without a text method are an error.
func anyName(e *encode.Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error) {
	switch kind := key.Kind(); kind {
	case reflect.Float32, reflect.Float64:
		return floatName(e, key)
	case reflect.Complex64, reflect.Complex128, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return "", &rules.UnsupportedTypeError{Type: key.Type()}
	case reflect.Pointer, reflect.Interface:
		// A float64 in an interface is encoded as a number, which is not a name.
		if kind == reflect.Interface && !key.IsNil() && key.Elem().Type() == rules.FloatType {
			if _, err := floatName(e, key.Elem()); err != nil {
				return "", err
			}
		} else if !key.IsNil() {
			name, _ := e.Mode.Rules.(*encodeRelease).NameOf(shape.Of(key.Elem().Type()))
			return name(e, dst, t, key.Elem())
		}
	}
	return "", notName(append(dst[e.Start:len(dst):len(dst)], '{'))
}

// floatName returns the name for a float.
func floatName(e *encode.Encoder, key reflect.Value) (string, error) {
	f := key.Float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		// key may be in scratch memory, so the error gets a copy.
		return "", e.Mode.Rules.NotFinite(e, reflect.ValueOf(f).Convert(key.Type()))
	}
	return string(syntax.AppendFloat(nil, f, key.Type().Bits())), nil
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
func pointerAt(text []byte) (pointer stream.Pointer) {
	levels := encode.LevelsOf(text)
	// The innermost level adds no token, because it is the open array or object itself.
	for _, l := range levels[:max(len(levels)-1, 0)] {
		token := strconv.Itoa(l.Index)
		if l.Object {
			unquoted, _ := syntax.AppendUnquoted(nil, l.Name)
			token = string(unquoted)
		}
		pointer = pointer.AppendToken(token)
	}
	return pointer
}
