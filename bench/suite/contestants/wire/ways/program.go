package ways

import (
	"reflect"
	"unsafe"

	"github.com/hone-go/hone/wire"
)

// A program is the instructions for a type. The program of a struct includes the instructions of its
// inner structs.
type program []instruction

// An instruction writes one value. The operation is the kind of the value.
type instruction struct {
	op      reflect.Kind
	offset  uintptr // the offset of the value from the base pointer
	count   int     // the number of elements of an array
	size    uintptr // the size of an element of an array or a slice
	element program // the program for an element of an array, a slice, a pointer or a map
	key     program
	typ     reflect.Type // the type of a map
}

// Program returns a serializer that is compiled once, or a [*TypeError].
func Program[T any]() (Serializer[T], error) {
	prog, err := compile(nil, reflect.TypeFor[T](), 0, nil)
	if err != nil {
		return nil, err
	}
	return func(w wire.BinaryWriter, v *T) error {
		prog.run(w, unsafe.Pointer(v))
		return nil
	}, nil
}

// compile appends the instructions for a value of type t at an offset.
func compile(prog program, t reflect.Type, offset uintptr, enclosing []reflect.Type) (program, error) {
	in := instruction{op: t.Kind(), offset: offset}
	if leaves[t.Kind()] != nil {
		return append(prog, in), nil
	}
	enclosing, err := inside(t, enclosing)
	if err != nil {
		return nil, err
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if prog, err = compile(prog, f.Type, offset+f.Offset, enclosing); err != nil {
				return nil, err
			}
		}
		return prog, nil
	case reflect.Array:
		in.count, in.size = t.Len(), t.Elem().Size()
	case reflect.Slice:
		in.size = t.Elem().Size()
	case reflect.Map:
		in.typ = t
		if in.key, err = compile(nil, t.Key(), 0, enclosing); err != nil {
			return nil, err
		}
	case reflect.Pointer:
	default:
		return nil, &TypeError{Type: t}
	}
	if in.element, err = compile(nil, t.Elem(), 0, enclosing); err != nil {
		return nil, err
	}
	return append(prog, in), nil
}

// run executes the program on the value at base.
func (prog program) run(w wire.BinaryWriter, base unsafe.Pointer) {
	for i := range prog {
		in := &prog[i]
		p := unsafe.Add(base, in.offset)
		switch in.op {
		case reflect.Bool:
			w.WriteBool(*(*bool)(p))
		case reflect.Int8:
			w.WriteInt8(*(*int8)(p))
		case reflect.Uint8:
			w.WriteUint8(*(*uint8)(p))
		case reflect.Int:
			w.WriteInt(int64(*(*int)(p)))
		case reflect.Int16:
			w.WriteInt(int64(*(*int16)(p)))
		case reflect.Int32:
			w.WriteInt(int64(*(*int32)(p)))
		case reflect.Int64:
			w.WriteInt(*(*int64)(p))
		case reflect.Uint:
			w.WriteUint(uint64(*(*uint)(p)))
		case reflect.Uint16:
			w.WriteUint(uint64(*(*uint16)(p)))
		case reflect.Uint32:
			w.WriteUint(uint64(*(*uint32)(p)))
		case reflect.Uint64:
			w.WriteUint(*(*uint64)(p))
		case reflect.Float32:
			w.WriteFloat32(*(*float32)(p))
		case reflect.Float64:
			w.WriteFloat64(*(*float64)(p))
		case reflect.String:
			w.WriteString(*(*string)(p))
		case reflect.Array:
			for i := range in.count {
				in.element.run(w, unsafe.Add(p, uintptr(i)*in.size))
			}
		case reflect.Slice:
			first, n := elements(p)
			w.WriteUint(uint64(n))
			for i := range n {
				in.element.run(w, unsafe.Add(first, uintptr(i)*in.size))
			}
		case reflect.Pointer:
			to := *(*unsafe.Pointer)(p)
			w.WriteBool(to != nil)
			if to != nil {
				in.element.run(w, to)
			}
		case reflect.Map:
			writeMap(w, in.typ, p, in.key.run, in.element.run)
		}
	}
}
