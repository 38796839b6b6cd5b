package program

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
)

// A field that was removed keeps its place: the zero value of what it was is written
// there, and whatever older versions have written is skipped.

func (r *ref) putRemoved(e *encoder, n int) int {
	zero := r.spec.Zero
	buf := e.room(n, len(zero)+slack)
	return n + copy(buf[n:], zero)
}

// readRemoved moves behind what stands in the place of the field. It takes no memory
// and calls no methods: it looks no further than it takes to find the end.
func (r *ref) readRemoved(d *decoder, pos int) (int, *DecodeError) {
	zero := r.spec.Zero
	if bytes.HasPrefix(d.in[pos:], zero) {
		return pos + len(zero), nil // no encoding is a prefix of another one
	}
	window := Window{buf: d.in[pos:], Limit: len(d.in) - pos}
	m := Measure{Window: mem.NoEscape(&window), Depth: d.depth + 1}
	ok := mem.NoEscape(&m).Value(r.spec.Elem)
	runtime.KeepAlive(&window) // see mem.NoEscape
	switch {
	case ok && r.canonical:
		return pos, d.fail(pos, r.spec.Elem.Type, ErrCanonical)
	case ok:
		return pos + m.Pos, nil
	case m.Cause == ErrLimit: // of the window
		return len(d.in), d.fail(len(d.in), r.spec.Elem.Type, ErrTruncated)
	}
	return pos + m.Pos, d.fail(pos+m.Pos, r.spec.Elem.Type, m.Cause)
}

// maxZero is how many bytes the zero value of what was removed may take.
const maxZero = 4 << 10

var (
	errZeroNothing = errors.New("it takes no bytes, so nothing keeps its place: leave the field out")
	errZeroLong    = fmt.Errorf("its zero value takes more than %d bytes", maxZero)
	errZeroItself  = errors.New("its zero value would contain itself")
)

// ZeroOf returns the encoding of the zero value of s, which is complete and derived
// from a type. It is the same in canonical mode. The error says why there is none that could
// stand in the place of a field.
func ZeroOf(s *Spec) ([]byte, error) {
	z := zeroWriter{within: map[*Spec]bool{}}
	switch err := z.value(s); {
	case err != nil:
		return nil, err
	case len(z.out) == 0:
		return nil, errZeroNothing
	}
	return z.out, nil
}

type zeroWriter struct {
	out    []byte
	within map[*Spec]bool // what is being written
}

func (z *zeroWriter) value(s *Spec) error {
	if z.within[s] {
		return errZeroItself
	}
	z.within[s] = true
	defer delete(z.within, s)
	count := 1 // bytes of zero
	switch s.Form {
	case FormFixed, FormFloat:
		count = int(s.Width)
	case FormComplex:
		count = 2 * int(s.Width)
	case FormTime:
		var long [timeBound + slack]byte
		z.out = append(z.out, long[:putInstant(long[:], 0, new(time.Time))]...)
		count = 0
	case FormBigInt, FormBinary, FormTextual:
		b, err := s.Methods.Append(nil, reflect.New(s.Type).Interface())
		if err != nil {
			return err
		}
		return z.block(b)
	case FormVariant:
		held := &s.Cases[s.Union.Held(mem.OfPointer(reflect.New(s.Type)), 0)]
		z.out = append(z.out, byte(held.ID))
		if held.Spec == nil {
			return z.check()
		}
		return z.value(held.Spec)
	case FormArray:
		for range s.Count {
			from := len(z.out)
			if err := z.value(s.Elem); err != nil {
				return err
			}
			if len(z.out) == from {
				break // so it is with all of them
			}
		}
		count = 0
	case FormStruct:
		fields := zeroWriter{within: z.within}
		for i := range s.Fields {
			if err := fields.value(s.Fields[i].Spec); err != nil {
				return err
			}
		}
		if s.Evolving {
			return z.block(fields.out)
		}
		z.out = append(z.out, fields.out...)
		count = 0
	case FormRemoved:
		return z.value(s.Elem)
	case FormUnknown:
		count = 0
	}
	z.out = append(z.out, make([]byte, count)...)
	return z.check()
}

func (z *zeroWriter) block(b []byte) error {
	if len(b) > math.MaxInt32 {
		return errZeroLong
	}
	var head [10 + slack]byte
	z.out = append(append(z.out, head[:putUvarint(head[:], 0, uint64(len(b)))]...), b...)
	return z.check()
}

func (z *zeroWriter) check() error {
	if len(z.out) > maxZero {
		return errZeroLong
	}
	return nil
}
