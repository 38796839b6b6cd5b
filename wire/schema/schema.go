// Package schema describes what package wire writes, for any programming language.
//
// A [Schema] is kept as JSON. The function wire.SchemaOf makes one of a type, the
// method Schema one of any codec, and [Models] one of a registry of layouts. Two
// versions are compared by [Schema.Reads], and told apart by a [Fingerprint] of eight
// bytes.
//
//	var s schema.Schema
//	err := json.Unmarshal(file, &s)
//	err = s.Check()
//	text, err := s.AppendJSON(nil, data)
//	data, err = s.EncodeJSON(nil, text)
//
// A schema that was read from somewhere is checked by [Schema.Check] before
// anything else is done with it. docs/wire-schema.md has the form.
//
// # Without the Go type
//
// [Schema.AppendJSON] reads bytes by a schema and makes JSON of them,
// [Schema.EncodeJSON] makes bytes of JSON. [Schema.Decode] and [Schema.Encode] do the
// same with values in Go types that stand for each kind: they are listed at [Struct].
// What one has made of some bytes, the other makes the same bytes of.
//
// # Guarantees
//
//   - Malformed bytes, and JSON that does not match, yield a [*DecodeError] with the
//     offset and the path, and nothing else.
//   - The memory and the time that reading takes are bounded by the input and a fixed
//     amount, whatever the schema says: see [Schema.Decode].
package schema

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strconv"
)

// A Schema says what bytes mean, for any programming language. It is kept as
// JSON, compared with that of another version by [Schema.Reads], and used to decode
// without the Go type. docs/wire-schema.md has its form.
type Schema struct {
	Version int              `json:"version"`        // of this form: 1
	Mode    string           `json:"mode,omitempty"` // "canonical" if no other form of a value is valid
	Type    *Type            `json:"type"`
	Types   map[string]*Type `json:"types,omitempty"` // what refs name
}

// A Type says how one type is written.
type Type struct {
	// Kind is bool, int, uint, bigint, float, complex, string, bytes, time, "time
	// utc", "time location", array, slice, map, struct, optional, union, binary, text,
	// raw, skip, or ref.
	Kind string `json:"kind"`

	Bits   int    `json:"bits,omitempty"`   // of an int, a uint, a float, half a complex
	Coding string `json:"coding,omitempty"` // of an int or a uint: varint, little or big; of a float or complex: little or big
	Length string `json:"length,omitempty"` // of a string, bytes, a raw, a slice, a map: uvarint, u8, i16be …
	Count  int    `json:"count,omitempty"`  // elements of an array, bytes of a skip

	Key  *Type `json:"key,omitempty"`
	Elem *Type `json:"elem,omitempty"` // also of an optional; of a raw: what its bytes are the encoding of

	Fields   []Field `json:"fields,omitempty"`
	Evolving bool    `json:"evolving,omitempty"` // a struct behind its length
	Unknown  string  `json:"unknown,omitempty"`  // of an evolving one: the field that keeps what comes behind Fields

	Tag   string `json:"tag,omitempty"` // of a union: byte, or uvarint with 0 for nothing
	Cases []Case `json:"cases,omitempty"`

	Name string `json:"name,omitempty"` // of a ref: which; of binary and text: of what Go type
}

// A Field is a field of a struct. One that is skipped has no name.
type Field struct {
	Name string   `json:"name,omitempty"`
	Was  []string `json:"was,omitempty"` // names that it had before
	Type *Type    `json:"type"`

	// Removed, if not empty, says that the struct does not have the field any longer. It is
	// what a writer writes in its place, the encoding of the zero value, in hexadecimal. A
	// reader skips what stands there.
	Removed string `json:"removed,omitempty"`
}

// A Case is a case of a union.
type Case struct {
	ID   uint32 `json:"id"`
	Name string `json:"name"`
	Type *Type  `json:"type,omitempty"` // nil if nothing follows
}

// Canonical is the [Schema.Mode] of a codec whose values have one form each. Every
// reader reads it; a reader of that mode reads no other.
const Canonical = "canonical"

// Version is the version of the form that this package writes and reads.
const Version = 1

// A Fingerprint stands for a schema. Two schemas by which the same bytes mean
// different things have different fingerprints, with near certainty.
type Fingerprint [8]byte

// String returns the fingerprint in hexadecimal.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

// Fingerprint returns the fingerprint of s: the 64-bit FNV-1a hash of its
// [Schema.Canonical] form, most significant byte first. The names of types do
// not count, those of fields and cases do.
func (s *Schema) Fingerprint() Fingerprint {
	h := fnv.New64a()
	h.Write([]byte(s.Canonical()))
	return Fingerprint(h.Sum(nil))
}

// Canonical returns the schema as one line, the same for schemas that mean the
// same. The first ref to a type is written as a number and the type, later ones as
// the number alone.
func (s *Schema) Canonical() string {
	c := canonicalSchema{schema: s, numbers: map[string]int{}}
	var dst []byte
	if s.Mode != "" {
		dst = append(append(dst, s.Mode...), ' ')
	}
	return string(c.append(dst, s.Type, 0))
}

type canonicalSchema struct {
	schema  *Schema
	numbers map[string]int
}

// maxSchemaDepth bounds what is followed in a schema, which may come from
// anywhere.
const maxSchemaDepth = 1000

func (c *canonicalSchema) append(dst []byte, t *Type, depth int) []byte {
	if t == nil || depth > maxSchemaDepth {
		return append(dst, '?')
	}
	part := func(t *Type) { dst = c.append(dst, t, depth+1) }
	if t.Kind == "ref" {
		if n, ok := c.numbers[t.Name]; ok {
			return fmt.Appendf(dst, "@%d", n)
		}
		n := len(c.numbers)
		c.numbers[t.Name] = n
		dst = fmt.Appendf(dst, "@%d=", n)
		part(c.schema.Types[t.Name])
		return dst
	}
	dst = append(dst, t.Kind...)
	for _, s := range []string{t.Coding, t.Length, t.Tag} {
		if s != "" {
			dst = append(append(dst, ' '), s...)
		}
	}
	for _, n := range []int{t.Bits, t.Count} {
		if n != 0 {
			dst = strconv.AppendInt(append(dst, ' '), int64(n), 10)
		}
	}
	if t.Evolving {
		dst = append(dst, " evolving"...)
	}
	if t.Key != nil {
		dst = append(dst, '<')
		part(t.Key)
		dst = append(dst, '>')
	}
	if t.Elem != nil {
		dst = append(dst, '(')
		part(t.Elem)
		dst = append(dst, ')')
	}
	if t.Kind == "struct" {
		dst = append(dst, '{')
		for i, f := range t.Fields {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendName(dst, f.Name), ':')
			part(f.Type)
			if f.Removed != "" {
				dst = append(dst, " removed"...)
			}
		}
		dst = append(dst, '}')
	}
	if t.Kind == "union" {
		dst = append(dst, '[')
		for i, one := range t.Cases {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(strconv.AppendUint(dst, uint64(one.ID), 10), '=')
			dst = append(appendName(dst, one.Name), ':')
			if one.Type != nil {
				part(one.Type)
			}
		}
		dst = append(dst, ']')
	}
	return dst
}
