package engine

import (
	"encoding"
	"math"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// A Program writes the values of one type. Its instructions run one
// after the other over an address; the braces, names and commas between two
// values are one literal, written by the instruction of the second.
type Program struct {
	code []instr
	refs []ref
	room int // bytes that the literals and the numbers take at most
}

// An instr writes a literal and then the value that lies off bytes from the
// address. The meaning of arg is op's.
type instr struct {
	op      op
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
		if in.op == opMarshaler || in.op == opTextMarshaler || in.op == opTextAppender || in.op == opMethods || in.op == opFunctions {
			return true
		}
	}
	for _, r := range p.refs {
		if r.asksZero || r.program.callsMethods(seen) {
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

type op uint8

const (
	opLiteral  op = iota // nothing but the literal
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
	opMap
	opMarshaler
	opTextMarshaler
	opTextAppender
	opUnsupported

	// Those of v2.
	opQuotedFloat32
	opQuotedFloat64
	opByteArray
	opOmitEmpty // a member, unless its value is empty JSON
	opRest      // the members that a struct keeps in a field of its own
	opMethods   // what a value's own methods write
	opFunctions // what functions of the call write
	opFail      // an error
)

type ref struct {
	program  *Program
	shape    *shape.Shape
	value    uintptr                         // of an option: from its flag to its value
	omit     func(mem.Pointer, uintptr) bool // of opSkip
	asksZero bool                            // of opSkip: omit calls the value's own IsZero
	target   int                             // of opSkip: where to go on
	name     string                          // of opName
	hops     []shape.Hop                     // of opThrough
	cases    []*Program                      // of opUnion; nil for a case without a value
	cast     mapCast                         // of opMap; may be nil
	scratch  *sync.Pool                      // of opMap without a cast: *mapScratch
	keyName  keyNamer                        // of opMap in v1, without a cast
	key      *Program                        // of opMap in v2, without a cast
	repeats  bool                            // of such a map: two keys may be written alike
	methods  []methodForm                    // of opMethods, in the order in which they are asked
	pointer  mem.AddressType                 // of opMethods, opFunctions, and the ops of v1 that call a method
	copies   bool                            // of opMethods and opFunctions: they get a copy of the value
	calls    []int                           // of opFunctions: their indexes
	fault    error                           // of opFail
	rest     *restWriter                     // of opRest
	stringed bool                            // of opMethods: the field has the option string
	named    bool                            // of opMethods and opFunctions: the value is a name
}

// A root is how a value in an interface is encoded.
type root struct {
	program *Program
	form    form
}

type form uint8

const (
	indirect form = iota // the interface points to the value
	word                 // the interface's word is the value
	pointer              // the value is a pointer, and the program is that of what it points to
)

// ProgramOf returns the program of v1 for what a pointer of type t points to.
func ProgramOf(t reflect.Type) *Program { return v1Encode.rootOf(t).program }

// CallsMethods reports whether the program may hand the address of a value to a method,
// which might keep it.
func (p *Program) CallsMethods() bool { return p.callsMethods(map[*Program]bool{}) }

func (m *encodeMode) rootOf(t reflect.Type) *root {
	if r := m.roots.Get(t); r != nil {
		return r
	}
	c := encodeCompiler{mode: m, programs: map[programKey]*Program{}}
	s := shape.Of(t)
	r := &root{}
	switch {
	case s.Kind == shape.Pointer && t.Name() == "" && len(m.types.of(t)) == 0:
		r.form, r.program = pointer, c.program(programKey{shape: s.Elem, addressable: true})
	case s.Direct:
		r.form, r.program = word, c.program(programKey{shape: s})
	default:
		r.program = c.program(programKey{shape: s})
	}
	return m.roots.Put(t, r)
}

// A programKey tells programs of one type apart: methods with pointer receivers
// are called only on values that are addressable, and a scalar may be quoted.
type programKey struct {
	shape       *shape.Shape
	addressable bool
	quoted      bool // by the option string

	// Those of v2.
	name     bool // the value is the name of a member
	declined int8 // how many methods, and the functions first, are not asked again
}

type encodeCompiler struct {
	mode     *encodeMode
	programs map[programKey]*Program
}

func (c *encodeCompiler) program(key programKey) *Program {
	if p := c.programs[key]; p != nil {
		return p
	}
	p := &Program{}
	c.programs[key] = p
	w := writer{compiler: c, program: p}
	w.value(key, 0)
	w.flush()
	p.seal()
	return p
}

// A writer emits the code of one program. Literal text gathers until a value
// needs to follow it.
type writer struct {
	compiler *encodeCompiler
	program  *Program
	literal  strings.Builder
}

func (w *writer) emit(o op, off uintptr, r *ref) {
	if off > math.MaxUint32 {
		panic("json: a struct of more than 4 GiB")
	}
	i := instr{op: o, off: uint32(off), size: uint32(w.literal.Len())}
	for w.literal.Len()%literalUnit != 0 {
		w.literal.WriteByte(0)
	}
	i.literal = w.literal.String()
	w.literal.Reset()
	if r != nil {
		i.arg = uint32(len(w.program.refs))
		w.program.refs = append(w.program.refs, *r)
	}
	w.program.code = append(w.program.code, i)
}

// flush makes an instruction of the literal text so far, so that what comes
// next can be jumped to or around.
func (w *writer) flush() {
	if w.literal.Len() > 0 {
		w.emit(opLiteral, 0, nil)
	}
}

func (w *writer) value(key programKey, off uintptr) {
	c, s, addressable := w.compiler, key.shape, key.addressable
	if !c.mode.isV1() && c.mode.rules.custom(w, key, off) {
		return
	}
	switch s.Kind {
	case shape.Time:
		w.emit(opTime, off, nil)
		return
	case shape.Option:
		o := opOption
		if !addressable && s.Elem.Kind > shape.String {
			o = opOptionCopy
		}
		w.emit(o, off+s.Present, &ref{shape: s, value: s.Value - s.Present, program: c.program(programKey{shape: s.Elem, addressable: true})})
		return
	}
	if s.Union != nil {
		w.union(s, off, addressable)
		return
	}
	if c.mode.isV1() {
		if o, ok := marshalerOf(s.Type, addressable); ok {
			w.emit(o, off, &ref{shape: s, pointer: mem.AddressTypeOf(s.Type)})
			return
		}
	}
	if o, ok := scalarOps[s.Kind]; ok {
		w.scalar(key, o, off)
		return
	}
	elem := key
	elem.shape, elem.declined, elem.name = s.Elem, 0, false
	if !c.mode.isV1() && s.Kind != shape.Pointer {
		elem.quoted = false
	}
	switch s.Kind {
	case shape.Bytes:
		if c.mode.isBytes(s) {
			w.emit(opBytes, off, nil)
			return
		}
		elem.addressable, elem.quoted = true, false
		w.emit(opSlice, off, &ref{shape: s, program: c.program(elem)})
	case shape.Slice:
		elem.addressable = true
		w.emit(opSlice, off, &ref{shape: s, program: c.program(elem)})
	case shape.Array:
		if s.Elem.Kind == shape.Uint8 && !c.mode.isV1() && c.mode.flags&option.FormatByteArrayAsArray == 0 && c.mode.isBytes(s) {
			w.emit(opByteArray, off, &ref{shape: s})
			return
		}
		w.emit(opArray, off, &ref{shape: s, program: c.program(elem)})
	case shape.Pointer:
		elem.addressable, elem.name = true, key.name
		elem.quoted = key.quoted && !c.mode.stopsString(s)
		w.emit(opPointer, off, &ref{shape: s, program: c.program(elem)})
	case shape.Interface:
		if s.Type.NumMethod() == 0 {
			w.emit(opAny, off, nil)
			return
		}
		w.emit(opInterface, off, &ref{shape: s})
	case shape.Map:
		w.mapValue(s, off)
	case shape.Struct:
		w.object(s, off, addressable)
	default:
		w.emit(opUnsupported, off, &ref{shape: s})
	}
}

// scalar emits a value of one of the kinds of scalarOps.
func (w *writer) scalar(key programKey, o op, off uintptr) {
	mode, s := w.compiler.mode, key.shape
	quoted := key.quoted
	number := s.Type == numberType
	if key.name && mode.flags&option.CallMethodsWithLegacySemantics != 0 {
		number = false // as the methods of Number are not called for names
	}
	if number && mode.flags&plainNumbers != 0 {
		quoted = false
	}
	if !mode.isV1() {
		quoted = (number || o >= opInt8 && o <= opFloat64) && (quoted || key.name || mode.flags&option.StringifyNumbers != 0) || quoted && mode.flags&option.StringifyWithLegacySemantics != 0
	}
	switch {
	case number && quoted:
		o = opQuotedNumber
	case number:
		o = opNumber
	case o == opString && quoted:
		o = opQuotedString
	case o == opFloat32 && quoted:
		o = opQuotedFloat32
	case o == opFloat64 && quoted:
		o = opQuotedFloat64
	case quoted:
		w.literal.WriteByte('"')
		defer w.literal.WriteByte('"')
	}
	w.emit(o, off, nil)
}

// isBytes reports whether a slice or an array of bytes is written as base64.
func (m *encodeMode) isBytes(s *shape.Shape) bool {
	elem := s.Elem.Type
	if m.isV1() {
		return methods(reflect.PointerTo(elem)) == 0
	}
	if m.flags&option.FormatBytesWithLegacySemantics == 0 {
		return elem.PkgPath() == ""
	}
	return len(encodeMethods(elem)) == 0
}

var numberType = reflect.TypeFor[Number]()

var scalarOps = map[shape.Kind]op{
	shape.Bool: opBool, shape.Int8: opInt8, shape.Int16: opInt16, shape.Int32: opInt32, shape.Int64: opInt64,
	shape.Uint8: opUint8, shape.Uint16: opUint16, shape.Uint32: opUint32, shape.Uint64: opUint64,
	shape.Uintptr: opUintptr, shape.Float32: opFloat32, shape.Float64: opFloat64, shape.String: opString,
}

// union emits a Result, a Nullable or an Either of mo.
func (w *writer) union(s *shape.Shape, off uintptr, addressable bool) {
	o, cases := opUnion, make([]*Program, len(s.Union.Cases))
	for i, held := range s.Union.Cases {
		if held.Elem == nil {
			continue
		}
		if !addressable && held.Elem.Kind > shape.String && held.Elem.Type != errorType {
			o = opUnionCopy
		}
		cases[i] = w.compiler.unionCase(held)
	}
	w.emit(o, off, &ref{shape: s, cases: cases})
}

// unionCase returns the program for one value of a union. It is addressable, as
// it is to the methods of mo's types.
func (c *encodeCompiler) unionCase(held shape.Case) *Program {
	if held.Name == "" {
		return c.program(programKey{shape: held.Elem, addressable: true})
	}
	p := &Program{}
	w := writer{compiler: c, program: p}
	w.literal.WriteString(`{"` + held.Name + `":`)
	if held.Elem.Type == errorType {
		w.literal.WriteString(`{"message":`)
		w.emit(opError, 0, nil)
		w.literal.WriteByte('}')
	} else {
		w.value(programKey{shape: held.Elem, addressable: true}, 0)
	}
	w.literal.WriteByte('}')
	w.flush()
	p.seal()
	return p
}

func (w *writer) mapValue(s *shape.Shape, off uintptr) {
	if !w.compiler.mode.isV1() {
		w.compiler.mode.rules.mapValue(w, s, off)
		return
	}
	name, plain := keyNamerOf(s.Key)
	if name == nil {
		w.emit(opUnsupported, off, &ref{shape: s})
		return
	}
	r := ref{shape: s, program: w.compiler.program(programKey{shape: s.Elem})}
	if plain && methods(s.Elem.Type) == 0 && s.Elem.Type != numberType {
		r.cast = castOf(s.Elem)
	}
	if r.cast == nil {
		r.scratch, r.keyName = scratchOf(s), name
	}
	w.emit(opMap, off, &r)
}

// object emits a struct. Certain is set once a field has been written whatever
// the values are; until then, behind a field that may have been left out, the
// comma depends on what has been written when the program runs.
func (w *writer) object(s *shape.Shape, off uintptr, addressable bool) {
	w.literal.WriteByte('{')
	certain, uncertain := false, false
	members, rest := w.compiler.mode.members(s)
	for i := range members {
		f := &members[i]
		omit := w.compiler.mode.omitOf(f, addressable || len(f.Through) > 0)
		empty := f.OmitEmpty && w.compiler.mode.omitsJSON()
		if omit == nil && len(f.Through) == 0 && !empty {
			w.name(f, certain, uncertain)
			w.value(w.compiler.member(f, addressable), off+f.Offset)
			certain = true
			continue
		}
		w.flush()
		inner, start := w, off
		if len(f.Through) > 0 {
			// What the pointers lead to is addressable whatever s is.
			inner = &writer{compiler: w.compiler, program: &Program{}}
			start = 0
		}
		skip := len(inner.program.code)
		o, part := w.compiler.mode.skipOf(f)
		if omit != nil {
			if o == opSkip {
				inner.emit(o, start+f.Offset, &ref{omit: omit, asksZero: w.compiler.mode.omitsZero(f) && zeroIsAsked(f.Field.Shape.Type)})
			} else {
				inner.emit(o, start+f.Offset+part, nil)
			}
		}
		whole := inner
		if empty {
			whole = &writer{compiler: w.compiler, program: &Program{}}
		}
		whole.name(f, certain, uncertain)
		whole.value(w.compiler.member(f, addressable || inner != w), start+f.Offset)
		whole.flush()
		if empty {
			whole.program.seal()
			inner.emit(opOmitEmpty, 0, &ref{program: whole.program})
		}
		if target := len(inner.program.code); omit == nil {
		} else if o == opSkip {
			inner.program.refs[inner.program.code[skip].arg].target = target
		} else {
			inner.program.code[skip].arg = uint32(target)
		}
		if inner != w {
			inner.program.seal()
			w.emit(opThrough, off, &ref{hops: f.Through, program: inner.program})
		}
		uncertain = true
	}
	if rest != nil {
		w.flush()
		w.rest(s, rest, members, off, addressable)
	}
	w.literal.WriteByte('}')
}

// name writes the comma, the name and the colon in front of a field's value.
func (w *writer) name(f *shape.Member, certain, uncertain bool) {
	if certain {
		w.literal.WriteByte(',')
	} else if uncertain {
		w.flush()
		w.emit(opComma, 0, nil)
	}
	if isPlainName(f.Name) {
		w.literal.WriteString(`"` + f.Name + `":`)
		return
	}
	w.flush()
	w.emit(opName, 0, &ref{name: f.Name})
}

// isPlainName reports whether a name is written as it is, whatever the options are.
func isPlainName(s string) bool {
	for _, r := range s {
		if r < ' ' || strings.ContainsRune("<>&\"\\\u2028\u2029\ufffd", r) {
			return false
		}
	}
	return true
}

var (
	marshaler     = reflect.TypeFor[Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	timeType      = reflect.TypeFor[time.Time]()
)

const (
	hasJSON = 1 << iota
	hasText
	hasAppend
)

// methods returns which of the marshal methods are in t's method set.
func methods(t reflect.Type) (set int) {
	if t.Implements(marshaler) || writesItself(t) {
		set |= hasJSON
	}
	if t.Implements(textMarshaler) {
		set |= hasText
	}
	if appendsText && t.Implements(textAppenderType) {
		set |= hasAppend
	}
	return set
}

// marshalerOf returns the instruction that calls a type's own marshal method.
func marshalerOf(t reflect.Type, addressable bool) (op, bool) {
	set := methods(t)
	if addressable && t.Kind() != reflect.Pointer {
		set |= methods(reflect.PointerTo(t))
	}
	switch {
	case set&hasJSON != 0:
		return opMarshaler, true
	case set&hasAppend != 0:
		return opTextAppender, true
	case set&hasText != 0:
		return opTextMarshaler, true
	}
	return 0, false
}
