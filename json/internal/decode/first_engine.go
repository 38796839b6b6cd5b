package decode

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// quotedFirst implements quotedInto by the rules before Go 1.27.
func (d *Decoder) quotedFirst(n *Node, t int, a mem.Pointer, off uintptr) error {
	switch c := d.Data[d.Words[t].Pos()]; {
	// Null needs no quotes.
	case c == 'n':
		return d.null(n, t, a, off)
	case c == '"':
		// Copy the string, because decoding its content may overwrite the scratch memory.
		return d.literal(n, string(d.TextOf(t)), t, a, off)
	case c == '-' || c-'0' <= 9:
		if _, err := d.number(t); err != nil {
			// encoding/json treats a number that overflows float64 like null.
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

// literal decodes item, the unquoted content of the string at t, as a scalar. The content may be
// invalid.
func (d *Decoder) literal(n *Node, item string, t int, a mem.Pointer, off uintptr) error {
	// misuse handles content of the wrong kind. As in encoding/json, the first byte of the content
	// decides whether the error ends the decode or is saved.
	misuse := func(t reflect.Type) error {
		return fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal %q into %v", item, t)
	}
	if item == "" {
		d.save(misuse(n.slot))
		return nil
	}
	c := item[0]
	// Nil pointers are allocated first, and remain allocated after an error.
	for n.Op == nodePointer && c != 'n' {
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.Shape.Elem.Type)
		}
		n, a, off = n.Elem, to, 0
	}
	switch n.Op {
	// The method gets the content of the string, even if the content is not valid JSON.
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
	// The content starts like a number, but may be invalid after that.
	case n.Op == NodeNumber:
		mem.Store(a, off, item)
	case n.Op > NodeFloat64:
		return misuse(n.Shape.Type)
	case !storeQuoted(n, item, a, off):
		d.save(&rules.UnmarshalTypeError{Value: "number " + item, Type: n.Shape.Type, Offset: int64(d.End(t))})
	}
	return nil
}

// storeQuoted parses the number in item, stores the number, and reports whether this succeeded.
// It accepts the syntax of package strconv, which includes numbers that JSON does not allow.
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

// keyByMethodFirst implements keyByMethod by the rules before Go 1.27.
func (d *Decoder) keyByMethodFirst(n *Node, t int, key reflect.Value) (fits bool, err error) {
	// The key type has the method UnmarshalText, but UnmarshalJSON takes precedence.
	method := key.Addr().Interface()
	if m, ok := method.(rules.Unmarshaler); ok {
		return true, m.UnmarshalJSON(d.rawToKeep(n, t))
	}
	return true, method.(encoding.TextUnmarshaler).UnmarshalText(d.textToKeep(t))
}
