package schema

import (
	"encoding/binary"
	"strconv"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// AppendJSON appends the JSON of the encoding data to dst. docs/wire-schema.md specifies the JSON
// of each kind. The schema has passed [Schema.Check]. [Schema.EncodeJSON] converts the JSON to
// the same bytes, except for removed fields, which the JSON does not have.
//
// The errors and the limits are the same as for [Schema.Decode]. On error dst is returned
// unchanged.
func (s *Schema) AppendJSON(dst, data []byte) ([]byte, error) {
	v, err := s.Decode(data)
	if err != nil {
		return dst, err
	}
	w := jsonWriter{newWalk(s), dst}
	w.value(s.Type, v)
	return w.out, nil
}

// AppendJSONLines is like [Schema.AppendJSON], for the records of a wire.Encoder, which begin with
// their length. It appends a line of JSON for each record.
func (s *Schema) AppendJSONLines(dst, data []byte) ([]byte, error) {
	d := newDecoder(s, data)
	w := jsonWriter{newWalk(s), dst}
	err := d.run(func() {
		for i := 0; d.pos < len(data); i++ {
			d.push("record "+strconv.Itoa(i), 0)
			n := d.length(scalar.LenVarint, 1)
			d.in = data[:d.pos+n]
			// Each record has its own budget of memory.
			d.memory = baseMemory + memoryPerByte*int64(n)
			v := d.whole()
			d.in = data
			d.pop()
			w.value(s.Type, v)
			w.raw("\n")
		}
	})
	if err != nil {
		return dst, err
	}
	return w.out, nil
}

// EncodeJSON converts the JSON text to an encoding and appends the encoding to dst. The JSON
// has the form of [Schema.AppendJSON], but the order of members and the white space may differ.
// In canonical mode EncodeJSON makes the canonical form.
//
// Unknown, duplicate and missing members are refused, and so are duplicate map keys. An
// evolving struct may lack members at its end. The error is a [*DecodeError] with the offset in
// text, or the [*EncodeError] of [Schema.Encode]. On error dst is returned unchanged. The
// temporary memory of EncodeJSON is bounded by a multiple of the length of text.
func (s *Schema) EncodeJSON(dst, text []byte) ([]byte, error) {
	p := jsonParser{walk: newWalk(s), in: text}
	v, err := p.whole()
	if err != nil {
		return dst, err
	}
	return s.Encode(dst, v)
}

// EncodeJSONLines is like [Schema.EncodeJSON], for values with white space between them, usually
// one on each line. Each value becomes a record as a wire.Encoder writes it: its length, and its
// encoding.
func (s *Schema) EncodeJSONLines(dst, text []byte) ([]byte, error) {
	out, pos := dst, syntax.SkipSpace(text, 0)
	var one []byte
	for i := 0; pos < len(text); i++ {
		p := jsonParser{walk: newWalk(s), in: text, pos: pos}
		p.push("record "+strconv.Itoa(i), 0)
		v, err := p.firstValue()
		if err != nil {
			return dst, err
		}
		if one, err = s.Encode(one[:0], v); err != nil {
			if e, ok := err.(*EncodeError); ok {
				e.Path = "record " + strconv.Itoa(i) + e.Path
			}
			return dst, err
		}
		out = append(binary.AppendUvarint(out, uint64(len(one))), one...)
		pos = syntax.SkipSpace(text, p.pos)
	}
	return out, nil
}

// maxSafe is the largest n for which all integers up to n are exact as a float64. Larger integers
// are written as strings, since many JSON readers represent all numbers as float64.
const maxSafe = 1<<53 - 1
