// Package ways has three serializers that pass the parts of a struct to a [wire.BinaryWriter]. Such
// serializers are commonly compared with hand-written code:
//
//   - [Reflection] calls package reflect for each value on each call.
//   - [Closures] composes a function for a type from the functions for its parts. The functions read
//     the value through unsafe pointers.
//   - [Program] compiles a type to a list of instructions, which a loop runs on unsafe pointers.
//
// They are contestants, and no more than an illustration of each technique. Closures and Program
// refuse a type that contains itself. All three walk maps with package reflect. The parts are written
// in the order of the fields. The length of a slice or map precedes its elements. A bool precedes the
// element of a pointer, and is false if the pointer is nil.
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

// inside returns enclosing with t appended: the types that enclose the parts of t. It returns an
// error if enclosing contains t, because t is then recursive.
func inside(t reflect.Type, enclosing []reflect.Type) ([]reflect.Type, error) {
	if slices.Contains(enclosing, t) {
		return nil, &TypeError{Type: t, Recursive: true}
	}
	return append(slices.Clip(enclosing), t), nil
}

// elements returns a pointer to the first element of the slice at p, and the number of elements. The
// type of the elements does not matter, because all slices have the same layout.
func elements(p unsafe.Pointer) (first unsafe.Pointer, n int) {
	s := *(*[]byte)(p)
	return unsafe.Pointer(unsafe.SliceData(s)), len(s)
}

// writeMap iterates over the map of type t at p. It passes a copy of each key to key, and a copy of each
// element to element.
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
