package wire

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
type program struct {
	code  []instr
	refs  []ref
	first []uint32 // of each instruction: its first part
	parts []part
	typ   reflect.Type
	least int // bytes of the shortest encoding
	need  int // bytes to reserve for what its first run of instructions writes
	// room is the most that any run of it, or of a program it refers to, may
	// reserve beyond what it writes.
	room    int
	methods bool // code of others sees memory that it works on
	// factor is the memory that a decode may take for each byte of input, if
	// the limits leave it to the type. It is set on the program of the type
	// that was asked for, like the root that its schema is made from.
	factor int
	root   *spec
	sealed int        // while it is made: instructions that nothing may be added to
	made   bool       // the code is complete
	err    *TypeError // if set, the type cannot be encoded
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
	typ  reflect.Type
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
	program             *program // of the element, the pointee or the optional value
	spec                *spec    // of what the instruction works on
	stride              uintptr  // bytes from one element to the next
	raw                 uintptr  // of a slice: the stride, if the elements are written as they are in memory
	count               int      // of an array
	key                 *program // of a map
	cast                mapCast  // of a map: its plain form, or 0
	plainKey, plainElem plain
	sorted              bool // of a map: canonical
	scratch             *sync.Pool
	methods             bool // of a map: methods see its keys or elements
	cases               []branch
	byType              map[reflect.Type]int // of an interface: which case a type is
	append              appendMethod
	accessor            accessor
	empty               bool
}

// A branch is one case of a variant or an interface.
type branch struct {
	oneOf
	program *program // nil if nothing follows
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
func (p *program) reserve() {
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
func (p *program) at(pc, k int) part {
	i := int(p.first[pc]) + k
	end := len(p.parts)
	if pc+1 < len(p.first) {
		end = int(p.first[pc+1])
	}
	return p.parts[max(min(i, end-1), int(p.first[pc]))]
}

// partAt returns the part of the instruction at pc that holds the offset off.
func (p *program) partAt(pc int, off uintptr) part {
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
type mode struct {
	canonical bool
	plain     bool // nothing moved as mere bytes: for a walk that names each value
}

type compiler struct {
	mode
	programs map[*spec]*program
	factor   uint64
	methods  bool
}

// compile makes the program of root.
func compile(root *spec, m mode) *program {
	c := compiler{mode: m, programs: map[*spec]*program{}, factor: minFactor}
	p := c.program(root)
	room := 0
	for _, other := range c.programs {
		room = max(room, other.room)
	}
	p.room, p.methods = room, c.methods
	p.root = root
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
func (c *compiler) program(s *spec) *program {
	if p := c.programs[s]; p != nil {
		return p
	}
	p := &program{typ: s.typ, least: s.least()}
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
func (c *compiler) emit(p *program, s *spec, off uintptr, name string) {
	add := func(o op, arg uint32) {
		p.first = append(p.first, uint32(len(p.parts)))
		p.parts = append(p.parts, part{off, name, s.typ})
		p.code = append(p.code, instr{op: o, len: s.len, off: uint32(off), arg: arg})
	}
	addRef := func(o op, r ref) {
		r.spec = s
		p.refs = append(p.refs, r)
		add(o, uint32(len(p.refs)-1))
	}
	if c.fuse(p, s, off, name) {
		return
	}
	switch s.form {
	case formBool:
		add(opBool, 0)
	case formByte:
		add(opByte, s.number())
	case formVarint:
		add([...]op{2: opInt16, 4: opInt32, 8: opInt64}[s.size], 0)
	case formUvarint:
		add([...]op{2: opUint16, 4: opUint32, 8: opUint64}[s.size], 0)
	case formFixed, formFloat:
		switch {
		case s.form == formFloat && c.canonical:
			add([...]op{4: opFloat32, 8: opFloat64}[s.size], 0)
		case uintptr(s.width) != s.size:
			add(opWide, s.number())
			p.code[len(p.code)-1].len = LenU64LE
			if s.big {
				p.code[len(p.code)-1].len = LenU64BE
			}
		case s.width == 1:
			add(opByte, s.number())
		case s.big:
			add([...]op{2: opFix16B, 4: opFix32B, 8: opFix64B}[s.width], s.number())
		default:
			add([...]op{2: opFix16, 4: opFix32, 8: opFix64}[s.width], s.number())
		}
	case formComplex:
		arg := uint32(0)
		if c.canonical {
			arg = 1
		}
		add([...]op{4: opComplex64, 8: opComplex128}[s.width], arg)
	case formText:
		if s.len == LenVarint {
			add(opString, 0)
		} else {
			add(opText, 0)
		}
	case formBytes:
		arg := uint32(0)
		if s.empty {
			arg = 1
		}
		add(opBytes, arg)
	case formTime:
		add(opTime, 0)
	case formTimeUTC:
		add(opTimeUTC, 0)
	case formTimeZone:
		add(opTimeZone, 0)
	case formError:
		add(opError, 0)
	case formSkip:
		if s.count > 0 {
			add(opSkip, uint32(s.count))
		}
	case formSlice, formList:
		c.emitSlice(s, add, addRef)
	case formArray:
		c.emitArray(p, s, off, name, add, addRef)
	case formPointer:
		c.costs(s.elem.size, 1+s.elem.least())
		r := ref{program: c.program(s.elem)}
		if !r.program.made || len(r.program.code) != 1 || len(r.program.parts) != 1 || !r.program.code[0].isPlain() {
			addRef(opPointer, r)
			return
		}
		addRef(opPointerTo, r)
		c.emit(p, s.elem, 0, name)
		p.sealed = len(p.code)
	case formOption:
		at := len(p.code)
		add(opOption, 0)
		c.emit(p, s.elem, off+s.value, name)
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
	case formMap:
		c.costs(s.key.size+s.elem.size+mapOverhead, s.key.least()+s.elem.least())
		r := ref{key: c.program(s.key), program: c.program(s.elem), sorted: c.canonical, empty: s.empty}
		if !c.canonical {
			r.cast = castOf(s.key, s.elem)
		}
		if r.cast != 0 {
			r.plainKey, r.plainElem = plainOf(s.key), plainOf(s.elem)
			addRef(opCast, r)
			return
		}
		r.scratch = scratchOf(s)
		r.methods = callsMethods(s.key) || callsMethods(s.elem)
		addRef(opMap, r)
	case formBinary:
		c.methods = true
		addRef(opBinary, ref{append: s.method})
	case formTextual:
		c.methods = true
		addRef(opTextual, ref{append: s.method})
	case formVariant, formInterface:
		c.emitCases(s, addRef)
	case formAccessor:
		addRef(opAccessor, ref{program: c.program(s.elem), accessor: s.accessor})
	case formStruct:
		if s.evolving {
			addRef(opEvolving, ref{program: c.evolving(s)})
			return
		}
		for i := range s.fields {
			f := &s.fields[i]
			c.emit(p, f.spec, off+f.off, join(name, "."+f.name))
		}
	}
}

func (s *spec) number() uint32 {
	switch {
	case s.float:
		return numberFloat
	case s.signed:
		return numberSigned
	}
	return numberUnsigned
}

// fuse adds s to the instruction before it, if it lies right behind what that
// one works on and the two can be moved as one.
func (c *compiler) fuse(p *program, s *spec, off uintptr, name string) bool {
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
	case (s.form == formVarint || s.form == formUvarint) && s.size == 8:
		return c.fuseVarint(p, last, s, off, name)
	default:
		return false
	}
	p.parts = append(p.parts, part{off, name, s.typ})
	return true
}

// fuseVarint is fuse for a varint of 64 bits.
func (c *compiler) fuseVarint(p *program, last *instr, s *spec, off uintptr, name string) bool {
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
	if last.op == opMixed || alike != (s.form == formVarint) {
		if n >= 32 {
			return false
		}
		signed &= 1<<n - 1
		if s.form == formVarint {
			signed |= 1 << n
		}
		last.op, last.need = opMixed, signed
	} else if last.op = opUints; alike {
		last.op = opInts
	}
	last.arg = n + 1
	p.parts = append(p.parts, part{off, name, s.typ})
	return true
}

const (
	maxRaw = 1 << 30 // bytes that one instruction moves
	maxRun = 1 << 10 // varints that it moves
)

// raw is [spec.raw] as far as this program may make use of it.
func (c *compiler) raw(s *spec) uintptr {
	if c.plain || c.canonical && s.hasFloat() {
		return 0
	}
	n := s.raw()
	if n > maxRaw || !mem.Bulk {
		return 0
	}
	return n
}

func (s *spec) hasFloat() bool {
	if s.float || s.elem != nil && s.form == formArray && s.elem.hasFloat() {
		return true
	}
	for i := range s.fields {
		if f := s.fields[i].spec; f.form < formPointer && f.hasFloat() {
			return true
		}
	}
	return false
}

func (c *compiler) emitSlice(s *spec, add func(op, uint32), addRef func(op, ref)) {
	c.costs(s.elem.size, s.elem.least())
	if s.form == formSlice && s.len == LenVarint && !s.empty {
		if o, ok := sliceOps[s.elem.form]; ok && o[s.elem.size] != 0 && s.elem.len == LenVarint {
			add(o[s.elem.size], 0)
			return
		}
	}
	if raw := c.raw(s.elem); s.form == formSlice && !s.empty && (raw == 1 || raw == 2 || raw == 4 || raw == 8) && c.isNumber(s.elem) {
		add(opBulk, uint32(raw))
		return
	}
	r := ref{program: c.program(s.elem), stride: s.elem.size, count: s.count, empty: s.empty}
	if raw := c.raw(s.elem); raw == s.elem.size {
		r.raw = raw
	}
	if s.form == formList {
		addRef(opList, r)
		return
	}
	addRef(opSlice, r)
}

// isNumber reports whether s is one number: a slice of such may be made as a
// slice of another kind of number of its size.
func (c *compiler) isNumber(s *spec) bool {
	return s.form == formByte || s.form == formFixed || s.form == formFloat
}

// sliceOps are the instructions for slices of plain elements, by form and size.
var sliceOps = map[form][17]op{
	formText:    {8: opStrings, 16: opStrings},
	formVarint:  {4: opInt32s, 8: opInt64s},
	formUvarint: {4: opUint32s, 8: opUint64s},
}

func (c *compiler) emitArray(p *program, s *spec, off uintptr, name string, add func(op, uint32), addRef func(op, ref)) {
	raw := c.raw(s)
	if n := s.elem.form; !c.plain && n == formByte && !s.elem.signed && s.count <= maxRaw && s.count > 0 {
		raw = uintptr(s.count)
	}
	switch {
	case s.count == 0 || s.elem.least() == 0:
	case raw > 0:
		add(opRaw, uint32(raw))
	case s.count <= unrolled && s.elem.form < formSlice && s.elem.form != formText:
		for i := range s.count {
			c.emit(p, s.elem, off+uintptr(i)*s.elem.size, index(name, i))
		}
	default:
		addRef(opArray, ref{program: c.program(s.elem), stride: s.elem.size, count: s.count})
	}
}

func (c *compiler) emitCases(s *spec, addRef func(op, ref)) {
	r := ref{}
	for _, one := range s.cases {
		b := branch{oneOf: one}
		if one.spec != nil {
			b.program = c.program(one.spec)
			if s.form == formInterface {
				c.costs(one.spec.size, 1+one.spec.least())
			}
		}
		r.cases = append(r.cases, b)
	}
	if s.form == formVariant {
		addRef(opVariant, r)
		return
	}
	r.byType = map[reflect.Type]int{}
	for i := range r.cases {
		r.byType[r.cases[i].spec.typ] = i
	}
	addRef(opInterface, r)
}

// evolving returns the program of the fields of an evolving struct.
func (c *compiler) evolving(s *spec) *program {
	p := &program{typ: s.typ}
	for i := range s.fields {
		f := &s.fields[i]
		p.refs = append(p.refs, ref{spec: f.spec})
		p.first = append(p.first, uint32(len(p.parts)))
		p.parts = append(p.parts, part{f.off, "." + f.name, f.spec.typ})
		p.code = append(p.code, instr{op: opField, off: uint32(f.off), arg: uint32(len(p.refs) - 1)})
		c.emit(p, f.spec, f.off, "."+f.name)
	}
	p.reserve()
	c.programs[&spec{}] = p // for its room
	return p
}

// callsMethods reports whether a program for s hands the memory that it runs
// over, or a part of it, to a type's own methods, which may keep it.
func callsMethods(s *spec) bool {
	switch s.form {
	case formBinary, formTextual, formAccessor:
		return true
	case formOption, formArray:
		return callsMethods(s.elem)
	}
	for i := range s.fields {
		if callsMethods(s.fields[i].spec) {
			return true
		}
	}
	for _, one := range s.cases {
		if one.spec != nil && s.form == formVariant && callsMethods(one.spec) {
			return true
		}
	}
	return false
}
