package go126

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
	"github.com/hone-go/hone/shape"
)

// quoted is the row for fields with the tag option "string". It decodes a scalar from a JSON string.
func quoted(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	return d.After(t), quotedInto(v1.Of(d), n, t, a, off)
}

func quotedInto(d *v1.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) error {
	switch c := d.Data[d.Words[t].Pos()]; {
	// Null needs no quotes.
	case c == 'n':
		return d.Null(n, t, a, off)
	case c == '"':
		// Copy the string, because decoding its content may overwrite the scratch memory.
		return literal(d, n, string(d.TextOf(t)), t, a, off)
	case isNumber(d, t) && isOverflow(d, t):
		// encoding/json treats a number that overflows float64 like null.
		if n.Op == v1.OpMarshaler {
			if m, ok := a.Addr(off, n.Shape.Type).(rules.Unmarshaler); ok {
				return m.UnmarshalJSON([]byte("null"))
			}
		}
		return d.Null(n, t, a, off)
	}
	d.Save(fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal unquoted value into %v", n.Slot))
	return nil
}

// literal decodes item, the unquoted content of the string at t, as a scalar. The content may be
// invalid.
func literal(d *v1.Decoder, n *decode.Node, item string, t int, a mem.Pointer, off uintptr) error {
	// misuse handles content of the wrong kind. As in encoding/json, the first byte of the content
	// decides whether the error ends the decode or is saved.
	misuse := func(t reflect.Type) error {
		return fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal %q into %v", item, t)
	}
	if item == "" {
		d.Save(misuse(n.Slot))
		return nil
	}
	c := item[0]
	// Nil pointers are allocated first, and remain allocated after an error.
	for n.Op == decode.NodePointer && c != 'n' {
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.Shape.Elem.Type)
		}
		n, a, off = n.Elem, to, 0
	}
	switch n.Op {
	// The method gets the content of the string, even if the content is not valid JSON. A method that
	// takes a stream gets the string.
	case v1.OpMarshaler:
		if m, ok := a.Addr(off, n.Shape.Type).(rules.Unmarshaler); ok {
			return m.UnmarshalJSON([]byte(item))
		}
		_, err := d.Value(n, t, a, off)
		return err
	case v1.OpText:
		if c == 'n' {
			break
		}
		if c != '"' {
			d.Save(misuse(n.Slot))
			return nil
		}
		text, ok := syntax.AppendUnquoted(nil, []byte(item))
		if !ok {
			return misuse(n.Slot)
		}
		return a.Addr(off, n.Shape.Type).(encoding.TextUnmarshaler).UnmarshalText(text)
	}
	kind := n.Shape.Kind
	switch {
	case c == 'n':
		if item != "null" {
			d.Save(misuse(n.Shape.Type))
		} else if kind == shape.Pointer {
			a.SetNil(off)
		}
	case c == 't' || c == 'f':
		if item != "true" && item != "false" || kind != shape.Bool {
			d.Save(misuse(n.Shape.Type))
			break
		}
		mem.Store(a, off, c == 't')
	case c == '"':
		text, ok := syntax.AppendUnquoted(nil, []byte(item))
		if !ok {
			return misuse(n.Shape.Type)
		}
		if kind != shape.String {
			d.TypeError("string", n.Shape.Type, d.End(t), nil)
			break
		}
		if n.Op == v1.OpNumber && !syntax.ValidNumber(string(text)) {
			return fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", item)
		}
		mem.Store(a, off, string(text))
	case c != '-' && (c < '0' || c > '9'):
		return misuse(n.Shape.Type)
	// The content starts like a number, but may be invalid after that.
	case n.Op == v1.OpNumber:
		mem.Store(a, off, item)
	case n.Op > decode.NodeFloat64:
		return misuse(n.Shape.Type)
	case !storeQuoted(n, item, a, off):
		d.Save(&rules.UnmarshalTypeError{Value: "number " + item, Type: n.Shape.Type, Offset: int64(d.End(t))})
	}
	return nil
}

// storeQuoted parses the number in item, stores the number, and reports whether this succeeded.
// It accepts the syntax of package strconv, which includes numbers that JSON does not allow.
func storeQuoted(n *decode.Node, item string, a mem.Pointer, off uintptr) bool {
	if syntax.ValidNumber(item) {
		return decode.StoreNumber(n.Op, []byte(item), 0, len(item), a, off)
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
