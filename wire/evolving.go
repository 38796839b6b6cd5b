package wire

import (
	"reflect"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/spec"
)

// Evolving marks a struct whose definition may grow. As a blank field,
//
//	type Config struct {
//		_    wire.Evolving
//		Name string
//		Port uint16 // since version 2
//	}
//
// it makes the struct carry its length in bytes, so that fields may be added at its end. If the
// reader knows more fields than were written, it sets the other fields to zero. If it knows fewer,
// it skips the unknown fields, or keeps them in an [Unknown].
//
// A field that is no longer used stays as a [Removed]. The tag of a renamed field lists its old
// names, `wire:",was=Port"`. Only schemas use them: the bytes contain no names. An integer that is
// a varint may get more bits: int16, int32, int64 and int have the same encoding, and so do their
// unsigned counterparts. An 8-bit integer is a varint only if its tag has had the option varint
// from the first version on, `wire:",varint"`. A reader with fewer bits than the writer fails with
// [ErrOverflow] if a number does not fit.
type Evolving struct{}

// Unknown, as the last field of an [Evolving] struct, keeps the fields that a newer version has
// added, and is written back after the fields that this version knows:
//
//	type Job struct {
//		_    wire.Evolving
//		Name string
//		wire.Unknown
//	}
//
// A program of an older version can therefore decode and encode a value without losing the
// fields of a newer one. An Unknown is decoded as a copy, or with [Options.AliasInput] as a
// part of the input, and counts in [Limits]. It is nil if nothing was added. A canonical codec
// must know all fields of a struct, so it refuses an Unknown that is not empty.
// [MakeSerializer] leaves it out.
type Unknown []byte

// Removed, as a blank field, keeps the place of a field that a struct no longer has:
//
//	type Config struct {
//		_    wire.Evolving
//		Name string
//		_    wire.Removed[uint16] `wire:",was=Port"`
//		Tags []string
//	}
//
// T is the type of the removed field. The tag has the same options as the tag of that field. The
// additional option "was" gives the name of the field for schemas. A Removed uses no memory in the
// struct. A decoder skips the value of the field that an older version has written; it allocates
// nothing for the value and calls no methods. An encoder writes the zero value of T, which older
// versions read. A canonical decoder accepts only the zero value. The encoding of the zero value must
// have 1 to 4,096 bytes.
type Removed[T any] struct{}

// A wrapper is a Raw or a Removed: a type that represents another type. self returns the
// wrapper's own type. A struct that embeds a wrapper inherits its methods, so self differs from
// the type of the struct.
type wrapper interface {
	wraps() (self, elem reflect.Type)
}

func (Raw[T]) wraps() (self, elem reflect.Type) {
	return reflect.TypeFor[Raw[T]](), reflect.TypeFor[T]()
}

func (Removed[T]) wraps() (self, elem reflect.Type) {
	return reflect.TypeFor[Removed[T]](), reflect.TypeFor[T]()
}

var (
	evolvingType = reflect.TypeFor[Evolving]()
	unknownType  = reflect.TypeFor[Unknown]()
	wrapperType  = reflect.TypeFor[wrapper]()
)

// wrapped returns the type that t represents, or nil if t is not a wrapper. k is the kind of t.
func wrapped(t reflect.Type, k reflect.Kind) reflect.Type {
	if t.Kind() != k || !t.Implements(wrapperType) {
		return nil
	}
	self, elem := reflect.Zero(t).Interface().(wrapper).wraps()
	if self != t {
		return nil
	}
	return elem
}

func rawOf(t reflect.Type) reflect.Type     { return wrapped(t, reflect.Slice) }
func removedOf(t reflect.Type) reflect.Type { return wrapped(t, reflect.Struct) }

func isEvolving(s *shape.Shape) bool {
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Name == "_" && f.Shape.Type == evolvingType {
			if tag, _ := f.Wire(); !tag.Skip {
				return true
			}
		}
	}
	return false
}

// fillSpecial sets the fields of target for a Raw, and refuses an Unknown or a Removed outside a
// struct. It reports whether s is one of these types.
func (d *deriver) fillSpecial(target *spec.Spec, s *shape.Shape, path string) bool {
	if elem := rawOf(s.Type); elem != nil {
		target.Form, target.Elem = spec.FormRaw, d.derive(shape.Of(elem), path+".Raw")
		return true
	}
	switch {
	case s.Type == unknownType:
		d.fail(s.Type, path, "a wire.Unknown must be a field of an evolving struct")
	case removedOf(s.Type) != nil:
		d.fail(s.Type, path, "a wire.Removed must be a blank field of a struct")
	default:
		return false
	}
	return true
}

// removed adds a removed field to the fields of target.
func (d *deriver) removed(target *spec.Spec, f *shape.Field, elem reflect.Type, tag shape.Wire, path string) {
	name := f.Name
	if n := len(tag.Was); n > 0 {
		name = tag.Was[n-1]
	}
	at := path + "." + name
	if f.Name != "_" {
		d.fail(f.Shape.Type, at, "a wire.Removed must be a blank field, `_ wire.Removed[%v]`", elem)
		return
	}
	was := d.tagged(d.derive(shape.Of(elem), at), f, tag, at)
	if was == nil {
		return
	}
	field := &spec.Spec{Form: spec.FormRemoved, Type: f.Shape.Type, Elem: was}
	d.removedFields = append(d.removedFields, specAt{field, at})
	target.Fields = append(target.Fields, spec.Field{Name: name, Was: tag.Was, Off: f.Offset, Spec: field})
}

// fillRemoved sets the zero values of removed fields, after the specs of their types are
// complete.
func (d *deriver) fillRemoved() {
	for _, k := range d.removedFields {
		zero, err := spec.ZeroOf(k.spec.Elem)
		if err != nil {
			d.fail(k.spec.Elem.Type, k.path, "cannot be removed: %v", err)
		}
		k.spec.Zero = zero
	}
}

// unknown adds the field that keeps the unknown fields of an evolving struct.
func (d *deriver) unknown(out *spec.Spec, f *shape.Field, tag shape.Wire, path string) {
	switch {
	case !out.Evolving:
		d.fail(f.Shape.Type, path+"."+f.Name, "a wire.Unknown must be a field of an evolving struct")
	case !tag.Zero():
		d.fail(f.Shape.Type, path+"."+f.Name, "a wire.Unknown cannot have a tag")
	}
	field := &spec.Spec{Form: spec.FormUnknown, Type: f.Shape.Type, Size: f.Shape.Size}
	out.Fields = append(out.Fields, spec.Field{Name: f.Name, Off: f.Offset, Spec: field})
}
