// Package program compiles specs into programs and runs them, for derived codecs and
// for declared layouts.
//
// A [Spec] says how a type is written. [Compile] makes a [Program] of it, a flat list
// of instructions; what is known of forms and instructions is in table.go. A program
// encodes (encode.go), decodes (decode.go) and hands the parts of a value to a
// [BinaryWriter] (walk.go), each in one loop with one switch. Rare instructions, and those
// that have a program of their own, go through dispatch.go to a file for each kind: numbers,
// slices, maps, methods, variants, times. A [Measure] finds the end of a value that has not
// arrived in full.
package program

import (
	"reflect"
	"sync"
)

// A Program encodes and decodes one type: a flat list of instructions over an
// address. The fields of nested structs and the elements of short arrays lie in
// it one after the other; what repeats or may be absent has a program of its
// own, so a recursive type is a program that refers to itself.
type Program struct {
	code  []instr
	refs  []ref
	first []uint32 // of each instruction: its first part
	parts []part
	Type  reflect.Type
	least int // bytes of the shortest encoding
	need  int // bytes to reserve for what its first run of instructions writes
	// room is the most that any run of it, or of a program it refers to, may
	// reserve beyond what it writes.
	room int
	// aside is room with what the loops within an instruction reserve.
	aside   int
	Methods bool // code of others sees memory that it works on
	Direct  bool // an interface holds a value of Type in its word itself
	// ratio is the most memory that a value may take for each byte of its encoding. It
	// is set on the program of the type that was asked for, like the root that its
	// schema is made from.
	ratio  uint64
	Root   *Spec
	Mode   Mode
	sizes  sizes      // of what Marshal has made
	sealed int        // while it is made: instructions that nothing may be added to
	made   bool       // the code is complete
	Err    *TypeError // if set, the type cannot be encoded
}

// An instr is one step: op works on what lies off bytes from the address. The
// meaning of arg is op's: an index into refs, a number of bytes or of elements,
// a Len. Need is the room that the encoder reserves for the instructions behind
// this one, up to the next that makes room of its own.
type instr struct {
	op  op
	len Len
	// common says that it begins a run of instructions for putCommon and readCommon. A few
	// are not worth the call.
	common bool
	off    uint32
	arg    uint32
	need   uint32
}

// A part says what stands at an offset of the program's value, for errors. An
// instruction that was fused from several has one for each.
type part struct {
	off  uintptr
	name string // path from the start of the program
	Type reflect.Type
}

// A numberKind is what an instruction of fixed width moves. The bytes do not
// depend on it.
const (
	numberUnsigned = iota
	numberSigned
	numberFloat
)

// A ref is what an instruction needs to know beyond a number.
type ref struct {
	program               *Program // of the element, the pointee or the optional value
	spec                  *Spec    // of what the instruction works on
	stride                uintptr  // bytes from one element to the next
	raw                   uintptr  // of a slice: the stride, if the elements are written as they are in memory
	count                 int      // of an array
	key                   *Program // of a map
	cast                  mapCast  // of a map of plain keys and elements, or nil
	keyScalar, elemScalar scalar
	canonical             bool // the decoder refuses any other form
	scratch               *sync.Pool
	methods               bool // of a map: methods see its keys or elements
	dynamicKey            bool // of a map: whether a key can be hashed depends on its value
	cases                 []branch
	byType                map[reflect.Type]int // of an interface: which case a type is
	accessor              accessor
	empty                 bool
}

// A branch is one case of a variant or an interface.
type branch struct {
	Case
	program *Program // nil if nothing follows
}

// reserve sets what each instruction has to reserve for those behind it.
func (p *Program) reserve() {
	runs := make([]int, len(p.code)+1) // of each instruction: what it and those behind it write up to a break
	breaks := make([]int, len(p.code)+1)
	loops := 0
	for pc := len(p.code) - 1; pc >= 0; pc-- {
		i := &p.code[pc]
		loops = max(loops, ops[i.op].loop)
		n, ends := i.bound(), ops[i.op].breaks
		breaks[pc] = breaks[pc+1]
		need := runs[pc+1]
		switch body := i.body(); {
		case ends:
			runs[pc] = n
			breaks[pc]++
		case body > 0 && breaks[pc+1] > breaks[pc+1+body]:
			// It jumps over an instruction that makes room, so it makes room itself.
			need = runs[pc+1+body]
			runs[pc] = n + runs[pc+1]
		default:
			if body > 0 {
				need = 0
			}
			runs[pc] = n + runs[pc+1]
		}
		if i.op != opRun {
			i.need = uint32(need + slack)
		}
		p.room = max(p.room, need+slack)
	}
	p.markCommon()
	p.need = runs[0] + slack
	p.room = max(p.room, p.need)
	p.aside = p.room + loops
}

// minCommon is how many common instructions next to each other are worth a call.
const minCommon = 3

// markCommon sets where runs of common instructions begin.
func (p *Program) markCommon() {
	runs := make([]int, len(p.code)+2) // of each instruction: the common ones from it on
	for pc := len(p.code) - 1; pc >= 0; pc-- {
		i := &p.code[pc]
		if i.op > lastCommon {
			continue
		}
		runs[pc] = 1 + runs[pc+1]
		if i.op == opPointerTo {
			runs[pc] = 1 + runs[pc+2] // what it points to is a part of it
		}
		i.common = runs[pc] >= minCommon
	}
}

// at returns the path and the type of the k-th part of the instruction at pc.
func (p *Program) at(pc, k int) part {
	i := int(p.first[pc]) + k
	end := len(p.parts)
	if pc+1 < len(p.first) {
		end = int(p.first[pc+1])
	}
	return p.parts[max(min(i, end-1), int(p.first[pc]))]
}

// partAt returns the part of the instruction at pc that holds the offset off.
func (p *Program) partAt(pc int, off uintptr) part {
	last := p.at(pc, 0)
	for k := 1; ; k++ {
		next := p.at(pc, k)
		if next.off > off || next.off <= last.off {
			return last
		}
		last = next
	}
}
