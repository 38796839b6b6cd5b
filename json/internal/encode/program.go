package encode

import (
	"math"
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Program encodes the values of one type. Its instructions run one after the other on the address
// of the value.
type Program struct {
	code []instr
	refs []Ref
	// The types of named floats, by the index of their instruction. Errors contain them.
	floats map[int]reflect.Type
	// The maximum total length in bytes of all literals and numbers of the program.
	reserve int
}

// An instr writes its literal, and then the value at offset off. The meaning of arg depends on op.
type instr struct {
	op  Op
	off uint32
	// The index of the instruction's Ref, or the target of a jump.
	arg uint32
	// The length of the literal without its padding.
	size uint32
	// The maximum total length in bytes of the literals and numbers after this instruction.
	reserve uint32
	// The literal, padded with zeros to a multiple of literalUnit.
	literal string
}

// literalUnit is the number of bytes that one copy moves. Literals are padded to a multiple of it,
// so that the copy needs no loop for the last bytes.
const literalUnit = 16

// maxNumber is the maximum length in bytes of a number or a bool.
const maxNumber = 32

// seal computes reserve for the program and for each instruction. With it, Run grows the output once
// at the start, and again only after values of unbounded length.
func (p *Program) seal() {
	// Add up the lengths from the last instruction to the first. In the loop, p.reserve is the total of
	// the instructions after the current one. At the end it is the total of all instructions.
	p.reserve = 0
	for i := len(p.code) - 1; i >= 0; i-- {
		in := &p.code[i]
		in.reserve = uint32(p.reserve)
		p.reserve += len(in.literal)
		if in.op >= opBool && in.op <= opFloat64 || in.op == opComma {
			p.reserve += maxNumber
		}
		if uint64(p.reserve) > math.MaxUint32 {
			panic("json: a struct whose names take more than 4 GiB")
		}
	}
}

// callsMethods reports whether the program may pass the address of a value to a method, which may
// retain it. seen contains the programs that were examined already.
func (p *Program) callsMethods(seen map[*Program]bool) bool {
	if p == nil || seen[p] {
		return false
	}
	seen[p] = true
	// These instructions call methods with the value's address.
	for _, in := range p.code {
		if in.op == opMarshaler || in.op == opTextMarshaler || in.op == opTextAppender || in.op == OpMethods || in.op == OpFunctions {
			return true
		}
	}
	// IsZero is a method too. The nested programs may also call methods.
	for _, r := range p.refs {
		if r.callsIsZero || r.Program.callsMethods(seen) {
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

// An Op is the operation of an instruction.
type Op uint8

const (
	// opLiteral writes only its literal.
	opLiteral Op = iota
	// opComma appends a comma, unless the output ends in an opening brace.
	opComma
	// opName appends a member name with characters that must be escaped, or that some options
	// escape; see isPlainName.
	opName
	// opSkip jumps to refs[arg].target if the field is omitted.
	opSkip
	// opSkipWord jumps to arg if the machine word at off is zero.
	opSkipWord
	// opSkipByte jumps to arg if the byte at off is zero.
	opSkipByte
	// opThrough follows embedded pointers, and runs a program on their target.
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
	opFloat64 // the values of opBool to opFloat64 have a bounded length
	opString
	// opQuotedString encodes a string twice: as JSON, and the result as a JSON string.
	opQuotedString
	// opNumber encodes a json.Number, opQuotedNumber a json.Number in quotes.
	opNumber
	opQuotedNumber
	// opBytes encodes a byte slice as base64.
	opBytes
	opTime
	// opAny encodes an empty interface. opInterface encodes an interface with methods, which has
	// another memory layout.
	opAny
	opInterface
	// opSum encodes an interface with declared cases.
	opSum
	opSlice
	opArray
	opPointer
	opOption
	// opOptionCopy encodes an Option that is not addressable. Methods of its value receive a copy.
	opOptionCopy
	// opError encodes an error as its message.
	opError
	// opUnion encodes a Result, a Nullable or an Either of package mo.
	opUnion
	// opUnionCopy encodes a union that is not addressable, like opOptionCopy.
	opUnionCopy
	OpMap
	// The next three call marshal methods: MarshalJSON or a method that takes one of Hone's streams,
	// MarshalText, and AppendText.
	opMarshaler
	opTextMarshaler
	opTextAppender
	// opUnsupported returns the error for a type that has no JSON form.
	opUnsupported

	// Operations of version 2 only.
	opQuotedFloat32
	opQuotedFloat64
	OpByteArray

	// OpOmitEmpty appends a member, unless its JSON is empty.
	OpOmitEmpty
	// opRest appends the members in the field of unknown members.
	opRest
	// OpMethods calls the marshal methods of the value.
	OpMethods
	// OpFunctions calls functions from the option WithMarshalers.
	OpFunctions
	// OpFail returns the error in Fault.
	OpFail
)

// A Ref contains operands that do not fit into an instruction. The comments say which operations
// use a field.
type Ref struct {
	// The nested program: for an element, for the target of a pointer, or for a value whose methods
	// declined it.
	Program *Program
	// The shape of the value.
	Shape *shape.Shape
	// For opOption: the offset in bytes from the flag to the value.
	value uintptr
	// For opSkip: reports whether the field is omitted.
	omit func(mem.Pointer, uintptr) bool
	// For opSkip: omit calls an IsZero method of the value.
	callsIsZero bool
	// For opSkip: the index of the next instruction after an omitted field.
	target int
	// For opName: the name, without escapes.
	name string
	// For opThrough: the pointers on the way to the embedded struct.
	hops []shape.Hop
	// For opUnion: the programs for the cases; nil for a case without a value.
	cases []*Program
	// For opSum, and for opUnion with an internal tag: the text before the value of each case, or "" if
	// the text needs escapes.
	prefixes []string
	// For OpMap: encodes the map without reflection, or nil.
	Cast MapCast
	// For OpMap without a cast: a pool of *mapScratch.
	scratch *sync.Pool
	// For OpMap in version 1, without a cast: returns the names for the keys.
	keyName keyNamer
	// For OpMap in version 2, without a cast: the program for the keys.
	Key *Program
	// For OpMap in version 2, without a cast: different keys may have equal names.
	Repeats bool
	// For OpMethods: the methods in the order in which they are tried.
	Methods []rules.MethodForm
	// For instructions that call methods or functions: the type of the address that they receive.
	Pointer mem.AddressType
	// For OpMethods and OpFunctions: the value is not addressable, so a copy is passed.
	Copies bool
	// For OpFunctions: the indexes of the functions in the list of the call.
	Calls []int
	// For OpFail: the error.
	Fault error
	// For opRest: describes the field.
	rest *Rest
	// For OpMethods: the field has the tag option string.
	Stringed bool
	// For opMarshaler: the method writes to one of Hone's streams, and may decline the value.
	Streams bool
	// For OpMethods and OpFunctions: the value is the name of a member.
	Named bool
}

// CallsMethods reports whether the program may pass the address of a value to a method, which may
// retain it.
func (p *Program) CallsMethods() bool { return p.callsMethods(map[*Program]bool{}) }
