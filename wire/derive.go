package wire

import (
	"fmt"
	"math"
	"reflect"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/program"
)

// deriver makes specs from shapes.
type deriver struct {
	root  reflect.Type
	types []program.Case // what interfaces may hold, by id; spec is made on demand
	typ   []reflect.Type
	made  map[*shape.Shape]*program.Spec
	keys  []key // of all maps
	gone  []key // fields that were removed
	err   *TypeError
}

type key struct {
	spec *program.Spec
	path string
}

// checkKeys refuses keys of maps that may grow, or have lost a field: two that differ in
// what this version does not know would be the same key.
func (d *deriver) checkKeys() {
	for _, k := range d.keys {
		changes := func(part *program.Spec) bool { return part.Evolving || part.Form == program.FormRemoved }
		part := k.spec
		if !changes(part) {
			part = k.spec.Within(changes)
		}
		switch {
		case part == nil:
		case part.Evolving:
			d.fail(part.Type, k.path, "an evolving struct cannot be, or be in, the key of a map")
		default:
			d.fail(part.Type, k.path, "a struct without a field that it had cannot be, or be in, the key of a map")
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
	if d.fillSpecial(out, s, path) {
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

func (d *deriver) fillStruct(out *program.Spec, s *shape.Shape, path string) {
	out.Form = program.FormStruct
	out.Evolving = isEvolving(s)
	hidden := 0
	for i := range s.Fields {
		f := &s.Fields[i]
		at := path + "." + f.Name
		tag, err := f.Wire()
		if tag.Skip || f.Name == "_" && f.Shape.Type == evolvingType {
			continue
		}
		if err != nil {
			d.fail(s.Type, at, "%v", err)
		}
		if f.Shape.Type == evolvingType || f.Shape.Kind == shape.Pointer && f.Shape.Elem.Type == evolvingType {
			d.fail(s.Type, at, "wire.Evolving marks a struct only as a blank field, `_ wire.Evolving`")
		}
		onWire := f.Exported || f.Embedded && f.Shape.Kind == shape.Struct
		elem := removedOf(f.Shape.Type)
		if n := len(out.Fields); n > 0 && out.Fields[n-1].Spec.Form == program.FormUnknown && (onWire || elem != nil) {
			d.fail(s.Type, path+"."+out.Fields[n-1].Name, "a wire.Unknown is the last field of its struct; %s comes behind it", f.Name)
			return
		}
		if elem != nil {
			d.removed(out, f, elem, tag, path)
			continue
		}
		if !onWire {
			if f.Embedded && f.Shape.Kind == shape.Pointer && f.Shape.Elem.Kind == shape.Struct {
				d.fail(f.Shape.Type, at, "an embedded pointer to an unexported struct cannot be set; tag it `wire:\"-\"`")
			}
			if !tag.Zero() {
				d.fail(f.Shape.Type, at, "a field that is not exported is not on the wire, so its tag means nothing")
			}
			if f.Shape.Type == unknownType {
				d.fail(f.Shape.Type, at, "a wire.Unknown that is not exported cannot be set")
			}
			hidden++
			continue
		}
		if f.Shape.Type == unknownType {
			d.unknown(out, f, tag, path)
			continue
		}
		fs := d.tagged(d.derive(f.Shape, at), f, tag, at)
		if fs == nil {
			return
		}
		out.Fields = append(out.Fields, program.Field{Name: f.Name, Was: tag.Was, Off: f.Offset, Spec: fs})
	}
	if hidden > 0 && hidden == len(s.Fields) {
		d.fail(s.Type, path, "no field is exported and there are no marshal methods")
	}
}

// tagged returns s as the options of a tag have it; nil if they cannot.
func (d *deriver) tagged(s *program.Spec, f *shape.Field, tag shape.Wire, at string) *program.Spec {
	out := s
	switch {
	case tag.Fixed:
		if out = recoded(s, fixed); out == nil {
			d.fail(f.Shape.Type, at, "the tag option fixed is for integers of 16 bits and more, and for slices, arrays, pointers and options of them")
		}
	case tag.Varint:
		if out = recoded(s, varint); out == nil {
			d.fail(f.Shape.Type, at, "the tag option varint is for integers of 8 bits, and for slices of int8, and arrays, pointers and options of both")
		}
	}
	return out
}

// recoded returns s with its integers as one returns them; nil if there are none.
func recoded(s *program.Spec, one func(*program.Spec) bool) *program.Spec {
	out := *s
	switch s.Form {
	case program.FormSlice, program.FormArray, program.FormPointer, program.FormOption:
		if out.Elem = recoded(s.Elem, one); out.Elem == nil {
			return nil
		}
		return &out
	}
	if !one(&out) {
		return nil
	}
	return &out
}

// fixed gives an integer its fixed width, little-endian. An int or a uint has 8 bytes
// on every platform.
func fixed(s *program.Spec) bool {
	if s.Form != program.FormVarint && s.Form != program.FormUvarint {
		return false
	}
	s.Form, s.Width = program.FormFixed, uint8(s.Size)
	if k := s.Type.Kind(); k == reflect.Int || k == reflect.Uint {
		s.Width = 8
	}
	return true
}

// varint makes an integer of 8 bits a varint.
func varint(s *program.Spec) bool {
	if s.Form != program.FormByte {
		return false
	}
	s.Form, s.Width = program.FormUvarint, 0
	if s.Signed {
		s.Form = program.FormVarint
	}
	return true
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
