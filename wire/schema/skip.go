package schema

import (
	"bytes"
	"encoding/hex"

	"github.com/hone-go/hone/wire/internal/program"
)

// raw reads a value behind its length. There is none if the length is 0.
func (d *decoder) raw(t *Type) any {
	n := d.length(lengthOf(t), 1)
	if n == 0 {
		return nil
	}
	whole := d.in
	d.in = d.in[:d.pos+n]
	d.raws++
	v := d.wholeOf(t.Elem)
	d.raws--
	d.in = whole
	return Some{v}
}

// removed moves behind what stands in the place of a field that was removed, which in
// canonical mode is its zero value.
func (d *decoder) removed(f *Field) {
	if !d.canonical() {
		d.skip(f.Type)
		return
	}
	from := d.pos
	d.skip(f.Type)
	if zero, _ := hex.DecodeString(f.Removed); !bytes.Equal(d.in[from:d.pos], zero) {
		d.fail(from, program.ErrCanonical)
	}
}

// skip moves behind a t and looks no further than it takes to find the end, as wire
// does: numbers need not fit, and keys of a map may be there twice. It takes no memory.
func (d *decoder) skip(t *Type) {
	t, cause := d.enter(t)
	if cause != nil {
		d.fail(d.pos, cause)
	}
	defer d.leave(t)
	switch t.Kind {
	case "bool":
		d.bytes(1)
	case "int", "uint":
		if t.Coding == "varint" {
			d.uvarint()
		} else {
			d.bytes(t.Bits / 8)
		}
	case "float":
		d.bytes(t.Bits / 8)
	case "complex":
		d.bytes(t.Bits / 4)
	case "bigint", "string", "text", "bytes", "binary", "raw":
		d.bytes(d.length(lengthOf(t), 1))
	case "time":
		d.uvarint()
		d.uvarint()
		zone := Zone(d.bytes(1)[0])
		if zone != ZoneUTC {
			d.uvarint()
		}
		if zone == ZoneNamed {
			d.bytes(d.length(program.LenVarint, 1))
		}
	case "time utc":
		d.bytes(8)
	case "time location":
		d.bytes(8)
		if d.flag() {
			d.bytes(d.length(program.LenU8, 1))
		}
	case "skip":
		d.bytes(t.Count)
	case "optional":
		if d.flag() {
			d.skip(t.Elem)
		}
	case "slice", "array":
		n := t.Count
		if t.Kind == "slice" {
			n = d.length(lengthOf(t), 0)
		}
		if d.void(t.Elem) {
			return // no bytes, however many there are
		}
		for range n {
			d.skip(t.Elem)
		}
	case "map":
		n := d.length(lengthOf(t), 0)
		if d.void(t.Key) && d.void(t.Elem) {
			return
		}
		for range n {
			d.skip(t.Key)
			d.skip(t.Elem)
		}
	case "struct":
		if t.Evolving {
			d.bytes(d.length(program.LenVarint, 1))
			return
		}
		for i := range t.Fields {
			d.skip(t.Fields[i].Type)
		}
	case "union":
		if c, ok := d.which(t); ok && c.Type != nil {
			d.skip(c.Type)
		}
	default:
		d.fail(d.pos, errNoType)
	}
}
