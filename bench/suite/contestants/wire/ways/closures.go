package ways

import (
	"reflect"
	"unsafe"

	"github.com/hone-go/hone/wire"
)

// A closure writes the value that p points to.
type closure func(w wire.BinaryWriter, p unsafe.Pointer)

// Closures returns a serializer that is composed once, or a [*TypeError].
func Closures[T any]() (Serializer[T], error) {
	c, err := compose(reflect.TypeFor[T](), nil)
	if err != nil {
		return nil, err
	}
	return func(w wire.BinaryWriter, v *T) error {
		c(w, unsafe.Pointer(v))
		return nil
	}, nil
}

// leaves are the closures of kinds without parts.
var leaves = map[reflect.Kind]closure{
	reflect.Bool:    func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteBool(*(*bool)(p)) },
	reflect.Int8:    func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteInt8(*(*int8)(p)) },
	reflect.Uint8:   func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteUint8(*(*uint8)(p)) },
	reflect.Int:     func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteInt(int64(*(*int)(p))) },
	reflect.Int16:   func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteInt(int64(*(*int16)(p))) },
	reflect.Int32:   func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteInt(int64(*(*int32)(p))) },
	reflect.Int64:   func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteInt(*(*int64)(p)) },
	reflect.Uint:    func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteUint(uint64(*(*uint)(p))) },
	reflect.Uint16:  func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteUint(uint64(*(*uint16)(p))) },
	reflect.Uint32:  func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteUint(uint64(*(*uint32)(p))) },
	reflect.Uint64:  func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteUint(*(*uint64)(p)) },
	reflect.Float32: func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteFloat32(*(*float32)(p)) },
	reflect.Float64: func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteFloat64(*(*float64)(p)) },
	reflect.String:  func(w wire.BinaryWriter, p unsafe.Pointer) { w.WriteString(*(*string)(p)) },
}

func compose(t reflect.Type, enclosing []reflect.Type) (closure, error) {
	if leaf := leaves[t.Kind()]; leaf != nil {
		return leaf, nil
	}
	enclosing, err := inside(t, enclosing)
	if err != nil {
		return nil, err
	}
	if t.Kind() == reflect.Struct {
		return composeStruct(t, enclosing)
	}
	switch t.Kind() {
	case reflect.Array, reflect.Slice, reflect.Pointer, reflect.Map:
	default:
		return nil, &TypeError{Type: t}
	}
	element, err := compose(t.Elem(), enclosing)
	if err != nil {
		return nil, err
	}
	size := t.Elem().Size()
	switch t.Kind() {
	case reflect.Array:
		n := t.Len()
		return func(w wire.BinaryWriter, p unsafe.Pointer) {
			for i := range n {
				element(w, unsafe.Add(p, uintptr(i)*size))
			}
		}, nil
	case reflect.Slice:
		return func(w wire.BinaryWriter, p unsafe.Pointer) {
			first, n := elements(p)
			w.WriteUint(uint64(n))
			for i := range n {
				element(w, unsafe.Add(first, uintptr(i)*size))
			}
		}, nil
	case reflect.Pointer:
		return func(w wire.BinaryWriter, p unsafe.Pointer) {
			to := *(*unsafe.Pointer)(p)
			w.WriteBool(to != nil)
			if to != nil {
				element(w, to)
			}
		}, nil
	}
	key, err := compose(t.Key(), enclosing)
	if err != nil {
		return nil, err
	}
	return func(w wire.BinaryWriter, p unsafe.Pointer) { writeMap(w, t, p, key, element) }, nil
}

func composeStruct(t reflect.Type, enclosing []reflect.Type) (closure, error) {
	type part struct {
		offset uintptr
		write  closure
	}
	parts := make([]part, t.NumField())
	for i := range parts {
		f := t.Field(i)
		c, err := compose(f.Type, enclosing)
		if err != nil {
			return nil, err
		}
		parts[i] = part{f.Offset, c}
	}
	return func(w wire.BinaryWriter, p unsafe.Pointer) {
		for i := range parts {
			parts[i].write(w, unsafe.Add(p, parts[i].offset))
		}
	}, nil
}
