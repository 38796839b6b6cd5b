package wire

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/wire/internal/program"
)

// A BinaryWriter gets the parts of a value one after the other.
type BinaryWriter interface {
	WriteBool(bool)
	WriteInt8(int8)
	WriteUint8(uint8)
	WriteInt(int64)   // a signed integer of more than 8 bits
	WriteUint(uint64) // an unsigned one, or the length of a slice or a map
	WriteFloat32(float32)
	WriteFloat64(float64)
	WriteString(string)
}

var writers plan.Cache[program.Program]

// MakeSerializer returns a function that walks over a value of type T and hands
// its parts to a BinaryWriter, in the order and with the meaning of the derived
// format: a pointer is a bool and what it points to, a slice or a map its length
// and its content, []byte its length and each byte. What methods of the type
// itself make of a value is a string. An [Unknown] and what is [Removed] are left out.
// The function neither uses reflection nor allocates, but for maps whose keys or
// elements are more than a number or a string, and for types with methods; it is safe
// for concurrent use.
//
// The error of MakeSerializer is that of [For], the function's is an
// [*EncodeError]; then part of the value has been written.
func MakeSerializer[T any]() (func(BinaryWriter, *T) error, error) {
	t := reflect.TypeFor[T]()
	p := writers.Get(t)
	if p == nil {
		p = writers.Put(t, compile(t, program.Mode{Unfused: true}, nil))
	}
	if p.Err != nil {
		return nil, p.Err
	}
	return func(w BinaryWriter, v *T) error {
		if v == nil {
			return &EncodeError{Type: t, Err: program.ErrNilValue}
		}
		return p.Walk(w, mem.Of(v))
	}, nil
}
