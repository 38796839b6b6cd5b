package program

import (
	"reflect"
	"sync"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A Program encodes and decodes values of one type. It is a flat list of instructions: see the
// package comment.
type Program struct {
	code  []instr
	refs  []ref
	first []uint32 // index of the first part of each instruction
	parts []part
	Type  reflect.Type
	least int // bytes of the shortest encoding
	need  int // room for the first run of instructions
	// room is the maximum number of bytes that a run of this program, or of a program that it
	// refers to, reserves beyond the bytes that it writes.
	room int
	// aside is like room, but includes the reserves of loops within one instruction.
	aside   int
	Methods bool // a method of a type gets memory that the program uses
	Direct  bool // an interface stores a value of Type in its data word itself, without a pointer
	// ratio is the maximum memory of a value per byte of its encoding. Root is the spec for the
	// schema. ratio, Root and Mode are only set on the program that Compile returns.
	ratio  uint64
	Root   *spec.Spec
	Mode   Mode
	sizes  sizes      // lengths of the results of Marshal
	sealed int        // during compilation: number of instructions that fuse must not change
	made   bool       // the code is complete
	Err    *TypeError // if set, the type cannot be encoded
}

// An instr is one instruction: op works on the part of the value at offset off. The op
// determines the meaning of arg: see [argument]. need is the room that the encoder reserves for
// the instructions after this one, up to the next one that makes room itself. In an opRun need
// has a bit for each number, set if the number is signed.
//
// len is the encoding of the length, for an op whose value begins with one. off is in bytes,
// from the start of the value that the program encodes or decodes.
//
// An instr has 16 bytes, so four fit a cache line.
type instr struct {
	op  op
	len scalar.Len
	// common is set if a run of at least minCommon common instructions begins here. The loops
	// then call putCommon or readCommon.
	common bool
	off    uint32
	arg    uint32
	need   uint32
}

// A part describes the value at an offset, for errors. A fused instruction has a part for each
// of its values.
type part struct {
	off  uintptr
	name string // path from the start of the program
	Type reflect.Type
}

// The kinds of numbers of a fixed width. Only walk and opWide need the kind.
const (
	numberUnsigned = iota
	numberSigned
	numberFloat
)

// A ref holds the data of an instruction that needs more than arg. The op determines which
// fields are set: a slice, a list and an array have program and stride, a map has key and
// program or a cast, a variant and an interface have cases.
type ref struct {
	program               *Program   // program of the element, the pointee or the optional value
	spec                  *spec.Spec // spec of the value that the instruction works on
	stride                uintptr    // bytes from one element to the next
	raw                   uintptr    // stride of a slice whose elements are encoded as their memory; else 0
	count                 int        // length of an array
	key                   *Program   // program of a map's keys
	cast                  mapCast    // cast of a map of plain keys and elements, or nil
	keyCoding, elemCoding plainCoding
	canonical             bool       // the decoder refuses any form but the canonical one
	scratch               *sync.Pool // pool of mapScratch for a map that is visited by reflection
	methods               bool       // methods see the keys or elements of the map
	dynamicKey            bool       // a map key may contain an interface, so hashing it may panic
	cases                 []branch
	union                 *shape.Union         // finds the case of a variant in memory
	byType                map[reflect.Type]int // index in cases of each type of an interface
	accessor              accessor
	empty                 bool // an empty slice or map is decoded as empty, not as nil
}

// A branch is one case of a variant or an interface. Each case has its own program, since the
// value in memory or the id in the input decides which program runs.
type branch struct {
	spec.Case
	program *Program // nil if the case has no value
}

// reserve computes the room that each instruction reserves for its successors. It iterates
// backward: a run ends at an instruction with breaks, which makes room for the next run.
//
// An instruction with a body is a branch: if the value is absent, the body is skipped. If the body
// contains an instruction that makes room, no room is left after a skipped body, so the branch
// itself makes room for the run after the body. Otherwise the run continues through the body, and
// skipping the body only writes less.
func (p *Program) reserve() {
	runs := make([]int, len(p.code)+1)   // number of bytes from each instruction to the next break
	breaks := make([]int, len(p.code)+1) // number of breaks from each instruction to the end
	loops := 0
	for pc := len(p.code) - 1; pc >= 0; pc-- {
		i := &p.code[pc]
		loops = max(loops, ops[i.op].loop)
		// Only the maximum of the loops counts, since only one loop runs at a time.
		n, ends := i.bound(), ops[i.op].breaks
		breaks[pc] = breaks[pc+1]
		need := runs[pc+1]
		switch body := i.body(); {
		case ends:
			runs[pc] = n
			breaks[pc]++
		// The body contains a break.
		case body > 0 && breaks[pc+1] > breaks[pc+1+body]:
			// The branch makes the room for the run after the body.
			need = runs[pc+1+body]
			runs[pc] = n + runs[pc+1]
		default:
			if body > 0 {
				need = 0
			}
			runs[pc] = n + runs[pc+1]
		}
		// The need of an opRun has the signs of its numbers. An opRun makes no room.
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

// markCommon sets common on each instruction that is followed by enough other common
// instructions.
func (p *Program) markCommon() {
	runs := make([]int, len(p.code)+2) // number of consecutive common instructions from each instruction on
	for pc := len(p.code) - 1; pc >= 0; pc-- {
		i := &p.code[pc]
		// A rare instruction ends the run.
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
