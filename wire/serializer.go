package wire

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/program"
)

// A BinaryWriter receives the parts of a value one after the other.
type BinaryWriter interface {
	WriteBool(bool)
	WriteInt8(int8)
	WriteUint8(uint8)
	WriteInt(int64)   // a signed integer of more than 8 bits
	WriteUint(uint64) // an unsigned integer of more than 8 bits, or the length of a slice or a map
	WriteFloat32(float32)
	WriteFloat64(float64)
	WriteString(string)
}

// writers caches the programs of serializers. They have no fused instructions.
var writers plan.Cache[program.Program]

// MakeSerializer returns a function that walks over a value of type T and passes its parts to a
// BinaryWriter, in the order and with the meaning of the derived format. A pointer is passed as a
// bool and the target, a slice or a map as its length and its content, and a []byte as its length
// and each byte. The output of the methods of a type is passed as a string. An [Unknown] and a
// [Removed] are left out.
//
// The function neither uses reflection nor allocates, except for maps whose keys or elements are
// not a number or a string, and for types with methods. It is safe for concurrent use.
//
// The error of MakeSerializer is the same as for [For]. The error of the function is an
// [*EncodeError]; some parts of the value have then been written already.
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
			return &EncodeError{Type: t, Err: fault.ErrNilValue}
		}
		return p.Walk(w, mem.Of(v))
	}, nil
}
