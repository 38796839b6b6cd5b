// Package ways passes the parts of a struct to a [wire.BinaryWriter] in the ways that are
// commonly compared with hand-written code and with Hone's:
//
//   - [Reflection] asks package reflect about each value on each call;
//   - [Closures] composes a function for a type of those for its parts, over
//     unsafe pointers;
//   - [Program] compiles a type into a list of instructions, which a loop carries
//     out over unsafe pointers.
//
// They are contestants, kept as plain as the idea of each: a type that contains
// itself is refused by the latter two, and a map is walked by package reflect in
// all three. The order of calls is the order of the fields; of slices and maps the
// length comes first, of a pointer a bool that is true for a value.
package ways

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/hone-go/hone/wire"
)

// A Serializer passes the parts of a value to a writer.
type Serializer[T any] func(w wire.BinaryWriter, v *T) error

// A TypeError reports a type that cannot be serialized.
type TypeError struct {
	Type      reflect.Type
	Recursive bool // it contains itself
}

func (e *TypeError) Error() string {
	if e.Recursive {
		return fmt.Sprintf("%s contains itself", e.Type)
	}
	return fmt.Sprintf("values of the type %s cannot be serialized", e.Type)
}

// inside returns the types that enclose the parts of t, or an error if t is
// among those that enclose t.
func inside(t reflect.Type, enclosing []reflect.Type) ([]reflect.Type, error) {
	if slices.Contains(enclosing, t) {
		return nil, &TypeError{Type: t, Recursive: true}
	}
	return append(slices.Clip(enclosing), t), nil
}

// elements returns where the first element of the slice at p is, and their number. All slices
// have the same layout.
func elements(p unsafe.Pointer) (first unsafe.Pointer, n int) {
	s := *(*[]byte)(p)
	return unsafe.Pointer(unsafe.SliceData(s)), len(s)
}

// writeMap walks the map of type t at p, with a copy of each key and each
// element.
func writeMap(w wire.BinaryWriter, t reflect.Type, p unsafe.Pointer, key, element func(wire.BinaryWriter, unsafe.Pointer)) {
	m := reflect.NewAt(t, p).Elem()
	w.WriteUint(uint64(m.Len()))
	if m.Len() == 0 {
		return
	}
	k, e := reflect.New(t.Key()), reflect.New(t.Elem())
	for it := m.MapRange(); it.Next(); {
		k.Elem().SetIterKey(it)
		e.Elem().SetIterValue(it)
		key(w, k.UnsafePointer())
		element(w, e.UnsafePointer())
	}
}
