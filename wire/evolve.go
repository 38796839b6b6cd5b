package wire

import (
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
// zero, one that knows fewer skips what it does not know, or keeps it in an [Unknown].
//
// A field that is no longer used stays as a [Removed]. One that is renamed has its old
// name in its tag, `wire:",was=Port"`, perhaps several of them, for schemas; the bytes
// have no names. An integer that is a varint may get more bits: int16, int32, int64 and
// int are written alike, and so are their unsigned counterparts. One of 8 bits is
// a varint if its tag says so from the start, `wire:",varint"`. A reader with fewer bits
// than the writer fails with [ErrOverflow] where a number does not fit.
type Evolving struct{}

// Unknown, as the last field of an [Evolving] struct, keeps what a newer version has
// added to the struct, and is written back behind the fields that this one knows:
//
//	type Job struct {
//		_    wire.Evolving
//		Name string
//		wire.Unknown
//	}
//
// So a program of an older version passes everything on, byte for byte. An Unknown is
// decoded as a copy, or with [Options.AliasInput] as a part of the input, and counts
// in [Limits]. It is nil if nothing was added. A canonical codec has all fields of a
// struct or fails, so it refuses an Unknown that is not empty. What [MakeSerializer]
// returns leaves it out.
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
// A Removed takes no memory. What older versions have written in its place is skipped:
// it takes none either, and no methods are called. The zero value of a T is written
// there, so that older versions read that; in canonical form nothing else is read. T is
// the type that the field had, and the tag has the options that it had; was is its name,
// for schemas. The zero value must take 1 to 4,096 bytes.
type Removed[T any] struct{}

// Raw is the encoding of a T that is not decoded yet, behind its length. What an encoder
// writes comes from [Raw.Encode], or is bytes that were encoded before:
//
//	type Message struct {
//		Topic string
//		Body  wire.Raw[Order]
//	}
//	message.Body = order // a []byte from Marshal or a codec's Append
//	err := message.Body.Decode(&order)
//
// A decoder copies the bytes, or with [Options.AliasInput] has them as a part of the
// input. It does not look into them, in any mode: Decode says whether they are a T, within
// limits that go by their own length. So does a codec, whose Unmarshal takes a Raw as it is.
//
// One that is empty holds nothing, unless a T takes no bytes. A []byte has the same form on
// the wire, and tells a schema less.
type Raw[T any] []byte

// Encode sets r to the encoding of *v, in a slice of its own. On error r stays as it is.
// The errors are those of [Append].
func (r *Raw[T]) Encode(v *T) error {
	data, err := Marshal(v)
	if err == nil {
		*r = data
	}
	return err
}

// Decode decodes r into *v, as [Unmarshal] does.
func (r Raw[T]) Decode(v *T) error { return Unmarshal(r, v) }

// A wrapper is what Raw and Removed have in common: the type that they stand for. Self
// is the type itself; what embeds it has its methods, but is another.
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

// wrapped returns what t, which is of kind k, wraps; nil if it is no wrapper.
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

// fillSpecial fills in a Raw, and refuses what stands where it means nothing.
func (d *deriver) fillSpecial(out *program.Spec, s *shape.Shape, path string) bool {
	if elem := rawOf(s.Type); elem != nil {
		out.Form, out.Elem = program.FormRaw, d.derive(shape.Of(elem), path+".Raw")
		return true
	}
	switch {
	case s.Type == unknownType:
		d.fail(s.Type, path, "a wire.Unknown is a field of an evolving struct")
	case removedOf(s.Type) != nil:
		d.fail(s.Type, path, "a wire.Removed is a blank field of a struct")
	default:
		return false
	}
	return true
}

// removed adds the place of a field that was removed.
func (d *deriver) removed(out *program.Spec, f *shape.Field, elem reflect.Type, tag shape.Wire, path string) {
	name := f.Name
	if n := len(tag.Was); n > 0 {
		name = tag.Was[n-1]
	}
	at := path + "." + name
	if f.Name != "_" {
		d.fail(f.Shape.Type, at, "a wire.Removed is a blank field, `_ wire.Removed[%v]`", elem)
		return
	}
	was := d.tagged(d.derive(shape.Of(elem), at), f, tag, at)
	if was == nil {
		return
	}
	spec := &program.Spec{Form: program.FormRemoved, Type: f.Shape.Type, Elem: was}
	d.gone = append(d.gone, key{spec, at})
	out.Fields = append(out.Fields, program.Field{Name: name, Was: tag.Was, Off: f.Offset, Spec: spec})
}

// fillRemoved sets what is written in the place of fields that were removed, when the
// specs of their types are complete.
func (d *deriver) fillRemoved() {
	for _, gone := range d.gone {
		zero, err := program.ZeroOf(gone.spec.Elem)
		if err != nil {
			d.fail(gone.spec.Elem.Type, gone.path, "cannot be removed: %v", err)
		}
		gone.spec.Zero = zero
	}
}

// unknown adds the field that keeps the rest of an evolving struct.
func (d *deriver) unknown(out *program.Spec, f *shape.Field, tag shape.Wire, path string) {
	switch {
	case !out.Evolving:
		d.fail(f.Shape.Type, path+"."+f.Name, "a wire.Unknown is a field of an evolving struct")
	case !tag.Zero():
		d.fail(f.Shape.Type, path+"."+f.Name, "the tag of a wire.Unknown means nothing")
	}
	spec := &program.Spec{Form: program.FormUnknown, Type: f.Shape.Type, Size: f.Shape.Size}
	out.Fields = append(out.Fields, program.Field{Name: f.Name, Off: f.Offset, Spec: spec})
}
