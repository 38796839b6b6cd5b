package program

import (
	"math"
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/mem"
)

// A program encodes and decodes one type: a flat list of instructions over an
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
	room    int
	Methods bool // code of others sees memory that it works on
	// factor is the memory that a decode may take for each byte of input, if
	// the limits leave it to the type. It is set on the program of the type
	// that was asked for, like the root that its schema is made from.
	factor int
	Root   *Spec
	sealed int        // while it is made: instructions that nothing may be added to
	made   bool       // the code is complete
	Err    *TypeError // if set, the type cannot be encoded
}

// An instr is one step: op works on what lies off bytes from the address. The
// meaning of arg is op's: an index into refs, a number of bytes or of elements,
// a Len. Need is the room that the encoder reserves for the instructions behind
// this one, up to the next that makes room of its own.
type instr struct {
	op   op
	len  Len
	off  uint32
	arg  uint32
	need uint32
}

// A part says what stands at an offset of the program's value, for errors. An
// instruction that was fused from several has one for each.
type part struct {
	off  uintptr
	name string // path from the start of the program
	Type reflect.Type
}

type op uint8

const (
	opBool op = iota
	opByte
	opInt16
	opInt32
	opInt64
	opUint16
	opUint32
	opUint64
	opInts   // arg adjacent int64s
	opUints  // arg adjacent uint64s
	opMixed  // arg adjacent of both; need says which are signed
	opFix16  // arg of these: numberKind
	opFix32  // little-endian
	opFix64  //
	opFix16B // big-endian
	opFix32B
	opFix64B
	opWide    // a 32-bit int of this platform in 8 bytes
	opFloat32 // canonical
	opFloat64
	opComplex64 // arg: 1 if canonical
	opComplex128
	opTime
	opTimeUTC
	opTimeZone
	opString // from here on an instruction makes room of its own
	opText   // a string with a length of fixed width
	opBytes
	opRaw  // arg bytes as they are in memory
	opSkip // arg bytes of zero
	opStrings
	opInt32s
	opInt64s
	opUint32s
	opUint64s
	opBulk // a slice whose elements, of arg bytes, are written as they are in memory
	opError
	opOption // of what the next arg instructions write

	// An option of what the next instruction alone writes, whose value lies arg
	// bytes behind the flag.
	opOptionFix64
	opOptionUint64

	opSlice // from here on arg is an index into refs
	opList
	opArray
	opPointer
	opPointerTo // a pointer to what the next instruction alone writes
	opMap
	opCast // a map of plain keys and elements
	opBinary
	opTextual
	opVariant
	opInterface
	opEvolving
	opField // in the program of an evolving struct, in front of each field
	opAccessor
)

// A numberKind is what an instruction of fixed width moves. The bytes do not
// depend on it.
const (
	numberUnsigned = iota
	numberSigned
	numberFloat
)

// A ref is what an instruction needs to know beyond a number.
type ref struct {
	program             *Program // of the element, the pointee or the optional value
	spec                *Spec    // of what the instruction works on
	stride              uintptr  // bytes from one element to the next
	raw                 uintptr  // of a slice: the stride, if the elements are written as they are in memory
	count               int      // of an array
	key                 *Program // of a map
	cast                mapCast  // of a map: its plain form, or 0
	plainKey, plainElem plain
	sorted              bool // of a map: canonical
	scratch             *sync.Pool
	methods             bool // of a map: methods see its keys or elements
	cases               []branch
	byType              map[reflect.Type]int // of an interface: which case a type is
	append              Method
	accessor            accessor
	empty               bool
}

// A branch is one case of a variant or an interface.
type branch struct {
	Case
	program *Program // nil if nothing follows
}

// slack is what the encoder reserves beyond the bytes of a run, so that a number
// may be written as a whole word of which only a part counts.
const slack = 8

// maxTime is the longest encoding of a time in UTC or the local zone; a name
// makes room of its own.
const maxTime = 10 + 5 + 1 + 5

// bound returns what an instruction may write into the room that the one before
// it made, and whether it makes room for the one behind it.
func (i *instr) bound() (n int, breaks bool) {
	switch i.op {
	case opBool, opByte:
		return 1, false
	case opInt16, opUint16:
		return 3, false
	case opInt32, opUint32:
		return 5, false
	case opInt64, opUint64:
		return 10, false
	case opInts, opUints, opMixed:
		return 10 * int(i.arg), false
	case opFix16, opFix16B:
		return 2, false
	case opFix32, opFix32B, opFloat32:
		return 4, false
	case opFix64, opFix64B, opFloat64, opComplex64, opWide, opTimeUTC:
		return 8, false
	case opComplex128:
		return 16, false
	case opTime:
		return maxTime, false
	case opTimeZone:
		return 8, true
	case opPointerTo, opOption, opOptionFix64, opOptionUint64:
		return 1, false
	case opPointer, opVariant:
		return 1, true
	case opString, opText, opBytes, opRaw, opSkip, opField, opAccessor, opError:
		return 0, true
	}
	return 10, true // a length, an id
}

// reserve sets what each instruction has to reserve for those behind it.
func (p *Program) reserve() {
	runs := make([]int, len(p.code)+1) // of each instruction: what it and those behind it write up to a break
	breaks := make([]int, len(p.code)+1)
	for pc := len(p.code) - 1; pc >= 0; pc-- {
		i := &p.code[pc]
		n, ends := i.bound()
		breaks[pc] = breaks[pc+1]
		need := runs[pc+1]
		switch body := i.body(); {
		case ends:
			runs[pc] = n
			breaks[pc]++
		case body > 0 && breaks[pc+1] > breaks[pc+1+body]:
			// Who jumps over what makes room makes it himself.
			need = runs[pc+1+body]
			runs[pc] = n + runs[pc+1]
		default:
			if body > 0 {
				need = 0
			}
			runs[pc] = n + runs[pc+1]
		}
		if i.op != opMixed {
			i.need = uint32(need + slack)
		}
		p.room = max(p.room, need+slack)
	}
	p.need = runs[0] + slack
	p.room = max(p.room, p.need)
}

// isPlain reports whether a pointer to what i alone writes has an instruction of
// its own: see [appendPlain].
func (i *instr) isPlain() bool {
	switch i.op {
	case opBool, opByte, opInt16, opInt32, opInt64, opUint16, opUint32, opUint64, opFix32, opFix64, opString:
		return true
	}
	return false
}

// body returns the number of instructions behind this one that are left out if
// what it looks at is absent.
func (i *instr) body() int {
	switch i.op {
	case opPointerTo, opOptionFix64, opOptionUint64:
		return 1
	case opOption:
		return int(i.arg)
	}
	return 0
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

// A mode is what a compiler is asked for beyond the type.
type Mode struct {
	Canonical bool
	Plain     bool // nothing moved as mere bytes: for a walk that names each value
}

type compiler struct {
	Mode
	programs map[*Spec]*Program
	factor   uint64
	methods  bool
}

// compile makes the program of root.
func Compile(root *Spec, m Mode) *Program {
	c := compiler{Mode: m, programs: map[*Spec]*Program{}, factor: minFactor}
	p := c.program(root)
	room := 0
	for _, other := range c.programs {
		room = max(room, other.room)
	}
	p.room, p.Methods = room, c.methods
	p.Root = root
	p.factor = int(min(c.factor, maxFactor))
	return p
}

// A decoder takes memory for what its input holds, and an encoding holds at least
// so many bytes for each element of a slice, entry of a map and pointer: their
// ratio bounds what any valid encoding of a type needs. Every part of the input
// is counted once, so the largest ratio in the type is enough for all of it.
const (
	minFactor = 64
	maxFactor = 4096
)

// costs notes that size bytes of memory stand for at least least bytes of input.
func (c *compiler) costs(size uintptr, least int) {
	c.factor = max(c.factor, (uint64(size)+uint64(least)-1)/uint64(max(least, 1)))
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
	if c.fuse(p, s, off, name) {
		return
	}
	switch s.Form {
	case FormBool:
		add(opBool, 0)
	case FormByte:
		add(opByte, s.number())
	case FormVarint:
		add([...]op{2: opInt16, 4: opInt32, 8: opInt64}[s.Size], 0)
	case FormUvarint:
		add([...]op{2: opUint16, 4: opUint32, 8: opUint64}[s.Size], 0)
	case FormFixed, FormFloat:
		switch {
		case s.Form == FormFloat && c.Canonical:
			add([...]op{4: opFloat32, 8: opFloat64}[s.Size], 0)
		case uintptr(s.Width) != s.Size:
			add(opWide, s.number())
			p.code[len(p.code)-1].len = LenU64LE
			if s.Big {
				p.code[len(p.code)-1].len = LenU64BE
			}
		case s.Width == 1:
			add(opByte, s.number())
		case s.Big:
			add([...]op{2: opFix16B, 4: opFix32B, 8: opFix64B}[s.Width], s.number())
		default:
			add([...]op{2: opFix16, 4: opFix32, 8: opFix64}[s.Width], s.number())
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
	case FormBytes:
		arg := uint32(0)
		if s.Empty {
			arg = 1
		}
		add(opBytes, arg)
	case FormTime:
		add(opTime, 0)
	case FormTimeUTC:
		add(opTimeUTC, 0)
	case FormTimeZone:
		add(opTimeZone, 0)
	case FormError:
		add(opError, 0)
	case FormSkip:
		if s.Count > 0 {
			add(opSkip, uint32(s.Count))
		}
	case FormSlice, FormList:
		c.emitSlice(s, add, addRef)
	case FormArray:
		c.emitArray(p, s, off, name, add, addRef)
	case FormPointer:
		c.costs(s.Elem.Size, 1+s.Elem.least())
		r := ref{program: c.program(s.Elem)}
		if !r.program.made || len(r.program.code) != 1 || len(r.program.parts) != 1 || !r.program.code[0].isPlain() {
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
		body := p.code[at+1:]
		p.code[at].arg = uint32(len(body))
		p.sealed = len(p.code)
		if len(body) == 1 {
			switch body[0].op {
			case opFix64:
				p.code[at].op, p.code[at].arg = opOptionFix64, body[0].off-uint32(off)
			case opUint64:
				p.code[at].op, p.code[at].arg = opOptionUint64, body[0].off-uint32(off)
			}
		}
	case FormMap:
		c.costs(s.Key.Size+s.Elem.Size+mapOverhead, s.Key.least()+s.Elem.least())
		r := ref{key: c.program(s.Key), program: c.program(s.Elem), sorted: c.Canonical, empty: s.Empty}
		if !c.Canonical {
			r.cast = castOf(s.Key, s.Elem)
		}
		if r.cast != 0 {
			r.plainKey, r.plainElem = plainOf(s.Key), plainOf(s.Elem)
			addRef(opCast, r)
			return
		}
		r.scratch = scratchOf(s)
		r.methods = callsMethods(s.Key) || callsMethods(s.Elem)
		addRef(opMap, r)
	case FormBinary:
		c.methods = true
		addRef(opBinary, ref{append: s.Method})
	case FormTextual:
		c.methods = true
		addRef(opTextual, ref{append: s.Method})
	case FormVariant, FormInterface:
		c.emitCases(s, addRef)
	case FormAccessor:
		addRef(opAccessor, ref{program: c.program(s.Elem), accessor: s.Accessor})
	case FormStruct:
		if s.Evolving {
			addRef(opEvolving, ref{program: c.evolving(s)})
			return
		}
		for i := range s.Fields {
			f := &s.Fields[i]
			c.emit(p, f.Spec, off+f.Off, join(name, "."+f.Name))
		}
	}
}

func (s *Spec) number() uint32 {
	switch {
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
		case opFix16:
			end += 2
		case opFix32:
			end += 4
		case opFix64:
			end += 8
		case opByte:
			end++
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
	n, signed := last.arg, last.need // of a mixed run
	switch last.op {
	case opInt64:
		n, signed = 1, 1
	case opUint64:
		n, signed = 1, 0
	case opInts:
		signed = math.MaxUint32
	case opUints:
		signed = 0
	case opMixed:
	default:
		return false
	}
	if uintptr(last.off)+8*uintptr(n) != off || n == maxRun {
		return false
	}
	alike := last.op == opInt64 || last.op == opInts
	if last.op == opMixed || alike != (s.Form == FormVarint) {
		if n >= 32 {
			return false
		}
		signed &= 1<<n - 1
		if s.Form == FormVarint {
			signed |= 1 << n
		}
		last.op, last.need = opMixed, signed
	} else if last.op = opUints; alike {
		last.op = opInts
	}
	last.arg = n + 1
	p.parts = append(p.parts, part{off, name, s.Type})
	return true
}

const (
	maxRaw = 1 << 30 // bytes that one instruction moves
	maxRun = 1 << 10 // varints that it moves
)

// raw is [spec.raw] as far as this program may make use of it.
func (c *compiler) raw(s *Spec) uintptr {
	if c.Plain || c.Canonical && s.hasFloat() {
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
	c.costs(s.Elem.Size, s.Elem.least())
	if s.Form == FormSlice && s.Len == LenVarint && !s.Empty {
		if o, ok := sliceOps[s.Elem.Form]; ok && o[s.Elem.Size] != 0 && s.Elem.Len == LenVarint {
			add(o[s.Elem.Size], 0)
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

// sliceOps are the instructions for slices of plain elements, by form and size.
var sliceOps = map[form][17]op{
	FormText:    {8: opStrings, 16: opStrings},
	FormVarint:  {4: opInt32s, 8: opInt64s},
	FormUvarint: {4: opUint32s, 8: opUint64s},
}

func (c *compiler) emitArray(p *Program, s *Spec, off uintptr, name string, add func(op, uint32), addRef func(op, ref)) {
	raw := c.raw(s)
	if n := s.Elem.Form; !c.Plain && n == FormByte && !s.Elem.Signed && s.Count <= maxRaw && s.Count > 0 {
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
				c.costs(one.Spec.Size, 1+one.Spec.least())
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
		p.refs = append(p.refs, ref{spec: f.Spec})
		p.first = append(p.first, uint32(len(p.parts)))
		p.parts = append(p.parts, part{f.Off, "." + f.Name, f.Spec.Type})
		p.code = append(p.code, instr{op: opField, off: uint32(f.Off), arg: uint32(len(p.refs) - 1)})
		c.emit(p, f.Spec, f.Off, "."+f.Name)
	}
	p.reserve()
	c.programs[&Spec{}] = p // for its room
	return p
}

// callsMethods reports whether a program for s hands the memory that it runs
// over, or a part of it, to a type's own methods, which may keep it.
func callsMethods(s *Spec) bool {
	switch s.Form {
	case FormBinary, FormTextual, FormAccessor:
		return true
	case FormOption, FormArray:
		return callsMethods(s.Elem)
	}
	for i := range s.Fields {
		if callsMethods(s.Fields[i].Spec) {
			return true
		}
	}
	for _, one := range s.Cases {
		if one.Spec != nil && s.Form == FormVariant && callsMethods(one.Spec) {
			return true
		}
	}
	return false
}
