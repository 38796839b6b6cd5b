package code

import (
	"encoding/binary"
	"math"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// Long reads a varint at in[pos:] and returns the position after it, or 0 if it is malformed.
// Generated code reads numbers of one byte itself.
func Long(in []byte, pos int) (v uint64, next int) { return scalar.UvarintLong(in, pos) }

// Signed returns the signed number whose zigzag code is v.
func Signed(v uint64) int64 { return scalar.Unzigzag(v) }

// Get16 returns the 16-bit number at in[pos:].
func Get16(in []byte, pos int) uint16 { return binary.LittleEndian.Uint16(in[pos:]) }

// Get32 returns the 32-bit number at in[pos:].
func Get32(in []byte, pos int) uint32 { return binary.LittleEndian.Uint32(in[pos:]) }

// Get64 returns the 64-bit number at in[pos:].
func Get64(in []byte, pos int) uint64 { return binary.LittleEndian.Uint64(in[pos:]) }

// GetFloat32 returns the float at in[pos:].
func GetFloat32(in []byte, pos int) float32 { return math.Float32frombits(Get32(in, pos)) }

// GetFloat64 returns the float at in[pos:].
func GetFloat64(in []byte, pos int) float64 { return math.Float64frombits(Get64(in, pos)) }

// New makes *v point to a value. A pointer that is not nil keeps its value. New returns false if
// the budget does not suffice for a new value, even if the old one is kept.
func New[T any](d *Decoder, v **T) bool {
	if !d.Take(1, reflect.TypeFor[T]().Size()) {
		return false
	}
	if *v == nil {
		*v = new(T)
	}
	return true
}

// Get reads the field at v with the engine.
func Get[T any](d *Decoder, p *Part, pos int, v *T) int { return p.Get(d, pos, mem.Of(v)) }

// GetTime reads a time into *t and returns the position after it.
func GetTime(d *Decoder, pos int, path string, t *time.Time) int {
	in := d.In()
	// The fast path is for a time in UTC: two words and a byte.
	if len(in)-pos >= 17 {
		sec, size := scalar.Gather(Get64(in, pos))
		nanos, more := scalar.Gather(Get64(in[pos:], min(size, 8)))
		// Both numbers must have their shortest encoding.
		if end := pos + size + more; size <= 8 && more <= 8 && (size == 1 || sec>>(7*uint(size-1)&63) != 0) &&
			(more == 1 || nanos>>(7*uint(more-1)&63) != 0) && nanos < 1e9 && in[end] == scalar.ZoneUTC {
			*t = time.Unix(scalar.Unzigzag(sec), int64(nanos)).UTC()
			return end + 1
		}
	}
	next, cause := scalar.ReadTime(in, pos, t)
	if cause != nil {
		return d.Fail(next, path, reflect.TypeFor[time.Time](), cause)
	}
	return next
}

// begin reads the length of a slice whose elements have at least one byte each. It returns a slice of
// that length, with the memory of old if that is large enough. If the length is malformed, or the
// budget does not suffice, it sets the error of d and returns a negative position.
func begin[S ~[]T, T any](d *Decoder, pos int, path string, old S) (s S, next int) {
	n, next, cause := scalar.Count(d.In(), pos, scalar.LenVarint, 1)
	switch {
	case cause != nil:
		return nil, d.Fail(next, path, reflect.TypeFor[S](), cause)
	case n == 0:
		return nil, next
	// The budget is spent even if the old memory is used.
	case !d.Take(n, reflect.TypeFor[T]().Size()):
		return nil, d.Fail(pos, path, reflect.TypeFor[S](), fault.ErrBudget)
	case cap(old) < n:
		return make(S, n), next
	}
	return old[:n], next
}

// GetStrings reads a slice of strings.
func GetStrings[S ~[]T, T ~string](d *Decoder, pos int, path string, v *S) int {
	s, next := begin(d, pos, path, *v)
	for i := range s {
		text, after := d.Text(next)
		if after == 0 {
			return BadText[S](d, next, path)
		}
		s[i], next = T(text), after
	}
	if next >= 0 {
		*v = s
	}
	return next
}

// GetInts reads a slice of varints, zigzag coded if T is signed.
func GetInts[S ~[]T, T integer](d *Decoder, pos int, path string, v *S) int {
	s, next := begin(d, pos, path, *v)
	in := d.In()
	for i := range s {
		var u uint64
		after := next + 1
		if uint(next) < uint(len(in)) && in[next] < 0x80 {
			u = uint64(in[next])
		} else if u, after = Long(in, next); after == 0 {
			return BadNumber[S](d, next, path)
		}
		if ^T(0) < 0 { // T is signed
			u = uint64(Signed(u))
		}
		if uint64(T(u)) != u { // the conversion extends the sign of a signed T
			return BadNumber[S](d, next, path)
		}
		s[i], next = T(u), after
	}
	if next >= 0 {
		*v = s
	}
	return next
}

// GetBytes reads a slice of bytes.
func GetBytes[S ~[]byte](d *Decoder, pos int, path string, v *S) int {
	text, next, cause := scalar.Block(d.In(), pos, scalar.LenVarint)
	if cause != nil {
		return d.Fail(next, path, reflect.TypeFor[S](), cause)
	}
	*v = nil
	if len(text) > 0 {
		*v = d.Block(text)
	}
	return next
}

// GetEach reads a slice into *v. The function get reads its elements. If the old slice is long
// enough, GetEach reuses its memory and the memory that its elements refer to.
func GetEach[S ~[]T, T any](d *Decoder, p *Part, pos int, v *S, get func(*Decoder, *Table, int, *T) int) int {
	n, next, engine := p.GetLen(d, pos, reflect.TypeFor[T]().Size())
	switch {
	case engine:
		return p.Get(d, pos, mem.Of(v))
	case next < 0:
		return next
	case n == 0:
		*v = nil
	case cap(*v) < n:
		*v = make(S, n)
	default:
		*v = (*v)[:n]
	}
	s := *v
	for i := range s {
		if next = get(d, p.Table, next, &s[i]); next < 0 {
			return d.WithinElement(p, i)
		}
	}
	d.Leave()
	return next
}

// Rest sets the fields of *v from the k-th on to zero, because an older version has written the
// input, which ends at pos. It returns pos.
func Rest[T any](t *Table, k, pos int, v *T) int {
	t.ZeroFrom(k, mem.Of(v))
	return pos
}

// The following functions set the error of d for a part of type T with the given path, whose
// encoding begins at pos, and return -1. Each examines the input again to find the cause.

// BadNumber reports a varint that is malformed or does not fit T.
func BadNumber[T any](d *Decoder, pos int, path string) int {
	at, cause := scalar.NumberFault(d.In(), pos)
	return d.Fail(at, path, reflect.TypeFor[T](), cause)
}

// BadFlag reports a byte that is neither 0 nor 1.
func BadFlag[T any](d *Decoder, pos int, path string) int {
	cause := fault.ErrFlag
	if pos >= len(d.In()) {
		cause = fault.ErrTruncated
	}
	return d.Fail(pos, path, reflect.TypeFor[T](), cause)
}

// BadText reports a string whose length is malformed, or longer than the input.
func BadText[T any](d *Decoder, pos int, path string) int {
	_, at, cause := scalar.Block(d.In(), pos, scalar.LenVarint)
	return d.Fail(at, path, reflect.TypeFor[T](), cause)
}

// Truncated reports an input that ends within a number of a fixed width.
func Truncated[T any](d *Decoder, path string) int {
	return d.Fail(len(d.In()), path, reflect.TypeFor[T](), fault.ErrTruncated)
}

// NoRoom reports that the budget does not suffice for the value of a pointer of type T.
func NoRoom[T any](d *Decoder, pos int, path string) int {
	return d.Fail(pos, path, reflect.TypeFor[T](), fault.ErrBudget)
}

// TooLarge reports a number of a fixed width that does not fit T.
func TooLarge[T any](d *Decoder, pos int, path string) int {
	return d.Fail(pos, path, reflect.TypeFor[T](), fault.ErrOverflow)
}
