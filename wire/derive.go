package wire

import (
	"fmt"
	"math"
	"reflect"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/program"
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
	types []program.Case // what interfaces may hold, by id; spec is made on demand
	typ   []reflect.Type
	made  map[*shape.Shape]*program.Spec
	keys  []key // of all maps
	err   *TypeError
}

type key struct {
	spec *program.Spec
	path string
}

// checkKeys refuses keys of maps that may grow: two that differ in what this version
// does not know would be the same key.
func (d *deriver) checkKeys() {
	for _, k := range d.keys {
		evolving := k.spec
		if !evolving.Evolving {
			evolving = k.spec.Within(func(part *program.Spec) bool { return part.Evolving })
		}
		if evolving != nil {
			d.fail(evolving.Type, k.path, "an evolving struct cannot be, or be in, the key of a map")
		}
	}
}

func (d *deriver) fail(t reflect.Type, path, format string, args ...any) {
	if d.err == nil {
		d.err = &TypeError{Root: d.root, Path: path, Type: t, Reason: fmt.Sprintf(format, args...)}
	}
}

// derive returns the spec of s, which stands at path under the root. One that
// is still being made is returned as it is.
func (d *deriver) derive(s *shape.Shape, path string) *program.Spec {
	if made := d.made[s]; made != nil {
		return made
	}
	out := &program.Spec{Type: s.Type, Size: s.Size}
	d.made[s] = out
	d.fill(out, s, path)
	return out
}

func (d *deriver) fill(out *program.Spec, s *shape.Shape, path string) {
	if uint64(s.Size) > math.MaxUint32 {
		d.fail(s.Type, path, "takes more than 4 GiB of memory")
		return
	}
	if s.Kind != shape.Time && s.Kind != shape.Option {
		if d.variant(out, s, path) {
			return
		}
		if m := program.MethodsOf(s.Type); m.Form != program.FormNone {
			out.Form, out.Methods = m.Form, m
			return
		}
	}
	switch s.Kind {
	case shape.Bool:
		out.Form = program.FormBool
	case shape.Int8, shape.Uint8:
		out.Form, out.Signed, out.Width = program.FormByte, s.Kind == shape.Int8, 1
	case shape.Int16, shape.Int32, shape.Int64:
		out.Form, out.Signed = program.FormVarint, true
	case shape.Uint16, shape.Uint32, shape.Uint64:
		out.Form = program.FormUvarint
	case shape.Float32, shape.Float64:
		out.Form, out.Float, out.Width = program.FormFloat, true, uint8(s.Size)
	case shape.Complex64, shape.Complex128:
		out.Form, out.Float, out.Width = program.FormComplex, true, uint8(s.Size/2)
	case shape.String:
		out.Form = program.FormText
	case shape.Bytes:
		out.Form = program.FormBytes
		if program.MethodsOf(s.Elem.Type).Form != program.FormNone {
			out.Form, out.Elem = program.FormSlice, d.derive(s.Elem, path+"[]")
		}
	case shape.Time:
		out.Form = program.FormTime
	case shape.Slice:
		out.Form, out.Elem = program.FormSlice, d.derive(s.Elem, path+"[]")
	case shape.Array:
		out.Form, out.Elem, out.Count = program.FormArray, d.derive(s.Elem, path+"[]"), s.Len
	case shape.Pointer:
		out.Form, out.Elem = program.FormPointer, d.derive(s.Elem, path)
	case shape.Option:
		out.Form, out.Elem, out.Value = program.FormOption, d.derive(s.Elem, path), s.Value-s.Present
		if s.Present != 0 {
			d.fail(s.Type, path, "an option whose flag is not its first field")
		}
	case shape.Map:
		out.Form, out.Key, out.Elem = program.FormMap, d.derive(s.Key, path+"[key]"), d.derive(s.Elem, path+"[]")
		d.keys = append(d.keys, key{out.Key, path + "[key]"})
	case shape.Struct:
		d.fillStruct(out, s, path)
	case shape.Interface:
		d.fillInterface(out, s, path)
	default:
		d.fail(s.Type, path, "a %v has no meaning outside this process", s.Kind)
	}
}

var evolvingType = reflect.TypeFor[Evolving]()

func (d *deriver) fillStruct(out *program.Spec, s *shape.Shape, path string) {
	out.Form = program.FormStruct
	hidden := 0
	for i := range s.Fields {
		f := &s.Fields[i]
		at := path + "." + f.Name
		tag, err := f.Wire()
		if tag.Skip {
			continue
		}
		if f.Name == "_" && f.Shape.Type == evolvingType {
			out.Evolving = true
			continue
		}
		if f.Shape.Type == evolvingType || f.Shape.Kind == shape.Pointer && f.Shape.Elem.Type == evolvingType {
			d.fail(s.Type, at, "wire.Evolving marks a struct only as a blank field, `_ wire.Evolving`")
		}
		if err != nil {
			d.fail(s.Type, at, "%v", err)
		}
		if !f.Exported && !(f.Embedded && f.Shape.Kind == shape.Struct) {
			if f.Embedded && f.Shape.Kind == shape.Pointer && f.Shape.Elem.Kind == shape.Struct {
				d.fail(f.Shape.Type, at, "an embedded pointer to an unexported struct cannot be set; tag it `wire:\"-\"`")
			}
			if tag.Fixed {
				d.fail(f.Shape.Type, at, "a field that is not exported is not on the wire, so its tag means nothing")
			}
			hidden++
			continue
		}
		fs := d.derive(f.Shape, at)
		if tag.Fixed {
			if fs = fixed(fs); fs == nil {
				d.fail(f.Shape.Type, at, "the tag option fixed is for integers of 16 bits and more, and for slices, arrays, pointers and options of them")
				return
			}
		}
		out.Fields = append(out.Fields, program.Field{Name: f.Name, Off: f.Offset, Spec: fs})
	}
	if hidden > 0 && hidden == len(s.Fields) {
		d.fail(s.Type, path, "no field is exported and there are no marshal methods")
	}
}

// fixed returns s with its integers in fixed width, little-endian; nil if there
// are none. An int or a uint has 8 bytes on every platform.
func fixed(s *program.Spec) *program.Spec {
	out := *s
	switch s.Form {
	case program.FormVarint, program.FormUvarint:
		out.Form, out.Width = program.FormFixed, uint8(s.Size)
		if k := s.Type.Kind(); k == reflect.Int || k == reflect.Uint {
			out.Width = 8
		}
		return &out
	case program.FormSlice, program.FormArray, program.FormPointer, program.FormOption:
		if out.Elem = fixed(s.Elem); out.Elem == nil {
			return nil
		}
		return &out
	}
	return nil
}

func (d *deriver) fillInterface(out *program.Spec, s *shape.Shape, path string) {
	out.Form = program.FormInterface
	if len(d.types) == 0 {
		d.fail(s.Type, path, "an interface does not say which type to decode; register the types that it may hold")
		return
	}
	for i, t := range d.typ {
		if t.Implements(s.Type) {
			one := d.types[i]
			one.Spec = d.derive(shape.Of(t), path+".("+t.String()+")")
			out.Cases = append(out.Cases, one)
		}
	}
	if len(out.Cases) == 0 {
		d.fail(s.Type, path, "none of the registered types implements it")
	}
}

var errorType = reflect.TypeFor[error]()

// variant fills in the types of package mo that hold one of several things.
func (d *deriver) variant(out *program.Spec, s *shape.Shape, path string) bool {
	if s.Union == nil {
		return false
	}
	out.Form, out.Union = program.FormVariant, s.Union
	for i, c := range s.Union.Cases {
		one := program.Case{Name: c.Name, ID: uint32(i), Off: c.Offset}
		switch {
		case c.Elem == nil:
		case c.Elem.Type == errorType:
			one.Spec = &program.Spec{Form: program.FormError, Type: errorType, Size: errorType.Size()}
		default:
			one.Spec = d.derive(c.Elem, path)
		}
		if one.Name == "" {
			one.Name = [...]string{"absent", "null", "value"}[i] // of a Nullable
		}
		out.Cases = append(out.Cases, one)
	}
	return true
}
