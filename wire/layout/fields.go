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

// Fields collects the fields of a layout: see [New].
type Fields struct {
	typ    reflect.Type // the type of the prototype
	base   uintptr
	size   uintptr
	fields []spec.Field
	err    *wire.TypeError
}

// Field lays out *p, a field of the prototype, as t. A field, or a part of it, can be laid out once
// only: a decoder would overwrite the first value with the second.
func Field[T any](l *Fields, p *T, t Type[T]) {
	typ, at := reflect.TypeFor[T](), address(p)
	off := at - l.base
	name := ""
	if off <= l.size {
		name = fieldAt(shape.Of(l.typ), off, typ)
	}
	switch {
	case !l.holds(at, typ.Size()) || typ.Size() > 0 && name == "" && typ != l.typ:
		l.fail(typ, name, "the address is not one of the prototype's fields, such as &u.Name; elements and targets of pointers are parts of the type of a field (Slice, Map, Optional)")
	case t.fault() != "":
		l.fail(typ, dotted(name), "%s", t.fault())
	default:
		if other, overlaps := l.overlap(off, typ.Size()); overlaps {
			reason := "is laid out twice"
			if other != name {
				reason = fmt.Sprintf("shares memory with .%s, which is laid out already", other)
			}
			l.fail(typ, dotted(name), "%s; use a Property to write a value a second time", reason)
			return
		}
		l.fields = append(l.fields, spec.Field{Name: name, Off: off, Spec: t.spec})
	}
}

// dotted returns the path of a field. The name is empty for the prototype itself.
func dotted(name string) string {
	if name == "" {
		return ""
	}
	return "." + name
}

// overlap returns the name of a field that shares memory with the size bytes at the offset off.
func (l *Fields) overlap(off, size uintptr) (name string, overlaps bool) {
	for i := range l.fields {
		f := &l.fields[i]
		isField := f.Spec.Form != spec.FormSkip && f.Name != "()" // a property may use any part of the prototype
		if isField && off < f.Off+f.Spec.Size && f.Off < off+size {
			return f.Name, true
		}
	}
	return "", false
}

// Property lays out a value that has no address in the prototype, through a getter and a setter. A
// decoder calls set with a newly allocated value, so set may keep it.
func Property[T, V any](l *Fields, prototype *T, get func(*T) V, set func(*T, V), t Type[V]) {
	typ, at := reflect.TypeFor[V](), address(prototype)
	switch {
	case get == nil || set == nil:
		l.fail(typ, "", "a property needs a getter and a setter, and one of them is nil")
	case !l.holds(at, reflect.TypeFor[T]().Size()):
		l.fail(reflect.TypeFor[T](), "", "the prototype of the property is neither the prototype of the layout nor a part of it")
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
		l.fail(l.typ, "", "Skip takes 0 to %d bytes, not %d", math.MaxInt32, n)
		return
	}
	l.fields = append(l.fields, spec.Field{Spec: &spec.Spec{Form: spec.FormSkip, Count: n, Type: l.typ}})
}
