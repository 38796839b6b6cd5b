package encode

import (
	"math"
	"math/bits"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// omitsEmpty reports whether a field is left out where its Go value is empty, as v1 has it.
func (m *Mode) omitsEmpty(f *shape.Member) bool {
	return f.OmitEmpty && m.Flags&option.OmitEmptyWithLegacySemantics != 0
}

// omitsJSON reports whether omitempty is about the JSON that is written.
func (m *Mode) omitsJSON() bool { return m.Flags&option.OmitEmptyWithLegacySemantics == 0 }

// omitsZero reports whether a field is left out where its value is zero.
func (m *Mode) omitsZero(f *shape.Member) bool {
	return f.OmitZero || m.Flags&option.OmitZeroStructFields != 0
}

// omitOf returns how to tell that a field, of a struct that is addressable or
// not, is to be left out, or nil if it never is.
func (m *Mode) omitOf(f *shape.Member, addressable bool) func(mem.Pointer, uintptr) bool {
	s := f.Field.Shape
	var empty, zero func(mem.Pointer, uintptr) bool
	if m.omitsEmpty(f) {
		empty = emptyOf(s)
	}
	if m.omitsZero(f) {
		zero = zeroOf(s, addressable)
	}
	switch {
	case empty == nil:
		return zero
	case zero == nil:
		return empty
	}
	return func(a mem.Pointer, off uintptr) bool { return empty(a, off) || zero(a, off) }
}

// skipOf returns the instruction that looks whether a field is to be left out,
// and which of its bytes it looks at: opSkip where that is not told by one word
// or byte.
func (m *Mode) skipOf(f *shape.Member) (o Op, part uintptr) {
	s := f.Field.Shape
	if !mem.RawWords || m.omitsZero(f) && (zeroIsAsked(s.Type) || s.Type.Kind() == reflect.Slice) {
		return opSkip, 0
	}
	switch k := s.Type.Kind(); {
	case k == reflect.Bool, k == reflect.Int8, k == reflect.Uint8:
		return opSkipByte, 0
	case k == reflect.Pointer, k == reflect.Interface, k == reflect.Uintptr, k == reflect.Int, k == reflect.Uint:
		return opSkipWord, 0
	case (k == reflect.Int64 || k == reflect.Uint64) && s.Size == wordSize:
		return opSkipWord, 0
	case k == reflect.String, k == reflect.Slice:
		return opSkipWord, wordSize // the length
	}
	return opSkip, 0
}

const wordSize = bits.UintSize / 8

// zeroIsAsked reports whether values of type t say themselves if they are zero.
func zeroIsAsked(t reflect.Type) bool {
	return t.Implements(isZeroerType) || reflect.PointerTo(t).Implements(isZeroerType)
}

// emptyOf returns how to tell the values that the option omitempty leaves out:
// false, 0, "", nil pointers and interfaces, and what has no elements.
func emptyOf(s *shape.Shape) func(mem.Pointer, uintptr) bool {
	switch s.Type.Kind() {
	case reflect.Slice:
		if s.Kind == shape.Bytes {
			return func(a mem.Pointer, off uintptr) bool { return len(a.Bytes(off)) == 0 }
		}
		return func(a mem.Pointer, off uintptr) bool { _, n := a.Slice(off); return n == 0 }
	case reflect.Map:
		return func(a mem.Pointer, off uintptr) bool { return a.MapLen(off) == 0 }
	case reflect.Array:
		if s.Len == 0 {
			return func(mem.Pointer, uintptr) bool { return true }
		}
	case reflect.Struct, reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
	default:
		return plainZeroOf(s)
	}
	return nil
}

// plainZeroOf returns how to tell the zero value of a type as its kind has it.
func plainZeroOf(s *shape.Shape) func(mem.Pointer, uintptr) bool {
	switch s.Kind {
	case shape.Bool:
		return isZero[bool]
	case shape.Int8:
		return isZero[int8]
	case shape.Int16:
		return isZero[int16]
	case shape.Int32:
		return isZero[int32]
	case shape.Int64:
		return isZero[int64]
	case shape.Uint8:
		return isZero[uint8]
	case shape.Uint16:
		return isZero[uint16]
	case shape.Uint32:
		return isZero[uint32]
	case shape.Uint64:
		return isZero[uint64]
	case shape.Float32:
		return func(a mem.Pointer, off uintptr) bool {
			f := mem.Load[float32](a, off)
			return f == 0 && (!math.Signbit(float64(f)) || minusZeroIsZero)
		}
	case shape.Float64:
		return func(a mem.Pointer, off uintptr) bool {
			f := mem.Load[float64](a, off)
			return f == 0 && (!math.Signbit(f) || minusZeroIsZero)
		}
	case shape.String:
		return func(a mem.Pointer, off uintptr) bool { return mem.Load[string](a, off) == "" }
	case shape.Pointer:
		return func(a mem.Pointer, off uintptr) bool { return a.Elem(off).IsNil() }
	}
	t := s.Type
	return func(a mem.Pointer, off uintptr) bool { return a.Value(off, t).IsZero() }
}

// minusZeroIsZero is what package reflect says, which has changed its mind.
var minusZeroIsZero = reflect.ValueOf(math.Copysign(0, -1)).IsZero()

func isZero[T mem.Plain](a mem.Pointer, off uintptr) bool {
	var zero T
	return mem.Load[T](a, off) == zero
}

type isZeroer interface{ IsZero() bool }

var isZeroerType = reflect.TypeFor[isZeroer]()

// zeroOf returns how to tell the values that the option omitzero leaves out:
// those whose IsZero method says so, zero values where there is none.
func zeroOf(s *shape.Shape, addressable bool) func(mem.Pointer, uintptr) bool {
	t := s.Type
	switch {
	case s.Kind == shape.Time:
		return func(a mem.Pointer, off uintptr) bool { return mem.At[time.Time](a, off).IsZero() }
	case t.Kind() == reflect.Interface && t.Implements(isZeroerType):
		return func(a mem.Pointer, off uintptr) bool {
			v := a.Value(off, t)
			return v.IsNil() || v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() ||
				v.Interface().(isZeroer).IsZero()
		}
	case t.Kind() == reflect.Pointer && t.Implements(isZeroerType):
		return func(a mem.Pointer, off uintptr) bool {
			v := a.Value(off, t)
			return v.IsNil() || v.Interface().(isZeroer).IsZero()
		}
	case reflect.PointerTo(t).Implements(isZeroerType) && !addressable && !t.Implements(isZeroerType):
		return func(a mem.Pointer, off uintptr) bool { // the method gets a copy to point to
			held := reflect.New(t)
			held.Elem().Set(a.Value(off, t))
			return held.Interface().(isZeroer).IsZero()
		}
	case reflect.PointerTo(t).Implements(isZeroerType):
		return func(a mem.Pointer, off uintptr) bool { return a.Addr(off, t).(isZeroer).IsZero() }
	}
	return plainZeroOf(s)
}
