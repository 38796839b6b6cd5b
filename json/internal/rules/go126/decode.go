package go126

import (
	"encoding"
	"encoding/base64"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
	"github.com/hone-go/hone/shape"
)

// Decoding holds the decoders that are compiled by the rules of Go 1.26.
var Decoding = v1.Decoding{
	Release: decodeRelease{},
	Plain:   decode.Mode{Key: rules.Key{Flags: option.V1}, Rules: decodeRelease{}, FoldsNames: true, KeepsTail: true, ByPlace: true},
	Limited: decode.Mode{Key: rules.Key{Flags: option.V1 | option.ByTags}, Rules: decodeRelease{}, FoldsNames: true, KeepsTail: true, ByPlace: true},
}

// decodeRelease implements [v1.Release] and [decode.Rules].
type decodeRelease struct{}

var rows = v1.Rows{Time: readTime, Bytes: readBytes, Map: readMap, KeyForm: keyForm, Calls: calls}

// flags are the flags that select these rules in package rules.
const flags = option.FirstEngine

// Custom implements [decode.Rules].
func (decodeRelease) Custom(c *decode.Compiler, key decode.Key, n *decode.Node) bool {
	return rows.Custom(c, key, n)
}

// Members implements [decode.Rules]. No field stores unknown members.
func (decodeRelease) Members(s *shape.Shape) ([]shape.Member, *shape.Member) {
	return s.Promoted(), nil
}

// Quoted implements [decode.Rules].
func (decodeRelease) Quoted() decode.Row { return quoted }

// Fault implements [decode.Rules].
func (decodeRelease) Fault(*rules.Key, *shape.Shape) *shape.Fault { return nil }

// IsLinked implements [v1.Release].
func (decodeRelease) IsLinked() bool { return rules.Standard(flags) }

// Invalid implements [v1.Release].
func (decodeRelease) Invalid(data []byte, _ reflect.Value) error {
	return rules.SyntaxErrorOf(data, flags)
}

// Final implements [v1.Release].
func (decodeRelease) Final(err error, _ reflect.Value, _ int) error { return err }

// InContext implements [v1.Release]. Elements of slices and maps add nothing to the path.
func (decodeRelease) InContext(d *v1.Decoder, err error) error {
	e, ok := err.(*rules.UnmarshalTypeError)
	if !ok {
		return err
	}
	if in, path := d.Field(); in != nil {
		e.Struct = in.Name()
		if e.Field != "" {
			path = append(path, e.Field)
		}
		e.Field = strings.Join(path, ".")
	}
	return err
}

// WithPath implements [v1.Release]. The error already contains its path.
func (decodeRelease) WithPath(_ *v1.Decoder, err error) error { return err }

// TypeError implements [v1.Release].
func (decodeRelease) TypeError(_ *v1.Decoder, value string, t reflect.Type, offset int, _ error) error {
	return &rules.UnmarshalTypeError{Value: value, Type: t, Offset: int64(offset)}
}

// NotRead implements [v1.Release].
func (decodeRelease) NotRead(d *v1.Decoder, t int, typ reflect.Type, cause error) {
	d.TypeErrorAt(t, "number", typ, nil)
	rules.SetCause(d.Saved.(*rules.UnmarshalTypeError), cause)
}

// NotString implements [v1.Release].
func (decodeRelease) NotString(d *v1.Decoder, n *decode.Node, t int) {
	d.TypeErrorAt(t, "number", d.Place(n), nil)
}

// NotNumber implements [v1.Release].
func (decodeRelease) NotNumber(d *v1.Decoder, t int) error {
	if d.Data[d.Words[t].Pos()] == '"' {
		return fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", d.Raw(t))
	}
	d.TypeErrorAt(t, "number", rules.NumberType, nil)
	return nil
}

// ClosedField implements [v1.Release].
func (decodeRelease) ClosedField(d *v1.Decoder, _ int, _, to reflect.Type) {
	d.Save(fmt.Errorf("json: cannot set embedded pointer to unexported struct: %v", to))
}

// Overflow implements [v1.Release].
func (decodeRelease) Overflow(d *v1.Decoder, t int) (any, error) {
	d.Save(overflow(d, t))
	return nil, nil
}

// overflow returns the error for the number at t, which overflows float64.
func overflow(d *v1.Decoder, t int) error {
	return &rules.UnmarshalTypeError{Value: "number " + string(d.Raw(t)), Type: rules.FloatType, Offset: int64(d.End(t) + 1)}
}

// OverflowInto implements [v1.Release].
func (decodeRelease) OverflowInto(reflect.Value, bool) {}

// Calls implements [v1.Release].
func (decodeRelease) Calls(p reflect.Type) bool { return calls(p) }

func calls(p reflect.Type) bool { return p.Implements(rules.UnmarshalerType) }

// CallJSON implements [v1.Release].
func (decodeRelease) CallJSON(v any, raw []byte) error {
	return v.(rules.Unmarshaler).UnmarshalJSON(raw)
}

// CallText implements [v1.Release].
func (decodeRelease) CallText(v any, text []byte) error {
	return v.(encoding.TextUnmarshaler).UnmarshalText(text)
}

// Failed implements [v1.Release].
func (decodeRelease) Failed(_ *v1.Decoder, err error) error { return err }

// HeldAny implements [v1.Release]. A number that overflows float64 is not stored: decoding it saves an
// error. Arrays and objects are always stored, even if an element is not.
func (decodeRelease) HeldAny(d *v1.Decoder, t int) (x any, stored bool) {
	attempt := d.Attempt(reflect.Value{})
	x, _, _ = d.Any(t)
	c := d.Data[d.Words[t].Pos()]
	return x, d.Fits(&attempt, nil) || c == '{' || c == '['
}

// NotInterface implements [v1.Release].
func (decodeRelease) NotInterface(d *v1.Decoder, v reflect.Value, t int) {
	if isNumber(d, t) && isOverflow(d, t) {
		return
	}
	d.TypeErrorAt(t, "number", v.Type(), nil)
}

// isNumber reports whether the value at t is a number.
func isNumber(d *v1.Decoder, t int) bool {
	c := d.Data[d.Words[t].Pos()]
	return c == '-' || c-'0' <= 9
}

// isOverflow reports whether the number at t overflows float64. It saves an error if it does. With
// UseNumber no number overflows.
func isOverflow(d *v1.Decoder, t int) bool {
	if _, fits := syntax.ParseFloat(d.Data, d.Words[t].Pos(), d.End(t)); fits || d.Has(option.RawNumbers) {
		return false
	}
	d.Save(overflow(d, t))
	return true
}

// readTime is the row for times.
func readTime(d *decode.Decoder, _ *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	v, raw := mem.At[time.Time](a, off), d.Raw(t)
	if decode.ReadUTC(v, raw) {
		return t + 1, nil
	}
	return d.After(t), v.UnmarshalJSON(raw)
}

// readBytes is the row for bytes in base64. The result is in new memory.
func readBytes(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	if d.Data[d.Words[t].Pos()] != '"' {
		return d.After(t), d.Faults.Refuse(t, n.Shape.Type, nil, 0)
	}
	// A JSON string may contain escapes, although base64 needs none.
	text := d.TextOf(t)
	b := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	size, err := base64.StdEncoding.Decode(b, text)
	if err != nil {
		v1.Of(d).Save(err)
		return t + 1, nil
	}
	a.SetBytes(off, b[:size])
	return t + 1, nil
}

// readMap is the row for maps that require reflection.
func readMap(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	return v1.Map(d, n, t, a, off, readEntry)
}

// readEntry implements [v1.Entry]. The element is decoded before the key.
func readEntry(d *v1.Decoder, n *decode.Node, name int, key, elem reflect.Value) (next int, ok bool, err error) {
	if next, err = d.Value(n.Elem, name+1, mem.OfPointer(elem.Addr()), 0); err != nil {
		return next, false, err
	}
	if n.Key != decode.KeyMethod {
		return next, d.KeyFromText(n.Key, d.TextOf(name), key, d.Words[name].Pos()+1), nil
	}
	// The key type has the method UnmarshalText, but UnmarshalJSON takes precedence.
	method := key.Addr().Interface()
	if m, ok := method.(rules.Unmarshaler); ok {
		err = m.UnmarshalJSON(d.RawToKeep(n, name))
	} else {
		err = method.(encoding.TextUnmarshaler).UnmarshalText(d.TextToKeep(name))
	}
	return next, err == nil, err
}

// keyForm returns the form of map keys of shape s.
func keyForm(s *shape.Shape) decode.KeyForm {
	if reflect.PointerTo(s.Type).Implements(rules.TextUnmarshalerType) {
		return decode.KeyMethod
	}
	return decode.KeyFormOf(s.Kind)
}
