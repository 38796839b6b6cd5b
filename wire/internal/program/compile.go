package program

import (
	"math"
	"reflect"
	"slices"

	"github.com/hone-go/hone/internal/memory/mem"
)

// A Mode is what a compiler is asked for beyond the type.
type Mode struct {
	Canonical bool
	Unfused   bool // an instruction for each value, for a walk that names them all
}

type compiler struct {
	Mode
	programs map[*Spec]*Program
	ratio    uint64
	methods  bool
}

// Compile makes the program of root.
func Compile(root *Spec, m Mode) *Program {
	c := compiler{Mode: m, programs: map[*Spec]*Program{}, ratio: 1}
	p := c.program(root)
	for _, other := range c.programs {
		p.room, p.aside = max(p.room, other.room), max(p.aside, other.aside)
	}
	p.Methods = c.methods
	p.Root, p.Mode, p.ratio = root, m, c.ratio
	return p
}

// costs notes that something that takes size bytes of memory is written in at least
// least bytes, not counting a flag, an id or a length before it. Every byte of an
// encoding belongs to one such thing at most, or is one of a block, which takes a byte
// of memory. So the largest ratio in a type holds for all of its encodings.
func (c *compiler) costs(size uint64, least int) {
	switch {
	case size == 0:
	case least == 0:
		c.ratio = math.MaxUint64 // any number of them may take no bytes
	default:
		c.ratio = max(c.ratio, (size+uint64(least)-1)/uint64(least))
	}
}

// program returns the program of s. One that is still being made is returned as
// it is.
func (c *compiler) program(s *Spec) *Program {
	if p := c.programs[s]; p != nil {
		return p
	}
	p := &Program{Type: s.Type, least: s.least()}
	c.programs[s] = p
	c.emit(p, s, 0, "")
	p.reserve()
	p.made = true
	return p
}

// unrolled is the number of instructions that an array may take in its
// program's own code; a longer one gets a loop.
const unrolled = 8

// emit adds the instructions for an s at off, whose path from the start of p is
// name.
func (c *compiler) emit(p *Program, s *Spec, off uintptr, name string) {
	add := func(o op, arg uint32) {
		p.first = append(p.first, uint32(len(p.parts)))
		p.parts = append(p.parts, part{off, name, s.Type})
		p.code = append(p.code, instr{op: o, len: s.Len, off: uint32(off), arg: arg})
	}
	addRef := func(o op, r ref) {
		r.spec = s
		p.refs = append(p.refs, r)
		add(o, uint32(len(p.refs)-1))
	}
	if !c.Unfused && c.fuse(p, s, off, name) {
		return
	}
	info := &forms[s.Form]
	switch {
	case s.Methods.Form != FormNone:
		c.methods = true
		addRef(info.op, ref{canonical: c.Canonical})
		return
	case s.Form == FormTime && c.Canonical:
		add(opInstant, 0)
		return
	case s.Form == FormUnknown && c.Canonical:
		add(opUnknown, 1)
		return
	case info.op != opNone:
		add(info.op, s.arg())
		return
	}
	switch s.Form {
	case FormVarint, FormUvarint:
		add(info.bySize[s.Size], 0)
	case FormFixed, FormFloat:
		add(c.fixedOp(s), s.arg())
		if s.Big {
			p.code[len(p.code)-1].len = LenU64BE
		}
	case FormComplex:
		arg := uint32(0)
		if c.Canonical {
			arg = 1
		}
		add([...]op{4: opComplex64, 8: opComplex128}[s.Width], arg)
	case FormText:
		if s.Len == LenVarint {
			add(opString, 0)
		} else {
			add(opText, 0)
		}
	case FormSkip:
		if s.Count > 0 {
			add(opSkip, uint32(s.Count))
		}
	case FormSlice, FormList:
		c.emitSlice(s, add, addRef)
	case FormArray:
		c.emitArray(p, s, off, name, add, addRef)
	case FormPointer:
		c.costs(uint64(s.Elem.Size), s.Elem.written())
		r := ref{program: c.program(s.Elem)}
		if c.Unfused || !r.program.made || len(r.program.code) != 1 || len(r.program.parts) != 1 || !ops[r.program.code[0].op].plain {
			addRef(opPointer, r)
			return
		}
		addRef(opPointerTo, r)
		c.emit(p, s.Elem, 0, name)
		p.sealed = len(p.code)
	case FormOption:
		at := len(p.code)
		add(opOption, 0)
		c.emit(p, s.Elem, off+s.Value, name)
		p.sealed = len(p.code)
		c.closeOption(p.code[at:])
	case FormMap:
		c.emitMap(s, addRef)
	case FormVariant, FormInterface:
		c.emitCases(s, addRef)
	case FormAccessor:
		addRef(opAccessor, ref{program: c.program(s.Elem), accessor: s.Accessor})
	case FormRemoved:
		addRef(opRemoved, ref{canonical: c.Canonical})
	case FormStruct:
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
func (c *compiler) fixedOp(s *Spec) op {
	switch {
	case s.Form == FormFloat && c.Canonical:
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

// arg returns the arg of the instruction for a value that has one to itself.
func (s *Spec) arg() uint32 {
	switch {
	case s.Form == FormBytes && s.Empty:
		return 1
	case s.Float:
		return numberFloat
	case s.Signed:
		return numberSigned
	}
	return numberUnsigned
}

// fuse adds s to the instruction before it, if it lies right behind what that
// one works on and the two can be moved as one.
func (c *compiler) fuse(p *Program, s *Spec, off uintptr, name string) bool {
	if len(p.code) == p.sealed {
		return false
	}
	last := &p.code[len(p.code)-1]
	end := uintptr(last.off)
	switch raw := c.raw(s); {
	case raw > 0:
		switch last.op {
		case opByte, opFix16, opFix32, opFix64:
			end += uintptr(ops[last.op].bound)
		case opRaw:
			end += uintptr(last.arg)
		default:
			return false
		}
		if end != off || end-uintptr(last.off)+raw > maxRaw || !mem.Bulk {
			return false
		}
		last.op, last.arg = opRaw, uint32(end-uintptr(last.off)+raw)
	case (s.Form == FormVarint || s.Form == FormUvarint) && s.Size == 8:
		return c.fuseVarint(p, last, s, off, name)
	default:
		return false
	}
	p.parts = append(p.parts, part{off, name, s.Type})
	return true
}

// fuseVarint is fuse for a varint of 64 bits.
func (c *compiler) fuseVarint(p *Program, last *instr, s *Spec, off uintptr, name string) bool {
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
	if s.Form == FormVarint {
		signed |= 1 << n
	}
	last.op, last.arg, last.need = opRun, n+1, signed
	p.parts = append(p.parts, part{off, name, s.Type})
	return true
}

const (
	maxRaw = 1 << 30 // bytes that one instruction moves
	maxRun = 32      // varints that it moves: the bits that say which are signed
)

// raw is [spec.raw] as far as this program may make use of it.
func (c *compiler) raw(s *Spec) uintptr {
	if c.Unfused || c.Canonical && s.hasFloat() {
		return 0
	}
	n := s.raw()
	if n > maxRaw || !mem.Bulk {
		return 0
	}
	return n
}

func (s *Spec) hasFloat() bool {
	if s.Float || s.Elem != nil && s.Form == FormArray && s.Elem.hasFloat() {
		return true
	}
	for i := range s.Fields {
		if f := s.Fields[i].Spec; f.Form < FormPointer && f.hasFloat() {
			return true
		}
	}
	return false
}

func (c *compiler) emitSlice(s *Spec, add func(op, uint32), addRef func(op, ref)) {
	c.costs(uint64(s.Elem.Size), s.Elem.written())
	if s.Form == FormSlice && s.Len == LenVarint && !s.Empty {
		if o := forms[s.Elem.Form].slices[s.Elem.Size]; o != opNone && s.Elem.Len == LenVarint {
			add(o, 0)
			return
		}
	}
	if raw := c.raw(s.Elem); s.Form == FormSlice && !s.Empty && (raw == 1 || raw == 2 || raw == 4 || raw == 8) && c.isNumber(s.Elem) {
		add(opBulk, uint32(raw))
		return
	}
	r := ref{program: c.program(s.Elem), stride: s.Elem.Size, count: s.Count, empty: s.Empty}
	if raw := c.raw(s.Elem); raw == s.Elem.Size {
		r.raw = raw
	}
	if s.Form == FormList {
		addRef(opList, r)
		return
	}
	addRef(opSlice, r)
}

// isNumber reports whether s is one number: a slice of such may be made as a
// slice of another kind of number of its size.
func (c *compiler) isNumber(s *Spec) bool {
	return s.Form == FormByte || s.Form == FormFixed || s.Form == FormFloat
}

// closeOption completes an option, whose instruction is the first of code and is
// followed by those for its value.
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

func (c *compiler) emitMap(s *Spec, addRef func(op, ref)) {
	c.costs(mapSize(1, s.Key.Size, s.Elem.Size), s.Key.written()+s.Elem.written()) // the worst of all lengths
	r := ref{key: c.program(s.Key), program: c.program(s.Elem), canonical: c.Canonical, empty: s.Empty}
	if !c.Canonical {
		r.cast = castOf(s.Key, s.Elem)
	}
	if r.cast != nil {
		r.keyScalar, r.elemScalar = scalarOf(s.Key), scalarOf(s.Elem)
		addRef(opCast, r)
		return
	}
	r.scratch = scratchOf(s)
	r.methods = callsMethods(s.Key) || callsMethods(s.Elem)
	r.dynamicKey = holdsDynamic(s.Key)
	addRef(opMap, r)
}

func (c *compiler) emitArray(p *Program, s *Spec, off uintptr, name string, add func(op, uint32), addRef func(op, ref)) {
	raw := c.raw(s)
	if n := s.Elem.Form; !c.Unfused && n == FormByte && !s.Elem.Signed && s.Count <= maxRaw && s.Count > 0 {
		raw = uintptr(s.Count)
	}
	switch {
	case s.Count == 0 || s.Elem.least() == 0:
	case raw > 0:
		add(opRaw, uint32(raw))
	case s.Count <= unrolled && s.Elem.Form < FormSlice && s.Elem.Form != FormText:
		for i := range s.Count {
			c.emit(p, s.Elem, off+uintptr(i)*s.Elem.Size, Index(name, i))
		}
	default:
		addRef(opArray, ref{program: c.program(s.Elem), stride: s.Elem.Size, count: s.Count})
	}
}

func (c *compiler) emitCases(s *Spec, addRef func(op, ref)) {
	r := ref{}
	for _, one := range s.Cases {
		b := branch{Case: one}
		if one.Spec != nil {
			b.program = c.program(one.Spec)
			if s.Form == FormInterface {
				c.costs(uint64(one.Spec.Size), one.Spec.written())
			}
		}
		r.cases = append(r.cases, b)
	}
	if s.Form == FormVariant {
		addRef(opVariant, r)
		return
	}
	r.byType = map[reflect.Type]int{}
	for i := range r.cases {
		r.byType[r.cases[i].Spec.Type] = i
	}
	addRef(opInterface, r)
}

// evolving returns the program of the fields of an evolving struct.
func (c *compiler) evolving(s *Spec) *Program {
	p := &Program{Type: s.Type}
	for i := range s.Fields {
		f := &s.Fields[i]
		if !c.Canonical { // where all fields are there
			p.refs = append(p.refs, ref{spec: f.Spec})
			p.first = append(p.first, uint32(len(p.parts)))
			p.parts = append(p.parts, part{f.Off, "." + f.Name, f.Spec.Type})
			p.code = append(p.code, instr{op: opField, off: uint32(f.Off), arg: uint32(len(p.refs) - 1)})
		}
		c.emit(p, f.Spec, f.Off, "."+f.Name)
	}
	p.reserve()
	c.programs[&Spec{}] = p // for its room
	return p
}

// callsMethods reports whether a program for s hands the memory that it runs
// over, or a part of it, to a type's own methods, which may keep it.
func callsMethods(s *Spec) bool {
	return s.contains(FormBigInt, FormBinary, FormTextual, FormAccessor)
}

// holdsDynamic reports whether a value of s has an interface in it, or may have:
// a type with methods does not show what it holds.
func holdsDynamic(s *Spec) bool {
	return s.contains(FormInterface, FormBinary, FormTextual, FormVariant, FormAccessor)
}

// contains reports whether a value of s is of one of the forms, or has such a value
// in the memory that it takes itself.
func (s *Spec) contains(forms ...Form) bool {
	switch {
	case slices.Contains(forms, s.Form):
		return true
	case s.Form == FormOption || s.Form == FormArray:
		return s.Elem.contains(forms...)
	}
	for i := range s.Fields {
		if s.Fields[i].Spec.contains(forms...) {
			return true
		}
	}
	for _, one := range s.Cases {
		if one.Spec != nil && s.Form == FormVariant && one.Spec.contains(forms...) {
			return true
		}
	}
	return false
}
