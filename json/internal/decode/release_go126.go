//go:build !(go1.27 && goexperiment.jsonv2)

package decode

import (
	"encoding"
	"encoding/base64"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// quotedInto decodes into a field with the tag option string: a scalar inside of a JSON string.
func (d *Decoder) quotedInto(n *Node, t int, a mem.Pointer, off uintptr) error {
	switch c := d.Data[d.Words[t].Pos()]; {
	case c == 'n':
		return d.null(n, t, a, off)
	case c == '"':
		// The content may itself be unquoted, into the same scratch space.
		return d.literal(n, string(d.TextOf(t)), t, a, off)
	case c == '-' || c-'0' <= 9:
		if _, err := d.number(t); err != nil {
			// encoding/json takes a number that no float64 holds for null.
			d.save(err)
			if n.Op == nodeMarshaler {
				return a.Addr(off, n.Shape.Type).(rules.Unmarshaler).UnmarshalJSON([]byte("null"))
			}
			return d.null(n, t, a, off)
		}
	}
	d.save(fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal unquoted value into %v", n.slot))
	return nil
}

// literal stores the scalar that item spells, unchecked text from the string at t.
func (d *Decoder) literal(n *Node, item string, t int, a mem.Pointer, off uintptr) error {
	misuse := func(t reflect.Type) error {
		return fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal %q into %v", item, t)
	}
	if item == "" {
		d.save(misuse(n.slot))
		return nil
	}
	c := item[0]
	for n.Op == nodePointer && c != 'n' {
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.Shape.Elem.Type)
		}
		n, a, off = n.Elem, to, 0
	}
	switch n.Op {
	case nodeMarshaler:
		return a.Addr(off, n.Shape.Type).(rules.Unmarshaler).UnmarshalJSON([]byte(item))
	case nodeText:
		if c == 'n' {
			break
		}
		if c != '"' {
			d.save(misuse(n.slot))
			return nil
		}
		text, ok := syntax.AppendUnquoted(nil, []byte(item))
		if !ok {
			return misuse(n.slot)
		}
		return a.Addr(off, n.Shape.Type).(encoding.TextUnmarshaler).UnmarshalText(text)
	}
	kind := n.Shape.Kind
	switch {
	case c == 'n':
		if item != "null" {
			d.save(misuse(n.Shape.Type))
		} else if kind == shape.Pointer {
			a.SetNil(off)
		}
	case c == 't' || c == 'f':
		if item != "true" && item != "false" || kind != shape.Bool {
			d.save(misuse(n.Shape.Type))
			break
		}
		mem.Store(a, off, c == 't')
	case c == '"':
		text, ok := syntax.AppendUnquoted(nil, []byte(item))
		if !ok {
			return misuse(n.Shape.Type)
		}
		if kind != shape.String {
			d.typeError("string", n.Shape.Type, d.End(t))
			break
		}
		if n.Op == NodeNumber && !syntax.ValidNumber(string(text)) {
			return fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", item)
		}
		mem.Store(a, off, string(text))
	case c != '-' && (c < '0' || c > '9'):
		return misuse(n.Shape.Type)
	case n.Op == NodeNumber:
		mem.Store(a, off, item)
	case n.Op > NodeFloat64:
		return misuse(n.Shape.Type)
	case !storeQuoted(n, item, a, off):
		d.save(&rules.UnmarshalTypeError{Value: "number " + item, Type: n.Shape.Type, Offset: int64(d.End(t))})
	}
	return nil
}

// storeQuoted stores the number that item spells. It need not be a JSON number: the syntax of
// package strconv is enough.
func storeQuoted(n *Node, item string, a mem.Pointer, off uintptr) bool {
	if syntax.ValidNumber(item) {
		return StoreNumber(n.Op, []byte(item), 0, len(item), a, off)
	}
	switch v := a.Value(off, n.Shape.Type); {
	case v.CanInt():
		x, err := strconv.ParseInt(item, 10, 64)
		if err != nil || v.OverflowInt(x) {
			return false
		}
		v.SetInt(x)
	case v.CanUint():
		x, err := strconv.ParseUint(item, 10, 64)
		if err != nil || v.OverflowUint(x) {
			return false
		}
		v.SetUint(x)
	default:
		x, err := strconv.ParseFloat(item, v.Type().Bits())
		if err != nil || v.OverflowFloat(x) {
			return false
		}
		v.SetFloat(x)
	}
	return true
}

// The points in which the two engines of encoding/json differ: Go 1.26 has the
// first, and so has Go 1.27 with GOEXPERIMENT=nojsonv2; Go 1.27 has the second.
const (
	// Types without a name are not asked for methods.
	methodsOfAll = false
	// A number that is too large is not stored.
	storesOverflow = false
	// An error of a type's own method ends the decode.
	methodsEnd = true
)

// newTypeError returns the error for a value that does not go into the type t.
func (d *Decoder) newTypeError(value string, t reflect.Type, offset int, _ error) error {
	return &rules.UnmarshalTypeError{Value: value, Type: t, Offset: int64(offset)}
}

// placed adds to the error that was saved the name of the root's type and the path to the
// value. The path is worked out here, once for a decode, as it takes the time of reading all
// that comes before.
func (d *Decoder) placed(err error) error { return err }

// inContext adds to a type error the struct and the path of names to its field.
func (d *Decoder) inContext(err error) error {
	e, ok := err.(*rules.UnmarshalTypeError)
	if !ok || len(d.fieldPath) == 0 {
		return err
	}
	e.Struct = d.fieldPath[len(d.fieldPath)-1].in.Name()
	var path []string
	for _, f := range d.fieldPath {
		path = append(path, f.path...)
	}
	if e.Field != "" {
		path = append(path, e.Field)
	}
	e.Field = strings.Join(path, ".")
	return err
}

// notText saves the error for the value at t, which is not a string, as n's text method needs.
func (d *Decoder) notText(n *Node, t int) {
	slot := n.slot
	if slot == nil {
		slot = d.root
	}
	_ = d.typeErrorAt(t, "number", slot)
}

// notInterface saves the error for a value that goes into an interface with methods, which has
// no type to choose.
func (d *Decoder) notInterface(n *Node, t int) error {
	if c := d.Data[d.Words[t].Pos()]; c == '-' || c-'0' <= 9 {
		if _, err := d.number(t); err != nil {
			d.save(err)
			return nil
		}
	}
	_ = d.typeErrorAt(t, "number", n.Shape.Type)
	return nil
}

// notNumber saves or returns the error for the value at t, which is not a Number.
func (d *Decoder) notNumber(t int) error {
	if d.Data[d.Words[t].Pos()] == '"' {
		return fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", d.Raw(t))
	}
	_ = d.typeErrorAt(t, "number", rules.NumberType)
	return nil
}

// tooLarge returns the value that an interface holds for a number beyond float64, or its error.
func (d *Decoder) tooLarge(t int) (any, error) {
	return nil, &rules.UnmarshalTypeError{Value: "number " + string(d.Raw(t)), Type: rules.FloatType, Offset: int64(d.End(t) + 1)}
}

// time decodes the value at t into *v.
func (d *Decoder) time(t int, v *time.Time) error { return readTime(v, d.Raw(t)) }

// bytesOf decodes base64. On Go 1.27 it decodes into the memory of the slice that is there, and
// returns the bytes before an error.
func bytesOf(text, _ []byte) ([]byte, error) {
	b := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(b, text)
	return b[:n], err
}

// notBase64 saves the error for the string at t, which is not base64.
func (d *Decoder) notBase64(_ *Node, _ int, err error) { d.save(err) }

// entry decodes an entry of a map: the name at the word name, and its element. The engines
// decode them in different orders.
func (d *Decoder) entry(n *Node, name int, key, elem reflect.Value) (next int, ok bool, err error) {
	if next, err = d.Value(n.Elem, name+1, mem.OfPointer(elem.Addr()), 0); err != nil {
		return next, false, err
	}
	ok, err = d.key(n, name, key, d.Words[name].Pos()+1)
	return next, ok && err == nil, err
}

// closedField saves the error for the value at t, whose field is in an embedded pointer to
// an unexported struct.
func (d *Decoder) closedField(_ *field, typ reflect.Type, _ int) {
	d.save(fmt.Errorf("json: cannot set embedded pointer to unexported struct: %v", typ))
}

// keyFormOf returns how names become keys of a type.
func keyFormOf(s *shape.Shape) KeyForm {
	if reflect.PointerTo(s.Type).Implements(rules.TextUnmarshalerType) {
		return KeyMethod
	}
	return keyFormOfKind(s.Kind)
}

// keyByMethod sets key to the value that its method reads from the name at t, and reports
// whether the name fits.
func (d *Decoder) keyByMethod(n *Node, t int, key reflect.Value) (fits bool, err error) {
	method := key.Addr().Interface()
	if m, ok := method.(rules.Unmarshaler); ok {
		return true, m.UnmarshalJSON(d.rawToKeep(n, t))
	}
	return true, method.(encoding.TextUnmarshaler).UnmarshalText(d.textToKeep(t))
}

// unmarshalJSON calls v's own unmarshal method.
func unmarshalJSON(v any, raw []byte) error { return v.(rules.Unmarshaler).UnmarshalJSON(raw) }

// restNotObject saves the error for members that are held as text that is not an object.
func (d *Decoder) restNotObject(*restReader, int) {}

// ended returns the error of a decode of that many bytes into root. On Go 1.27 encoding/json
// takes errors of v2 that a method returns, and io.EOF, for its own.
func ended(err error, _ reflect.Value, _ int) error { return err }
