package decode

import (
	"encoding"
	"encoding/base64"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// This file contains all differences between the two engines of encoding/json. Go 1.26, and Go 1.27
// with GOEXPERIMENT=nojsonv2, have the first engine. Go 1.27 has the second one. The flags of a
// call select the rules, independently of the linked engine.

// isFirst reports whether the rules before Go 1.27 apply.
func (d *Decoder) isFirst() bool { return d.On&option.FirstEngine != 0 }

// quotedInto decodes a scalar from a JSON string, into a field with the tag option "string".
func (d *Decoder) quotedInto(n *Node, t int, a mem.Pointer, off uintptr) error {
	if d.isFirst() {
		return d.quotedFirst(n, t, a, off)
	}
	return d.quotedSecond(n, t, a, off)
}

// newTypeError returns the error for a value that cannot be decoded into t.
func (d *Decoder) newTypeError(value string, t reflect.Type, offset int, cause error) error {
	e := &rules.UnmarshalTypeError{Value: value, Type: t, Offset: int64(offset)}
	if !d.isFirst() {
		e.Offset -= int64(d.Space)
		rules.SetCause(e, cause)
	}
	return e
}

// notText saves the error for the value at t, which must be a string because n's type has a text
// method.
func (d *Decoder) notText(n *Node, t int) {
	if !d.isFirst() {
		d.typeErrorOf(t, n.Shape.Type, rules.ErrNotString)
		return
	}
	slot := n.slot
	if slot == nil {
		slot = d.root
	}
	_ = d.typeErrorAt(t, "number", slot)
}

// notInterface saves the error for a value whose target is a nil interface with methods: the type
// of a new value is unknown.
func (d *Decoder) notInterface(n *Node, t int) error {
	if !d.isFirst() {
		if d.Saved == nil {
			_ = d.typeErrorAt(t, "number", n.Shape.Type)
			d.Saved.(*rules.UnmarshalTypeError).Offset = int64(d.Words[t].Pos() - d.Space)
		}
		return nil
	}
	if c := d.Data[d.Words[t].Pos()]; c == '-' || c-'0' <= 9 {
		if _, err := d.number(t); err != nil {
			d.save(err)
			return nil
		}
	}
	_ = d.typeErrorAt(t, "number", n.Shape.Type)
	return nil
}

// notNumber saves or returns the error for the value at t, which is not a valid Number.
func (d *Decoder) notNumber(t int) error {
	isString := d.Data[d.Words[t].Pos()] == '"'
	switch {
	case d.isFirst() && isString:
		return fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", d.Raw(t))
	case d.isFirst():
		_ = d.typeErrorAt(t, "number", rules.NumberType)
		return nil
	case d.Saved == nil && isString:
		e := &rules.UnmarshalTypeError{Value: "string " + string(d.Raw(t)), Type: rules.NumberType}
		rules.SetCause(e, strconv.ErrSyntax)
		d.save(e)
	}
	d.notNumberKind(t)
	return nil
}

// tooLarge returns the value that an empty interface gets for a number that overflows float64, or
// an error.
func (d *Decoder) tooLarge(t int) (any, error) {
	number := "number " + string(d.Raw(t))
	if d.isFirst() {
		return nil, &rules.UnmarshalTypeError{Value: number, Type: rules.FloatType, Offset: int64(d.End(t) + 1)}
	}
	_ = d.typeErrorAt(t, number, rules.FloatType)
	return d.BoxFloat(Overflowed(d.Data[d.Words[t].Pos()] == '-', d.On)), nil
}

// time decodes the value at t into *v.
func (d *Decoder) time(t int, v *time.Time) error {
	raw := d.Raw(t)
	switch {
	case d.isFirst():
		return readTime(v, raw)
	case raw[0] != '"':
		_ = d.typeErrorAt(t, "number", rules.TimeType)
		return nil
	case ReadUTC(v, raw):
		return nil
	}
	var read time.Time
	err := read.UnmarshalText(d.TextOf(t))
	if err == nil {
		*v = read
	}
	return err
}

// bytesOf decodes base64. From Go 1.27 on it reuses the memory of old, the slice that the result will
// replace, and on error returns the bytes decoded so far.
func (d *Decoder) bytesOf(text, old []byte) ([]byte, error) {
	// Before Go 1.27 the result is in new memory.
	if d.isFirst() {
		b := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
		n, err := base64.StdEncoding.Decode(b, text)
		return b[:n], err
	}
	b, err := base64.StdEncoding.AppendDecode(old[:0], text)
	if b == nil {
		b = []byte{}
	}
	return b, err
}

// notBase64 saves the error for the string at t, which is not valid base64.
func (d *Decoder) notBase64(n *Node, t int, err error) {
	if d.isFirst() {
		d.save(err)
	} else {
		d.typeErrorOf(t, n.Shape.Type, err)
	}
}

// entry decodes one entry of a map: its key from the name at word name, and its element. It returns
// the index of the word after the entry, and ok reports whether to store the entry. Before Go 1.27
// the element is decoded first, and from Go 1.27 on the key is decoded first.
func (d *Decoder) entry(n *Node, name int, key, elem reflect.Value) (next int, ok bool, err error) {
	if d.isFirst() {
		if next, err = d.Value(n.Elem, name+1, mem.OfPointer(elem.Addr()), 0); err != nil {
			return next, false, err
		}
		ok, err = d.key(n, name, key, d.Words[name].Pos()+1)
		return next, ok && err == nil, err
	}
	if ok, err = d.key(n, name, key, d.End(name)); !ok || err != nil {
		return d.After(name + 1), false, d.failed(err)
	}
	next, err = d.Value(n.Elem, name+1, mem.OfPointer(elem.Addr()), 0)
	return next, true, err
}

// closedField refuses the value at t, which is for a field of the struct type in that is below a nil
// pointer to the unexported struct type to. It returns the index of the word after the value.
func (d *Decoder) closedField(in, to reflect.Type, t int) (int, error) {
	switch {
	case d.V2 != nil:
		if err := d.V2.Refuse(t, in, rules.ErrNilField, BeforeRead); err != nil {
			return t, err
		}
		return d.Skip(t)
	case d.isFirst():
		d.save(fmt.Errorf("json: cannot set embedded pointer to unexported struct: %v", to))
	case d.Saved == nil:
		d.typeErrorOf(t, in, rules.ErrNilField)
		d.Saved.(*rules.UnmarshalTypeError).Offset = int64(d.Words[t].Pos() - d.Space)
	}
	return d.After(t), nil
}

// keyFormOf returns the KeyForm for map keys of shape s.
func (m *Mode) keyFormOf(s *shape.Shape) KeyForm {
	p, form := reflect.PointerTo(s.Type), keyFormOfKind(s.Kind)
	switch {
	case p.Implements(rules.TextUnmarshalerType):
		return KeyMethod
	case m.First():
		return form
	case form == keyUnsupported || rules.ReadsItself(p):
		return KeyMethod
	}
	return form
}

// keyByMethod decodes the name at t into key with the key's method, and reports whether this
// succeeded. From Go 1.27 on it also decodes keys without a method.
func (d *Decoder) keyByMethod(n *Node, t int, key reflect.Value) (fits bool, err error) {
	if d.isFirst() {
		return d.keyByMethodFirst(n, t, key)
	}
	return d.keyByMethodSecond(t, key)
}

// unmarshalJSON calls v's method UnmarshalJSON, or UnmarshalJSONFrom with a stream of the standard
// library.
func (d *Decoder) unmarshalJSON(v any, raw []byte) error {
	if d.isFirst() {
		return v.(rules.Unmarshaler).UnmarshalJSON(raw)
	}
	if rules.ReadsItself(reflect.TypeOf(v)) {
		return rules.ReadItself(v, raw)
	}
	return methodError(v.(rules.Unmarshaler).UnmarshalJSON(raw), "UnmarshalJSON")
}

// unmarshalText calls v's method UnmarshalText.
func (d *Decoder) unmarshalText(v any, text []byte) error {
	err := v.(encoding.TextUnmarshaler).UnmarshalText(text)
	if d.isFirst() {
		return err
	}
	return methodError(err, "UnmarshalText")
}

// restNotObject saves the error for a field of unknown members whose JSON text is not an object.
func (d *Decoder) restNotObject(r *restReader, t int) {
	d.typeErrorCause("string", r.shape.Type, d.End(t), rules.ErrRestNotObject)
}

// finalError returns the error of Unmarshal. length is the length of the input in bytes. From Go
// 1.27 on, errors of version 2 and io.EOF from methods are converted to errors of version 1.
func finalError(err error, root reflect.Value, length int, on option.Flag) error {
	if err == nil || on&option.FirstEngine != 0 || !root.IsValid() {
		return err
	}
	if err != io.EOF {
		return rules.LegacyUnmarshal(root.Type(), err)
	}
	// Only encoding/json can set the message of a SyntaxError, so it decodes an empty text to
	// create the error.
	err = rules.SyntaxErrorOf(nil, on)
	if e, ok := err.(*rules.SyntaxError); ok {
		e.Offset = int64(length)
	}
	return err
}
