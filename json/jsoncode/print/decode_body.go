package print

import (
	"reflect"
	"strings"

	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/shape"
)

// decoder returns the decoder for the struct type t. It returns nil if values of t are not decoded
// in one pass, or if the file cannot name the type.
func (f *file) decoder(t reflect.Type) *function {
	if fn, ok := f.decoders.of[t]; ok {
		return fn
	}
	f.decoders.of[t] = nil
	fields, fingerprint, ok := decode.Fields(t)
	if !ok || t.Name() == "" {
		return nil
	}
	name, ok := f.TypeName(t)
	if !ok {
		return nil
	}
	fn := &function{name: "decode" + f.Function(name, "decode"), typ: name, fields: fields, fingerprint: fingerprint}
	f.decoders.of[t] = fn
	f.decoders.queue = append(f.decoders.queue, fn)
	for i := range fields {
		field := &fields[i]
		// The engine reads fields that the file cannot access.
		if field.Package != "" && field.Package != f.Path {
			field.Form = decode.FormEngine
		}
		// The engine also reads a struct, a slice, a map or a pointer. For the structs inside it,
		// the engine calls their generated functions.
		if elem := structIn(field.Type); elem != nil {
			if inner := f.decoder(elem); inner != nil {
				fn.refers = append(fn.refers, inner)
			}
		}
	}
	return fn
}

// readers are the functions of the runtime package that read a field, by its form.
var readers = map[decode.Form]string{
	decode.FormBool: "ReadBool", decode.FormInt: "ReadInt", decode.FormUint: "ReadUint", decode.FormFloat64: "ReadFloat64",
	decode.FormString: "ReadString",
}

// decodeBody returns the statements of fn, a decoder.
func (f *file) decodeBody(fn *function) string {
	w := &writer{code: f.code}
	w.line("var seen code.Seen")
	w.line("i = d.OpenObject(i)")
	for k, field := range fn.fields {
		name := `"` + field.Name + `"`
		w.line("// %s %s", strings.Join(field.Path, "."), shape.TypeName(field.Type))
		w.line("if d.Name(i, %d) == %s {", len(name), quote(name))
		w.line("seen[%d] |= 1 << %d", k/64, k%64)
		if read, ok := readers[field.Form]; ok {
			w.line("i = code.%s(d, o, %d, i+%d, &v.%s)", read, k, len(name), strings.Join(field.Path, "."))
		} else {
			w.line("i = code.ReadField(d, o, %d, i+%d, v)", k, len(name))
		}
		w.line("}")
	}
	w.line("return code.CloseObject(d, o, i, &seen, v)")
	return w.String()
}
