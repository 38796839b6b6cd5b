// Package schema describes the encodings of package wire, for any programming language.
//
// A [Schema] is stored as JSON. The function wire.SchemaOf returns the schema of a type, and any
// codec has a method Schema. [Models] is the schema of a registry of layouts. [Schema.Reads]
// compares two versions, and a [Fingerprint] of eight bytes identifies each.
//
//	var s schema.Schema
//	err := json.Unmarshal(file, &s)
//	err = s.Check()
//	text, err := s.AppendJSON(nil, data)
//	data, err = s.EncodeJSON(nil, text)
//
// A schema from outside the program must be checked with [Schema.Check] before any other use.
// docs/wire-schema.md specifies the JSON.
//
// # Without the Go type
//
// [Schema.AppendJSON] converts bytes to JSON, and [Schema.EncodeJSON] converts JSON to bytes.
// [Schema.Decode] and [Schema.Encode] do the same with Go values of generic types, which are listed
// at [Struct]. Both pairs are inverse: the value or the JSON of some bytes is converted to the same
// bytes again, except for removed fields, which are not part of the value or the JSON.
//
// # Guarantees
//
//   - Malformed bytes, and JSON that does not match the schema, yield a [*DecodeError] with the
//     offset and the path, and never a panic.
//   - The memory and the time of reading are bounded by the length of the input and a fixed
//     amount, whatever the schema is: see [Schema.Decode].
//
// # Reading the code
//
// kind.go has the table of kinds: the encoding and the JSON of each kind are functions of its row.
// The functions are methods of a decoder (value_decode.go, skip_removed_fields.go), an encoder
// (value_encode.go), a jsonWriter (value_json_write.go), a jsonParser (value_json_parse.go) and the
// keys of a map (duplicate_keys.go). All but the keys of a map embed a walk (depth_and_path.go), which
// counts levels and keeps the path. time_text.go has the text of a time in JSON. check_schema.go,
// check_recursive_types.go and check_removed_fields.go check a schema. compare.go and flatten_structs.go
// compare two schemas. fingerprint.go writes the canonical line of a schema and hashes it.
package schema

// A Schema describes an encoding, for any programming language. It is stored as JSON, compared
// with another version by [Schema.Reads], and used to decode without the Go type.
// docs/wire-schema.md specifies the JSON.
type Schema struct {
	Version int              `json:"version"`        // version of the JSON form: 1
	Mode    string           `json:"mode,omitempty"` // "canonical" if each value has only one valid encoding
	Type    *Type            `json:"type"`
	Types   map[string]*Type `json:"types,omitempty"` // the targets of refs, by name
}

// A Type describes the encoding of one type.
type Type struct {
	// Kind is bool, int, uint, bigint, float, complex, string, bytes, time, "time utc", "time
	// location", array, slice, map, struct, optional, union, binary, text, raw, skip, or ref.
	Kind string `json:"kind"`

	Bits   int    `json:"bits,omitempty"`   // bits of an int, a uint, a float, or each half of a complex
	Coding string `json:"coding,omitempty"` // coding of an int or a uint: varint, little or big; of a float or complex: little or big
	Length string `json:"length,omitempty"` // coding of the length of a string, bytes, a raw, a slice or a map: uvarint, u8, i16be …
	Count  int    `json:"count,omitempty"`  // elements of an array, bytes of a skip

	Key  *Type `json:"key,omitempty"`
	Elem *Type `json:"elem,omitempty"` // also of an optional; for a raw, the type of its content

	Fields   []Field `json:"fields,omitempty"`
	Evolving bool    `json:"evolving,omitempty"` // the length of a struct precedes its fields
	Unknown  string  `json:"unknown,omitempty"`  // the field of an evolving struct that keeps the bytes after Fields

	Tag   string `json:"tag,omitempty"` // coding of the ids of a union: byte, or uvarint with 0 for nil
	Cases []Case `json:"cases,omitempty"`

	Name string `json:"name,omitempty"` // the name of a ref in Types; the Go type of a binary or a text
}

// A Field is a field of a struct. A skip has no name.
type Field struct {
	Name string   `json:"name,omitempty"`
	Was  []string `json:"was,omitempty"` // former names
	Type *Type    `json:"type"`

	// Removed is set for a field that the struct no longer has. It is the encoding of the field's
	// zero value, in hexadecimal. A writer writes this value in place of the field, and a reader
	// skips the value there.
	Removed string `json:"removed,omitempty"`
}

// A Case is a case of a union.
type Case struct {
	ID   uint32 `json:"id"`
	Name string `json:"name"`
	Type *Type  `json:"type,omitempty"` // nil if the case has no value
}

// Canonical is the [Schema.Mode] of a codec that writes the canonical encoding of each value.
// Readers of any mode accept that encoding. A reader with this mode accepts no other.
const Canonical = "canonical"

// Version is the version of the JSON form that this package writes and reads.
const Version = 1
