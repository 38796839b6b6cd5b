package encode

import (
	"math"
	"reflect"
	"strings"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Compiler makes the programs of one root type. It stores a program in the table before it emits
// the code, because programs of a recursive type refer to each other.
type Compiler struct {
	Mode     *Mode
	programs map[Key]*Program
}

// Program returns the program for key.
func (c *Compiler) Program(key Key) *Program {
	// Return an incomplete program too, because a recursive type refers to itself.
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

// A Writer emits the code of one program. It collects literal text up to the next instruction, so
// that the brace, the name and the comma between two values become one literal.
type Writer struct {
	Compiler *Compiler
	program  *Program
	literal  strings.Builder
}

// Emit adds an instruction that writes the collected literal, and then the value at offset off. r
// is nil if the instruction needs no Ref. Emit panics if off does not fit into 32 bits.
func (w *Writer) Emit(o Op, off uintptr, r *Ref) {
	// The offset has 32 bits, so that an instruction fits into 40 bytes.
	if off > math.MaxUint32 {
		panic("json: a struct of more than 4 GiB")
	}
	// The literal is part of the next instruction, so that one step of the loop writes a name and
	// its value.
	i := instr{op: o, off: uint32(off), size: uint32(w.literal.Len())}
	// Pad the last unit with zeros. They are copied too, but the value overwrites them.
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

// flush emits the collected literal, if there is one, as an instruction. It is called before the
// target of a jump, because the code at the target must not write the literal of the code before
// it.
func (w *Writer) flush() {
	if w.literal.Len() > 0 {
		w.Emit(opLiteral, 0, nil)
	}
}

// value emits the code for a value. The rules come first, because methods and functions take
// precedence. A type with a special encoding comes next, and then the kind.
func (w *Writer) value(key Key, off uintptr) {
	c, s, addressable := w.Compiler, key.Shape, key.Addressable
	if c.Mode.Rules.Custom(w, key, off) {
		return
	}
	switch s.Kind {
	case shape.Time:
		w.Emit(opTime, off, nil)
		return
	case shape.Option:
		// The value of an Option may have methods with a pointer receiver, so an Option that is not
		// addressable is copied. Scalars have no methods.
		o := opOption
		if !addressable && s.Elem.Kind > shape.String {
			o = opOptionCopy
		}
		w.Emit(o, off+s.Present, &Ref{Shape: s, value: s.Value - s.Present, Program: c.Program(Key{Shape: s.Elem, Addressable: true})})
		return
	}
	// The types of package mo have marshal methods, but are encoded without them, so that the
	// options of the call apply to the inner values.
	if s.Union != nil {
		w.union(s, off, addressable)
		return
	}
	if o, ok := scalarOps[s.Kind]; ok {
		w.scalar(key, o, off)
		return
	}
	// The Key of the element has another shape, and omits the parts that apply only to the
	// container.
	elem := Key{Shape: s.Elem, Addressable: addressable}
	switch s.Kind {
	case shape.Bytes:
		if c.Mode.IsBytes(s) {
			w.Emit(opBytes, off, nil)
			return
		}
		// The elements of a slice are always addressable.
		elem.Addressable = true
		w.Emit(opSlice, off, &Ref{Shape: s, Program: c.Program(elem)})
	case shape.Slice:
		elem.Addressable = true
		w.Emit(opSlice, off, &Ref{Shape: s, Program: c.Program(elem)})
	case shape.Array:
		if s.Elem.Kind == shape.Uint8 && c.Mode.Flags&option.FormatByteArrayAsArray == 0 && c.Mode.IsBytes(s) {
			w.Emit(opByteArray, off, &Ref{Shape: s})
			return
		}
		w.Emit(opArray, off, &Ref{Shape: s, Program: c.Program(elem)})
	// A pointer is encoded as its target, so the name, the quotes and the methods apply to the
	// target.
	case shape.Pointer:
		elem.Addressable, elem.Name = true, key.Name
		elem.Quoted = key.Quoted && !c.Mode.StopsString(s)
		w.Emit(opPointer, off, &Ref{Shape: s, Program: c.Program(elem)})
	case shape.Interface:
		if s.Sum != nil {
			w.sum(s, off)
			return
		}
		if s.Type.NumMethod() == 0 {
			w.Emit(opAny, off, nil)
			return
		}
		w.Emit(opInterface, off, &Ref{Shape: s})
	case shape.Map:
		c.Mode.Rules.Map(w, s, off)
	case shape.Struct:
		w.object(s, off, addressable)
	}
}

// scalar emits a value of a kind in scalarOps. It adds quotes if the tag option "string" or the rules require them.
func (w *Writer) scalar(key Key, o Op, off uintptr) {
	mode, s := w.Compiler.Mode, key.Shape
	quoted := key.Quoted
	number := s.Type == rules.NumberType
	if key.Name && mode.Flags&option.CallMethodsWithLegacySemantics != 0 {
		// The methods of Number are not called for names.
		number = false
	}
	if number && mode.Flags&rules.PlainNumbers != 0 {
		quoted = false
	}
	// The tag option "string" quotes numbers, and the option StringifyNumbers quotes all numbers. Strings
	// and bools are quoted only with the legacy option.
	quoted = (number || o >= opInt8 && o <= opFloat64) && (quoted || key.Name || mode.Flags&option.StringifyNumbers != 0) || quoted && mode.Flags&option.StringifyWithLegacySemantics != 0
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
	// The option string puts numbers and bools in quotes. These values need no escaping, so the quotes are
	// added to the literals before and after the value.
	case quoted:
		w.literal.WriteByte('"')
		defer w.literal.WriteByte('"')
	}
	w.Emit(o, off, nil)
	if s.Kind == shape.Float32 || s.Kind == shape.Float64 || o == opQuotedString {
		if w.program.types == nil {
			w.program.types = map[int]reflect.Type{}
		}
		w.program.types[len(w.program.code)-1] = s.Type
	}
}

// IsBytes reports whether a slice or an array of bytes, of shape s, is encoded as base64. If the byte type has
// methods, the slice or array is not encoded as base64.
func (m *Mode) IsBytes(s *shape.Shape) bool {
	if m.Flags&option.FormatBytesWithLegacySemantics == 0 {
		return s.Elem.Type.PkgPath() == ""
	}
	return !m.Rules.HasMethods(s.Elem.Type)
}

// scalarOps maps each scalar kind to its instruction.
var scalarOps = map[shape.Kind]Op{
	shape.Bool: opBool, shape.Int8: opInt8, shape.Int16: opInt16, shape.Int32: opInt32, shape.Int64: opInt64,
	shape.Uint8: opUint8, shape.Uint16: opUint16, shape.Uint32: opUint32, shape.Uint64: opUint64,
	shape.Uintptr: opUintptr, shape.Float32: opFloat32, shape.Float64: opFloat64, shape.String: opString,
}

// union emits a Result, a Nullable or an Either of package mo. If the union is not addressable and
// one of its cases may call a method with a pointer receiver, the union is copied.
func (w *Writer) union(s *shape.Shape, off uintptr, addressable bool) {
	o, cases := opUnion, make([]*Program, len(s.Union.Cases))
	for i, held := range s.Union.Cases {
		// This case has no value, such as an absent Nullable.
		if held.Elem == nil {
			continue
		}
		if !addressable && held.Elem.Kind > shape.String && held.Elem.Type != rules.ErrorType {
			o = opUnionCopy
		}
		cases[i] = w.Compiler.unionCase(s.Union, i)
	}
	r := &Ref{Shape: s, cases: cases}
	if sum := s.Union.Sum; sum != nil && sum.Form == shape.SumInternal {
		r.prefixes = sumPrefixes(sum)
	}
	w.Emit(o, off, r)
}

// unionCase returns the program for one case of a union. The program treats the value as
// addressable, as the methods of package mo do.
func (c *Compiler) unionCase(u *shape.Union, i int) *Program {
	held := u.Cases[i]
	if held.Name == "" || u.Sum != nil && (u.Sum.Form == shape.SumUntagged || u.Sum.Form == shape.SumInternal) {
		return c.Program(Key{Shape: held.Elem, Addressable: true})
	}
	p := &Program{}
	w := Writer{Compiler: c, program: p}
	if u.Sum != nil {
		w.literal.WriteString(sumPrefix(u.Sum, &u.Sum.Cases[i]))
	} else {
		w.literal.WriteString(`{"` + held.Name + `":`)
	}
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
