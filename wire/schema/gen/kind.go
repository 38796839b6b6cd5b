package gen

import (
	"fmt"

	"github.com/hone-go/hone/wire/schema"
)

// A primitive is the row of a kind without parts: its types, zero value and codecs in the
// languages. Each function gets a type of the kind.
type primitive struct {
	// textual is set if both languages compare values as Go does. A Go map with such keys becomes a
	// map of the language.
	textual bool
	// uvarint is set if the runtimes support no other length.
	uvarint bool

	tsType, tsCodec         func(t *schema.Type) string
	pyType, pyZero, pyCodec func(t *schema.Type) string
}

// primitives is the table of primitive kinds, by Type.Kind. Package wire/schema has a table of all
// kinds, and TestKinds of both packages compare the two.
var primitives = map[string]primitive{
	"bool": {
		textual: true,
		tsType:  word("boolean"), tsCodec: word("wire.bool"),
		pyType: word("bool"), pyZero: word("False"), pyCodec: word("wire.BOOL"),
	},
	"int": {
		textual: true,
		tsType:  tsInteger, tsCodec: tsIntegerCodec,
		pyType: word("int"), pyZero: word("0"), pyCodec: pyIntegerCodec,
	},
	"uint": {
		textual: true,
		tsType:  tsInteger, tsCodec: tsIntegerCodec,
		pyType: word("int"), pyZero: word("0"), pyCodec: pyIntegerCodec,
	},
	"bigint": {
		textual: true,
		uvarint: true,
		tsType:  word("bigint"), tsCodec: word("wire.bigint"),
		pyType: word("int"), pyZero: word("0"), pyCodec: word("wire.BIG_INT"),
	},
	"float": {
		tsType: word("number"), tsCodec: withBits("wire.float"),
		pyType: word("float"), pyZero: word("0.0"), pyCodec: withBits("wire.Float"),
	},
	"complex": {
		tsType: word("wire.Complex"), tsCodec: withBits("wire.complex"),
		pyType: word("complex"), pyZero: word("0j"), pyCodec: withBits("wire.Complex"),
	},
	"string": {
		textual: true,
		tsType:  word("string"), tsCodec: withLength("wire.string"),
		pyType: word("str"), pyZero: word(`""`), pyCodec: withLength("wire.Text"),
	},
	"text": {
		textual: true,
		uvarint: true,
		tsType:  word("string"), tsCodec: word("wire.text"),
		pyType: word("str"), pyZero: word(`""`), pyCodec: word("wire.TEXT"),
	},
	"bytes": {
		tsType: word("Uint8Array"), tsCodec: withLength("wire.bytes"),
		pyType: word("bytes"), pyZero: word(`b""`), pyCodec: withLength("wire.Bytes"),
	},
	"binary": {
		uvarint: true,
		tsType:  word("Uint8Array"), tsCodec: word("wire.binary"),
		pyType: word("bytes"), pyZero: word(`b""`), pyCodec: word("wire.BINARY"),
	},
	"time": {
		tsType: word("wire.Time"), tsCodec: word("wire.time"),
		pyType: word("wire.Time"), pyZero: word("wire.Time()"), pyCodec: word("wire.TIME"),
	},
	"time utc": {
		tsType: word("wire.Time"), tsCodec: word("wire.timeUTC"),
		pyType: word("wire.Time"), pyZero: word("wire.Time()"), pyCodec: word("wire.TIME_UTC"),
	},
	"time location": {
		tsType: word("wire.Time"), tsCodec: word("wire.timeLocation"),
		pyType: word("wire.Time"), pyZero: word("wire.Time()"), pyCodec: word("wire.TIME_LOCATION"),
	},
	"skip": {
		tsType: word("null"), tsCodec: withCount("wire.skip"),
		pyType: word("None"), pyZero: word("None"), pyCodec: withCount("wire.Skip"),
	},
}

// composites are the kinds with parts. tsWriter and pyWriter have the code for them.
var composites = map[string]bool{"array": true, "slice": true, "map": true, "optional": true, "raw": true, "struct": true, "union": true}

// word returns a function that returns s for every type.
func word(s string) func(*schema.Type) string { return func(*schema.Type) string { return s } }

// withBits returns a function that returns the source of a call of the named function. The
// arguments of the call are the bits and the coding of the type.
func withBits(function string) func(*schema.Type) string {
	return func(t *schema.Type) string { return fmt.Sprintf("%s(%d, %q)", function, t.Bits, t.Coding) }
}

// withLength is like withBits, but the argument of the call is the length encoding of the type.
func withLength(function string) func(*schema.Type) string {
	return func(t *schema.Type) string { return fmt.Sprintf("%s(%q)", function, t.Length) }
}

// withCount is like withBits, but the argument of the call is the count of the type.
func withCount(function string) func(*schema.Type) string {
	return func(t *schema.Type) string { return fmt.Sprintf("%s(%d)", function, t.Count) }
}

// tsInteger returns the TypeScript type of an integer, which is bigint for 64 bits, because a
// number is exact only up to 53 bits.
func tsInteger(t *schema.Type) string {
	if t.Bits == 64 {
		return "bigint"
	}
	return "number"
}

func tsIntegerCodec(t *schema.Type) string {
	if t.Bits == 64 {
		return fmt.Sprintf("wire.integer64(%t, %q)", t.Kind == "int", t.Coding)
	}
	return fmt.Sprintf("wire.integer(%t, %d, %q)", t.Kind == "int", t.Bits, t.Coding)
}

func pyIntegerCodec(t *schema.Type) string {
	signed := "False"
	if t.Kind == "int" {
		signed = "True"
	}
	return fmt.Sprintf("wire.Int(%s, %d, %q)", signed, t.Bits, t.Coding)
}
