package encode

import (
	"math"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// A Program encodes the values of one type. Its instructions run one after the other on the address
// of the value.
type Program struct {
	code []instr
	refs []Ref
	// types contains the types of floats and of strings in quotes, by the index of their instruction.
	// Errors contain these types. The types of floats without an entry are float64.
	types map[int]reflect.Type
	// reserve is the maximum total length in bytes of all literals and numbers of the program.
	reserve int
}

// An instr writes its literal, and then the value at offset off. The meaning of arg depends on op.
type instr struct {
	op  Op
	off uint32
	// arg is the index of the instruction's Ref, or the target of a jump.
	arg uint32
	// size is the length of the literal without its padding.
	size uint32
	// reserve is the maximum total length in bytes of the literals and numbers after this
	// instruction.
	reserve uint32
	// literal is the literal, padded with zeros to a multiple of literalUnit.
	literal string
}

// literalUnit is the number of bytes that one copy moves. Literals are padded to a multiple of it,
// so that the copy needs no loop for the last bytes.
const literalUnit = 16

// maxNumber is the maximum length in bytes of a number or a bool.
const maxNumber = 32

// seal computes reserve for the program and for each instruction. With these lengths, Run grows the
// output once at the start, and again only after values of unbounded length.
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
	// The nested programs may also call methods.
	for _, r := range p.refs {
		if r.CallsMethods || r.Program.callsMethods(seen) {
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
	// OpMap encodes a map with a Row, which receives no nil map if the options require null.
	OpMap
	opQuotedFloat32
	opQuotedFloat64
	// opByteArray encodes a byte array as base64.
	opByteArray
	// opOmitEmpty appends a member, unless its JSON is empty.
	opOmitEmpty
	// opRest appends the members in the field of unknown members.
	opRest
	// OpRow encodes a value with a Row.
	OpRow
)

// A Row encodes values of one type by a rule on which versions or releases differ. A room of rules
// puts it into an instruction when the type is compiled.
type Row interface {
	// Run appends the value at a+off. r is the Ref of the instruction. Run must not retain e.
	Run(e *Encoder, r *Ref, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)
}

// A Ref contains operands that do not fit into an instruction. The comments say which operations
// use a field.
type Ref struct {
	// Program is the nested program: for an element, for the target of a pointer, or for a value
	// whose methods declined it.
	Program *Program
	// Shape is the shape of the value.
	Shape *shape.Shape
	// value is the offset in bytes from the flag to the value of an Option. For opOption.
	value uintptr
	// omit reports whether the field is omitted. For opSkip.
	omit func(mem.Pointer, uintptr) bool
	// CallsMethods is set if omit or Row may pass the address of the value to a method, which may
	// retain it. For opSkip and OpRow.
	CallsMethods bool
	// target is the index of the next instruction after an omitted field. For opSkip.
	target int
	// name is the member name, without escapes. For opName.
	name string
	// hops contains the pointers that lead to the embedded struct. For opThrough.
	hops []shape.Hop
	// cases contains the programs for the cases; an element is nil if the case has no value. For
	// opUnion.
	cases []*Program
	// prefixes contains the text before the value of each case, or "" if the text needs escapes. For
	// opSum, and for opUnion with an internal tag.
	prefixes []string
	// Row encodes the value. For OpRow and OpMap.
	Row Row
	// rest describes the field. For opRest.
	rest *Rest
}

// A Rest describes the field of unknown members, which is a map or JSON text.
type Rest struct {
	// in is the type of the struct.
	in reflect.Type
	// Shape is the shape of the map or of the JSON text.
	Shape *shape.Shape
	// hops contains the embedded pointers that lead to the field.
	hops   []shape.Hop
	offset uintptr
	// names contains the names of the struct's other fields.
	names []string
	// loose maps the loose name of each other field to the field; see rules.LooseName.
	loose map[string][]looseField
	// ignoresCase is set if a field in loose has the tag option "case":ignore.
	ignoresCase bool
}

// CallsMethods reports whether the program may pass the address of a value to a method, which may
// retain it.
func (p *Program) CallsMethods() bool { return p.callsMethods(map[*Program]bool{}) }
