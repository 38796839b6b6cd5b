package go127

import (
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
)

// quoted is the row for fields with the tag option "string". It decodes a scalar from a JSON string. For
// other kinds the tag option has no effect.
func quoted(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	return d.After(t), quotedInto(v1.Of(d), n, t, a, off, true)
}

// quotedBeforePatch is the row without the patch [rules.QuotedNull].
func quotedBeforePatch(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	return d.After(t), quotedInto(v1.Of(d), n, t, a, off, false)
}

// quotedInto implements quoted. nullString says whether a JSON string that contains null has the effect
// of null for a string.
func quotedInto(d *v1.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr, nullString bool) error {
	raw := d.Raw(t)
	switch {
	case n.Op == decode.NodePointer && raw[0] == 'n':
		a.SetNil(off)
		return nil
	case n.Op == decode.NodePointer:
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.Shape.Elem.Type)
		}
		// Decode into the target of the pointer first. Errors of this decode are returned, even if
		// the text "null" then sets the pointer to nil.
		err := quotedInto(d, n.Elem, t, to, 0, nullString)
		if string(raw) == `"null"` {
			a.SetNil(off)
		}
		return err
	case n.Op > decode.NodeString && n.Op != v1.OpNumber:
		_, err := d.Value(n, t, a, off)
		return err
	case raw[0] == 'n':
		return nil
	case raw[0] != '"' && n.Op == v1.OpNumber:
		notNumber(d, t)
		return nil
	case raw[0] != '"':
		return d.Refuse(t, n.Shape.Type, nil, 0)
	case n.Op == v1.OpNumber:
		_, err := v1.Number(&d.Decoder, n, t, a, off)
		return err
	}
	// A JSON string that contains null has the effect of null.
	text := string(d.TextOf(t))
	if text == "null" && (n.Op != decode.NodeString || nullString) {
		return nil
	}
	switch n.Op {
	case decode.NodeBool:
		if text != "true" && text != "false" {
			d.TypeError("string "+string(raw), n.Shape.Type, d.End(t), strconv.ErrSyntax)
			return nil
		}
		mem.Store(a, off, text == "true")
	case decode.NodeString:
		inner, ok := syntax.AppendUnquoted(nil, []byte(text))
		if !ok {
			d.TypeError("string", n.Shape.Type, d.End(t), rules.InnerError(raw))
			return nil
		}
		mem.Store(a, off, string(inner))
	default:
		if !parseQuoted(a.Value(off, n.Shape.Type), text) {
			d.TypeError("number "+text, n.Shape.Type, d.End(t), nil)
		}
	}
	return nil
}

// parseQuoted parses text in Go's number syntax, stores the number in v, and reports whether this
// succeeded.
func parseQuoted(v reflect.Value, text string) bool {
	// Package strconv accepts a plus sign, leading zeros, hexadecimal floats and infinities, which
	// JSON does not allow.
	switch bits := v.Type().Bits(); {
	case v.CanInt():
		x, err := strconv.ParseInt(text, 10, bits)
		if err != nil {
			return false
		}
		v.SetInt(x)
	case v.CanUint():
		x, err := strconv.ParseUint(text, 10, bits)
		if err != nil {
			return false
		}
		v.SetUint(x)
	default:
		x, err := strconv.ParseFloat(text, bits)
		if err != nil {
			return false
		}
		v.SetFloat(x)
	}
	return true
}
