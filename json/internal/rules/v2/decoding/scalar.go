package decoding

import (
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// quoted is the row for a scalar in a JSON string.
func quoted(e *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	return e.After(t), of(e).quoted(n, t, a, off)
}

func (d *decoder) quoted(n *decode.Node, t int, a mem.Pointer, off uintptr) error {
	typ, scalar := n.Shape.Type, n.Elem
	if n.Shape.Kind == shape.Pointer {
		// The string "null" makes the pointer nil, after it was decoded into the target.
		_, err := d.Value(n.Elem, t, a, off)
		if err == nil && string(d.Raw(t)) == `"null"` {
			a.SetNil(off)
		}
		return err
	}
	form := decode.OfWhole
	if scalar.Op == decode.NodeBool {
		form = 0
	}
	if d.Data[d.Words[t].Pos()] != '"' {
		return d.Refuse(t, typ, nil, form)
	}
	if !d.IsUnicode(t) {
		return d.Syntax(-1)
	}
	s := string(d.TextOf(t))
	legacy := d.Has(option.StringifyWithLegacySemantics)
	if legacy && s == "null" {
		if !d.Merges() {
			a.Value(off, typ).SetZero()
		}
		return nil
	}
	switch {
	case scalar.Op == decode.NodeBool:
		if s != "true" && s != "false" {
			return d.Refuse(t, typ, strconv.ErrSyntax, decode.WithValue)
		}
		mem.Store(a, off, s == "true")
		return nil
	case scalar.Op == decode.NodeString:
		inner, err := stream.AppendUnquote(nil, []byte(s))
		if err != nil {
			return d.Refuse(t, typ, &stream.SyntacticError{Err: err}, decode.OfWhole)
		}
		mem.Store(a, off, string(inner))
		return nil
	case legacy:
		if err := parseGo(a.Value(off, typ), s); err != nil {
			return d.Refuse(t, typ, err, decode.WithValue|decode.OfWhole)
		}
		return nil
	}
	if !syntax.ValidNumber(s) {
		return d.Refuse(t, typ, strconv.ErrSyntax, decode.WithValue|decode.OfWhole)
	}
	if decode.StoreNumber(scalar.Op, []byte(s), 0, len(s), a, off) {
		return nil
	}
	return d.refuseNumber(scalar, t, s, a, off)
}

// parseGo parses text in Go's number syntax, and stores the number in v.
func parseGo(v reflect.Value, text string) error {
	switch bits := v.Type().Bits(); {
	case v.CanInt():
		x, err := strconv.ParseInt(text, 10, bits)
		if err != nil {
			return errors.Unwrap(err)
		}
		v.SetInt(x)
	case v.CanUint():
		x, err := strconv.ParseUint(text, 10, bits)
		if err != nil {
			return errors.Unwrap(err)
		}
		v.SetUint(x)
	default:
		x, err := strconv.ParseFloat(text, bits)
		if err != nil {
			return errors.Unwrap(err)
		}
		v.SetFloat(x)
	}
	return nil
}

// refuseNumber returns the error for a number that n's type cannot represent. With legacy
// errors it saves the error instead.
func (d *decoder) refuseNumber(n *decode.Node, t int, number string, a mem.Pointer, off uintptr) error {
	cause := strconv.ErrRange
	switch {
	case n.Op >= decode.NodeFloat32:
		if !rules.Overflow.Applied() {
			a.Value(off, n.Shape.Type).SetFloat(overflowed(number[0] == '-'))
		}
	case number[0] == '-' && n.Op >= decode.NodeUint8, !isInteger(number):
		cause = strconv.ErrSyntax
	}
	return d.Refuse(t, n.Shape.Type, cause, decode.WithValue|decode.OfWhole)
}

// isInteger reports whether a number has neither a fraction nor an exponent.
func isInteger(number string) bool {
	for i := range len(number) {
		if c := number[i]; c-'0' > 9 && c != '-' {
			return false
		}
	}
	return true
}

// RefuseScalar implements [decode.Faults].
func (d *decoder) RefuseScalar(n *decode.Node, t int, a mem.Pointer, off uintptr) error {
	if c := d.Data[d.Words[t].Pos()]; n.Op <= decode.NodeFloat64 && (c == '-' || c-'0' <= 9) {
		return d.refuseNumber(n, t, string(d.Raw(t)), a, off)
	}
	form := decode.OfWhole
	if n.Op == decode.NodeBool {
		form = 0
	}
	return d.Refuse(t, n.Shape.Type, nil, form)
}

// number is the row for a Number.
func number(e *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	return e.After(t), of(e).number(n, t, a, off)
}

func (d *decoder) number(n *decode.Node, t int, a mem.Pointer, off uintptr) error {
	switch c := d.Data[d.Words[t].Pos()]; {
	case c == '"':
		if !d.IsUnicode(t) {
			return d.Syntax(-1)
		}
		s := d.TextOf(t)
		if !syntax.ValidNumber(string(s)) {
			return d.refuseAsMethod(t, strconv.ErrSyntax, decode.WithValue|decode.OfWhole)
		}
		mem.Store(a, off, d.Intern(s))
	case (c == '-' || c-'0' <= 9) && !n.Quoted:
		mem.Store(a, off, d.Intern(d.Raw(t)))
	default:
		return d.refuseAsMethod(t, nil, decode.OfWhole)
	}
	return nil
}

// readTime is the row for times.
func readTime(e *decode.Decoder, _ *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	return e.After(t), of(e).time(t, mem.At[time.Time](a, off))
}

func (d *decoder) time(t int, v *time.Time) error {
	raw := d.Raw(t)
	if len(raw) == 0 || raw[0] != '"' || !d.IsUnicode(t) {
		return d.Refuse(t, rules.TimeType, nil, decode.OfWhole)
	}
	if decode.ReadUTC(v, raw) {
		return nil
	}
	s := d.TextOf(t)
	var read time.Time
	err := read.UnmarshalText(s)
	if err == nil && !d.Has(option.ParseTimeWithLooseRFC3339) {
		err = strictTime(s)
	}
	if err != nil {
		if d.Has(option.ReportErrorsWithLegacySemantics) {
			return d.refused(err)
		}
		return d.Refuse(t, rules.TimeType, err, decode.OfWhole)
	}
	*v = read
	return nil
}

// strictTime returns the error for a time that package time accepts and RFC 3339 does not.
func strictTime(b []byte) error {
	fail := func(layout, value, message string) error {
		return &time.ParseError{Layout: time.RFC3339, Value: string(b), LayoutElem: layout, ValueElem: value, Message: message}
	}
	switch zone := b[len(b)-len("Z07:00"):]; {
	case b[len("2006-01-02T")+1] == ':':
		return fail("15", string(b[len("2006-01-02T"):][:1]), "")
	case b[len("2006-01-02T15:04:05")] == ',':
		return fail(".", ",", "")
	case b[len(b)-1] == 'Z':
	case rules.Digits(zone[1:]) >= 24:
		return fail("Z07:00", string(zone), ": timezone hour out of range")
	case rules.Digits(zone[4:]) >= 60:
		return fail("Z07:00", string(zone), ": timezone minute out of range")
	}
	return nil
}

// readBytes is the row for bytes in base64.
func readBytes(e *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	return e.After(t), of(e).bytes(n, t, a, off)
}

func (d *decoder) bytes(n *decode.Node, t int, a mem.Pointer, off uintptr) error {
	s, err := d.base64(n, t)
	if err != nil || s == nil {
		return err
	}
	b, err := base64.StdEncoding.AppendDecode(a.Bytes(off)[:0], s)
	if err == nil {
		err = d.loose64(s, len(b))
	}
	if err != nil {
		return d.Refuse(t, n.Shape.Type, err, decode.OfWhole)
	}
	if b == nil {
		b = []byte{}
	}
	a.SetBytes(off, b)
	return nil
}

// base64 decodes the base64 string at t. If the string is invalid and decoding continues, base64
// saves the error and returns nil, nil.
func (d *decoder) base64(n *decode.Node, t int) ([]byte, error) {
	if d.Data[d.Words[t].Pos()] != '"' || !d.IsUnicode(t) {
		return nil, d.Refuse(t, n.Shape.Type, nil, decode.OfWhole)
	}
	s := d.TextOf(t)
	if s == nil {
		s = []byte{}
	}
	return s, nil
}

// loose64 returns an error if the base64 text s contains line breaks, unless the options allow
// them. size is the number of decoded bytes.
func (d *decoder) loose64(s []byte, size int) error {
	if len(s) == base64.StdEncoding.EncodedLen(size) || d.Has(option.ParseBytesWithLooseRFC4648) {
		return nil
	}
	for i, c := range s {
		if c == '\r' || c == '\n' {
			return fmt.Errorf("illegal character %s at offset %d", stream.QuoteRune(s[i:]), i)
		}
	}
	return nil
}

// readByteArray is the row for arrays of bytes in base64.
func readByteArray(e *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	if e.Data[e.Words[t].Pos()] == '[' && e.Has(option.FormatBytesWithLegacySemantics) {
		return e.ArrayInto(n, t, a, off)
	}
	return e.After(t), of(e).byteArray(n, t, a, off)
}

func (d *decoder) byteArray(n *decode.Node, t int, a mem.Pointer, off uintptr) error {
	s, err := d.base64(n, t)
	if err != nil || s == nil {
		return err
	}
	dst := a.Array(off, n.Shape.Len)
	b, err := base64.StdEncoding.AppendDecode(dst[:0:len(dst)], s)
	if err == nil {
		err = d.loose64(s, len(b))
	}
	if err == nil {
		clear(dst[copy(dst, b):])
	}
	a.PutArray(off, dst)
	if err != nil {
		return d.Refuse(t, n.Shape.Type, err, decode.OfWhole)
	}
	if len(b) != len(dst) && !d.Has(option.UnmarshalArrayFromAnyLength) {
		return d.Refuse(t, n.Shape.Type, fmt.Errorf("decoded length of %d mismatches array length of %d", len(b), len(dst)), decode.OfWhole)
	}
	return nil
}
