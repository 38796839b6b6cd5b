// Package layout declares binary forms byte for byte, for formats that somebody
// else has defined or that must not change when a struct does. Its bytes are those
// of Parco.
//
//	var user = wire.Must(layout.New(func(l *layout.Fields, u *User) {
//		layout.Varchar(l, &u.Name)
//		layout.Uint8(l, &u.Age)
//		layout.Slice(l, &u.Tags, layout.LenU8, layout.SmallVarcharType)
//	}))
//
//	buf, err = user.Append(buf[:0], &u)
//	err = user.Unmarshal(buf, &u)
//
// [New] makes a [wire.Codec], with its guarantees, errors and limits. A function
// such as [Varchar] lays out a field of the prototype; the variable or function
// with Type behind its name, such as [VarcharType], is the same for an element, a
// key or an optional value. [StructType] makes one of any codec.
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

// Fields is what a layout is declared on: see [New].
type Fields struct {
	typ    reflect.Type // of the prototype
	base   uintptr
	size   uintptr
	fields []program.Field
	err    *wire.TypeError
}

// New makes the codec that declare describes: the fields of a T in the order
// in which they are written, each with how.
//
//	var user = wire.Must(layout.New(func(l *layout.Fields, u *User) {
//		layout.Varchar(l, &u.Name)
//		layout.Uint8(l, &u.Age)
//		layout.Slice(l, &u.Tags, layout.LenU8, layout.SmallVarcharType)
//		layout.Optional(l, &u.Email, layout.VarcharType)
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

// Skip leaves n bytes free for what a later version may put there. They are
// written as zeros, and passed over whatever they are.
func (l *Fields) Skip(n int) {
	if n < 0 || n > math.MaxInt32 {
		l.fail(l.typ, "", "cannot skip %d bytes", n)
		return
	}
	l.fields = append(l.fields, program.Field{Spec: &program.Spec{Form: program.FormSkip, Count: n, Type: l.typ}})
}

func (l *Fields) add(t reflect.Type, p uintptr, s *program.Spec, err string) {
	off := p - l.base
	name := ""
	if off <= l.size {
		name = fieldAt(shape.Of(l.typ), off, t)
	}
	switch {
	case p < l.base || off > l.size || t.Size() > l.size-off || t.Size() > 0 && name == "" && t != l.typ:
		l.fail(t, name, "the address is not one of the prototype's")
	case err != "":
		l.fail(t, "."+name, "%s", err)
	case s == nil:
		l.fail(t, "."+name, "the zero Type lays out nothing")
	default:
		l.fields = append(l.fields, program.Field{Name: name, Off: off, Spec: s})
	}
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
			if f.Offset == off && sameArray(f.Shape.Type, t) {
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

// sameArray reports whether a is t, or an array of the same elements.
func sameArray(a, t reflect.Type) bool {
	return a == t || t.Kind() == reflect.Array && a.Kind() == reflect.Array && a.Len() == t.Len() && a.Elem() == t.Elem()
}
