package wire

import (
	"encoding"
	"fmt"
	"math"
	"reflect"

	"github.com/hone-go/hone/shape"
)

// Evolving marks a struct whose definition may grow. As a blank field,
//
//	type Config struct {
//		_    wire.Evolving
//		Name string
//		Port uint16 // since version 2
//	}
//
// it makes the struct carry its length in bytes, so that fields may be added at
// its end: a reader that knows more fields than were written leaves the rest
// zero, one that knows fewer skips what it does not know.
type Evolving struct{}

// deriver makes specs from shapes.
type deriver struct {
	root  reflect.Type
	types []oneOf // what interfaces may hold, by id; spec is made on demand
	typ   []reflect.Type
	made  map[*shape.Shape]*spec
	err   *TypeError
}

func (d *deriver) fail(t reflect.Type, path, format string, args ...any) {
	if d.err == nil {
		d.err = &TypeError{Root: d.root, Path: path, Type: t, Reason: fmt.Sprintf(format, args...)}
	}
}

// derive returns the spec of s, which stands at path under the root. One that
// is still being made is returned as it is.
func (d *deriver) derive(s *shape.Shape, path string) *spec {
	if made := d.made[s]; made != nil {
		return made
	}
	out := &spec{typ: s.Type, size: s.Size}
	d.made[s] = out
	d.fill(out, s, path)
	return out
}

func (d *deriver) fill(out *spec, s *shape.Shape, path string) {
	if uint64(s.Size) > math.MaxUint32 {
		d.fail(s.Type, path, "takes more than 4 GiB of memory")
		return
	}
	if s.Kind != shape.Time && s.Kind != shape.Option {
		if d.variant(out, s, path) {
			return
		}
		if f, m, ok := methodsOf(s.Type); ok {
			out.form, out.method = f, m
			return
		}
	}
	switch s.Kind {
	case shape.Bool:
		out.form = formBool
	case shape.Int8, shape.Uint8:
		out.form, out.signed, out.width = formByte, s.Kind == shape.Int8, 1
	case shape.Int16, shape.Int32, shape.Int64:
		out.form, out.signed = formVarint, true
	case shape.Uint16, shape.Uint32, shape.Uint64:
		out.form = formUvarint
	case shape.Float32, shape.Float64:
		out.form, out.float, out.width = formFloat, true, uint8(s.Size)
	case shape.Complex64, shape.Complex128:
		out.form, out.float, out.width = formComplex, true, uint8(s.Size/2)
	case shape.String:
		out.form = formText
	case shape.Bytes:
		out.form = formBytes
		if hasMethods(s.Elem.Type) {
			out.form, out.elem = formSlice, d.derive(s.Elem, path+"[]")
		}
	case shape.Time:
		out.form = formTime
	case shape.Slice:
		out.form, out.elem = formSlice, d.derive(s.Elem, path+"[]")
	case shape.Array:
		out.form, out.elem, out.count = formArray, d.derive(s.Elem, path+"[]"), s.Len
	case shape.Pointer:
		out.form, out.elem = formPointer, d.derive(s.Elem, path)
	case shape.Option:
		out.form, out.elem, out.value = formOption, d.derive(s.Elem, path), s.Value-s.Present
		if s.Present != 0 {
			d.fail(s.Type, path, "an option whose flag is not its first field")
		}
	case shape.Map:
		out.form, out.key, out.elem = formMap, d.derive(s.Key, path+"[key]"), d.derive(s.Elem, path+"[]")
	case shape.Struct:
		d.fillStruct(out, s, path)
	case shape.Interface:
		d.fillInterface(out, s, path)
	default:
		d.fail(s.Type, path, "a %v has no meaning outside this process", s.Kind)
	}
}

var evolvingType = reflect.TypeFor[Evolving]()

func (d *deriver) fillStruct(out *spec, s *shape.Shape, path string) {
	out.form = formStruct
	hidden := 0
	for i := range s.Fields {
		f := &s.Fields[i]
		at := path + "." + f.Name
		if f.Name == "_" && f.Shape.Type == evolvingType {
			out.evolving = true
			continue
		}
		tag, err := f.Wire()
		if tag.Skip {
			continue
		}
		if !f.Exported && !(f.Embedded && f.Shape.Kind == shape.Struct) {
			if f.Embedded && f.Shape.Kind == shape.Pointer && f.Shape.Elem.Kind == shape.Struct {
				d.fail(f.Shape.Type, at, "an embedded pointer to an unexported struct cannot be set; tag it `wire:\"-\"`")
			}
			if err != nil || tag.Fixed {
				d.fail(f.Shape.Type, at, "a field that is not exported is not on the wire, so its tag means nothing")
			}
			hidden++
			continue
		}
		fs := d.derive(f.Shape, at)
		if err != nil {
			d.fail(f.Shape.Type, at, "%v", err)
			return
		}
		if tag.Fixed {
			if fs = fixed(fs); fs == nil {
				d.fail(f.Shape.Type, at, "the tag option fixed is for integers of 16 bits and more, and for slices, arrays, pointers and options of them")
				return
			}
		}
		out.fields = append(out.fields, field{f.Name, f.Offset, fs})
	}
	if hidden > 0 && hidden == len(s.Fields) {
		d.fail(s.Type, path, "no field is exported and there are no marshal methods")
	}
}

// fixed returns s with its integers in fixed width, little-endian; nil if there
// are none. An int or a uint has 8 bytes on every platform.
func fixed(s *spec) *spec {
	out := *s
	switch s.form {
	case formVarint, formUvarint:
		out.form, out.width = formFixed, uint8(s.size)
		if k := s.typ.Kind(); k == reflect.Int || k == reflect.Uint {
			out.width = 8
		}
		return &out
	case formSlice, formArray, formPointer, formOption:
		if out.elem = fixed(s.elem); out.elem == nil {
			return nil
		}
		return &out
	}
	return nil
}

func (d *deriver) fillInterface(out *spec, s *shape.Shape, path string) {
	out.form = formInterface
	if len(d.types) == 0 {
		d.fail(s.Type, path, "an interface does not say which type to decode; register the types that it may hold")
		return
	}
	for i, t := range d.typ {
		if t.Implements(s.Type) {
			one := d.types[i]
			one.spec = d.derive(shape.Of(t), path+".("+t.String()+")")
			out.cases = append(out.cases, one)
		}
	}
	if len(out.cases) == 0 {
		d.fail(s.Type, path, "none of the registered types implements it")
	}
}

var errorType = reflect.TypeFor[error]()

// variant fills in the types of package mo that hold one of several things.
func (d *deriver) variant(out *spec, s *shape.Shape, path string) bool {
	if s.Union == nil {
		return false
	}
	out.form, out.union = formVariant, s.Union
	for i, c := range s.Union.Cases {
		one := oneOf{name: c.Name, id: uint32(i), off: c.Offset}
		switch {
		case c.Elem == nil:
		case c.Elem.Type == errorType:
			one.spec = &spec{form: formError, typ: errorType, size: errorType.Size()}
		default:
			one.spec = d.derive(c.Elem, path)
		}
		if one.name == "" {
			one.name = [...]string{"absent", "null", "value"}[i] // of a Nullable
		}
		out.cases = append(out.cases, one)
	}
	return true
}

var (
	binaryAppender    = reflect.TypeFor[encoding.BinaryAppender]()
	binaryMarshaler   = reflect.TypeFor[encoding.BinaryMarshaler]()
	binaryUnmarshaler = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	textAppender      = reflect.TypeFor[encoding.TextAppender]()
	textMarshaler     = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler   = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// methodsOf returns the form of a type that encodes itself: it, or a pointer to
// it, has both halves of a pair of package encoding.
func methodsOf(t reflect.Type) (form, appendMethod, bool) {
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return 0, nil, false
	}
	p := reflect.PointerTo(t)
	switch {
	case p.Implements(binaryAppender) && p.Implements(binaryUnmarshaler):
		return formBinary, callAppendBinary, true
	case p.Implements(binaryMarshaler) && p.Implements(binaryUnmarshaler):
		return formBinary, callMarshalBinary, true
	case p.Implements(textAppender) && p.Implements(textUnmarshaler):
		return formTextual, callAppendText, true
	case p.Implements(textMarshaler) && p.Implements(textUnmarshaler):
		return formTextual, callMarshalText, true
	}
	return 0, nil, false
}

func hasMethods(t reflect.Type) bool {
	_, _, ok := methodsOf(t)
	return ok
}
