package go127

import (
	"bytes"
	"errors"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
	"github.com/hone-go/hone/shape"
)

// Encoding encodes by the rules of Go 1.27 with the patches of the linked encoding/json.
// NewestEncoding has all patches.
var (
	Encoding = v1.Encoding{
		All:      encode.Mode{Key: rules.Key{Flags: option.V1}, Rules: &linkedEncoding},
		ReadOnly: encode.Mode{Key: rules.Key{Flags: v1.ReadOnlyFlags}, Rules: &linkedEncoding},
		Escapes:  syntax.EscapeJS,
	}
	NewestEncoding = v1.Encoding{
		All:      encode.Mode{Key: rules.Key{Flags: option.V1}, Rules: &newestEncoding},
		ReadOnly: encode.Mode{Key: rules.Key{Flags: v1.ReadOnlyFlags}, Rules: &newestEncoding},
		Escapes:  syntax.EscapeJS,
	}
)

var (
	linkedEncoding = encodeRelease{EncodeRules: &encodeRules}
	newestEncoding = encodeRelease{EncodeRules: &encodeRules, newest: true}
	encodeRules    = v1.EncodeRules{Methods: []rules.MethodForm{
		rules.MethodStream, rules.MethodStandard, rules.MethodJSON, rules.MethodAppend, rules.MethodText,
	}}
)

// encodeRelease implements [v1.EncodeRelease].
type encodeRelease struct {
	*v1.EncodeRules
	newest bool // has all patches
}

func (r *encodeRelease) has(p rules.Patch) bool { return r.newest || p.Applied() }

// Members implements [encode.Rules].
func (*encodeRelease) Members(s *shape.Shape) ([]shape.Member, *shape.Member) {
	return s.Object().Members, s.Object().Rest
}

// timeError returns the error for a time that has no JSON form.
func timeError(t *time.Time) error {
	why := "timezone hour outside of range [0,23]"
	if year := t.Year(); year < 0 || year > 9999 {
		why = "year outside of range [0,9999]"
	}
	return &rules.MarshalerError{Type: reflect.TypeFor[*time.Time](), Err: errors.New(why)}
}

// Unsupported implements [encode.Rules]. The error contains the value only if this is a float and the
// release has the patch.
func (r *encodeRelease) Unsupported(v reflect.Value, cause error) error {
	err := &rules.UnsupportedValueError{Str: v1.Reason(v, cause)}
	if v.CanFloat() && r.has(rules.ErrorValue) {
		err.Value = v
	}
	return err
}

// NotNumber implements [encode.Rules]. A Number has a marshal method, whose error is returned.
func (*encodeRelease) NotNumber(_ *encode.Encoder, _ string, cause error) error {
	return rules.NewMarshalerError(reflect.TypeFor[*rules.Number](), cause, "MarshalJSONTo")
}

// AppendCompact implements [v1.EncodeRelease]. It escapes U+2028 and U+2029, even if it does not escape
// <, > and &. The offset in the error is relative to the start of the output of the call.
func (*encodeRelease) AppendCompact(e *encode.Encoder, dst, text []byte) ([]byte, error) {
	n := len(dst)
	// Check and copy the text in one pass. If it is not valid, encoding/json creates the error.
	out, ok := syntax.AppendCompact(dst, text, e.EscapesHTML())
	if !ok {
		err := rules.CompactErrorOf(text, 0)
		if s, ok := err.(*rules.SyntaxError); ok {
			s.Offset += int64(n - e.Start)
		}
		return dst, err
	}
	const separator = 0xe2 // the first byte of U+2028 and U+2029
	if !e.EscapesHTML() && bytes.IndexByte(out[n:], separator) >= 0 {
		out = syntax.AppendEscaped(out[:n], bytes.Clone(out[n:]), syntax.EscapeJS)
	}
	return out, nil
}

// MethodError implements [v1.EncodeRelease].
func (*encodeRelease) MethodError(_ reflect.Type, v any, err error, method string) error {
	if method == "MarshalJSON" {
		// encoding/json does not call the method of a time.
		if at, ok := v.(*time.Time); ok {
			return timeError(at)
		}
		// An error from the standard library's stream already contains the name of the method.
		if m, ok := err.(*rules.MarshalerError); ok && rules.WritesItself(reflect.TypeOf(v)) {
			return m
		}
	}
	t := reflect.TypeOf(v)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return rules.NewMarshalerError(reflect.PointerTo(t), rules.LegacySyntax(rules.NotUnsupported(err, method)), method)
}

// KeyError implements [v1.EncodeRelease].
func (r *encodeRelease) KeyError(t reflect.Type, key reflect.Value, err error, method string) error {
	return r.MethodError(t, key.Interface(), err, method)
}

// TooDeep implements [v1.EncodeRelease].
func (*encodeRelease) TooDeep(e *encode.Encoder, text []byte) error {
	pos := e.TooDeep(text, 0)
	if pos < 0 {
		return nil
	}
	err := rules.SyntaxErrorOf(text[:pos+1], 0)
	if s, ok := err.(*rules.SyntaxError); ok {
		s.Offset = int64(pos) + 1
	}
	return err
}
