// Package jsoncode contains the functions that generated JSON encoders and decoders call.
//
// The command hone writes both with
//
//	hone gen -go -json Order Item
//
// into hone_gen.go, next to the types. Only generated files import this package. If the format of
// generated code changes, so does the fingerprint of every type, and package json ignores the
// old code. See docs/generated-code.md.
//
// A generated encoder has a function for each struct, which appends the JSON of a value:
//
//	func appendItem(e *jsoncode.Encoder, p *jsoncode.Program, dst []byte, v *Item) []byte {
//		var ok bool
//		// ID int
//		dst = append(dst, `{"id":`...)
//		dst = jsoncode.Int(dst, int64(v.ID))
//		// Name string
//		dst = append(dst, `,"name":`...)
//		if dst, ok = jsoncode.String(e, dst, v.Name); !ok {
//			return jsoncode.Fail(e, p, 1, dst, v)
//		}
//		// Parts []Part
//		if dst, ok = jsoncode.Part(e, p, 2, dst, v); !ok {
//			return dst
//		}
//		return append(dst, '}')
//	}
//
// The engine has reserved space in dst for all literals and numbers, so most calls of append need
// not grow it. The function has a step for each instruction of the [Program] of the type. If the
// generator cannot handle a step, [Part] passes it to the engine. The functions return false for a
// value that cannot be encoded. Then [Fail] makes the engine encode the value, which sets the error
// of the Encoder.
//
// A generated decoder has a function for each struct, which reads an object into a zeroed struct:
//
//	func decodeItem(d *jsoncode.Decoder, o *jsoncode.Object, i int, v *Item) int {
//		var seen jsoncode.Seen
//		i = d.OpenObject(i)
//		// ID int
//		if d.Name(i, 4) == `"id"` {
//			seen[0] |= 1 << 0
//			i = jsoncode.ReadInt(d, o, 0, i+4, &v.ID)
//		}
//		// Name string
//		if d.Name(i, 6) == `"name"` {
//			seen[0] |= 1 << 1
//			i = jsoncode.ReadString(d, o, 1, i+6, &v.Name)
//		}
//		return jsoncode.CloseObject(d, o, i, &seen, v)
//	}
//
// i is the position of a byte in the text. The function reads the members that come in the order of the
// fields. [CloseObject] reads the others by the engine: members in another order, unknown ones and names in
// another case. The functions return a negative position at an error and in rare cases. The engine then clears the
// target and decodes the text again, so the code contains no texts of errors. Only a decode in one pass uses the
// function, which package json/internal/decode describes.
package jsoncode
