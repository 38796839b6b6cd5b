package decoding

import (
	"encoding"
	"reflect"
	"slices"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	text "github.com/hone-go/hone/json/jsontext"
)

// functions is the row for types with functions. It calls the functions of the call in order, until one
// accepts the value. A function declines the value by returning errors.ErrUnsupported. If all decline,
// functions decodes with n.Elem.
func functions(e *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	d := of(e)
	p := n.Pointer.Any(a, off)
	for _, i := range n.Calls {
		f := &d.call.from.List[i]
		if f.From == nil {
			if err := d.Readable(t, true); err != nil {
				return t, err
			}
			return d.After(t), d.byBytes(t, f.Type, "UnmarshalFunc", func(raw []byte) error { return f.Text(raw, p) })
		}
		err := d.tokens(t, f.Type, false, n.Name, func(from *text.Decoder) error { return f.From(from, p) })
		if err != rules.ErrDeclined {
			return d.After(t), err
		}
	}
	return d.Value(n.Elem, t, a, off)
}

// byBytes decodes with read, which calls a method or a function that takes the text of the value.
// If read returns a SemanticError, byBytes converts its position, which is relative to the value,
// to a position in the whole text.
func (d *decoder) byBytes(t int, typ reflect.Type, by string, read func([]byte) error) error {
	err := read(d.Raw(t))
	if err == nil {
		return nil
	}
	err = rules.NotUnsupported(err, by)
	if d.Has(option.ReportErrorsWithLegacySemantics) {
		return d.refused(err)
	}
	made := d.Refuse(t, typ, err, decode.OfWhole)
	outer, ok := made.(*rules.SemanticError)
	inner, both := err.(*rules.SemanticError)
	if ok && both { // a method reports positions relative to its own value
		collapsed := rules.CopyError(inner)
		collapsed.ByteOffset += outer.ByteOffset
		collapsed.JSONPointer = outer.JSONPointer + inner.JSONPointer
		return collapsed
	}
	return made
}

// byMethods is like functions, for the methods of the value's type.
func byMethods(e *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	d := of(e)
	typ := n.Shape.Type
	p := n.Pointer.Any(a, off)
	for _, m := range n.Methods {
		switch m {
		case rules.MethodStream:
			err := d.tokens(t, typ, n.Quoted, n.Name, func(from *text.Decoder) error { return p.(rules.UnmarshalerFrom).UnmarshalJSONFrom(from) })
			if err == rules.ErrDeclined {
				continue
			}
			return d.After(t), err
		case rules.MethodStandard:
			return d.After(t), d.standardMethod(n, t, p)
		case rules.MethodJSON:
			if err := d.Readable(t, true); err != nil {
				return t, err
			}
			return d.After(t), d.byBytes(t, typ, "UnmarshalJSON", p.(rules.Unmarshaler).UnmarshalJSON)
		case rules.MethodText:
			return d.After(t), d.byText(n, t, a, off, p.(encoding.TextUnmarshaler))
		}
	}
	return d.Value(n.Elem, t, a, off)
}

// standardMethod decodes with a method that takes the standard library's stream. This stream checks
// names and UTF-8 itself.
func (d *decoder) standardMethod(n *decode.Node, t int, p any) error {
	if d.broken >= 0 || d.Data[d.Words[t].Pos()] == '"' {
		if err := d.Readable(t, true); err != nil {
			return err
		}
	}
	return d.byBytes(t, n.Shape.Type, "UnmarshalJSONFrom", func(raw []byte) error { return d.standardRead(p, raw, n.Quoted) })
}

// byText decodes a string with the UnmarshalText method of the value's type.
func (d *decoder) byText(n *decode.Node, t int, a mem.Pointer, off uintptr, p encoding.TextUnmarshaler) error {
	typ := n.Shape.Type
	switch c := d.Data[d.Words[t].Pos()]; {
	case c == 'n':
		if !d.Merges() {
			a.Value(off, typ).SetZero()
		}
		return nil
	case c != '"' || !d.IsUnicode(t):
		return d.Refuse(t, typ, rules.ErrNotString, decode.OfWhole)
	}
	err := p.UnmarshalText(slices.Clone(d.TextOf(t)))
	if err == nil {
		return nil
	}
	err = rules.NotUnsupported(err, "UnmarshalText")
	if _, ok := err.(*rules.SemanticError); ok || rules.IsSyntactic(err) || d.Has(option.ReportErrorsWithLegacySemantics) {
		return d.refused(err)
	}
	return d.Refuse(t, typ, err, decode.OfWhole)
}
