package testkit

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Dump returns the fields of v, and of everything that v points to, as text. Two values that were
// built by the same steps have the same text. Functions, and pointers whose type is the parameter
// shared, are written as addresses. Fields with one of the names in skip are omitted.
func Dump(v any, shared reflect.Type, skip ...string) string {
	d := dumper{shared: shared, skip: skip, seen: map[uintptr]int{}}
	d.value(reflect.ValueOf(v))
	return d.b.String()
}

type dumper struct {
	b      strings.Builder
	shared reflect.Type
	skip   []string
	seen   map[uintptr]int // the numbers of pointers and maps, in the order of the walk
}

func (d *dumper) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		d.b.WriteString("nil")
	case reflect.Pointer:
		if v.IsNil() || v.Type().Elem() == d.shared {
			fmt.Fprintf(&d.b, "%#x", v.Pointer())
			return
		}
		n, met := d.seen[v.Pointer()]
		if !met {
			n = len(d.seen)
			d.seen[v.Pointer()] = n
		}
		fmt.Fprintf(&d.b, "*%d", n)
		if !met {
			d.value(v.Elem())
		}
	case reflect.Interface:
		if v.IsNil() {
			d.b.WriteString("nil")
			return
		}
		d.b.WriteString(v.Elem().Type().String())
		d.value(v.Elem())
	case reflect.Struct:
		d.b.WriteByte('{')
		for i := range v.NumField() {
			if slices.Contains(d.skip, v.Type().Field(i).Name) {
				continue
			}
			d.b.WriteString(v.Type().Field(i).Name + ":")
			d.value(v.Field(i))
			d.b.WriteByte(' ')
		}
		d.b.WriteByte('}')
	case reflect.Slice, reflect.Array:
		d.b.WriteByte('[')
		for i := range v.Len() {
			d.value(v.Index(i))
			d.b.WriteByte(' ')
		}
		d.b.WriteByte(']')
	case reflect.Map:
		fmt.Fprintf(&d.b, "%d entries", v.Len())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		fmt.Fprintf(&d.b, "%#x", v.Pointer())
	default:
		fmt.Fprintf(&d.b, "%v", v)
	}
}
