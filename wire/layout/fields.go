package layout

import (
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

// Field lays out *p, which lies in the prototype, as t.
func Field[T any](l *Fields, p *T, t Type[T]) {
	typ, at := reflect.TypeFor[T](), address(p)
	off := at - l.base
	name := ""
	if off <= l.size {
		name = fieldAt(shape.Of(l.typ), off, typ)
	}
	switch {
	case !l.holds(at, typ.Size()) || typ.Size() > 0 && name == "" && typ != l.typ:
		l.fail(typ, name, "the address is not one of the prototype's")
	case t.fault() != "":
		l.fail(typ, "."+name, "%s", t.fault())
	default:
		l.fields = append(l.fields, program.Field{Name: name, Off: off, Spec: t.spec})
	}
}

// Property lays out what has no address in the prototype, by a getter and a
// setter. Decoding hands the setter a value that is its own.
func Property[T, V any](l *Fields, prototype *T, get func(*T) V, set func(*T, V), t Type[V]) {
	typ, at := reflect.TypeFor[V](), address(prototype)
	switch {
	case get == nil || set == nil:
		l.fail(typ, "", "a property needs a getter and a setter")
	case !l.holds(at, reflect.TypeFor[T]().Size()):
		l.fail(reflect.TypeFor[T](), "", "the property is not one of the prototype's")
	case t.fault() != "":
		l.fail(typ, "", "%s", t.fault())
	default:
		l.fields = append(l.fields, program.Field{Name: "()", Off: at - l.base, Spec: program.PropertyOf(get, set, t.spec)})
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
