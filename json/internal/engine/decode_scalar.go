package engine

import (
	"math"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// scalar decodes the value at t if it is a scalar that fits, behind a pointer
// perhaps, or null for something that this is nothing or nil to. If not, it has
// changed nothing but such a pointer, and saved no error.
func (d *Decoder) scalar(n *Node, t int, a mem.Pointer, off uintptr) bool {
	w := d.words[t]
	c := d.data[w.Pos()]
	if c == 'n' {
		if n.op == nodePointer {
			a.SetNil(off)
		} else if d.on&option.CheckMembers != 0 {
			return false // null says what is wrong
		} else if n.op <= nodeString && d.v2 != nil && !d.merges() {
			a.Value(off, n.shape.Type).SetZero()
		}
		return n.op <= nodeString || n.op == nodePointer
	}
	if n.op == nodePointer && n.elem.op <= nodeString {
		if c == 0 {
			return false // the text breaks here, in a null perhaps
		}
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.shape.Elem.Type)
		}
		n, a, off = n.elem, to, 0
	}
	switch {
	case n.op <= nodeFloat64:
		return (c == '-' || c-'0' <= 9) && storeNumber(n.op, d.data, w.Pos(), w.NumberEnd(d.data), a, off)
	case n.op == nodeString && c == '"':
		s, ok := d.text8(t)
		if ok {
			mem.Store(a, off, s)
		}
		return ok
	case n.op == nodeBool && (c == 't' || c == 'f'):
		mem.Store(a, off, c == 't')
		return true
	}
	return false
}

// misfitScalar saves that the value at t does not fit the scalar n. A number
// that is not one of its type is told with its text.
// A float becomes an infinity at a+off, if that is the rule and there is an address.
// By the rules of v2 it is returned.
func (d *Decoder) misfitScalar(n *Node, t int, a mem.Pointer, off uintptr) error {
	if d.v2 != nil {
		return d.v2.refuseScalar(n, t, a, off)
	}
	number := "number"
	if c := d.data[d.words[t].Pos()]; n.op <= nodeFloat64 && (c == '-' || c-'0' <= 9) {
		number += " " + string(d.raw(t))
		if keepsInf && n.op >= nodeFloat32 && !a.IsNil() {
			a.Value(off, n.shape.Type).SetFloat(infinity(c == '-'))
		}
	}
	return d.misfitOf(t, number, n.shape.Type)
}

// numberInto decodes into a Number.
func (d *Decoder) numberInto(n *Node, t int, a mem.Pointer, off uintptr) error {
	if d.v2 != nil {
		return d.v2.numberV2(n, t, a, off)
	}
	switch c := d.data[d.words[t].Pos()]; {
	case c == '"':
		text := d.textOf(t)
		if !syntax.ValidNumber(mem.String(text)) {
			return d.misfitNumber(t)
		}
		mem.Store(a, off, d.keep(text))
	case c == '-' || c-'0' <= 9:
		mem.Store(a, off, d.keep(d.raw(t)))
	default:
		return d.misfitNumber(t)
	}
	return nil
}

func infinity(negative bool) float64 {
	if negative {
		return math.Inf(-1)
	}
	return math.Inf(1)
}

// storeNumber stores the number that data[pos:end] writes, if it is one of op.
func storeNumber(op nodeOp, data []byte, pos, end int, a mem.Pointer, off uintptr) bool {
	switch op {
	case nodeFloat64:
		v, ok := syntax.ParseFloat(data, pos, end)
		return ok && put(a, off, v)
	case nodeFloat32:
		v, ok := syntax.ParseFloat32(data, pos, end)
		return ok && put(a, off, v)
	}
	if op <= nodeInt64 {
		v, ok := syntax.ParseInt(data, pos, end)
		return ok && storeInt(op, v, a, off)
	}
	v, ok := syntax.ParseUint(data, pos, end)
	return ok && storeUint(op, v, a, off)
}

// storeInt stores v, if it is one of op.
func storeInt(op nodeOp, v int64, a mem.Pointer, off uintptr) bool {
	switch op {
	case nodeInt64:
		return put(a, off, v)
	case nodeInt32:
		return int64(int32(v)) == v && put(a, off, int32(v))
	case nodeInt16:
		return int64(int16(v)) == v && put(a, off, int16(v))
	}
	return int64(int8(v)) == v && put(a, off, int8(v))
}

// storeUint stores v, if it is one of op.
func storeUint(op nodeOp, v uint64, a mem.Pointer, off uintptr) bool {
	switch {
	case op == nodeUint64:
		return put(a, off, v)
	case op == nodeUint32:
		return uint64(uint32(v)) == v && put(a, off, uint32(v))
	case op == nodeUint16:
		return uint64(uint16(v)) == v && put(a, off, uint16(v))
	}
	return uint64(uint8(v)) == v && put(a, off, uint8(v))
}

func put[T mem.Plain](a mem.Pointer, off uintptr, v T) bool {
	mem.Store(a, off, v)
	return true
}

// text8 is string for a text that must be UTF-8, if the options say so. It is not ok if it is
// not.
func (d *Decoder) text8(t int) (s string, ok bool) {
	w := d.words[t]
	if d.v2 == nil {
		return d.string(t), true
	}
	pos, end := w.Pos(), w.StringEnd(d.data)
	body := d.data[pos+1 : end-1]
	switch {
	case w.Plain():
		return d.keep(body), true
	case d.on&option.AllowInvalidUTF8 != 0:
		return d.string(t), true
	case !w.Escaped():
		if !syntax.ValidUTF8(body) {
			return "", false
		}
		return d.keep(body), true
	}
	if !d.v2.isUnicode(t) {
		return "", false
	}
	d.scratch, _ = syntax.AppendUnquoted(d.scratch[:0], d.data[pos:end])
	return d.keep(d.scratch), true
}

// string returns what the string at t stands for, to be kept.
func (d *Decoder) string(t int) string {
	text, aliases := d.unquoted(t)
	if aliases && d.on&option.AliasInput != 0 {
		return mem.String(text)
	}
	return d.keep(text)
}
