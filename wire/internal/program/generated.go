package program

import (
	"fmt"
	"os"
	"reflect"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A Code is the generated code of a struct type: one function that encodes the fields of a value, and
// one that decodes them. The functions replace the instructions of a program. Both return the position
// after the value, or a negative number if the state has an error.
//
// The functions run while at least two levels of nesting are left. At the last level the
// instructions run, which compare each pointer with the limit.
type Code struct {
	Type        reflect.Type // the type for which the code was generated
	Fingerprint uint64       // fingerprint of the type when the code was generated
	Put         func(e *Encoder, t *Table, n int, a mem.Pointer) int
	Get         func(d *Decoder, t *Table, pos int, a mem.Pointer) int
}

// Generated is implemented by pointers to types with generated code.
type Generated interface{ HoneWire() Code }

var generatedType = reflect.TypeFor[Generated]()

// stale contains the types whose generated code is out of date. The message about each is printed
// once.
var stale sync.Map

// codeOf returns the generated code for s, or nil if there is none.
func codeOf(s *spec.Spec) (code *Code) {
	if s.Form != spec.FormStruct || s.Type == nil || !reflect.PointerTo(s.Type).Implements(generatedType) {
		return nil
	}
	// The generated method does not use its receiver, so a nil pointer suffices. If the method is
	// promoted from an embedded field, it may panic. Such a method belongs to another type.
	defer func() {
		if recover() != nil {
			code = nil
		}
	}()
	c := reflect.Zero(reflect.PointerTo(s.Type)).Interface().(Generated).HoneWire()
	if c.Type != s.Type || c.Put == nil || c.Get == nil {
		return nil
	}
	if c.Fingerprint != s.Fingerprint() {
		if _, again := stale.LoadOrStore(s.Type, true); !again {
			fmt.Fprintf(os.Stderr, "wire: the generated code of %v is not used, because it was made for another version of the type or of Hone: run go generate\n", s.Type)
		}
		return nil
	}
	return &c
}

// putGenerated encodes the value at a with the generated code of its type. Append and Marshal call it
// directly, and not through put, whose large stack frame costs time.
func (p *Program) putGenerated(e *Encoder, n int, a mem.Pointer) (int, *EncodeError) {
	if e.depth <= 1 {
		return p.put(e, n, a)
	}
	if next := p.generated.Put(e, p.table, n, a); next >= 0 {
		return next, nil
	}
	return n, e.err
}

// readGenerated decodes the value at a with the generated code of its type.
func (p *Program) readGenerated(d *Decoder, pos int, a mem.Pointer) (int, *DecodeError) {
	if d.depth <= 1 {
		return p.read(d, pos, a)
	}
	d.generated = true
	if next := p.generated.Get(d, p.table, pos, a); next >= 0 {
		return next, nil
	}
	return pos, d.err
}

// A Table has a Part for each field of a struct, in the order of its spec. Generated code uses the Part
// of a field that it cannot encode or decode itself.
type Table struct {
	parts []Part
	of    *spec.Spec
}

// A Part is one field of a struct. The engine compiles a program for it when generated code first
// passes the field to the engine.
type Part struct {
	// Table is the table of the struct that the field contains, or whose values are the elements
	// of the field. It is nil if there is no such struct.
	Table *Table

	name    string // path of the field from the struct
	spec    *spec.Spec
	raw     bool // the elements are copied as bytes
	least   int  // bytes of the shortest encoding of an element, or of an entry
	once    sync.Once
	program *Program
}

// Part returns the part of the k-th field.
func (t *Table) Part(k int) *Part { return &t.parts[k] }

// table returns the table of s, a struct.
func (c *compiler) table(s *spec.Spec) *Table {
	if t := c.tables[s]; t != nil {
		return t
	}
	t := &Table{make([]Part, len(s.Fields)), s}
	// The entry is set before the fields are examined, so that recursion ends.
	c.tables[s] = t
	for i := range s.Fields {
		// least, the length of the shortest encoding of an element, bounds the number of elements in
		// hostile input, as in the engine.
		f, p := &s.Fields[i], &t.parts[i]
		p.name, p.spec = "."+f.Name, f.Spec
		inner := f.Spec
		if f.Spec.Form == spec.FormSlice {
			inner = f.Spec.Elem
			p.raw, p.least = c.raw(inner) > 0, inner.Least()
		}
		if f.Spec.Form == spec.FormMap {
			p.least = f.Spec.Key.Least() + f.Spec.Elem.Least()
		}
		if inner.Form == spec.FormStruct {
			p.Table = c.table(inner)
		}
	}
	return t
}

// compiled returns the program of the field.
func (p *Part) compiled() *Program {
	p.once.Do(func() {
		// A struct of this one field gives errors the path of the field. It has no type, so it
		// has no generated code.
		field := spec.Field{Name: p.name[1:], Spec: p.spec}
		p.program = Compile(&spec.Spec{Form: spec.FormStruct, Size: p.spec.Size, Fields: []spec.Field{field}}, Mode{})
	})
	return p.program
}

// Put encodes the field at a with its program.
func (p *Part) Put(e *Encoder, n int, a mem.Pointer) int {
	next, err := p.compiled().put(e, n, a)
	if err != nil {
		e.err = err
		return -1
	}
	return next
}

// Get decodes the field at a with its program.
func (p *Part) Get(d *Decoder, pos int, a mem.Pointer) int {
	next, err := p.compiled().read(d, pos, a)
	if err != nil {
		d.err = err
		return -1
	}
	return next
}

// PutLen begins a slice of structs with generated code: at position n it writes length, the number
// of elements. It returns a negative position if the engine must encode the slice: its elements are
// copied as bytes, or the last levels of nesting are reached. Otherwise the caller calls Leave
// after the elements.
func (p *Part) PutLen(e *Encoder, n, length int) int {
	if p.raw || e.depth <= 2 {
		return -1
	}
	e.depth--
	return scalar.PutUvarint(e.Room(n, lengthBound+scalar.Slack), n, uint64(length))
}

// GetLen begins a slice like PutLen and reads the number of its elements, which have size bytes in
// memory. If engine is set, the engine must decode the slice. If the length is malformed, or the
// budget is exhausted, next is negative and d has the error.
func (p *Part) GetLen(d *Decoder, pos int, size uintptr) (length, next int, engine bool) {
	// The elements run at the next level, and generated code needs two levels: see [Code].
	if p.raw || d.depth <= 2 {
		return 0, 0, true
	}
	// Refuse the count before the caller allocates, if the rest of the input is too short for so many
	// elements, or if their memory exceeds the budget.
	n, next, cause := scalar.Count(d.in, pos, scalar.LenVarint, p.least)
	if cause == nil && n > 0 && !d.Take(n, size) {
		cause = fault.ErrBudget
	}
	if cause != nil {
		return 0, d.Fail(next, p.name, p.spec.Type, cause), false
	}
	d.depth--
	return n, next, false
}

// GetMapLen reads the number of entries of a map, whose keys and elements have the given sizes in
// memory. If the length is malformed, or the budget is exhausted, next is negative and d has the
// error.
func (p *Part) GetMapLen(d *Decoder, pos int, key, elem uintptr) (n, next int) {
	n, next, cause := scalar.Count(d.in, pos, scalar.LenVarint, p.least)
	if cause == nil && n > 0 && !d.TakeMap(n, key, elem) {
		cause = fault.ErrBudget
	}
	if cause != nil {
		return 0, d.Fail(next, p.name, p.spec.Type, cause)
	}
	return n, next
}

// Mark returns the remaining budget, for Reset.
func (d *Decoder) Mark() int { return int(d.Budget) }

// Reset sets the remaining budget to an earlier one.
func (d *Decoder) Reset(mark int) { d.Budget = budget.Budget(mark) }

// Leave ends a slice that PutLen has begun.
func (e *Encoder) Leave() { e.depth++ }

// Leave ends a slice that GetLen has begun.
func (d *Decoder) Leave() { d.depth++ }

// Room returns the buffer with space for at least size bytes after the first n. It may move the
// buffer, so a slice that an earlier call returned must not be used any more.
func (e *Encoder) Room(n, size int) []byte {
	if len(e.buf)-n < size {
		return e.grow(n, size)
	}
	return e.buf
}

// Within prepends path to the path of e's error and returns -1. path leads to the struct, not to
// its field, since an interpreted program cuts long paths at structs too.
func (e *Encoder) Within(path string) int {
	e.err.Path = path + e.err.Path
	return -1
}

// WithinElement prepends the path of element i of the field p to the path of e's error, and returns -1.
func (e *Encoder) WithinElement(p *Part, i int) int {
	e.err = e.err.within(Index("", i)).within(p.name)
	return -1
}

// In returns the input.
func (d *Decoder) In() []byte { return d.in }

// Within prepends path to the path of d's error and returns -1, like the method of an Encoder.
func (d *Decoder) Within(path string) int {
	d.err.Path = path + d.err.Path
	return -1
}

// WithinElement prepends the path of element i of the field p to the path of d's error, and returns -1.
func (d *Decoder) WithinElement(p *Part, i int) int {
	d.err = d.err.within(Index("", i)).within(p.name)
	return -1
}

// Fail sets the error of d to a fault at pos, in a part of type t, and returns -1.
func (d *Decoder) Fail(pos int, path string, t reflect.Type, cause error) int {
	d.err = d.fail(pos, t, cause).within(path)
	return -1
}

// Text reads a string and returns the position after it, or 0 if the input has a fault. If the
// budget is exhausted it returns "", and the decode fails at its end.
func (d *Decoder) Text(pos int) (s string, next int) {
	var n uint64
	next = pos + 1
	if pos < len(d.in) && d.in[pos] < 0x80 {
		n = uint64(d.in[pos])
	} else {
		n, next = scalar.UvarintLong(d.in, pos)
	}
	if next == 0 || n > uint64(len(d.in)-next) {
		return "", 0
	}
	b := d.in[next : next+int(n)]
	if len(b) > shortText || len(b) <= 1 || len(b) > len(d.shared) || len(b) > int(d.Budget) || d.alias {
		return d.text(b), next + len(b)
	}
	// A short string takes the next bytes of the shared memory: see readCommon.
	d.Budget -= budget.Budget(len(b))
	to := d.shared[:len(b)]
	d.shared = d.shared[len(b):]
	switch {
	// Two overlapping copies of 16, 8 or 4 bytes need no loop and no call. Both slices have the length
	// of the string, which the checks above have compared with the input and with the shared memory.
	case len(b) > 16:
		mem.Put64(to, 0, mem.Get64(b, 0))
		mem.Put64(to, 8, mem.Get64(b, 8))
		mem.Put64(to, len(b)-16, mem.Get64(b, len(b)-16))
		mem.Put64(to, len(b)-8, mem.Get64(b, len(b)-8))
	case len(b) >= 8:
		mem.Put64(to, 0, mem.Get64(b, 0))
		mem.Put64(to, len(b)-8, mem.Get64(b, len(b)-8))
	case len(b) >= 4:
		mem.Put32(to, 0, mem.Get32(b, 0))
		mem.Put32(to, len(b)-4, mem.Get32(b, len(b)-4))
	// A string of two or three bytes consists of its first, middle and last byte.
	default:
		mem.Put8(to, 0, b[0])
		mem.Put8(to, len(b)>>1, b[len(b)>>1])
		mem.Put8(to, len(b)-1, b[len(b)-1])
	}
	return mem.String(to), next + len(b)
}

// ZeroFrom sets fields of the struct at a to zero: the encoded fields from index k on. An older
// version has written the input, so it ends before these fields.
func (t *Table) ZeroFrom(k int, a mem.Pointer) {
	for _, f := range t.of.Fields[k:] {
		zeroField(f.Spec, a.Add(f.Off))
	}
}

// PutTime writes *t, in any zone. The caller has reserved timeBound bytes and [scalar.Slack]. A
// zone with a name needs more space, so PutTime then reserves space for the name. The argument more
// is the number of bytes to reserve after the name.
func (e *Encoder) PutTime(n int, t *time.Time, more int) int {
	_ = e.buf[n : n+timeBound+scalar.Slack : len(e.buf)] // the functions below check no bounds
	n = scalar.PutUvarint(e.buf, n, scalar.Zigzag(t.Unix()))
	n = scalar.PutUvarint(e.buf, n, uint64(t.Nanosecond()))
	if t.Location() == time.UTC {
		mem.Put8(e.buf, n, scalar.ZoneUTC)
		return n + 1
	}
	return putZone(e, n, t, more)
}
