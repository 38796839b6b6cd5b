// Package layout declares encodings byte for byte, for formats of other programs and for formats
// that must not change when a struct does. Its bytes are the same as Parco's.
//
//	var user = wire.Must(layout.New(func(l *layout.Fields, u *User) {
//		layout.Field(l, &u.Name, layout.Varchar)
//		layout.Field(l, &u.Age, layout.Uint8)
//		layout.Field(l, &u.Tags, layout.Slice(layout.LenU8, layout.SmallVarchar))
//	}))
//
//	buf, err = user.Append(buf[:0], &u)
//	err = user.Unmarshal(buf, &u)
//
// [New] makes a [wire.Codec], with its guarantees, errors and limits. [Field] lays out a field of
// the prototype as a [Type]: a simple one such as [Varchar], or one with elements such as [Slice].
// [Struct] turns any codec into a Type.
//
// [Models] writes an id before each value, so that a reader can select the type.
//
// docs/wire-layouts.md specifies the bytes, and docs/migrating/parco.md has the steps from Parco.
package layout

import (
	"fmt"
	"math"
	"reflect"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/internal/spec"
)

// New makes the codec that declare describes: the fields of a T in the order in which they are
// written, each with its [Type].
//
//	var user = wire.Must(layout.New(func(l *layout.Fields, u *User) {
//		layout.Field(l, &u.Name, layout.Varchar)
//		layout.Field(l, &u.Age, layout.Uint8)
//		layout.Field(l, &u.Tags, layout.Slice(layout.LenU8, layout.SmallVarchar))
//		layout.Field(l, &u.Email, layout.Optional(layout.Varchar))
//		l.Skip(10)
//	}))
//
// The function declare is called once, with a prototype. New converts the addresses of fields to
// offsets, so the fields must be parts of the prototype itself. A value without an address in the
// prototype needs a getter and a setter: see [Property]. Neither reflection nor declare is used
// after that.
//
// The error is a [*TypeError] that names the field. The bytes are the same as Parco's: see
// docs/wire-layouts.md.
func New[T any](declare func(l *Fields, prototype *T)) (codec *wire.Codec[T], err error) {
	if declare == nil {
		t := reflect.TypeFor[T]()
		return nil, &wire.TypeError{Root: t, Type: t, Reason: "the declaration is nil; pass a function that lays out the fields"}
	}
	prototype := new(T)
	t := reflect.TypeFor[T]()
	l := &Fields{typ: t, base: address(prototype), size: t.Size()}
	defer func() {
		if r := recover(); r != nil {
			codec, err = nil, &wire.TypeError{Root: t, Type: t, Reason: fmt.Sprint("the declaration panics: ", r)}
		}
	}()
	if uint64(l.size) > math.MaxUint32 {
		l.fail(t, "", "needs more than 4 GiB of memory")
	} else {
		declare(l, prototype)
	}
	if l.err != nil {
		return nil, l.err
	}
	s := &spec.Spec{Form: spec.FormStruct, Type: t, Size: l.size, Fields: l.fields}
	return (*wire.Codec[T])(program.CodecOf[T](program.Runner{Program: program.Compile(s, program.Mode{})})), nil
}

func address[T any](p *T) uintptr { return reflect.ValueOf(p).Pointer() }

// fail sets the error of the layout, unless an earlier one is set.
func (l *Fields) fail(t reflect.Type, path, format string, args ...any) {
	if l.err == nil {
		l.err = &wire.TypeError{Root: l.typ, Path: path, Type: t, Reason: fmt.Sprintf(format, args...)}
	}
}

// holds reports whether size bytes at p lie in the prototype.
func (l *Fields) holds(p, size uintptr) bool {
	off := p - l.base
	return p >= l.base && off <= l.size && size <= l.size-off
}

// fieldAt returns the path of the field or element of type t at the offset off in s, or "" if there
// is none.
func fieldAt(s *shape.Shape, off uintptr, t reflect.Type) string {
	switch s.Kind {
	case shape.Struct:
		for i := range s.Fields {
			f := &s.Fields[i]
			if off < f.Offset || off-f.Offset >= max(f.Shape.Size, 1) {
				continue
			}
			if f.Offset == off && f.Shape.Type == t {
				return f.Name
			}
			if rest := fieldAt(f.Shape, off-f.Offset, t); rest != "" {
				if rest[0] == '[' {
					return f.Name + rest
				}
				return f.Name + "." + rest
			}
		}
	case shape.Array:
		size := s.Elem.Size
		if size == 0 || off/size >= uintptr(s.Len) {
			return ""
		}
		at := program.Index("", int(off/size))
		if off%size == 0 && s.Elem.Type == t {
			return at
		}
		if rest := fieldAt(s.Elem, off%size, t); rest != "" {
			return at + "." + rest
		}
	}
	return ""
}
