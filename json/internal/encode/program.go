package encode

import (
	"math"
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Program writes the values of one type. Its instructions run one after the other over the
// address of a value.
type Program struct {
	code []instr
	refs []Ref
	// The types of floats that have a name, by the number of the instruction; for errors.
	floats map[int]reflect.Type
	// The number of bytes that the literals and numbers take at most, up to the first value of
	// unknown length and after it.
	room int
}

// An instr writes its literal and then the value that lies off bytes after the address. The op
// decides the meaning of arg.
type instr struct {
	op  Op
	off uint32
	// The index of the instruction's Ref, or the target of a jump.
	arg uint32
	// The length of the literal without its padding.
	size uint32
	// The room that the instructions after this one need.
	room uint32
	// The literal, filled up with zeros to a multiple of literalUnit.
	literal string
}

// literalUnit is the number of bytes of a literal that are copied at once. Literals are padded
// to a multiple of it, so the copy needs no loop for the last bytes.
const literalUnit = 16

// maxNumber is the largest number of bytes of a number or a bool.
const maxNumber = 32

// seal works out the room that the rest of the program takes after each instruction. The loop
// grows the text once, and again only after a value whose length is not bounded.
func (p *Program) seal() {
	// From the last instruction back, so that each one knows the room of those after it.
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

// callsMethods reports whether the program may hand the address of a value to a method, which
// might keep it. Seen has the programs that were asked already.
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
	// IsZero is a method too, and so are the methods in the programs that this one runs.
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
	// Appends the literal alone.
	opLiteral Op = iota
	// Appends a comma, unless an object has just been opened.
	opComma
	// Appends a name that has characters which HTML escapes.
	opName
	// Goes on at refs[arg].target if the field is left out.
	opSkip
	// Goes on at arg if the machine word at off is zero.
	opSkipWord
	// Goes on at arg if the byte at off is zero.
	opSkipByte
	// Follows embedded pointers, and runs a program there.
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
	opFloat64 // and all from opBool on have a bounded size
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
	// An Option without an address, whose content's methods get a copy.
	opOptionCopy
	// The text of an error.
	opError
	opUnion
	// A union without an address, as opOptionCopy.
	opUnionCopy
	OpMap
	opMarshaler
	opTextMarshaler
	opTextAppender
	opUnsupported

	// Of version 2.
	opQuotedFloat32
	opQuotedFloat64
	OpByteArray

	// OpOmitEmpty appends a member, unless its value is empty JSON.
	OpOmitEmpty
	// The members that a struct keeps in a field of its own.
	opRest
	// OpMethods calls the methods of the value.
	OpMethods
	// OpFunctions calls functions of the call.
	OpFunctions
	// OpFail is a type that version 2 refuses.
	OpFail
)

// A Ref has the parts of an instruction that do not fit into it. Its fields are grouped by the
// ops that use them.
type Ref struct {
	// The program of the value that the instruction leads to: an element, the value of a
	// pointer, or the way to write a value whose methods declined.
	Program *Program
	// The shape of the value.
	Shape *shape.Shape
	// Of opOption: the distance from the flag to the value.
	value uintptr
	// Of opSkip: reports whether the field is left out.
	omit func(mem.Pointer, uintptr) bool
	// Of opSkip: omit calls the value's own IsZero.
	asksZero bool
	// Of opSkip: the instruction to go on at.
	target int
	// Of opName: the name, which is escaped when it is written.
	name string
	// Of opThrough: the pointers on the way to the embedded struct.
	hops []shape.Hop
	// Of opUnion: the program of each case, nil for a case without a value.
	cases []*Program
	// Of OpMap: how the map is written without reflection; may be nil.
	Cast MapCast
	// Of OpMap without a cast: the pool of *mapScratch.
	scratch *sync.Pool
	// Of OpMap in version 1, without a cast: how a key is named.
	keyName keyNamer
	// Of OpMap in version 2, without a cast: the program that writes the names.
	Key *Program
	// Of such a map: two keys may be written alike.
	Repeats bool
	// Of OpMethods: the methods in the order in which they are asked.
	Methods []rules.MethodForm
	// Of instructions that call methods or functions: the type of the address that they get.
	Pointer mem.AddressType
	// Of OpMethods and OpFunctions: the value has no address, so they get the address of a
	// copy.
	Copies bool
	// Of OpFunctions: the indexes of the functions.
	Calls []int
	// Of OpFail: the cause.
	Fault error
	// Of opRest: the field.
	rest *Rest
	// Of OpMethods: the field has the tag option string.
	Stringed bool
	// The method of opMarshaler writes to one of Hone's streams, and may decline.
	Streams bool
	// Of OpMethods and OpFunctions: the value is the name of a member.
	Named bool
}

// CallsMethods reports whether the program may hand the address of a value to a method, which
// might keep it.
func (p *Program) CallsMethods() bool { return p.callsMethods(map[*Program]bool{}) }
