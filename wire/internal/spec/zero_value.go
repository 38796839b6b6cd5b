package spec

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// timeRoom is the maximum length of a time in UTC, in bytes.
const timeRoom = 10 + 5 + 1

// maxZero is the longest zero value of a removed field, in bytes.
const maxZero = 4 << 10

// The reasons why a type cannot be the type of a removed field.
var (
	errZeroNothing = errors.New("its zero value has no bytes, so delete the field")
	errZeroLong    = fmt.Errorf("its zero value has more than %d bytes", maxZero)
	errZeroItself  = errors.New("its zero value would contain itself")
)

// ZeroOf returns the encoding of the zero value of s, which is the same in canonical mode. The
// spec must be complete and derived from a type. The error is the reason why the type cannot be
// the type of a removed field.
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

// A zeroWriter appends the zero values of specs to out.
type zeroWriter struct {
	out    []byte
	within map[*Spec]bool // the specs that are being written
}

// value appends the zero value of s. For most forms that is a number of zero bytes; a length of
// 0, a flag of 0 and an integer of 0 have one byte each.
func (z *zeroWriter) value(s *Spec) error {
	if z.within[s] {
		return errZeroItself
	}
	z.within[s] = true
	defer delete(z.within, s)
	count := 1 // zero bytes, for most forms
	switch s.Form {
	case FormFixed, FormFloat:
		count = int(s.Width)
	case FormComplex:
		count = 2 * int(s.Width)
	case FormTime:
		var long [timeRoom + scalar.Slack]byte
		z.out = append(z.out, long[:scalar.PutInstant(long[:], 0, new(time.Time))]...)
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
				break // the zero value of an element is empty
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

// block appends a length and the bytes of b.
func (z *zeroWriter) block(b []byte) error {
	if len(b) > math.MaxInt32 {
		return errZeroLong
	}
	var head [10 + scalar.Slack]byte
	z.out = append(append(z.out, head[:scalar.PutUvarint(head[:], 0, uint64(len(b)))]...), b...)
	return z.check()
}

// check returns an error if out is too long. It is called after each value, so that a huge array
// does not use much memory.
func (z *zeroWriter) check() error {
	if len(z.out) > maxZero {
		return errZeroLong
	}
	return nil
}
