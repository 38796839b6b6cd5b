// Package code contains the functions that generated codecs call.
//
// The command hone writes such a codec with
//
//	hone gen -go Order Item
//
// into hone_gen.go, next to the types. Only generated files import this package. If the format of
// generated code changes, so does the fingerprint of every type, and package wire encodes and decodes
// the type without the old codec. See docs/generated-code.md.
//
// A generated codec has two functions for each struct. The first one writes the fields:
//
//	func putItem(e *code.Encoder, t *code.Table, n int, v *Item) int {
//		b := e.Room(n, 18)
//		n = code.PutUint(b, n, code.Zigzag(v.ID))
//		b = e.Room(n, len(v.Name)+18)
//		n = code.PutString(b, n, v.Name)
//		return n
//	}
//
// n is the position in the buffer. The call of Room reserves space for the longest encoding of a
// group of fields, and the functions whose names begin with Put write into it. If the reserved
// space is too small, they panic and do not write past the buffer. The second function reads the
// fields from the input at pos. Both return a negative number if the Encoder or the Decoder has an
// error.
//
// If the generator cannot handle a field, the field's [Part] in the [Table] of its struct passes it
// to the engine.
package code
