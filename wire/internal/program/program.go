package program

import (
	"reflect"
	"sync"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A Program encodes and decodes one type, as a flat list of instructions over an address. See the
// package comment.
type Program struct {
	code  []instr
	refs  []ref
	first []uint32 // index of the first part of each instruction
	parts []part
	Type  reflect.Type
	least int // bytes of the shortest encoding
	need  int // room for the first run of instructions
	// room is the most that a run of this program, or of a program that it refers to, may reserve
	// beyond the bytes that it writes.
	room int
	// aside is room, and the most that a loop within one instruction reserves.
	aside   int
	Methods bool // methods of types see memory that the program works on
	Direct  bool // a value of Type is stored in the word of an interface itself
	// ratio is the most memory of a value for each byte of its encoding. It is set on the program
	// that Compile returns, as are Root, from which the schema is made, and Mode.
	ratio  uint64
	Root   *spec.Spec
	Mode   Mode
	sizes  sizes      // lengths of the results of Marshal
	sealed int        // during compilation: the number of instructions that must not be fused with others
	made   bool       // the code is complete
	Err    *TypeError // if set, the type cannot be encoded
}

// An instr is one instruction: op works on the value that lies off bytes from the address. The op
// determines the meaning of arg: an index into refs, or a number of bytes or of elements. Need is
// the room that the encoder reserves for the instructions after this one, up to the next that
// makes room itself. The decoder uses need for opRun alone: there it has a bit for each number
// that is signed.
//
// It has 16 bytes, so four fit a cache line.
type instr struct {
	op  op
	len scalar.Len
	// common is set if a run of at least minCommon common instructions begins here, for putCommon
	// and readCommon.
	common bool
	off    uint32
	arg    uint32
	need   uint32
}

// A part is the value at an offset of the program, for errors. An instruction that was fused from
// several has a part for each.
type part struct {
	off  uintptr
	name string // path from the start of the program
	Type reflect.Type
}

// The kinds of the numbers that an instruction of fixed width moves. They matter to a
// BinaryWriter and to opWide: the bytes do not depend on them otherwise.
const (
	numberUnsigned = iota
	numberSigned
	numberFloat
)

// A ref has the data of an instruction for which one number is not enough. Its op decides which
// fields are set: a slice, a list and an array have program and stride, a map has key and program
// or a cast, a variant and an interface have cases.
type ref struct {
	program               *Program   // of the element, the pointee or the optional value
	spec                  *spec.Spec // of the value that the instruction works on
	stride                uintptr    // bytes from one element to the next
	raw                   uintptr    // of a slice: the stride, if the elements are copied as they are in memory
	count                 int        // of an array
	key                   *Program   // of a map
	cast                  mapCast    // of a map of plain keys and elements, or nil
	keyCoding, elemCoding plainCoding
	canonical             bool       // the decoder refuses any form but the canonical one
	scratch               *sync.Pool // of a map that is visited by reflection: its mapScratch
	methods               bool       // of a map: methods see its keys or elements
	dynamicKey            bool       // of a map: the value of a key decides whether it can be hashed
	cases                 []branch
	union                 *shape.Union         // of a variant: it finds the case of a value in memory
	byType                map[reflect.Type]int // of an interface: the index in cases of each type
	accessor              accessor
	empty                 bool // an empty slice or map is decoded as empty, not as nil
}

// A branch is one case of a variant or an interface. Cases have programs of their own, since the
// value in memory decides which of them runs.
type branch struct {
	spec.Case
	program *Program // nil if the case has no value
}

// reserve computes the room that each instruction reserves for its successors. It goes backward:
// a run ends at each instruction with breaks, which makes room for the run after it.
//
// An instruction with a body is a branch. If the value is absent the body is skipped. A body that
// makes room somewhere has then not made it, so the branch reserves for the run after the body
// itself. A body that makes no room needs nothing more: the run goes through it, and skipping it
// only writes less.
func (p *Program) reserve() {
	runs := make([]int, len(p.code)+1)   // of each instruction: the bytes from it to the next break
	breaks := make([]int, len(p.code)+1) // of each instruction: the breaks from it to the end
	loops := 0
	for pc := len(p.code) - 1; pc >= 0; pc-- {
		i := &p.code[pc]
		loops = max(loops, ops[i.op].loop)
		// Loops are bounded for each instruction, not added up: one runs at a time, and makes room for
		// its own next step.
		n, ends := i.bound(), ops[i.op].breaks
		breaks[pc] = breaks[pc+1]
		need := runs[pc+1]
		switch body := i.body(); {
		case ends:
			runs[pc] = n
			breaks[pc]++
		// A break in the body.
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
		// The need of opRun has its signs. Such an instruction makes no room.
		if i.op != opRun {
			i.need = uint32(need + scalar.Slack)
		}
		p.room = max(p.room, need+scalar.Slack)
	}
	p.markCommon()
	p.need = runs[0] + scalar.Slack
	p.room = max(p.room, p.need)
	p.aside = p.room + loops
}

// minCommon is the shortest run of common instructions for which a call of putCommon is faster
// than the loop.
const minCommon = 3

// markCommon marks the instructions at which a run of common ones begins, or goes on with enough
// of them.
func (p *Program) markCommon() {
	runs := make([]int, len(p.code)+2) // of each instruction: the number of common ones from it on
	for pc := len(p.code) - 1; pc >= 0; pc-- {
		i := &p.code[pc]
		// A rare instruction ends the run. Its number in runs stays 0.
		if i.op > lastCommon {
			continue
		}
		runs[pc] = 1 + runs[pc+1]
		if i.op == opPointerTo {
			runs[pc] = 1 + runs[pc+2] // the instruction of the target is a part of this one
		}
		i.common = runs[pc] >= minCommon
	}
}

// at returns the k-th part of the instruction at pc, or its last part if it has fewer.
func (p *Program) at(pc, k int) part {
	// The parts of all instructions are in one list, in the order of the instructions.
	i := int(p.first[pc]) + k
	end := len(p.parts)
	if pc+1 < len(p.first) {
		end = int(p.first[pc+1])
	}
	return p.parts[max(min(i, end-1), int(p.first[pc]))]
}

// partAt returns the part of the instruction at pc that contains the offset off. The parts of one
// instruction have increasing offsets.
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
