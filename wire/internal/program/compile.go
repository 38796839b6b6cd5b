package program

import (
	"math"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A Mode holds the options of a compilation.
type Mode struct {
	Canonical bool // one encoding for each value; a decoder refuses any other
	Unfused   bool // no fusing: one instruction for each value, as Program.walk needs it
	Interpret bool // no generated code
}

// A compiler is the state of one call of Compile.
type compiler struct {
	Mode                             // the same for every program of the call
	programs map[*spec.Spec]*Program // complete or partly compiled
	ratio    uint64                  // the largest ratio that [compiler.costs] has recorded
	methods  bool                    // the program calls a method of a type
	tables   map[*spec.Spec]*Table   // tables of structs, for generated code
}

// Compile returns the program of root. It retains root, which must not change after the call.
func Compile(root *spec.Spec, m Mode) *Program {
	c := compiler{Mode: m, programs: map[*spec.Spec]*Program{}, tables: map[*spec.Spec]*Table{}, ratio: 1}
	p := c.program(root)
	// The order in which the map is visited does not matter for a maximum.
	for _, other := range c.programs {
		// One call runs several programs over one buffer, so the room and aside of the root program
		// are the maximum of all programs.
		p.room, p.aside = max(p.room, other.room), max(p.aside, other.aside)
	}
	p.Methods = c.methods
	p.Root, p.Mode, p.ratio = root, m, c.ratio
	return p
}

// costs records the ratio of memory to encoding for one part of a value. The part uses size bytes
// of memory, and its encoding has at least minSize bytes, without the flags, ids and lengths before
// it. Every byte of an encoding either belongs to at most one such part or is a byte of a block,
// which costs one byte of memory. The largest ratio of the parts of a type is therefore a bound for
// all its encodings.
func (c *compiler) costs(size uint64, minSize int) {
	// A value of size 0 counts as one byte: see budget.Take.
	size = max(size, 1)
	switch {
	case minSize == 0:
		c.ratio = math.MaxUint64 // an empty encoding may represent any number of parts
	default:
		c.ratio = max(c.ratio, (size+uint64(minSize)-1)/uint64(minSize))
	}
}

// program returns the program of s. For a recursive type it may return a program that is not
// complete yet, but whose address does not change.
func (c *compiler) program(s *spec.Spec) *Program {
	if p := c.programs[s]; p != nil {
		return p
	}
	// least is computed from the spec, since other programs need it before this program has its
	// code.
	p := &Program{Type: s.Type, least: s.Least()}
	// The entry is set before the code is emitted, so that recursion ends.
	c.programs[s] = p
	c.emit(p, s, 0, "")
	p.reserve()
	if !s.Evolving {
		c.useGenerated(p, s)
	}
	p.made = true
	return p
}

// useGenerated sets the generated code of s in p, the program of the fields of s. Canonical and
// unfused programs have no generated code.
func (c *compiler) useGenerated(p *Program, s *spec.Spec) {
	if c.Canonical || c.Unfused || c.Interpret {
		return
	}
	if p.generated = codeOf(s); p.generated != nil {
		p.table = c.table(s)
	}
}

// emit appends to p the instructions for a value of s at the offset off. name is the path of
// the value within p, for errors.
//
// The order of the cases matters. Fusing comes first: it makes the last instruction also encode
// this value, and emits no new one. Types with methods come next: their op is in the table, but
// needs a ref. The canonical forms come before the table, which contains the ops of the default
// forms.
//
// A form with a program for its elements calls c.program, which may return a partly compiled
// program. emit must not examine such a program unless its field made is set.
func (c *compiler) emit(p *Program, s *spec.Spec, off uintptr, name string) {
	// Each instruction has one part when it is added. Fusing adds further parts.
	add := func(o op, arg uint32) {
		p.first = append(p.first, uint32(len(p.parts)))
		p.parts = append(p.parts, part{off, name, s.Type})
		p.code = append(p.code, instr{op: o, len: s.Len, off: uint32(off), arg: arg})
	}
	// The arg of an op with argRef in its row is an index into refs. The ref also contains the
	// type, for errors.
	addRef := func(o op, r ref) {
		r.spec = s
		p.refs = append(p.refs, r)
		add(o, uint32(len(p.refs)-1))
	}
	// A fused value is a part of the last instruction.
	if !c.Unfused && c.fuse(p, s, off, name) {
		return
	}
	info := &emits[s.Form]
	switch {
	case s.Methods.Form != spec.FormNone:
		c.methods = true
		addRef(info.op, ref{canonical: c.Canonical})
		return
	case s.Form == spec.FormTime && c.Canonical:
		add(opInstant, 0)
		return
	case s.Form == spec.FormUnknown && c.Canonical:
		add(opUnknown, 1)
		return
	case info.op != opNone:
		add(info.op, argOf(s))
		return
	}
	switch s.Form {
	case spec.FormVarint, spec.FormUvarint:
		add(info.bySize[s.Size], 0)
	case spec.FormFixed, spec.FormFloat:
		add(c.fixedOp(s), argOf(s))
		// An opWide has no length, so its field len holds the byte order.
		if s.Big {
			p.code[len(p.code)-1].len = scalar.LenU64BE
		}
	case spec.FormComplex:
		arg := uint32(0)
		if c.Canonical {
			arg = 1
		}
		add([...]op{4: opComplex64, 8: opComplex128}[s.Width], arg)
	case spec.FormText:
		if s.Len == scalar.LenVarint {
			add(opString, 0)
		} else {
			add(opText, 0)
		}
	// A skip of zero bytes needs no instruction.
	case spec.FormSkip:
		if s.Count > 0 {
			add(opSkip, uint32(s.Count))
		}
	case spec.FormSlice, spec.FormList:
		c.emitSlice(s, add, addRef)
	case spec.FormArray:
		c.emitArray(p, s, off, name, add, addRef)
	case spec.FormPointer:
		c.costs(uint64(s.Elem.Size), s.Elem.Written())
		r := ref{program: c.program(s.Elem)}
		// opPointerTo runs the only instruction of the target in the loop, without a call. The
		// program of the target must be complete and have one plain instruction.
		if c.Unfused || !r.program.made || len(r.program.code) != 1 || len(r.program.parts) != 1 || !ops[r.program.code[0].op].plain {
			addRef(opPointer, r)
			return
		}
		addRef(opPointerTo, r)
		c.emit(p, s.Elem, 0, name)
		// The instruction of the target works at another address, so the next field must not be
		// fused with it.
		p.sealed = len(p.code)
	case spec.FormOption:
		at := len(p.code)
		add(opOption, 0)
		c.emit(p, s.Elem, off+s.Value, name)
		// The value may be absent, so the next field must not be fused with it.
		p.sealed = len(p.code)
		c.closeOption(p.code[at:])
	case spec.FormMap:
		c.emitMap(s, addRef)
	case spec.FormVariant, spec.FormInterface:
		c.emitCases(s, addRef)
	case spec.FormAccessor:
		addRef(opAccessor, ref{program: c.program(s.Elem), accessor: s.Accessor.(accessor)})
	case spec.FormRemoved:
		addRef(opRemoved, ref{canonical: c.Canonical})
	// Only an evolving struct has an instruction. The fields of other structs become
	// instructions of p, with offsets from the start of p's value.
	case spec.FormStruct:
		if s.Evolving {
			addRef(opEvolving, ref{program: c.evolving(s), canonical: c.Canonical})
			return
		}
		for i := range s.Fields {
			f := &s.Fields[i]
			c.emit(p, f.Spec, off+f.Off, join(name, "."+f.Name))
		}
	}
}

// fixedOp returns the instruction for a number of fixed width.
func (c *compiler) fixedOp(s *spec.Spec) op {
	switch {
	case s.Form == spec.FormFloat && c.Canonical:
		return [...]op{4: opFloat32, 8: opFloat64}[s.Size]
	case uintptr(s.Width) != s.Size:
		return opWide
	case s.Width == 1:
		return opByte
	case s.Big:
		return [...]op{2: opFix16B, 4: opFix32B, 8: opFix64B}[s.Width]
	}
	return [...]op{2: opFix16, 4: opFix32, 8: opFix64}[s.Width]
}

// fuse tries to add s to the last instruction and reports whether this succeeded. In memory the
// value must lie directly after the values of that instruction. Either the encoding of all these
// values is their memory, or all of them are varints of 64 bits.
func (c *compiler) fuse(p *Program, s *spec.Spec, off uintptr, name string) bool {
	// The last instruction must not be fused: see sealed.
	if len(p.code) == p.sealed {
		return false
	}
	last := &p.code[len(p.code)-1]
	// end becomes the offset in memory after the values of the last instruction.
	end := uintptr(last.off)
	switch raw := c.raw(s); {
	case raw > 0:
		switch last.op {
		// The bound of these ops is also the size of their value in memory.
		case opByte, opFix16, opFix32, opFix64:
			end += uintptr(ops[last.op].bound)
		case opRaw:
			end += uintptr(last.arg)
		default:
			return false
		}
		// The values must be adjacent, since padding is not encoded. Without mem.Bulk the
		// memory of a value cannot be copied as bytes.
		if end != off || end-uintptr(last.off)+raw > maxRaw || !mem.Bulk {
			return false
		}
		last.op, last.arg = opRaw, uint32(end-uintptr(last.off)+raw)
	case (s.Form == spec.FormVarint || s.Form == spec.FormUvarint) && s.Size == 8:
		return c.fuseVarint(p, last, s, off, name)
	default:
		return false
	}
	p.parts = append(p.parts, part{off, name, s.Type})
	return true
}

// fuseVarint implements fuse for a varint of 64 bits. The field need of an opRun is a bit set: bit
// k is set if the k-th number of the run is signed.
func (c *compiler) fuseVarint(p *Program, last *instr, s *spec.Spec, off uintptr, name string) bool {
	n, signed := last.arg, last.need
	switch last.op {
	case opInt64:
		n, signed = 1, 1
	case opUint64:
		n, signed = 1, 0
	case opRun:
	default:
		return false
	}
	if uintptr(last.off)+8*uintptr(n) != off || n == maxRun {
		return false
	}
	if s.Form == spec.FormVarint {
		signed |= 1 << n
	}
	last.op, last.arg, last.need = opRun, n+1, signed
	p.parts = append(p.parts, part{off, name, s.Type})
	return true
}

// Bounds of fused instructions.
const (
	maxRaw = 1 << 30 // bytes of one instruction
	maxRun = 32      // varints of one instruction, since need has 32 bits
)

// raw returns the rawSize of s, or 0 if the program must not copy the values of s as bytes: in an
// unfused program, in a build without mem.Bulk, for more than maxRaw bytes, and for floats in
// canonical mode, which must be checked.
func (c *compiler) raw(s *spec.Spec) uintptr {
	if c.Unfused || c.Canonical && hasFloat(s) {
		return 0
	}
	n := rawSize(s)
	if n > maxRaw || !mem.Bulk {
		return 0
	}
	return n
}

// emitSlice selects among four instructions for a slice. Slices of integers and strings have
// their own loops. The bytes of fixed numbers are copied in one call. All other elements have a
// program, but elements whose memory is their encoding are still copied in one call.
func (c *compiler) emitSlice(s *spec.Spec, add func(op, uint32), addRef func(op, ref)) {
	c.costs(uint64(s.Elem.Size), s.Elem.Written())
	if s.Form == spec.FormSlice && s.Len == scalar.LenVarint && !s.Empty {
		// These loops support only uvarints as lengths, both of the slice and of its strings.
		if o := emits[s.Elem.Form].slices[s.Elem.Size]; o != opNone && s.Elem.Len == scalar.LenVarint {
			add(o, 0)
			return
		}
	}
	if raw := c.raw(s.Elem); s.Form == spec.FormSlice && !s.Empty && (raw == 1 || raw == 2 || raw == 4 || raw == 8) && c.isNumber(s.Elem) {
		add(opBulk, uint32(raw))
		return
	}
	// Elements whose encoding is their memory are copied in one call even if they are not single
	// numbers. c.raw returns 0 for elements with padding.
	r := ref{program: c.program(s.Elem), stride: s.Elem.Size, count: s.Count, empty: s.Empty}
	if raw := c.raw(s.Elem); raw == s.Elem.Size {
		r.raw = raw
	}
	if s.Form == spec.FormList {
		addRef(opList, r)
		return
	}
	addRef(opSlice, r)
}

// isNumber reports whether s is one number of fixed width. A slice of such numbers can be decoded
// as a slice of unsigned numbers of the same size.
func (c *compiler) isNumber(s *spec.Spec) bool {
	return s.Form == spec.FormByte || s.Form == spec.FormFixed || s.Form == spec.FormFloat
}

// closeOption completes the instruction of an option. code is that instruction, followed by the
// instructions of the value. An option of one common number gets a fused op, which saves the
// dispatch of a second instruction.
func (c *compiler) closeOption(code []instr) {
	option, body := &code[0], code[1:]
	option.arg = uint32(len(body))
	if len(body) != 1 || c.Unfused {
		return
	}
	switch body[0].op {
	case opFix64:
		option.op, option.arg = opOptionFix64, body[0].off-option.off
	case opUint64:
		option.op, option.arg = opOptionUint64, body[0].off-option.off
	}
}

// emitMap selects a cast, which is a typed loop over the map, or reflection. Casts do not sort
// the entries, so the canonical form needs reflection.
func (c *compiler) emitMap(s *spec.Spec, addRef func(op, ref)) {
	// A map of one entry needs more memory for each byte than any longer map.
	c.costs(budget.MapSize(1, s.Key.Size, s.Elem.Size), s.Key.Written()+s.Elem.Written())
	r := ref{key: c.program(s.Key), program: c.program(s.Elem), canonical: c.Canonical, empty: s.Empty}
	if !c.Canonical {
		r.cast = castOf(s.Key, s.Elem)
	}
	if r.cast != nil {
		r.keyCoding, r.elemCoding = plainCodingOf(s.Key), plainCodingOf(s.Elem)
		addRef(opCast, r)
		return
	}
	r.scratch = scratchOf(s)
	r.methods = callsMethods(s.Key) || callsMethods(s.Elem)
	r.dynamicKey = holdsDynamic(s.Key)
	addRef(opMap, r)
}

// emitArray emits one instruction for an array of plain bytes, unrolls a short array of small
// elements, and compiles a program for the elements of any other array.
func (c *compiler) emitArray(p *Program, s *spec.Spec, off uintptr, name string, add func(op, uint32), addRef func(op, ref)) {
	raw := c.raw(s)
	// The bytes of an array can be copied even in a build without mem.Bulk, and in canonical
	// form.
	if n := s.Elem.Form; !c.Unfused && n == spec.FormByte && !s.Elem.Signed && s.Count <= maxRaw && s.Count > 0 {
		raw = uintptr(s.Count)
	}
	switch {
	// An array whose encoding is empty needs no instruction.
	case s.Count == 0 || s.Elem.Least() == 0:
	case raw > 0:
		add(opRaw, uint32(raw))
	// Each value of a form before FormSlice has one instruction.
	case s.Count <= spec.Unrolled && s.Elem.Form < spec.FormSlice && s.Elem.Form != spec.FormText:
		for i := range s.Count {
			c.emit(p, s.Elem, off+uintptr(i)*s.Elem.Size, Index(name, i))
		}
	default:
		addRef(opArray, ref{program: c.program(s.Elem), stride: s.Elem.Size, count: s.Count})
	}
}

// emitCases emits a variant or an interface. For an interface it also records the costs of each
// case, because a decoder allocates the value. A variant contains its value.
func (c *compiler) emitCases(s *spec.Spec, addRef func(op, ref)) {
	r := ref{union: s.Union}
	for _, one := range s.Cases {
		b := branch{Case: one}
		if one.Spec != nil {
			b.program = c.program(one.Spec)
			if s.Form == spec.FormInterface {
				c.costs(uint64(one.Spec.Size), one.Spec.Written())
			}
		}
		r.cases = append(r.cases, b)
	}
	if s.Form == spec.FormVariant {
		addRef(opVariant, r)
		return
	}
	r.byType = map[reflect.Type]int{}
	for i := range r.cases {
		r.byType[r.cases[i].Spec.Type] = i
	}
	addRef(opInterface, r)
}

// evolving returns the program for the fields of an evolving struct. An opField before each
// field lets the decoder stop where the input of an older version ends. A canonical struct
// always has all fields, so it needs no opField.
func (c *compiler) evolving(s *spec.Spec) *Program {
	p := &Program{Type: s.Type}
	for i := range s.Fields {
		f := &s.Fields[i]
		if !c.Canonical {
			p.refs = append(p.refs, ref{spec: f.Spec})
			p.first = append(p.first, uint32(len(p.parts)))
			p.parts = append(p.parts, part{f.Off, "." + f.Name, f.Spec.Type})
			p.code = append(p.code, instr{op: opField, off: uint32(f.Off), arg: uint32(len(p.refs) - 1)})
		}
		c.emit(p, f.Spec, f.Off, "."+f.Name)
	}
	p.reserve()
	c.useGenerated(p, s)
	// Compile takes the maximum of room over this map, so the program must be in it. The empty spec
	// only serves as a unique key.
	c.programs[&spec.Spec{}] = p
	return p
}

// argOf returns the arg of an instruction for a single value.
func argOf(s *spec.Spec) uint32 {
	switch {
	case s.Form == spec.FormBytes && s.Empty:
		return 1
	case s.Float:
		return numberFloat
	case s.Signed:
		return numberSigned
	}
	return numberUnsigned
}
