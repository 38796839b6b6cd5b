package program

import (
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/budget"
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
	least int // length in bytes of the shortest encoding
	need  int // bytes to reserve for the first run of instructions
	// room is the maximum number of bytes that this program, or a program that it refers to, reserves
	// at once and possibly leaves unused.
	room int
	// aside is like room, but also counts the bytes that a loop within one instruction reserves,
	// such as putVarints.
	aside   int
	Methods bool // methods of a type get addresses in the program's memory, and may keep them
	Direct  bool // an interface stores a value of Type in its data word itself, without a pointer
	// ratio is the maximum memory of a value per byte of its encoding. Root is the spec for the
	// schema. ratio, Root and Mode are only set on the program that Compile returns.
	ratio  uint64
	Root   *spec.Spec
	Mode   Mode
	sizes  sizes // lengths of the results of Marshal
	sealed int   // during compilation: number of instructions that fuse must not change
	made   bool  // the code is complete
	// generated is the generated code of Type, or nil. table has the fields for it.
	generated *Code
	table     *Table
	Err       *TypeError // if set, the type cannot be encoded
}

// An instr is one instruction: op works on the part of the value at offset off. The op determines
// the meaning of arg: see [argument]. need is the number of bytes that the encoder reserves for the
// instructions after this one, up to the next one that reserves bytes itself. In an opRun need has
// a bit for each number, set if the number is signed.
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
	canonical             bool       // the decoder refuses all forms except the canonical one
	scratch               *sync.Pool // pool of mapScratch for a map that is read with reflection
	methods               bool       // methods of a type get the address of a key or an element, and may keep it
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

// reserve computes how many bytes each instruction reserves for the instructions after it. It
// iterates backward. An instruction with breaks ends a run, and reserves the bytes of the next run.
//
// An instruction with a body is a branch: if the value is absent, the body is skipped. If the body
// contains an instruction with breaks, a skipped body has not reserved the bytes of the run after
// it, so the branch itself reserves them. Otherwise the run continues through the body, and
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
			// The branch reserves the bytes of the run after the body.
			need = runs[pc+1+body]
			runs[pc] = n + runs[pc+1]
		default:
			if body > 0 {
				need = 0
			}
			runs[pc] = n + runs[pc+1]
		}
		// In an opRun need contains the signs of the numbers. An opRun reserves nothing.
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
			runs[pc] = 1 + runs[pc+2] // the next instruction, for the target, is run together with this one
		}
		i.common = runs[pc] >= minCommon
	}
}

// kthPart returns the k-th part of the instruction at pc, or its last part if it has fewer.
func (p *Program) kthPart(pc, k int) part {
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
	last := p.kthPart(pc, 0)
	for k := 1; ; k++ {
		next := p.kthPart(pc, k)
		if next.off > off || next.off <= last.off {
			return last
		}
		last = next
	}
}

// A Runner is a program with the limits and the aliasing of one codec. Codecs of one type share its
// program and differ in these settings. The methods of a Runner are the methods of its program,
// with the settings filled in.
type Runner struct {
	*Program
	Limits budget.Limits
	Alias  bool // decoded strings and byte slices may point into the input
}

// Append appends the value at a to dst.
func (r *Runner) Append(dst []byte, isNil bool, a mem.Pointer) ([]byte, error) {
	return r.Program.Append(dst, isNil, a, r.Limits)
}

// Marshal returns the encoding of the value at a.
func (r *Runner) Marshal(isNil bool, a mem.Pointer) ([]byte, error) {
	return r.Program.Marshal(isNil, a, r.Limits)
}

// Size returns the length of the encoding of the value at a.
func (r *Runner) Size(isNil bool, a mem.Pointer) (int, error) {
	return r.Program.Size(isNil, a, r.Limits)
}

// Unmarshal decodes the whole of data into the value at a.
func (r *Runner) Unmarshal(data []byte, isNil bool, a mem.Pointer) error {
	return r.Program.Unmarshal(data, isNil, a, r.Limits, r.Alias)
}

// UnmarshalFirst decodes the value at the start of data and returns the length of its encoding.
func (r *Runner) UnmarshalFirst(data []byte, isNil bool, a mem.Pointer) (int, error) {
	return r.Program.UnmarshalFirst(data, isNil, a, r.Limits, r.Alias, false)
}

// A Codec is the underlying type of wire.Codec. Packages inside wire can convert one into the
// other; other packages cannot access the runner.
type Codec[T any] struct{ runner Runner }

// CodecOf returns the codec that runs r over values of type T.
func CodecOf[T any](r Runner) *Codec[T] { return &Codec[T]{r} }

// Runner returns the runner of the codec. For a nil codec it returns a zero Runner, whose methods
// fail like the methods of a zero codec.
func (c *Codec[T]) Runner() *Runner {
	if c == nil {
		return new(Runner)
	}
	return &c.runner
}
