package go127

import (
	"encoding"
	"encoding/base64"
	"io"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
	"github.com/hone-go/hone/shape"
)

// Decoding holds the decoders that are compiled by the rules of the linked patch of Go 1.27, and
// NewestDecoding holds decoders that are compiled by the rules of the newest patch.
var (
	Decoding = v1.Decoding{
		Release: decodeRelease{},
		Plain:   decode.Mode{Key: rules.Key{Flags: option.V1}, Rules: decodeRelease{}, FoldsNames: true},
		Limited: decode.Mode{Key: rules.Key{Flags: option.V1 | option.ByTags}, Rules: decodeRelease{}, FoldsNames: true},
	}
	NewestDecoding = v1.Decoding{
		Release: decodeRelease{newest: true},
		Plain:   decode.Mode{Key: rules.Key{Flags: option.V1}, Rules: decodeRelease{newest: true}, FoldsNames: true},
		Limited: decode.Mode{Key: rules.Key{Flags: option.V1 | option.ByTags}, Rules: decodeRelease{newest: true}, FoldsNames: true},
	}
)

// decodeRelease implements [v1.Release] and [decode.Rules].
type decodeRelease struct {
	// newest is set if all patches apply. Otherwise the patches of the linked release apply.
	newest bool
}

var rows = v1.Rows{Time: readTime, Bytes: readBytes, Map: readMap, KeyForm: keyForm, Calls: calls}

// has reports whether the patch p applies.
func (r decodeRelease) has(p rules.Patch) bool { return r.newest || p.Applied() }

// flags returns the flags that select these rules in package rules.
func (r decodeRelease) flags() option.Flag {
	if r.newest {
		return option.NewestPatch
	}
	return 0
}

// Custom implements [decode.Rules].
func (decodeRelease) Custom(c *decode.Compiler, key decode.Key, n *decode.Node) bool {
	return rows.Custom(c, key, n)
}

// Members implements [decode.Rules].
func (decodeRelease) Members(s *shape.Shape) ([]shape.Member, *shape.Member) {
	return s.Object().Members, s.Object().Rest
}

// Quoted implements [decode.Rules].
func (r decodeRelease) Quoted() decode.Row {
	if r.has(rules.QuotedNull) {
		return quoted
	}
	return quotedBeforePatch
}

// Fault implements [decode.Rules].
func (decodeRelease) Fault(*rules.Key, *shape.Shape) *shape.Fault { return nil }

// IsLinked implements [v1.Release].
func (r decodeRelease) IsLinked() bool { return rules.Standard(r.flags()) }

// Invalid implements [v1.Release]. An error about the target takes precedence.
func (r decodeRelease) Invalid(data []byte, v reflect.Value) error {
	if err := v1.TargetError(v); err != nil {
		return err
	}
	return rules.SyntaxErrorOf(data, r.flags())
}

// Final implements [v1.Release]. It converts errors of version 2 and io.EOF from methods to errors of
// version 1.
func (r decodeRelease) Final(err error, root reflect.Value, length int) error {
	if err == nil || !root.IsValid() {
		return err
	}
	if err != io.EOF {
		return rules.LegacyUnmarshal(root.Type(), err)
	}
	// Only encoding/json can set the message of a SyntaxError, so it decodes an empty text to
	// create the error.
	err = rules.SyntaxErrorOf(nil, r.flags())
	if e, ok := err.(*rules.SyntaxError); ok {
		e.Offset = int64(length)
	}
	return err
}

// Calls implements [v1.Release].
func (decodeRelease) Calls(p reflect.Type) bool { return calls(p) }

func calls(p reflect.Type) bool { return p.Implements(rules.UnmarshalerType) || rules.ReadsItself(p) }

// CallJSON implements [v1.Release]. It also calls UnmarshalJSONFrom with a stream of the standard
// library.
func (decodeRelease) CallJSON(v any, raw []byte) error {
	if rules.ReadsItself(reflect.TypeOf(v)) {
		return rules.ReadItself(v, raw)
	}
	return methodError(v.(rules.Unmarshaler).UnmarshalJSON(raw), "UnmarshalJSON")
}

// CallText implements [v1.Release].
func (decodeRelease) CallText(v any, text []byte) error {
	return methodError(v.(encoding.TextUnmarshaler).UnmarshalText(text), "UnmarshalText")
}

// methodError returns the error of an unmarshal method with the name by.
func methodError(err error, by string) error {
	if err == nil {
		return nil
	}
	return rules.NotUnsupported(err, by)
}

// Failed implements [v1.Release].
func (decodeRelease) Failed(d *v1.Decoder, err error) error { return failed(d, err) }

func failed(d *v1.Decoder, err error) error {
	if err == nil || rules.IsSyntactic(err) {
		return err
	}
	d.Save(err)
	return nil
}

// HeldAny implements [v1.Release].
func (decodeRelease) HeldAny(d *v1.Decoder, t int) (x any, stored bool) {
	x, _, _ = d.Any(t)
	return x, true
}

// NotInterface implements [v1.Release].
func (r decodeRelease) NotInterface(d *v1.Decoder, v reflect.Value, t int) {
	v.SetZero()
	if d.Saved == nil {
		r.NotRead(d, t, v.Type(), nil)
	}
}

// Overflow implements [v1.Release].
func (r decodeRelease) Overflow(d *v1.Decoder, t int) (any, error) {
	d.TypeErrorAt(t, "number "+string(d.Raw(t)), rules.FloatType, nil)
	if r.has(rules.Overflow) {
		return d.BoxFloat(0), nil
	}
	return d.BoxFloat(infinity(d.Data[d.Words[t].Pos()] == '-')), nil
}

// OverflowInto implements [v1.Release].
func (r decodeRelease) OverflowInto(v reflect.Value, negative bool) {
	if !r.has(rules.Overflow) {
		v.SetFloat(infinity(negative))
	}
}

// infinity returns the float to which a number that overflows was decoded before a patch.
func infinity(negative bool) float64 {
	if negative {
		return math.Inf(-1)
	}
	return math.Inf(1)
}

// NotNumber implements [v1.Release].
func (decodeRelease) NotNumber(d *v1.Decoder, t int) error {
	if d.Saved == nil && d.Data[d.Words[t].Pos()] == '"' {
		e := &rules.UnmarshalTypeError{Value: "string " + string(d.Raw(t)), Type: rules.NumberType}
		rules.SetCause(e, strconv.ErrSyntax)
		d.Save(e)
	}
	notNumber(d, t)
	return nil
}

// notNumber saves the error for the value at t, which is neither a number nor a string, and cannot be
// stored in a Number. The error has no offset.
func notNumber(d *v1.Decoder, t int) {
	// encoding/json decodes a Number with a method, and errors of methods have no position.
	if d.Saved == nil {
		d.TypeErrorAt(t, "number", rules.NumberType, nil)
		d.Saved.(*rules.UnmarshalTypeError).Offset, d.SavedAt = 0, -1
	}
}

// readTime is the row for times.
func readTime(d *decode.Decoder, _ *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	raw := d.Raw(t)
	v := mem.At[time.Time](a, off)
	switch {
	case raw[0] != '"':
		return d.After(t), d.Faults.Refuse(t, rules.TimeType, nil, 0)
	case decode.ReadUTC(v, raw):
		return t + 1, nil
	}
	var read time.Time
	err := read.UnmarshalText(d.TextOf(t))
	if err == nil {
		*v = read
	}
	return t + 1, failed(v1.Of(d), err)
}

// readBytes is the row for bytes in base64. It reuses the memory of the slice.
func readBytes(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	if d.Data[d.Words[t].Pos()] != '"' {
		return d.After(t), d.Faults.Refuse(t, n.Shape.Type, nil, 0)
	}
	// A JSON string may contain escapes, although base64 needs none.
	b, err := base64.StdEncoding.AppendDecode(a.Bytes(off)[:0], d.TextOf(t))
	if err != nil {
		return t + 1, d.Faults.Refuse(t, n.Shape.Type, err, 0)
	}
	if b == nil {
		b = []byte{}
	}
	a.SetBytes(off, b)
	return t + 1, nil
}
