package layout

import (
	"math"
	"reflect"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/internal/spec"
)

// Fields collects the fields of a layout: see [New].
type Fields struct {
	typ    reflect.Type // the type of the prototype
	base   uintptr
	size   uintptr
	fields []spec.Field
	err    *wire.TypeError
}

// Field lays out *p, a field of the prototype, as t.
func Field[T any](l *Fields, p *T, t Type[T]) {
	typ, at := reflect.TypeFor[T](), address(p)
	off := at - l.base
	name := ""
	if off <= l.size {
		name = fieldAt(shape.Of(l.typ), off, typ)
	}
	switch {
	case !l.holds(at, typ.Size()) || typ.Size() > 0 && name == "" && typ != l.typ:
		l.fail(typ, name, "the pointer does not point into the prototype")
	case t.fault() != "":
		l.fail(typ, "."+name, "%s", t.fault())
	default:
		l.fields = append(l.fields, spec.Field{Name: name, Off: off, Spec: t.spec})
	}
}

// Property lays out a value that has no address in the prototype, through a getter and a setter.
// The setter of a decoder gets a value that nothing else refers to.
func Property[T, V any](l *Fields, prototype *T, get func(*T) V, set func(*T, V), t Type[V]) {
	typ, at := reflect.TypeFor[V](), address(prototype)
	switch {
	case get == nil || set == nil:
		l.fail(typ, "", "a property needs a getter and a setter")
	case !l.holds(at, reflect.TypeFor[T]().Size()):
		l.fail(reflect.TypeFor[T](), "", "the prototype of the property is not a part of the layout's")
	case t.fault() != "":
		l.fail(typ, "", "%s", t.fault())
	default:
		l.fields = append(l.fields, spec.Field{Name: "()", Off: at - l.base, Spec: program.PropertyOf(get, set, t.spec)})
	}
}

// Skip reserves n bytes for fields of a later version. An encoder writes zeros. A decoder skips
// the bytes, whatever their values are.
func (l *Fields) Skip(n int) {
	if n < 0 || n > math.MaxInt32 {
		l.fail(l.typ, "", "cannot skip %d bytes", n)
		return
	}
	l.fields = append(l.fields, spec.Field{Spec: &spec.Spec{Form: spec.FormSkip, Count: n, Type: l.typ}})
}
