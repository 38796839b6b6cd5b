package engine

import (
	"encoding/binary"
	"fmt"

	"github.com/hone-go/hone/internal/jsontext"
	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// structInto decodes an object into a struct. Keys mostly come in the order of
// the fields, so the one after the last one found is tried first.
func (d *Decoder) structInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	o := n.object
	depth := len(d.trail)
	after := jsontext.After(d.words, t)
	next := 0
	for t += containerWords; t < after; {
		i := next
		if i >= len(o.fields) || !d.isName(t, &o.fields[i].name) {
			key := d.text(t)
			if i, _ = shape.Find(&o.names, key); i < 0 {
				if d.on&option.RejectUnknownMembers != 0 {
					d.save(fmt.Errorf("json: unknown field %q", key))
				}
				t = d.after(t + 1)
				continue
			}
		}
		next = i + 1
		f := &o.fields[i]
		t++
		if f.simple && d.scalar(f.node, t, a, off+f.offset) {
			t++
			continue
		}
		d.trail = append(d.trail, f)
		var err error
		if f.simple {
			t, err = d.value(f.node, t, a, off+f.offset)
		} else {
			t, err = d.fieldInto(f, t, a, off)
		}
		if err != nil {
			return t, err
		}
		d.trail = d.trail[:depth]
	}
	return after, nil
}

// isName reports whether the string at t stands for the name by its bytes alone.
func (d *Decoder) isName(t int, name *nameText) bool {
	w := d.words[t]
	at := w.Pos() + 1
	if !w.IsPlain(len(name.text)) {
		return false
	}
	if len(d.data)-at < 8 {
		return string(d.data[at:at+len(name.text)]) == name.text
	}
	if (binary.LittleEndian.Uint64(d.data[at:])^name.first)&name.mask != 0 {
		return false
	}
	switch n := len(name.text); {
	case n <= 8:
		return true
	case n <= 16:
		return binary.LittleEndian.Uint64(d.data[at+n-8:]) == name.last
	default:
		return string(d.data[at+8:at+n]) == name.text[8:]
	}
}

// fieldInto decodes into a field behind embedded pointers, or with the option
// string.
func (d *Decoder) fieldInto(f *field, t int, a mem.Pointer, off uintptr) (int, error) {
	for _, hop := range f.hops {
		to := a.Elem(off + hop.Offset)
		if to.IsNil() {
			if hop.Closed {
				d.misfitClosed(f, hop.Elem.Type, t)
				return d.after(t), nil
			}
			to = a.SetNew(off+hop.Offset, hop.Elem.Type)
		}
		a, off = to, 0
	}
	if f.quoted {
		return d.after(t), d.quotedInto(f.node, t, a, off+f.offset)
	}
	return d.value(f.node, t, a, off+f.offset)
}

// A nameText is the name of a field, ready to be compared with text by the word.
type nameText struct {
	text  string
	first uint64 // the first eight bytes, the first in the lowest place
	mask  uint64 // of those that there are
	last  uint64 // the last eight bytes, if there are as many
}

func nameTextOf(text string) nameText {
	n := nameText{text: text}
	for i := range min(len(text), 8) {
		n.first |= uint64(text[i]) << (8 * i)
		n.mask |= 0xff << (8 * i)
	}
	if len(text) >= 8 {
		n.last = mem.Word(text, len(text)-8)
	}
	return n
}
