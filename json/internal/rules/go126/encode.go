package go126

import (
	"fmt"
	"reflect"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
	"github.com/hone-go/hone/shape"
)

// Encoding encodes by the rules of Go 1.26. Invalid UTF-8 is written as the escape \ufffd.
var Encoding = v1.Encoding{
	All:      encode.Mode{Key: rules.Key{Flags: option.V1}, Rules: &encodeRules},
	ReadOnly: encode.Mode{Key: rules.Key{Flags: v1.ReadOnlyFlags}, Rules: &encodeRules},
	Escapes:  syntax.EscapeJS | syntax.EscapeInvalid,
}

var encodeRules = encodeRelease{v1.EncodeRules{Methods: []rules.MethodForm{rules.MethodStream, rules.MethodJSON, rules.MethodText}}}

// encodeRelease implements [v1.EncodeRelease].
type encodeRelease struct{ v1.EncodeRules }

// Members implements [encode.Rules]. Go 1.26 does not support a field of unknown members.
func (*encodeRelease) Members(s *shape.Shape) ([]shape.Member, *shape.Member) {
	return s.Promoted(), nil
}

// ThroughPointer implements [encode.Rules]. The error of a method contains the pointer type if that
// type has the method too.
func (*encodeRelease) ThroughPointer(err error, t reflect.Type) error {
	if m, ok := err.(*rules.MarshalerError); ok && m.Type == t.Elem() && (t.Implements(rules.MarshalerType) || t.Implements(rules.TextMarshalerType)) {
		m.Type = t
	}
	return err
}

// Unsupported implements [encode.Rules]. The error contains a copy of the value.
func (*encodeRelease) Unsupported(v reflect.Value, cause error) error {
	held := reflect.New(v.Type()).Elem()
	held.Set(v)
	return &rules.UnsupportedValueError{Value: held, Str: v1.Reason(v, cause)}
}

// NotNumber implements [encode.Rules].
func (*encodeRelease) NotNumber(_ *encode.Encoder, text string, _ error) error {
	return fmt.Errorf("json: invalid number literal %q", text)
}

// NameOf implements [v1.EncodeRelease]. The name for a string key is the key, even if its type has
// methods. For other kinds, methods take precedence.
func (*encodeRelease) NameOf(key *shape.Shape) (name encode.KeyNamer, plain bool) {
	switch {
	case key.Kind == shape.String || !key.Type.Implements(rules.TextMarshalerType):
		return v1.KindName(key.Kind), key.Kind == shape.String
	case key.Kind == shape.Interface:
		return heldName, false
	}
	return v1.TextName, false
}

// heldName returns the name for a key whose type is an interface with a text method.
func heldName(e *encode.Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error) {
	// encoding/json panics with this message, and callers may recover it.
	if key.IsNil() {
		panic("unexpected map key type")
	}
	return v1.TextName(e, dst, t, key)
}

// AppendCompact implements [v1.EncodeRelease].
func (*encodeRelease) AppendCompact(e *encode.Encoder, dst, text []byte) ([]byte, error) {
	// Check and copy the text in one pass. If it is not valid, encoding/json creates the error.
	out, ok := syntax.AppendCompact(dst, text, e.EscapesHTML())
	if !ok {
		return dst, rules.CompactErrorOf(text, option.FirstEngine)
	}
	return out, nil
}

// MethodError implements [v1.EncodeRelease].
func (*encodeRelease) MethodError(t reflect.Type, _ any, err error, method string) error {
	return rules.NewMarshalerError(t, err, method)
}

// KeyError implements [v1.EncodeRelease].
func (*encodeRelease) KeyError(t reflect.Type, _ reflect.Value, err error, _ string) error {
	return fmt.Errorf("json: encoding error for type %q: %q", t.String(), err.Error())
}

// TooDeep implements [v1.EncodeRelease]. Go 1.26 has no limit.
func (*encodeRelease) TooDeep(*encode.Encoder, []byte) error { return nil }
