package encode

import (
	"math"
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Program encodes the values of one type. Its instructions run one after the other, with the
// address of the value.
type Program struct {
	code []instr
	refs []Ref
	// The named float types, by the index of their instruction; for errors.
	floats map[int]reflect.Type
	// The maximum number of bytes of all literals and numbers of the program.
	room int
}

// An instr writes its literal and then the value at offset off from the address. The op decides the
// meaning of arg.
type instr struct {
	op  Op
	off uint32
	// The index of the instruction's Ref, or the target of a jump.
	arg uint32
	// The length of the literal without its padding.
	size uint32
	// The maximum number of bytes of all literals and numbers after this instruction.
	room uint32
	// The literal, padded with zeros to a multiple of literalUnit.
	literal string
}

// literalUnit is the number of bytes that are copied at a time. Literals are padded to a multiple
// of it, so the copy needs no loop for the last bytes.
const literalUnit = 16

// maxNumber is the largest number of bytes of a number or a bool.
const maxNumber = 32

// seal computes the room of each instruction. The loop grows the output once, and again only after
// a value of unbounded length.
func (p *Program) seal() {
	// The room of an instruction includes the room of all instructions after it.
	p.room = 0
	for i := len(p.code) - 1; i >= 0; i-- {
		in := &p.code[i]
		in.room = uint32(p.room)
		p.room += len(in.literal)
		if in.op >= opBool && in.op <= opFloat64 || in.op == opComma {
			p.room += maxNumber
		}
		if uint64(p.room) > math.MaxUint32 {
			panic("json: a struct whose names take more than 4 GiB")
		}
	}
}

// callsMethods reports whether the program may pass the address of a value to a method, which might
// keep it. Seen has the programs that were examined already.
func (p *Program) callsMethods(seen map[*Program]bool) bool {
	if p == nil || seen[p] {
		return false
	}
	seen[p] = true
	// The instructions that call methods with the value's address.
	for _, in := range p.code {
		if in.op == opMarshaler || in.op == opTextMarshaler || in.op == opTextAppender || in.op == OpMethods || in.op == OpFunctions {
			return true
		}
	}
	// IsZero is a method too. The programs that this one runs may also call methods.
	for _, r := range p.refs {
		if r.asksZero || r.Program.callsMethods(seen) {
			return true
		}
		for _, held := range r.cases {
			if held.callsMethods(seen) {
				return true
			}
		}
	}
	return false
}

// An Op is the operation of an instr.
type Op uint8

const (
	// Writes only its literal.
	opLiteral Op = iota
	// Appends a comma, unless an object has just been opened.
	opComma
	// Appends a member name that has characters which HTML escapes.
	opName
	// Jumps to refs[arg].target if the field is omitted.
	opSkip
	// Jumps to arg if the machine word at off is zero.
	opSkipWord
	// Jumps to arg if the byte at off is zero.
	opSkipByte
	// Follows embedded pointers, and runs a program on the target.
	opThrough
	opBool
	opInt8
	opInt16
	opInt32
	opInt64
	opUint8
	opUint16
	opUint32
	opUint64
	opUintptr
	opFloat32
	opFloat64 // opBool to opFloat64 have a bounded size
	opString
	opQuotedString
	opNumber
	opQuotedNumber
	opBytes
	opTime
	opAny
	opInterface
	opSlice
	opArray
	opPointer
	opOption
	// An Option without an address. The methods of its value get a copy.
	opOptionCopy
	// An error, which is encoded as its text.
	opError
	opUnion
	// A union without an address, encoded like opOptionCopy.
	opUnionCopy
	OpMap
	opMarshaler
	opTextMarshaler
	opTextAppender
	opUnsupported

	// Operations of version 2 only.
	opQuotedFloat32
	opQuotedFloat64
	OpByteArray

	// OpOmitEmpty appends a member, unless its JSON is empty.
	OpOmitEmpty
	// The members in the field of unknown members.
	opRest
	// OpMethods calls the methods of the value.
	OpMethods
	// OpFunctions calls functions from the option WithMarshalers.
	OpFunctions
	// OpFail is a type that version 2 refuses.
	OpFail
)

// A Ref has the parts of an instruction that do not fit into it. Its fields are grouped by the
// ops that use them.
type Ref struct {
	// The program that the instruction runs: for an element, for the target of a pointer, or for a
	// value whose methods declined it.
	Program *Program
	// The shape of the value.
	Shape *shape.Shape
	// For opOption: the distance in bytes from the flag to the value.
	value uintptr
	// For opSkip: reports whether the field is omitted.
	omit func(mem.Pointer, uintptr) bool
	// For opSkip: omit calls the value's own IsZero.
	asksZero bool
	// For opSkip: the index of the next instruction if the field is omitted.
	target int
	// For opName: the name, without escapes.
	name string
	// For opThrough: the pointers that lead to the embedded struct.
	hops []shape.Hop
	// For opUnion: the program of each case, nil for a case without a value.
	cases []*Program
	// For OpMap: encodes the map without reflection; may be nil.
	Cast MapCast
	// For OpMap without a cast: the pool of *mapScratch.
	scratch *sync.Pool
	// For OpMap in version 1, without a cast: names the keys.
	keyName keyNamer
	// For OpMap in version 2, without a cast: the program of the keys.
	Key *Program
	// For OpMap in version 2, without a cast: different keys may encode to the same name.
	Repeats bool
	// For OpMethods: the methods in the order in which they are tried.
	Methods []rules.MethodForm
	// For instructions that call methods or functions: the type of the address that they get.
	Pointer mem.AddressType
	// For OpMethods and OpFunctions: the value has no address, so a copy is passed.
	Copies bool
	// For OpFunctions: the indexes of the functions.
	Calls []int
	// For OpFail: the cause.
	Fault error
	// For opRest: the field.
	rest *Rest
	// For OpMethods: the field has the tag option string.
	Stringed bool
	// For opMarshaler: the method writes to one of Hone's streams, and may decline the value.
	Streams bool
	// For OpMethods and OpFunctions: the value is the name of a member.
	Named bool
}

// CallsMethods reports whether the program may pass the address of a value to a method, which might
// keep it.
func (p *Program) CallsMethods() bool { return p.callsMethods(map[*Program]bool{}) }
