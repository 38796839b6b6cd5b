package engine

import (
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// nullV2 decodes null by the rules of v2.
func (d *decoder) nullV2(n *Node, t int, a mem.Pointer, off uintptr) error {
	switch n.op {
	case nodeFunctions:
		_, err := d.functions(n, t, a, off)
		return err
	case nodeMethods:
		_, err := d.methods(n, t, a, off)
		return err
	case nodeUnion:
		return d.union(n, t, a, off)
	case nodeFail:
		if n.shape.Kind == shape.Pointer {
			a.SetNil(off)
			return nil
		}
		if d.has(option.ReportErrorsWithLegacySemantics) && n.fault == nil {
			return nil
		}
		return d.refuse(t, n.shape.Type, n.fault, beforeRead)
	}
	switch n.shape.Kind {
	case shape.Interface:
		if d.merges() {
			v := a.Value(off, n.shape.Type)
			if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() && e.Elem().Kind() == reflect.Pointer {
				e.Elem().SetZero()
				return nil
			}
		}
	case shape.Pointer, shape.Map, shape.Slice, shape.Bytes, shape.Option:
	default:
		if d.merges() {
			return nil
		}
	}
	a.Value(off, n.shape.Type).SetZero()
	return nil
}

// quotedV2 decodes a scalar that is written as a string.
func (d *decoder) quotedV2(n *Node, t int, a mem.Pointer, off uintptr) error {
	typ, scalar := n.shape.Type, n.elem
	form := ofWhole
	if scalar.op == nodeBool {
		form = 0
	}
	if d.data[d.words[t].Pos()] != '"' {
		return d.refuse(t, typ, nil, form)
	}
	if !d.isUnicode(t) {
		return d.syntax(-1)
	}
	s := string(d.textOf(t))
	legacy := d.has(option.StringifyWithLegacySemantics)
	if legacy && s == "null" {
		if !d.merges() {
			a.Value(off, typ).SetZero()
		}
		return nil
	}
	switch {
	case scalar.op == nodeBool:
		if s != "true" && s != "false" {
			return d.refuse(t, typ, strconv.ErrSyntax, withValue)
		}
		mem.Store(a, off, s == "true")
		return nil
	case scalar.op == nodeString:
		inner, err := stream.AppendUnquote(nil, []byte(s))
		if err != nil {
			return d.refuse(t, typ, &stream.SyntacticError{Err: err}, ofWhole)
		}
		mem.Store(a, off, string(inner))
		return nil
	case legacy:
		if err := parseGo(a.Value(off, typ), s); err != nil {
			return d.refuse(t, typ, err, withValue|ofWhole)
		}
		return nil
	}
	if !syntax.ValidNumber(s) {
		return d.refuse(t, typ, strconv.ErrSyntax, withValue|ofWhole)
	}
	if storeNumber(scalar.op, []byte(s), 0, len(s), a, off) {
		return nil
	}
	return d.refuseNumber(scalar, t, s, a, off)
}

// parseGo sets v to the number that text writes in Go's syntax.
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

// refuseNumber returns the error for a number that is not one of n's type.
func (d *decoder) refuseNumber(n *Node, t int, number string, a mem.Pointer, off uintptr) error {
	cause := strconv.ErrRange
	switch {
	case n.op >= nodeFloat32:
		a.Value(off, n.shape.Type).SetFloat(infinity(number[0] == '-'))
	case number[0] == '-' && n.op >= nodeUint8, !isInteger(number):
		cause = strconv.ErrSyntax
	}
	return d.refuse(t, n.shape.Type, cause, withValue|ofWhole)
}

func isInteger(number string) bool {
	for i := range len(number) {
		if c := number[i]; c-'0' > 9 && c != '-' {
			return false
		}
	}
	return true
}

// refuseScalar returns the error of v2 for the value at t, which the scalar n does not take.
func (d *decoder) refuseScalar(n *Node, t int, a mem.Pointer, off uintptr) error {
	if c := d.data[d.words[t].Pos()]; n.op <= nodeFloat64 && (c == '-' || c-'0' <= 9) {
		return d.refuseNumber(n, t, string(d.raw(t)), a, off)
	}
	form := ofWhole
	if n.op == nodeBool {
		form = 0
	}
	return d.refuse(t, n.shape.Type, nil, form)
}

// numberV2 decodes a Number.
func (d *decoder) numberV2(n *Node, t int, a mem.Pointer, off uintptr) error {
	switch c := d.data[d.words[t].Pos()]; {
	case c == '"':
		if !d.isUnicode(t) {
			return d.syntax(-1)
		}
		s := d.textOf(t)
		if !syntax.ValidNumber(string(s)) {
			return d.refuseAsMethod(t, strconv.ErrSyntax, withValue|ofWhole)
		}
		mem.Store(a, off, d.keep(s))
	case (c == '-' || c-'0' <= 9) && !n.quoted:
		mem.Store(a, off, d.keep(d.raw(t)))
	default:
		return d.refuseAsMethod(t, nil, ofWhole)
	}
	return nil
}

// timeV2 decodes a time.
func (d *decoder) timeV2(t int, v *time.Time) error {
	raw := d.raw(t)
	if len(raw) == 0 || raw[0] != '"' || !d.isUnicode(t) {
		return d.refuse(t, timeType, nil, ofWhole)
	}
	if readUTC(v, raw) {
		return nil
	}
	s := d.textOf(t)
	var read time.Time
	err := read.UnmarshalText(s)
	if err == nil && !d.has(option.ParseTimeWithLooseRFC3339) {
		err = strictTime(s)
	}
	if err != nil {
		if d.has(option.ReportErrorsWithLegacySemantics) {
			return d.refused(err)
		}
		return d.refuse(t, timeType, err, ofWhole)
	}
	*v = read
	return nil
}

// strictTime returns what is wrong with a time that package time reads and RFC 3339 does not
// have.
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
	case pair(zone[1:]) >= 24:
		return fail("Z07:00", string(zone), ": timezone hour out of range")
	case pair(zone[4:]) >= 60:
		return fail("Z07:00", string(zone), ": timezone minute out of range")
	}
	return nil
}

// bytesV2 decodes base64 into a slice of bytes.
func (d *decoder) bytesV2(n *Node, t int, a mem.Pointer, off uintptr) error {
	s, err := d.base64(n, t)
	if err != nil || s == nil {
		return err
	}
	b, err := base64.StdEncoding.AppendDecode(a.Bytes(off)[:0], s)
	if err == nil {
		err = d.loose64(s, len(b))
	}
	if err != nil {
		return d.refuse(t, n.shape.Type, err, ofWhole)
	}
	if b == nil {
		b = []byte{}
	}
	a.SetBytes(off, b)
	return nil
}

// base64 returns the text of a string that should be base64, nil if an error was saved.
func (d *decoder) base64(n *Node, t int) ([]byte, error) {
	if d.data[d.words[t].Pos()] != '"' || !d.isUnicode(t) {
		return nil, d.refuse(t, n.shape.Type, nil, ofWhole)
	}
	s := d.textOf(t)
	if s == nil {
		s = []byte{}
	}
	return s, nil
}

// loose64 returns the error for line ends in base64, unless they are allowed.
func (d *decoder) loose64(s []byte, size int) error {
	if len(s) == base64.StdEncoding.EncodedLen(size) || d.has(option.ParseBytesWithLooseRFC4648) {
		return nil
	}
	for i, c := range s {
		if c == '\r' || c == '\n' {
			return fmt.Errorf("illegal character %s at offset %d", stream.QuoteRune(s[i:]), i)
		}
	}
	return nil
}

// byteArray decodes base64 into an array of bytes.
func (d *decoder) byteArray(n *Node, t int, a mem.Pointer, off uintptr) error {
	s, err := d.base64(n, t)
	if err != nil || s == nil {
		return err
	}
	dst := a.Array(off, n.shape.Len)
	b, err := base64.StdEncoding.AppendDecode(dst[:0:len(dst)], s)
	if err == nil {
		err = d.loose64(s, len(b))
	}
	if err == nil {
		clear(dst[copy(dst, b):])
	}
	a.PutArray(off, dst)
	if err != nil {
		return d.refuse(t, n.shape.Type, err, ofWhole)
	}
	if len(b) != len(dst) && !d.has(option.UnmarshalArrayFromAnyLength) {
		return d.refuse(t, n.shape.Type, fmt.Errorf("decoded length of %d mismatches array length of %d", len(b), len(dst)), ofWhole)
	}
	return nil
}

var (
	errNotString   = errors.New("JSON value must be string type")
	errTooFew      = errors.New("too few array elements")
	errTooMany     = errors.New("too many array elements")
	errNilField    = errors.New("cannot set embedded pointer to unexported struct type")
	errFiniteTypes = errors.New("cannot derive concrete type for nil interface with finite type set")
)

// arrayLength returns the error for the array at t, which has not as many elements as n.
// It outweighs errors of the elements.
func (d *decoder) arrayLength(n *Node, t int, cause, before error) error {
	if d.has(option.UnmarshalArrayFromAnyLength) {
		return nil
	}
	if d.saved = before; before != nil {
		return nil
	}
	end := syntax.End(d.words, t) - 1
	e := newSemantic(true)
	e.ByteOffset, e.GoType, e.Err, e.JSONKind = d.offset+int64(end), n.shape.Type, cause, ']'
	if d.has(option.ReportErrorsWithLegacySemantics) {
		e.ByteOffset++
	}
	e.JSONPointer = d.pointerAt(d.words[t].Pos(), false)
	return d.refused(e)
}
