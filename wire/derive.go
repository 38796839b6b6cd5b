package wire

import (
	"fmt"
	"math"
	"reflect"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A deriver converts the shape of a Go type to a spec, which describes the encoding of the type and
// is compiled to a program.
type deriver struct {
	root          reflect.Type
	types         []spec.Case    // the types that interfaces may hold, by id; their specs are made on demand
	typ           []reflect.Type // the Go type of each element of types
	made          map[*shape.Shape]*spec.Spec
	keys          []specAt // keys of all maps
	removedFields []specAt
	err           *TypeError
}

// fail sets the error of the type, unless an earlier one is set.
func (d *deriver) fail(t reflect.Type, path, format string, args ...any) {
	if d.err == nil {
		d.err = &TypeError{Root: d.root, Path: path, Type: t, Reason: fmt.Sprintf(format, args...)}
	}
}

// derive returns the spec of s, which is at path below the root. The spec of a recursive type is
// returned while it is still being made.
func (d *deriver) derive(s *shape.Shape, path string) *spec.Spec {
	if made := d.made[s]; made != nil {
		return made
	}
	out := &spec.Spec{Type: s.Type, Size: s.Size}
	d.made[s] = out
	d.fill(out, s, path)
	return out
}

// fill sets the fields of target from s. It looks first for wire's own types (such as Raw), then
// for types of package mo and types with methods, and last at the kind.
func (d *deriver) fill(target *spec.Spec, s *shape.Shape, path string) {
	if uint64(s.Size) > math.MaxUint32 {
		d.fail(s.Type, path, "needs more than 4 GiB of memory")
		return
	}
	if d.fillSpecial(target, s, path) {
		return
	}
	if s.Kind != shape.Time && s.Kind != shape.Option {
		if d.variant(target, s, path) {
			return
		}
		if m := spec.MethodsOf(s.Type); m.Form != spec.FormNone {
			target.Form, target.Methods = m.Form, m
			return
		}
	}
	switch s.Kind {
	case shape.Bool:
		target.Form = spec.FormBool
	case shape.Int8, shape.Uint8:
		target.Form, target.Signed, target.Width = spec.FormByte, s.Kind == shape.Int8, 1
	case shape.Int16, shape.Int32, shape.Int64:
		target.Form, target.Signed = spec.FormVarint, true
	case shape.Uint16, shape.Uint32, shape.Uint64:
		target.Form = spec.FormUvarint
	case shape.Float32, shape.Float64:
		target.Form, target.Float, target.Width = spec.FormFloat, true, uint8(s.Size)
	case shape.Complex64, shape.Complex128:
		target.Form, target.Float, target.Width = spec.FormComplex, true, uint8(s.Size/2)
	case shape.String:
		target.Form = spec.FormText
	case shape.Bytes:
		target.Form = spec.FormBytes
		if spec.MethodsOf(s.Elem.Type).Form != spec.FormNone {
			target.Form, target.Elem = spec.FormSlice, d.derive(s.Elem, path+"[]")
		}
	case shape.Time:
		target.Form = spec.FormTime
	case shape.Slice:
		target.Form, target.Elem = spec.FormSlice, d.derive(s.Elem, path+"[]")
	case shape.Array:
		target.Form, target.Elem, target.Count = spec.FormArray, d.derive(s.Elem, path+"[]"), s.Len
	case shape.Pointer:
		target.Form, target.Elem = spec.FormPointer, d.derive(s.Elem, path)
	case shape.Option:
		target.Form, target.Elem, target.Value = spec.FormOption, d.derive(s.Elem, path), s.Value-s.Present
		if s.Present != 0 {
			d.fail(s.Type, path, "an option whose flag is not its first field")
		}
	case shape.Map:
		target.Form, target.Key, target.Elem = spec.FormMap, d.derive(s.Key, path+"[key]"), d.derive(s.Elem, path+"[]")
		d.keys = append(d.keys, specAt{target.Key, path + "[key]"})
	case shape.Struct:
		d.fillStruct(target, s, path)
	case shape.Interface:
		d.fillInterface(target, s, path)
	default:
		d.fail(s.Type, path, "a %v has no meaning outside this process%s", s.Kind, leaveOut(path))
	}
}

// fillStruct sets the fields of target from the exported fields of a struct, in the order of
// declaration.
func (d *deriver) fillStruct(target *spec.Spec, s *shape.Shape, path string) {
	target.Form = spec.FormStruct
	target.Evolving = isEvolving(s)
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
		if n := len(target.Fields); n > 0 && target.Fields[n-1].Spec.Form == spec.FormUnknown && (onWire || elem != nil) {
			d.fail(s.Type, path+"."+target.Fields[n-1].Name, "a wire.Unknown is the last field of its struct, but %s comes after it", f.Name)
			return
		}
		if elem != nil {
			d.removed(target, f, elem, tag, path)
			continue
		}
		if !onWire {
			if f.Embedded && f.Shape.Kind == shape.Pointer && f.Shape.Elem.Kind == shape.Struct {
				d.fail(f.Shape.Type, at, "an embedded pointer to an unexported struct cannot be set; tag it `wire:\"-\"`")
			}
			if !tag.Zero() {
				d.fail(f.Shape.Type, at, "a field that is not exported is not encoded, so it cannot have a tag")
			}
			if f.Shape.Type == unknownType {
				d.fail(f.Shape.Type, at, "a wire.Unknown that is not exported cannot be set")
			}
			hidden++
			continue
		}
		if f.Shape.Type == unknownType {
			d.unknown(target, f, tag, path)
			continue
		}
		fs := d.tagged(d.derive(f.Shape, at), f, tag, at)
		if fs == nil {
			return
		}
		target.Fields = append(target.Fields, spec.Field{Name: f.Name, Was: tag.Was, Off: f.Offset, Spec: fs})
	}
	if hidden > 0 && hidden == len(s.Fields) {
		d.fail(s.Type, path, "no field is exported, and the type has no marshal methods%s", leaveOut(path))
	}
}

// leaveOut returns the advice to leave a field out, for an error about the part at path. It returns
// "" for the root.
func leaveOut(path string) string {
	if path == "" {
		return ""
	}
	return "; the tag `wire:\"-\"` leaves the field out"
}

var errorType = reflect.TypeFor[error]()
