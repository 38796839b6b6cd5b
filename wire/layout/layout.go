// Package layout declares binary forms byte for byte, for formats that somebody
// else has defined or that must not change when a struct does. Its bytes are those
// of Parco.
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
// [New] makes a [wire.Codec], with its guarantees, errors and limits. [Field] lays
// out a field of the prototype by a [Type]: one such as [Varchar], or one that is
// made of others, such as [Slice]. [Struct] makes one of any codec.
//
// [Models] are types that are told apart by an id in front of each value.
//
// docs/wire-layouts.md has the bytes, docs/migrating/parco.md the way from Parco.
package layout

import (
	"fmt"
	"math"
	"reflect"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/internal/program"
)

// New makes the codec that declare describes: the fields of a T in the order
// in which they are written, each with how.
//
//	var user = wire.Must(layout.New(func(l *layout.Fields, u *User) {
//		layout.Field(l, &u.Name, layout.Varchar)
//		layout.Field(l, &u.Age, layout.Uint8)
//		layout.Field(l, &u.Tags, layout.Slice(layout.LenU8, layout.SmallVarchar))
//		layout.Field(l, &u.Email, layout.Optional(layout.Varchar))
//		l.Skip(10)
//	}))
//
// Declare is called once, with a prototype. The addresses that it names are
// taken as offsets, so they must lie in the prototype itself; what has no
// address there has a getter and a setter: see [Property]. Neither reflection
// nor declare is used after that.
//
// The error is a [*TypeError] that names the field. The bytes are those of
// Parco: see docs/wire-layouts.md.
func New[T any](declare func(l *Fields, prototype *T)) (codec *wire.Codec[T], err error) {
	prototype := new(T)
	t := reflect.TypeFor[T]()
	l := &Fields{typ: t, base: address(prototype), size: t.Size()}
	defer func() {
		if r := recover(); r != nil {
			codec, err = nil, &wire.TypeError{Root: t, Type: t, Reason: fmt.Sprint("the declaration panics: ", r)}
		}
	}()
	if uint64(l.size) > math.MaxUint32 {
		l.fail(t, "", "takes more than 4 GiB of memory")
	} else {
		declare(l, prototype)
	}
	if l.err != nil {
		return nil, l.err
	}
	s := &program.Spec{Form: program.FormStruct, Type: t, Size: l.size, Fields: l.fields}
	return (*wire.Codec[T])(program.CodecOf[T](program.Runner{Program: program.Compile(s, program.Mode{})})), nil
}

func address[T any](p *T) uintptr { return reflect.ValueOf(p).Pointer() }

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

// fieldAt returns the path of the field of type t at off in an s.
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
