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

// omitsEmpty reports whether the field has the tag option "omitempty" with the meaning of version
// 1: omit the field if its Go value is empty.
func (m *Mode) omitsEmpty(f *shape.Member) bool {
	return f.OmitEmpty && m.Flags&option.OmitEmptyWithLegacySemantics != 0
}

// omitsJSON reports whether omitempty has the meaning of version 2: omit the field if its JSON is
// empty.
func (m *Mode) omitsJSON() bool { return m.Flags&option.OmitEmptyWithLegacySemantics == 0 }

// omitsWithoutText reports whether omitempty of version 2 also tests the Go value, before the field
// is encoded. The field is then omitted if it is an empty string, slice, map or array, or a nil
// pointer or interface. This test is only for fields with the tag option "string". Such a field can
// have a type for which encoding returns an error, and an empty value must not cause this error.
func (m *Mode) omitsWithoutText(f *shape.Member) bool {
	if !f.OmitEmpty || !f.String || !m.omitsJSON() || m.Types != nil || m.Rules.HasMethods(f.Field.Shape.Type) {
		return false
	}
	switch f.Field.Shape.Type.Kind() {
	case reflect.String, reflect.Map, reflect.Array, reflect.Slice, reflect.Pointer, reflect.Interface:
		return true
	}
	return false
}

// omitsZero reports whether the field is omitted if its value is zero.
func (m *Mode) omitsZero(f *shape.Member) bool {
	return f.OmitZero || m.Flags&option.OmitZeroStructFields != 0
}

// omitOf returns a function that reports whether the field at an address is omitted, or nil if the
// field is never omitted. addressable says whether the struct is addressable; then IsZero methods
// with a pointer receiver are called.
func (m *Mode) omitOf(f *shape.Member, addressable bool) func(mem.Pointer, uintptr) bool {
	s := f.Field.Shape
	var empty, zero func(mem.Pointer, uintptr) bool
	if m.omitsEmpty(f) || m.omitsWithoutText(f) {
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
	// If a field has both tag options, either one suffices.
	return func(a mem.Pointer, off uintptr) bool { return empty(a, off) || zero(a, off) }
}

// skipOf returns the instruction that tests whether a field is omitted. part is the offset, within
// the field, of the word or byte that the instruction tests. If testing one word or byte is not
// sufficient, the instruction is opSkip.
func (m *Mode) skipOf(f *shape.Member) (o Op, part uintptr) {
	switch {
	case !m.isSimple(f):
		return opSkip, 0
	// Without mem.RawWords, as with the build tag purego, a function call is faster than testing a
	// word.
	case !mem.RawWords:
		return opSkip, 0
	}
	switch k := f.Field.Shape.Type.Kind(); {
	case k == reflect.Bool, k == reflect.Int8, k == reflect.Uint8:
		return opSkipByte, 0
	case k == reflect.String, k == reflect.Slice:
		return opSkipWord, wordSize // the length
	// a 64-bit number on a 32-bit platform
	case (k == reflect.Int64 || k == reflect.Uint64) && f.Field.Shape.Size != wordSize:
		return opSkip, 0
	}
	return opSkipWord, 0
}

// isSimple is for a field f that may be omitted. It reports whether f is omitted if and only if its
// value is false, 0, nil or of length 0. On most platforms, a test of one word or byte is then
// sufficient.
func (m *Mode) isSimple(f *shape.Member) bool {
	t := f.Field.Shape.Type
	// A slice is zero if its pointer is nil, and empty if its length is 0, so one word is not
	// sufficient.
	if m.omitsZero(f) && (hasIsZero(t) || t.Kind() == reflect.Slice) {
		return false
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8, reflect.Int64, reflect.Uint64, reflect.Int, reflect.Uint, reflect.Uintptr,
		reflect.String, reflect.Slice, reflect.Pointer, reflect.Interface:
		return true
	}
	return false
}

// wordSize is the size of a machine word, in bytes.
const wordSize = bits.UintSize / 8

// hasIsZero reports whether t or a pointer to t has an IsZero method.
func hasIsZero(t reflect.Type) bool {
	return t.Implements(isZeroerType) || reflect.PointerTo(t).Implements(isZeroerType)
}

// emptyOf returns a function that reports whether a value is empty in the sense of omitempty in
// version 1: false, 0, a nil pointer or interface, or a length of 0. It returns nil for types whose
// values are never empty.
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
	// Values of these kinds are never empty.
	case reflect.Struct, reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
	default:
		return plainZeroOf(s)
	}
	return nil
}

// plainZeroOf returns a function that reports whether a value is the zero value. It does not call
// IsZero methods.
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
			// Whether -0 is a zero value depends on the Go release.
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

// minusZeroIsZero says whether package reflect considers -0 a zero value, which depends on the Go
// release.
var minusZeroIsZero = reflect.ValueOf(math.Copysign(0, -1)).IsZero()

// isZero reports whether the value at a+off is zero.
func isZero[T mem.Plain](a mem.Pointer, off uintptr) bool {
	var zero T
	return mem.Load[T](a, off) == zero
}

// isZeroer is the interface of types with a method IsZero.
type isZeroer interface{ IsZero() bool }

var isZeroerType = reflect.TypeFor[isZeroer]()

// zeroOf returns a function that reports whether omitzero omits a value: its IsZero method returns
// true, or it is the zero value. To call IsZero with a pointer receiver on a value that is not
// addressable, the function copies the value.
func zeroOf(s *shape.Shape, addressable bool) func(mem.Pointer, uintptr) bool {
	t := s.Type
	switch {
	case s.Kind == shape.Time:
		return func(a mem.Pointer, off uintptr) bool { return mem.At[time.Time](a, off).IsZero() }
	// A nil interface or pointer is zero. Its method is not called.
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
		// The value is not addressable, so call IsZero on a copy.
		return func(a mem.Pointer, off uintptr) bool {
			held := reflect.New(t)
			held.Elem().Set(a.Value(off, t))
			return held.Interface().(isZeroer).IsZero()
		}
	case reflect.PointerTo(t).Implements(isZeroerType):
		return func(a mem.Pointer, off uintptr) bool { return a.Addr(off, t).(isZeroer).IsZero() }
	}
	return plainZeroOf(s)
}
