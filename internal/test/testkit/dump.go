package testkit

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Dump returns the fields of v, and of all that it points to, as text. Two values that were
// built by the same steps have the same text. A pointer to a type that is shared is written as
// its address, and so is a function. Fields of the skipped names are left out.
func Dump(v any, shared reflect.Type, skip ...string) string {
	d := dumper{shared: shared, skip: skip, seen: map[uintptr]int{}}
	d.value(reflect.ValueOf(v))
	return d.b.String()
}

type dumper struct {
	b      strings.Builder
	shared reflect.Type
	skip   []string
	seen   map[uintptr]int // the numbers of pointers and maps that were met
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
