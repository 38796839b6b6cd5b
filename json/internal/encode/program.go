package encode

import (
	"math"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Program writes the values of one type. Its instructions run one
// after the other over an address; the braces, names and commas between two
// values are one literal, written by the instruction of the second.
type Program struct {
	code []instr
	refs []Ref
	room int // bytes that the literals and the numbers take at most
}

// An instr writes a literal and then the value that lies off bytes from the
// address. The meaning of arg is op's.
type instr struct {
	op      Op
	off     uint32
	arg     uint32 // an index into refs
	size    uint32 // of the literal
	room    uint32 // what is left of the program's when this instruction is done
	literal string // and as many bytes behind it as make literalUnits
}

// literalUnit is how many bytes of a literal are copied at once.
const literalUnit = 16

// maxNumber is how many bytes a number or a bool takes at most.
const maxNumber = 32

// seal works out how much room the program's parts need, so that it can be made
// once for many of them.
func (p *Program) seal() {
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

// callsMethods reports whether the program may hand the address of a value to a
// method, which might keep it. What is in seen has been asked.
func (p *Program) callsMethods(seen map[*Program]bool) bool {
	if p == nil || seen[p] {
		return false
	}
	seen[p] = true
	for _, in := range p.code {
		if in.op == opMarshaler || in.op == opTextMarshaler || in.op == opTextAppender || in.op == OpMethods || in.op == OpFunctions {
			return true
		}
	}
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

type Op uint8

const (
	opLiteral  Op = iota // nothing but the literal
	opComma              // a comma unless an object has just been opened
	opName               // a name that is written otherwise inside HTML
	opSkip               // go on at refs[arg].target if the field is to be left out
	opSkipWord           // go on at arg if the machine's word at off is zero
	opSkipByte           // go on at arg if the byte at off is zero
	opThrough            // run a program behind embedded pointers
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
	opOptionCopy // of a value that is not addressable: its content's methods get a copy
	opError      // the text of an error
	opUnion
	opUnionCopy // as opOptionCopy
	OpMap
	opMarshaler
	opTextMarshaler
	opTextAppender
	opUnsupported

	// Those of V2.
	opQuotedFloat32
	opQuotedFloat64
	OpByteArray
	OpOmitEmpty // a member, unless its value is empty JSON
	opRest      // the members that a struct keeps in a field of its own
	OpMethods   // what a value's own methods write
	OpFunctions // what functions of the call write
	OpFail      // an error
)

type Ref struct {
	Program  *Program
	Shape    *shape.Shape
	value    uintptr                         // of an option: from its flag to its value
	omit     func(mem.Pointer, uintptr) bool // of opSkip
	asksZero bool                            // of opSkip: omit calls the value's own IsZero
	target   int                             // of opSkip: where to go on
	name     string                          // of opName
	hops     []shape.Hop                     // of opThrough
	cases    []*Program                      // of opUnion; nil for a case without a value
	Cast     MapCast                         // of OpMap; may be nil
	scratch  *sync.Pool                      // of OpMap without a cast: *mapScratch
	keyName  keyNamer                        // of OpMap in v1, without a cast
	Key      *Program                        // of OpMap in V2, without a cast
	Repeats  bool                            // of such a map: two keys may be written alike
	Methods  []rules.MethodForm              // of OpMethods, in the order in which they are asked
	Pointer  mem.AddressType                 // of OpMethods, OpFunctions, and the ops of v1 that call a method
	Copies   bool                            // of OpMethods and OpFunctions: they get a copy of the value
	Calls    []int                           // of OpFunctions: their indexes
	Fault    error                           // of OpFail
	rest     *Rest                           // of opRest
	Stringed bool                            // of OpMethods: the field has the option string
	Named    bool                            // of OpMethods and OpFunctions: the value is a name
}

// CallsMethods reports whether the program may hand the address of a value to a method,
// which might keep it.
func (p *Program) CallsMethods() bool { return p.callsMethods(map[*Program]bool{}) }
