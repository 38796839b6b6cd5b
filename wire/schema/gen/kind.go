package gen

import (
	"fmt"

	"github.com/hone-go/hone/wire/schema"
)

// A primitive is the row of a kind without parts: its types, zero value and codecs in the
// languages.
type primitive struct {
	// textual is set if both languages compare values as Go does. A Go map with such keys becomes a
	// map of the language.
	textual bool
	// uvarint is set if the runtimes support no other length.
	uvarint bool

	ts, py expressions
}

// expressions return the type, the zero value and the codec of a kind in one language.
type expressions struct{ typ, zero, codec func(t *schema.Type) string }

// primitives is the table of primitive kinds, by Type.Kind. Package wire/schema has a table of all
// kinds, and TestKinds of both packages compare the two.
var primitives = map[string]primitive{
	"bool": {
		textual: true,
		ts:      expressions{typ: word("boolean"), codec: word("wire.bool")},
		py:      expressions{typ: word("bool"), zero: word("False"), codec: word("wire.BOOL")},
	},
	"int": {
		textual: true,
		ts:      expressions{typ: tsInteger, codec: tsIntegerCodec},
		py:      expressions{typ: word("int"), zero: word("0"), codec: pyIntegerCodec},
	},
	"uint": {
		textual: true,
		ts:      expressions{typ: tsInteger, codec: tsIntegerCodec},
		py:      expressions{typ: word("int"), zero: word("0"), codec: pyIntegerCodec},
	},
	"bigint": {
		textual: true,
		uvarint: true,
		ts:      expressions{typ: word("bigint"), codec: word("wire.bigint")},
		py:      expressions{typ: word("int"), zero: word("0"), codec: word("wire.BIG_INT")},
	},
	"float": {
		ts: expressions{typ: word("number"), codec: withBits("wire.float")},
		py: expressions{typ: word("float"), zero: word("0.0"), codec: withBits("wire.Float")},
	},
	"complex": {
		ts: expressions{typ: word("wire.Complex"), codec: withBits("wire.complex")},
		py: expressions{typ: word("complex"), zero: word("0j"), codec: withBits("wire.Complex")},
	},
	"string": {
		textual: true,
		ts:      expressions{typ: word("string"), codec: withLength("wire.string")},
		py:      expressions{typ: word("str"), zero: word(`""`), codec: withLength("wire.Text")},
	},
	"text": {
		textual: true,
		uvarint: true,
		ts:      expressions{typ: word("string"), codec: word("wire.text")},
		py:      expressions{typ: word("str"), zero: word(`""`), codec: word("wire.TEXT")},
	},
	"bytes": {
		ts: expressions{typ: word("Uint8Array"), codec: withLength("wire.bytes")},
		py: expressions{typ: word("bytes"), zero: word(`b""`), codec: withLength("wire.Bytes")},
	},
	"binary": {
		uvarint: true,
		ts:      expressions{typ: word("Uint8Array"), codec: word("wire.binary")},
		py:      expressions{typ: word("bytes"), zero: word(`b""`), codec: word("wire.BINARY")},
	},
	"time": {
		ts: expressions{typ: word("wire.Time"), codec: word("wire.time")},
		py: expressions{typ: word("wire.Time"), zero: word("wire.Time()"), codec: word("wire.TIME")},
	},
	"time utc": {
		ts: expressions{typ: word("wire.Time"), codec: word("wire.timeUTC")},
		py: expressions{typ: word("wire.Time"), zero: word("wire.Time()"), codec: word("wire.TIME_UTC")},
	},
	"time location": {
		ts: expressions{typ: word("wire.Time"), codec: word("wire.timeLocation")},
		py: expressions{typ: word("wire.Time"), zero: word("wire.Time()"), codec: word("wire.TIME_LOCATION")},
	},
	"skip": {
		ts: expressions{typ: word("null"), codec: withCount("wire.skip")},
		py: expressions{typ: word("None"), zero: word("None"), codec: withCount("wire.Skip")},
	},
}

// composites are the kinds with parts. A writer has the code for them.
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
