package wire

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"reflect"
	"strconv"
)

// A Schema says what bytes are, in no language's terms: it is made to be kept as
// JSON, compared with that of another version by [Schema.Reads], and to decode
// without the Go type. docs/wire-schema.md has its form.
type Schema struct {
	Version int                    `json:"version"` // of this form: 1
	Type    *SchemaType            `json:"type"`
	Types   map[string]*SchemaType `json:"types,omitempty"` // what refs name
}

// A SchemaType says how one type is written.
type SchemaType struct {
	// Kind is bool, int, uint, float, complex, string, bytes, time, "time utc",
	// "time location", array, slice, map, struct, optional, union, binary, text,
	// skip, or ref.
	Kind string `json:"kind"`

	Bits   int    `json:"bits,omitempty"`   // of an int, a uint, a float, half a complex
	Coding string `json:"coding,omitempty"` // of an int or a uint: varint, little or big; of a float or complex: little or big
	Length string `json:"length,omitempty"` // of a string, bytes, a slice, a map: uvarint, u8, i16be …
	Count  int    `json:"count,omitempty"`  // elements of an array, bytes of a skip

	Key  *SchemaType `json:"key,omitempty"`
	Elem *SchemaType `json:"elem,omitempty"` // also of an optional

	Fields   []SchemaField `json:"fields,omitempty"`
	Evolving bool          `json:"evolving,omitempty"` // a struct behind its length

	Tag   string       `json:"tag,omitempty"` // of a union: byte, or uvarint with 0 for nothing
	Cases []SchemaCase `json:"cases,omitempty"`

	Name string `json:"name,omitempty"` // of a ref: which; of binary and text: of what Go type
}

// A SchemaField is a field of a struct. One that is skipped has no name.
type SchemaField struct {
	Name string      `json:"name,omitempty"`
	Type *SchemaType `json:"type"`
}

// A SchemaCase is a case of a union.
type SchemaCase struct {
	ID   uint32      `json:"id"`
	Name string      `json:"name"`
	Type *SchemaType `json:"type,omitempty"` // nil if nothing follows
}

// SchemaOf returns the schema of T's derived encoding. The error is that of
// [For].
func SchemaOf[T any]() (*Schema, error) {
	c, err := For[T]()
	if err != nil {
		return nil, err
	}
	return c.Schema(), nil
}

// schemaVersion is the version of the form that this package writes and reads.
const schemaVersion = 1

func (p *program) schema() *Schema {
	m := schemaMaker{schema: &Schema{Version: schemaVersion}, names: map[*spec]string{}}
	m.schema.Type = m.of(p.root)
	return m.schema
}

type schemaMaker struct {
	schema *Schema
	names  map[*spec]string
}

// of describes s. A type with a name of its own is described once and referred
// to, so that one that contains itself comes to an end.
func (m *schemaMaker) of(s *spec) *SchemaType {
	named := s.typ != nil && s.typ.Name() != "" && (s.elem != nil || s.fields != nil || s.cases != nil)
	if !named || s.form == formOption || s.form == formVariant || s.form == formAccessor {
		return m.describe(s)
	}
	name, ok := m.names[s]
	if !ok {
		name = s.typ.String()
		for i := 2; m.schema.Types[name] != nil; i++ {
			name = s.typ.String() + "#" + strconv.Itoa(i)
		}
		m.names[s] = name
		if m.schema.Types == nil {
			m.schema.Types = map[string]*SchemaType{}
		}
		t := new(SchemaType)
		m.schema.Types[name] = t
		*t = *m.describe(s)
	}
	return &SchemaType{Kind: "ref", Name: name}
}

func (m *schemaMaker) describe(s *spec) *SchemaType {
	integer := func(coding string, width uintptr) *SchemaType {
		if s.signed {
			return &SchemaType{Kind: "int", Bits: 8 * int(width), Coding: coding}
		}
		return &SchemaType{Kind: "uint", Bits: 8 * int(width), Coding: coding}
	}
	order := "little"
	if s.big {
		order = "big"
	}
	switch s.form {
	case formBool:
		return &SchemaType{Kind: "bool"}
	case formByte:
		return integer("little", 1)
	case formVarint, formUvarint:
		width := s.size
		if k := s.typ.Kind(); k == reflect.Int || k == reflect.Uint {
			width = 8 // a schema is not a platform's
		}
		return integer("varint", width)
	case formFixed, formFloat:
		if s.float {
			return &SchemaType{Kind: "float", Bits: 8 * int(s.width), Coding: order}
		}
		return integer(order, uintptr(s.width))
	case formComplex:
		return &SchemaType{Kind: "complex", Bits: 8 * int(s.width), Coding: order}
	case formText:
		return &SchemaType{Kind: "string", Length: s.len.String()}
	case formError:
		return &SchemaType{Kind: "string", Length: LenVarint.String()}
	case formBytes:
		return &SchemaType{Kind: "bytes", Length: s.len.String()}
	case formTime:
		return &SchemaType{Kind: "time"}
	case formTimeUTC:
		return &SchemaType{Kind: "time utc"}
	case formTimeZone:
		return &SchemaType{Kind: "time location"}
	case formSlice:
		return &SchemaType{Kind: "slice", Length: s.len.String(), Elem: m.of(s.elem)}
	case formArray, formList:
		return &SchemaType{Kind: "array", Count: s.count, Elem: m.of(s.elem)}
	case formMap:
		return &SchemaType{Kind: "map", Length: s.len.String(), Key: m.of(s.key), Elem: m.of(s.elem)}
	case formPointer, formOption:
		return &SchemaType{Kind: "optional", Elem: m.of(s.elem)}
	case formBinary:
		return &SchemaType{Kind: "binary", Name: s.typ.String()}
	case formTextual:
		return &SchemaType{Kind: "text", Name: s.typ.String()}
	case formSkip:
		return &SchemaType{Kind: "skip", Count: s.count}
	case formAccessor:
		return m.of(s.elem)
	case formVariant, formInterface:
		t := &SchemaType{Kind: "union", Tag: "byte"}
		if s.form == formInterface {
			t.Tag = "uvarint"
		}
		for _, one := range s.cases {
			c := SchemaCase{ID: one.id, Name: one.name}
			if one.spec != nil {
				c.Type = m.of(one.spec)
			}
			t.Cases = append(t.Cases, c)
		}
		return t
	}
	t := &SchemaType{Kind: "struct", Evolving: s.evolving}
	for i := range s.fields {
		f := &s.fields[i]
		name := f.name
		if f.spec.form == formAccessor {
			name = ""
		}
		t.Fields = append(t.Fields, SchemaField{name, m.of(f.spec)})
	}
	return t
}

// A Fingerprint stands for a schema: two that differ in what bytes mean differ,
// as good as certainly, in their fingerprints.
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
// same. What refs name is written where it is first met, behind a number for it
// that stands in later places.
func (s *Schema) Canonical() string {
	c := canonicalSchema{schema: s, numbers: map[string]int{}}
	return string(c.append(nil, s.Type, 0))
}

type canonicalSchema struct {
	schema  *Schema
	numbers map[string]int
}

// maxSchemaDepth bounds what is followed in a schema, which may come from
// anywhere.
const maxSchemaDepth = 1000

func (c *canonicalSchema) append(dst []byte, t *SchemaType, depth int) []byte {
	if t == nil || depth > maxSchemaDepth {
		return append(dst, '?')
	}
	part := func(t *SchemaType) { dst = c.append(dst, t, depth+1) }
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
			dst = append(strconv.AppendQuote(dst, f.Name), ':')
			part(f.Type)
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
			dst = append(strconv.AppendQuote(dst, one.Name), ':')
			if one.Type != nil {
				part(one.Type)
			}
		}
		dst = append(dst, ']')
	}
	return dst
}
