package schema

import (
	"bytes"
	"encoding/hex"

	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// removed skips the value in place of a removed field. In canonical mode that must be the zero
// value.
func (d *decoder) removed(f *Field) {
	if !d.canonical() {
		d.skip(f.Type)
		return
	}
	from := d.pos
	d.skip(f.Type)
	if zero, _ := hex.DecodeString(f.Removed); !bytes.Equal(d.in[from:d.pos], zero) {
		d.fail(from, fault.ErrCanonical)
	}
}

// skip moves to the end of a value of t. Like package wire, it examines the value only as far as
// necessary to find its end. Numbers may be out of range, and map keys may be duplicate. It uses
// no memory.
func (d *decoder) skip(t *Type) {
	t, row, cause := d.enter(t)
	if cause != nil {
		d.fail(d.pos, cause)
	}
	row.skip(d, t)
	d.leave(t, row)
}

func (d *decoder) skipInteger(t *Type) {
	if t.Coding == "varint" {
		d.uvarint()
	} else {
		d.bytes(t.Bits / 8)
	}
}

func (d *decoder) skipBlock(t *Type) { d.bytes(d.length(lengthOf(t), 1)) }

func (d *decoder) skipTime(*Type) {
	d.uvarint()
	d.uvarint()
	zone := Zone(d.bytes(1)[0])
	if zone != ZoneUTC {
		d.uvarint()
	}
	if zone == ZoneNamed {
		d.bytes(d.length(scalar.LenVarint, 1))
	}
}

func (d *decoder) skipTimeLocation(*Type) {
	d.bytes(8)
	if d.flag() {
		d.bytes(d.length(scalar.LenU8, 1))
	}
}

func (d *decoder) skipOptional(t *Type) {
	if d.flag() {
		d.skip(t.Elem)
	}
}

func (d *decoder) skipElements(t *Type, n int) {
	if d.void(t.Elem) {
		return // the elements have no bytes
	}
	for range n {
		d.skip(t.Elem)
	}
}

func (d *decoder) skipEntries(t *Type) {
	n := d.length(lengthOf(t), 0)
	if d.void(t.Key) && d.void(t.Elem) {
		return
	}
	for range n {
		d.skip(t.Key)
		d.skip(t.Elem)
	}
}

func (d *decoder) skipFields(t *Type) {
	if t.Evolving {
		d.bytes(d.length(scalar.LenVarint, 1))
		return
	}
	for i := range t.Fields {
		d.skip(t.Fields[i].Type)
	}
}

func (d *decoder) skipUnion(t *Type) {
	if c, ok := d.caseOf(t); ok && c.Type != nil {
		d.skip(c.Type)
	}
}
