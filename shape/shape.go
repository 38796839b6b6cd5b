// Package shape describes Go types once for every engine of Hone.
//
// [Of] walks a reflect.Type and returns an immutable [Shape]: its kind with the
// platform's int already resolved, the offset of every field, element and key
// shapes, and mo.Option seen as what it is, "optional T at this offset". The
// engines compile their programs from it and never look at a reflect.Type
// again while they run.
//
// It is also the only package that reads struct tags. [Shape.Members] lists what
// a struct is in JSON, [Shape.Request] where its fields come from in a request,
// [Field.Limits] what their values may be, [Field.Wire] how package wire writes
// them.
//
// A Shape is kept for the life of the process and shared by all callers, who
// must not change it.
package shape

import (
	"reflect"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/memory/optional"
)

// A Kind says how a value lies in memory and what it means.
type Kind uint8

// The kinds. An int or a uint has the kind of its size on the platform.
const (
	Invalid Kind = iota
	Bool
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Uintptr
	Float32
	Float64
	Complex64
	Complex128
	String
	Bytes  // a slice whose elements are of kind Uint8
	Slice  // any other slice
	Array  // Len elements, one after the other
	Struct // Fields
	Pointer
	Map
	Interface
	Option // mo.Option: a bool at Present, an Elem at Value
	Time   // time.Time itself; a type defined from it is a Struct
	Chan
	Func
	UnsafePointer
)

var kindNames = [...]string{"invalid", "bool", "int8", "int16", "int32", "int64", "uint8",
	"uint16", "uint32", "uint64", "uintptr", "float32", "float64", "complex64", "complex128",
	"string", "bytes", "slice", "array", "struct", "pointer", "map", "interface", "option",
	"time", "chan", "func", "unsafe pointer"}

func (k Kind) String() string { return kindNames[k] }

// A Shape describes one type.
type Shape struct {
	Type reflect.Type
	Kind Kind
	Size uintptr // bytes in memory

	Elem *Shape // of a Bytes, Slice, Array, Pointer, Map or Option
	Key  *Shape // of a Map
	Len  int    // elements of an Array

	Fields []Field // of a Struct, in the order of declaration
	Union  *Union  // of a Struct that is a Result, a Nullable or an Either of mo

	Present uintptr // offset of an Option's flag
	Value   uintptr // offset of an Option's value

	// Direct is set if an interface holds the value in its word itself.
	Direct bool

	members struct { // see Members
		once sync.Once
		list []Member
	}
	object struct { // see Object
		once sync.Once
		of   *Object
	}
	request struct { // see Request
		once sync.Once
		of   *Request
	}
}

// A Field is one field of a struct type.
type Field struct {
	Name     string
	Shape    *Shape
	Offset   uintptr // from the start of the struct
	Embedded bool
	Exported bool

	tag reflect.StructTag
}

var cache = struct {
	sync.RWMutex
	shapes map[reflect.Type]*Shape
}{shapes: map[reflect.Type]*Shape{}}

// Of returns the shape of t. It allocates for a type that is new to it.
func Of(t reflect.Type) *Shape {
	cache.RLock()
	s := cache.shapes[t]
	cache.RUnlock()
	if s != nil {
		return s
	}
	cache.Lock()
	defer cache.Unlock()
	return walk(t)
}

// For returns the shape of T.
func For[T any]() *Shape { return Of(reflect.TypeFor[T]()) }

// walk describes t and what it refers to. The lock is held until the last of
// them is complete, so a reader never meets a shape that is half made.
func walk(t reflect.Type) *Shape {
	if s := cache.shapes[t]; s != nil {
		return s
	}
	s := &Shape{Type: t, Kind: kindOf(t), Size: t.Size(), Direct: mem.Direct(t)}
	cache.shapes[t] = s
	switch s.Kind {
	case Bytes, Slice, Pointer:
		s.Elem = walk(t.Elem())
	case Array:
		s.Elem, s.Len = walk(t.Elem()), t.Len()
	case Map:
		s.Key, s.Elem = walk(t.Key()), walk(t.Elem())
	case Option:
		present, value, _ := optional.Option(t)
		s.Present, s.Value, s.Elem = present.Offset, value.Offset, walk(value.Type)
	case Struct:
		s.Union = unionOf(t)
		s.Fields = make([]Field, t.NumField())
		for i := range s.Fields {
			f := t.Field(i)
			s.Fields[i] = Field{
				Name: f.Name, Shape: walk(f.Type), Offset: f.Offset,
				Embedded: f.Anonymous, Exported: f.IsExported(), tag: f.Tag,
			}
		}
	}
	return s
}

var timeType = reflect.TypeFor[time.Time]()

func kindOf(t reflect.Type) Kind {
	switch t.Kind() {
	case reflect.Bool:
		return Bool
	case reflect.Int:
		return sized(t, Int32, Int64)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Int8 + Kind(t.Kind()-reflect.Int8)
	case reflect.Uint:
		return sized(t, Uint32, Uint64)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Uint8 + Kind(t.Kind()-reflect.Uint8)
	case reflect.Uintptr:
		return Uintptr
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return Float32 + Kind(t.Kind()-reflect.Float32)
	case reflect.String:
		return String
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return Bytes
		}
		return Slice
	case reflect.Array:
		return Array
	case reflect.Struct:
		if t == timeType {
			return Time
		}
		if _, _, ok := optional.Option(t); ok {
			return Option
		}
		return Struct
	case reflect.Pointer:
		return Pointer
	case reflect.Map:
		return Map
	case reflect.Interface:
		return Interface
	case reflect.Chan:
		return Chan
	case reflect.Func:
		return Func
	case reflect.UnsafePointer:
		return UnsafePointer
	}
	return Invalid
}

func sized(t reflect.Type, k32, k64 Kind) Kind {
	if t.Size() == 4 {
		return k32
	}
	return k64
}
