package encode

import (
	"math"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Key tells programs of one type apart: methods with pointer receivers
// are called only on values that are addressable, and a scalar may be quoted.
type Key struct {
	Shape       *shape.Shape
	Addressable bool
	Quoted      bool // by the option string

	// Those of V2.
	Name     bool // the value is the name of a member
	Declined int8 // how many methods, and the functions first, are not asked again
}

type Compiler struct {
	Mode     *Mode
	programs map[Key]*Program
}

func (c *Compiler) Program(key Key) *Program {
	if p := c.programs[key]; p != nil {
		return p
	}
	p := &Program{}
	c.programs[key] = p
	w := Writer{Compiler: c, program: p}
	w.value(key, 0)
	w.flush()
	p.seal()
	return p
}

// A Writer emits the code of one program. Literal text gathers until a value
// needs to follow it.
type Writer struct {
	Compiler *Compiler
	program  *Program
	literal  strings.Builder
}

func (w *Writer) Emit(o Op, off uintptr, r *Ref) {
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
func (w *Writer) flush() {
	if w.literal.Len() > 0 {
		w.Emit(opLiteral, 0, nil)
	}
}

func (w *Writer) value(key Key, off uintptr) {
	c, s, addressable := w.Compiler, key.Shape, key.Addressable
	if !c.Mode.IsV1() && c.Mode.Rules.Custom(w, key, off) {
		return
	}
	switch s.Kind {
	case shape.Time:
		w.Emit(opTime, off, nil)
		return
	case shape.Option:
		o := opOption
		if !addressable && s.Elem.Kind > shape.String {
			o = opOptionCopy
		}
		w.Emit(o, off+s.Present, &Ref{Shape: s, value: s.Value - s.Present, Program: c.Program(Key{Shape: s.Elem, Addressable: true})})
		return
	}
	if s.Union != nil {
		w.union(s, off, addressable)
		return
	}
	if c.Mode.IsV1() {
		if o, ok := marshalerOf(s.Type, addressable); ok {
			w.Emit(o, off, &Ref{Shape: s, Pointer: mem.AddressTypeOf(s.Type)})
			return
		}
	}
	if o, ok := scalarOps[s.Kind]; ok {
		w.scalar(key, o, off)
		return
	}
	elem := key
	elem.Shape, elem.Declined, elem.Name = s.Elem, 0, false
	if !c.Mode.IsV1() && s.Kind != shape.Pointer {
		elem.Quoted = false
	}
	switch s.Kind {
	case shape.Bytes:
		if c.Mode.IsBytes(s) {
			w.Emit(opBytes, off, nil)
			return
		}
		elem.Addressable, elem.Quoted = true, false
		w.Emit(opSlice, off, &Ref{Shape: s, Program: c.Program(elem)})
	case shape.Slice:
		elem.Addressable = true
		w.Emit(opSlice, off, &Ref{Shape: s, Program: c.Program(elem)})
	case shape.Array:
		if s.Elem.Kind == shape.Uint8 && !c.Mode.IsV1() && c.Mode.Flags&option.FormatByteArrayAsArray == 0 && c.Mode.IsBytes(s) {
			w.Emit(OpByteArray, off, &Ref{Shape: s})
			return
		}
		w.Emit(opArray, off, &Ref{Shape: s, Program: c.Program(elem)})
	case shape.Pointer:
		elem.Addressable, elem.Name = true, key.Name
		elem.Quoted = key.Quoted && !c.Mode.StopsString(s)
		w.Emit(opPointer, off, &Ref{Shape: s, Program: c.Program(elem)})
	case shape.Interface:
		if s.Type.NumMethod() == 0 {
			w.Emit(opAny, off, nil)
			return
		}
		w.Emit(opInterface, off, &Ref{Shape: s})
	case shape.Map:
		w.mapValue(s, off)
	case shape.Struct:
		w.object(s, off, addressable)
	default:
		w.Emit(opUnsupported, off, &Ref{Shape: s})
	}
}

// scalar emits a value of one of the kinds of scalarOps.
func (w *Writer) scalar(key Key, o Op, off uintptr) {
	mode, s := w.Compiler.Mode, key.Shape
	quoted := key.Quoted
	number := s.Type == rules.NumberType
	if key.Name && mode.Flags&option.CallMethodsWithLegacySemantics != 0 {
		number = false // as the methods of Number are not called for names
	}
	if number && mode.Flags&rules.PlainNumbers != 0 {
		quoted = false
	}
	if !mode.IsV1() {
		quoted = (number || o >= opInt8 && o <= opFloat64) && (quoted || key.Name || mode.Flags&option.StringifyNumbers != 0) || quoted && mode.Flags&option.StringifyWithLegacySemantics != 0
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
	w.Emit(o, off, nil)
}

// IsBytes reports whether a slice or an array of bytes is written as base64.
func (m *Mode) IsBytes(s *shape.Shape) bool {
	elem := s.Elem.Type
	if m.IsV1() {
		return methodsOf(reflect.PointerTo(elem)) == 0
	}
	if m.Flags&option.FormatBytesWithLegacySemantics == 0 {
		return elem.PkgPath() == ""
	}
	return len(rules.EncodeMethods(elem)) == 0
}

var scalarOps = map[shape.Kind]Op{
	shape.Bool: opBool, shape.Int8: opInt8, shape.Int16: opInt16, shape.Int32: opInt32, shape.Int64: opInt64,
	shape.Uint8: opUint8, shape.Uint16: opUint16, shape.Uint32: opUint32, shape.Uint64: opUint64,
	shape.Uintptr: opUintptr, shape.Float32: opFloat32, shape.Float64: opFloat64, shape.String: opString,
}

// union emits a Result, a Nullable or an Either of mo.
func (w *Writer) union(s *shape.Shape, off uintptr, addressable bool) {
	o, cases := opUnion, make([]*Program, len(s.Union.Cases))
	for i, held := range s.Union.Cases {
		if held.Elem == nil {
			continue
		}
		if !addressable && held.Elem.Kind > shape.String && held.Elem.Type != rules.ErrorType {
			o = opUnionCopy
		}
		cases[i] = w.Compiler.unionCase(held)
	}
	w.Emit(o, off, &Ref{Shape: s, cases: cases})
}

// unionCase returns the program for one value of a union. It is addressable, as
// it is to the methods of mo's types.
func (c *Compiler) unionCase(held shape.Case) *Program {
	if held.Name == "" {
		return c.Program(Key{Shape: held.Elem, Addressable: true})
	}
	p := &Program{}
	w := Writer{Compiler: c, program: p}
	w.literal.WriteString(`{"` + held.Name + `":`)
	if held.Elem.Type == rules.ErrorType {
		w.literal.WriteString(`{"message":`)
		w.Emit(opError, 0, nil)
		w.literal.WriteByte('}')
	} else {
		w.value(Key{Shape: held.Elem, Addressable: true}, 0)
	}
	w.literal.WriteByte('}')
	w.flush()
	p.seal()
	return p
}

func (w *Writer) mapValue(s *shape.Shape, off uintptr) {
	if !w.Compiler.Mode.IsV1() {
		w.Compiler.Mode.Rules.Map(w, s, off)
		return
	}
	name, plain := keyNamerOf(s.Key)
	if name == nil {
		w.Emit(opUnsupported, off, &Ref{Shape: s})
		return
	}
	r := Ref{Shape: s, Program: w.Compiler.Program(Key{Shape: s.Elem})}
	if plain && methodsOf(s.Elem.Type) == 0 && s.Elem.Type != rules.NumberType {
		r.Cast = CastOf(s.Elem)
	}
	if r.Cast == nil {
		r.scratch, r.keyName = scratchOf(s), name
	}
	w.Emit(OpMap, off, &r)
}
