package schema

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// A kind is the row of a Type.Kind in the table of kinds. Its functions read and write the
// encoding, the JSON and the map keys.
//
// The rows do not describe the parts of types. The kinds with parts also have cases in
// Type.parts, Schema.Check and Schema.Reads.
type kind struct {
	decode func(d *decoder, t *Type) any
	encode func(e *encoder, t *Type, v any)
	skip   func(d *decoder, t *Type) // skips a value of a removed field

	print func(w *jsonWriter, t *Type, v any)
	parse func(p *jsonParser, t *Type) any

	// key appends the bytes that distinguish a value from others in the keys of a map. It is nil
	// if a value of the kind cannot be a key.
	key func(k *keys, t *Type, v any)
	// name converts a member name of a JSON object to a key. It is nil if the JSON of a map with
	// such keys is a list of pairs.
	name func(p *jsonParser, t *Type, name string, at int) any

	// check returns the fault in the parameters of a type, or "". It is nil if every type of the
	// kind is valid.
	check func(t *Type) string
	// fixed returns the number of bytes of every value if the encoding of the zero value
	// consists of zeros, and 0 otherwise. It is nil for a kind whose values have different
	// lengths.
	fixed func(t *Type) int

	length bool // a type of this kind must have a Length
	nests  bool // a value is a level of nesting; so is an evolving struct
	null   bool // the JSON of a value may be null
}

// kindOf returns the row of a kind, or nil for an unknown kind and for a ref, which is resolved before
// its row would be used. The table is made on the first call: a program that does not use it is linked
// without the functions of its rows.
func kindOf(name string) *kind {
	kinds.once.Do(func() { kinds.rows = tableOfKinds() })
	return kinds.rows[name]
}

var kinds struct {
	once sync.Once
	rows map[string]*kind
}

// tableOfKinds returns the table of kinds, by Type.Kind. Package wire/schema/gen has a table of the same
// kinds, and TestKinds compares the two.
func tableOfKinds() map[string]*kind {
	return map[string]*kind{
		"bool": {
			decode: func(d *decoder, _ *Type) any { return d.flag() },
			encode: func(e *encoder, t *Type, v any) { e.flag(valueAs[bool](e, t, v)) },
			skip:   func(d *decoder, _ *Type) { d.bytes(1) },
			print:  func(w *jsonWriter, _ *Type, v any) { w.out = strconv.AppendBool(w.out, v.(bool)) },
			parse:  (*jsonParser).bool,
			key:    (*keys).bool,
			name:   (*jsonParser).boolName,
			fixed:  func(*Type) int { return 1 },
		},
		"int": {
			decode: func(d *decoder, t *Type) any { return int64(d.integer(t)) },
			encode: func(e *encoder, t *Type, v any) { e.integer(t, uint64(valueAs[int64](e, t, v))) },
			skip:   (*decoder).skipInteger,
			print:  func(w *jsonWriter, _ *Type, v any) { w.integer(v.(int64) < 0, magnitude(v.(int64))) },
			parse:  (*jsonParser).number,
			key:    func(k *keys, _ *Type, v any) { k.word(uint64(v.(int64))) },
			name:   (*jsonParser).integer,
			check:  checkInteger,
			fixed:  fixedNumber,
		},
		"uint": {
			decode: func(d *decoder, t *Type) any { return d.integer(t) },
			encode: func(e *encoder, t *Type, v any) { e.integer(t, valueAs[uint64](e, t, v)) },
			skip:   (*decoder).skipInteger,
			print:  func(w *jsonWriter, _ *Type, v any) { w.integer(false, v.(uint64)) },
			parse:  (*jsonParser).number,
			key:    func(k *keys, _ *Type, v any) { k.word(v.(uint64)) },
			name:   (*jsonParser).integer,
			check:  checkInteger,
			fixed:  fixedNumber,
		},
		"bigint": {
			decode: (*decoder).bigint,
			encode: (*encoder).bigint,
			skip:   (*decoder).skipBlock,
			print:  func(w *jsonWriter, _ *Type, v any) { w.bigint(v.(BigInt)) },
			parse:  (*jsonParser).bigint,
		},
		"float": {
			decode: (*decoder).float,
			encode: (*encoder).float,
			skip:   func(d *decoder, t *Type) { d.bytes(t.Bits / 8) },
			print:  (*jsonWriter).float,
			parse:  (*jsonParser).float,
			key:    (*keys).float,
			check:  checkFloat,
			fixed:  fixedNumber,
		},
		"complex": {
			decode: (*decoder).complex,
			encode: (*encoder).complex,
			skip:   func(d *decoder, t *Type) { d.bytes(t.Bits / 4) },
			print:  (*jsonWriter).complex,
			parse:  (*jsonParser).complex,
			key:    (*keys).complex,
			check:  checkFloat,
			fixed:  func(t *Type) int { return t.Bits / 4 },
		},
		"string": textKind(true),
		"text":   textKind(false),
		"bytes":  bytesKind(true),
		"binary": bytesKind(false),
		"time": {
			decode: (*decoder).time,
			encode: (*encoder).time,
			skip:   (*decoder).skipTime,
			print:  (*jsonWriter).time,
			parse:  (*jsonParser).time,
			key:    (*keys).time,
		},
		"time utc": {
			decode: (*decoder).layoutTime,
			encode: (*encoder).layoutTime,
			skip:   func(d *decoder, _ *Type) { d.bytes(8) },
			print:  (*jsonWriter).time,
			parse:  (*jsonParser).time,
			key:    (*keys).time,
			fixed:  func(*Type) int { return 8 },
		},
		"time location": {
			decode: (*decoder).layoutTime,
			encode: (*encoder).layoutTime,
			skip:   (*decoder).skipTimeLocation,
			print:  (*jsonWriter).time,
			parse:  (*jsonParser).time,
			key:    (*keys).time,
		},
		"skip": {
			decode: (*decoder).skipped,
			encode: (*encoder).skipped,
			skip:   func(d *decoder, t *Type) { d.bytes(t.Count) },
			print:  (*jsonWriter).skipped,
			parse:  (*jsonParser).skipped,
			key:    func(k *keys, _ *Type, v any) { k.text(string(v.([]byte))) },
			null:   true,
		},

		"optional": {
			decode: (*decoder).optional,
			encode: (*encoder).optional,
			skip:   (*decoder).skipOptional,
			print:  (*jsonWriter).optional,
			parse:  (*jsonParser).optional,
			key:    func(k *keys, _ *Type, _ any) { k.unique = true },
			nests:  true,
			null:   true,
		},
		"raw": {
			decode: (*decoder).raw,
			encode: (*encoder).raw,
			skip:   (*decoder).skipBlock,
			print:  (*jsonWriter).optional,
			parse:  (*jsonParser).rawOptional,
			length: true,
			nests:  true,
			null:   true,
		},
		"slice": {
			decode: (*decoder).slice,
			encode: (*encoder).slice,
			skip:   func(d *decoder, t *Type) { d.skipElements(t, d.length(lengthOf(t), 0)) },
			print:  (*jsonWriter).elements,
			parse:  (*jsonParser).elements,
			length: true,
			nests:  true,
		},
		"array": {
			decode: (*decoder).array,
			encode: (*encoder).array,
			skip:   func(d *decoder, t *Type) { d.skipElements(t, t.Count) },
			print:  (*jsonWriter).elements,
			parse:  (*jsonParser).array,
			key:    (*keys).array,
		},
		"map": {
			decode: (*decoder).entries,
			encode: (*encoder).entries,
			skip:   (*decoder).skipEntries,
			print:  (*jsonWriter).entries,
			parse:  (*jsonParser).entries,
			length: true,
			nests:  true,
		},
		"struct": {
			decode: (*decoder).fields,
			encode: (*encoder).fields,
			skip:   (*decoder).skipFields,
			print:  (*jsonWriter).fields,
			parse:  (*jsonParser).fields,
			key:    (*keys).fields,
		},
		"union": {
			decode: (*decoder).union,
			encode: (*encoder).union,
			skip:   (*decoder).skipUnion,
			print:  (*jsonWriter).union,
			parse:  (*jsonParser).union,
			key:    (*keys).union,
			nests:  true,
		},
	}
}

// textKind returns the row of the kind string if length is set, and otherwise the row of the kind
// text. A text is written by a type's own methods. Only the schema of a string has a Length.
func textKind(length bool) *kind {
	return &kind{
		decode: func(d *decoder, t *Type) any { return string(d.block(lengthOf(t))) },
		encode: func(e *encoder, t *Type, v any) { e.block(t, []byte(valueAs[string](e, t, v))) },
		skip:   (*decoder).skipBlock,
		print:  func(w *jsonWriter, _ *Type, v any) { w.text(v.(string)) },
		parse:  func(p *jsonParser, _ *Type) any { return p.text() },
		key:    func(k *keys, _ *Type, v any) { k.text(v.(string)) },
		name:   func(_ *jsonParser, _ *Type, name string, _ int) any { return name },
		length: length,
	}
}

// bytesKind returns the row of the kind bytes if length is set, and otherwise the row of the kind
// binary. A binary is written by a type's own methods. In Go, a type with methods may be the type
// of map keys, and []byte may not.
func bytesKind(length bool) *kind {
	k := &kind{
		decode: func(d *decoder, t *Type) any { return append([]byte{}, d.block(lengthOf(t))...) },
		encode: func(e *encoder, t *Type, v any) { e.block(t, valueAs[[]byte](e, t, v)) },
		skip:   (*decoder).skipBlock,
		print:  func(w *jsonWriter, _ *Type, v any) { w.base64(v.([]byte)) },
		parse:  func(p *jsonParser, _ *Type) any { return p.base64() },
		length: length,
	}
	if !length {
		k.key = func(k *keys, _ *Type, v any) { k.text(string(v.([]byte))) }
	}
	return k
}

// checkInteger checks the bits and the coding of an int or a uint.
func checkInteger(t *Type) string {
	fixed := t.Coding == "little" || t.Coding == "big"
	if !fixed && t.Coding != "varint" || t.Bits != 8 && t.Bits != 16 && t.Bits != 32 && t.Bits != 64 {
		return fmt.Sprintf("no %s has %d bits and the coding %q", t.Kind, t.Bits, t.Coding)
	}
	return ""
}

// checkFloat checks the bits and the coding of a float or a complex.
func checkFloat(t *Type) string {
	if t.Bits != 32 && t.Bits != 64 || t.Coding != "little" && t.Coding != "big" {
		return fmt.Sprintf("no %s has %d bits and the coding %q", t.Kind, t.Bits, t.Coding)
	}
	return ""
}

// fixedNumber returns the bytes of a number that is not a varint, or 0.
func fixedNumber(t *Type) int {
	if t.Coding == "varint" {
		return 0
	}
	return t.Bits / 8
}

func (d *decoder) bigint(t *Type) any {
	from := d.pos
	b := d.block(lengthOf(t))
	if cause := scalar.CheckBigInt(b); cause != nil {
		d.fail(from, cause)
	}
	return BigInt{Negative: b[0] == 1, Magnitude: append([]byte{}, b[1:]...)}
}

func (e *encoder) bigint(t *Type, v any) {
	i := valueAs[BigInt](e, t, v)
	b := append([]byte{0}, i.Magnitude...)
	if i.Negative {
		b[0] = 1
	}
	if cause := scalar.CheckBigInt(b); cause != nil {
		e.fail(cause)
	}
	e.block(t, b)
}

func (p *jsonParser) bool(*Type) any {
	switch {
	case p.literal("true"):
		return true
	case p.literal("false"):
		return false
	}
	p.wanted("true or false")
	return nil
}

func (p *jsonParser) boolName(_ *Type, name string, at int) any {
	if name != "true" && name != "false" {
		p.fail(at, errText)
	}
	return name == "true"
}

func (p *jsonParser) number(t *Type) any {
	at := p.start()
	return p.integer(t, p.token(), at)
}

func (p *jsonParser) bigint(*Type) any {
	at := p.start()
	v, ok := parseBigInt(p.token())
	if !ok {
		p.fail(at, errBigText)
	}
	return v
}

// skipped reads the bytes of a skip, a gap in a layout. It returns nil if all bytes are 0, so that
// most skips need no memory.
func (d *decoder) skipped(t *Type) any {
	b := d.bytes(t.Count)
	if zeros(b) {
		return nil
	}
	d.take(len(b), 1)
	return append([]byte{}, b...)
}

func (e *encoder) skipped(t *Type, v any) {
	if int64(t.Count) > e.skips {
		e.fail(fault.ErrLimit)
	}
	e.skips -= int64(t.Count)
	if v == nil {
		e.out = append(e.out, make([]byte, t.Count)...)
		return
	}
	b := valueAs[[]byte](e, t, v)
	if len(b) != t.Count {
		e.fail(fault.ErrCount)
	}
	e.out = append(e.out, b...)
}

func (w *jsonWriter) skipped(_ *Type, v any) {
	if v == nil {
		w.raw("null")
		return
	}
	w.base64(v.([]byte))
}

func (p *jsonParser) skipped(*Type) any {
	if p.literal("null") {
		return nil
	}
	return p.base64()
}
