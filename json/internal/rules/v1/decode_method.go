package v1

import (
	"encoding"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/rules"
)

// byMethod is the row for types with a method for JSON.
func byMethod(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	r := Of(d).rules.Release
	return d.After(t), r.Failed(Of(d), r.CallJSON(a.Addr(off, n.Shape.Type), d.RawToKeep(n, t)))
}

// byText is the row for types with a text method. It decodes only JSON strings.
func byText(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	r := Of(d).rules.Release
	if d.Data[d.Words[t].Pos()] != '"' {
		r.NotString(Of(d), n, t)
		return d.After(t), nil
	}
	return d.After(t), r.Failed(Of(d), r.CallText(a.Addr(off, n.Shape.Type), d.TextToKeep(t)))
}

// byStreamMethod is the row for types with a method that reads from one of Hone's streams. If the
// method declines the value, it tries the other methods of the type. If there are none, it decodes the
// value by the kind of the type.
func byStreamMethod(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	r := Of(d).rules.Release
	return d.After(t), r.Failed(Of(d), Of(d).streamMethod(n, t, a, off))
}

func (d *Decoder) streamMethod(n *decode.Node, t int, a mem.Pointer, off uintptr) error {
	// The index has checked the text.
	v := a.Addr(off, n.Shape.Type)
	err := rules.UnmarshalFrom(d.RawToKeep(n, t), d.Data, d.Words[t].Pos(), &d.track, v.(rules.UnmarshalerFrom))
	if err != rules.ErrDeclined {
		return rules.LegacyUnmarshal(reflect.TypeOf(v), err)
	}
	// The method has read nothing. Try the other methods in the order of version 1.
	r, c := d.rules.Release, d.Data[d.Words[t].Pos()]
	_, hasText := v.(encoding.TextUnmarshaler)
	switch {
	case r.Calls(reflect.TypeOf(v)):
		return r.CallJSON(v, d.RawToKeep(n, t))
	case hasText && c == '"':
		return r.CallText(v, d.TextToKeep(t))
	case hasText && c != 'n':
		r.NotString(d, n, t)
		return nil
	}
	_, err = d.Value(n.Elem, t, a, off)
	return err
}
