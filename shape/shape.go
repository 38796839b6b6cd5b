// Package shape describes Go types for the engines of Hone.
//
// [Of] walks a reflect.Type and returns an immutable [Shape]. A Shape holds the kind, with int
// resolved to its size on the platform, the offset of every field, and the shapes of elements and
// keys. An mo.Option is described as an optional value at an offset. The engines compile their
// programs from shapes.
//
// The package is also the only one that parses struct tags. [Shape.Members] lists the JSON members
// of a struct, [Shape.Request] the parameters that set its fields, [Field.Limits] the limits of its
// values, and [Field.Wire] the options of package wire.
//
// Shapes are cached for the life of the process and shared. Callers must not modify them.
package shape

import (
	"reflect"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/memory/optional"
)

// A Kind is the kind of a value, which determines its layout in memory.
type Kind uint8

// The kinds. int and uint have the kind of their size on the platform.
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
	Bytes  // a slice with elements of kind Uint8
	Slice  // any other slice
	Array  // Len contiguous elements
	Struct // a struct with Fields
	Pointer
	Map
	Interface
	Option // mo.Option: a bool at Present, an Elem at Value
	Time   // time.Time; a type defined from it is a Struct
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

	Elem *Shape // element of a Bytes, Slice, Array, Pointer, Map or Option
	Key  *Shape // key of a Map
	Len  int    // elements of an Array

	Fields []Field // fields of a Struct, in the order of declaration
	Union  *Union  // set for a Struct that is an mo.Result, mo.Nullable or mo.Either; else nil
	Sum    *Sum    // set for an Interface with declared cases; else nil

	Present uintptr // offset of an Option's flag
	Value   uintptr // offset of an Option's value

	// Direct is set if an interface stores the value directly in its data word.
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
	Offset   uintptr // offset from the start of the struct
	Embedded bool
	Exported bool

	tag reflect.StructTag
}

var cache = struct {
	sync.RWMutex
	shapes map[reflect.Type]*Shape
}{shapes: map[reflect.Type]*Shape{}}

// Of returns the shape of t. It allocates on the first call for a type.
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

// walk describes t and the types it refers to. The caller holds the lock until all of these
// shapes are complete, so that readers never see a partial shape.
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
	case Interface:
		s.Sum = sumOf(t)
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
