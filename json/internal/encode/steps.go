package encode

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"time"

	"github.com/hone-go/hone/shape"
)

// A Step describes an instruction of the program of a struct for the printer of generated code. The
// steps of a type are the same on all platforms and with all build tags, although the offsets and
// some operations differ.
type Step struct {
	// Form says how generated code handles the step.
	Form Form
	// Elem is the form of the value of an Option, of the target of a pointer or of the elements of a
	// slice.
	Elem Form
	// Literal is the text before the value.
	Literal string
	// Path contains the names of the Go fields from the struct to the value.
	Path []string
	// Package is the package that declares the unexported fields in Path, or "" if there are none.
	Package string
	// Type is the type of the value.
	Type reflect.Type
	// Target is the index of the step after an omitted field. It is for FormTest and FormOmit.
	Target int
}

// A Form says how generated code handles a step.
type Form uint8

const (
	FormEngine  Form = iota // the program's instruction encodes the value
	FormLiteral             // only a literal
	FormComma               // a comma, unless the output ends in an opening brace
	FormTest                // the field is omitted if it is false, 0, nil or of length 0
	FormOmit                // Program.Omits decides whether the field is omitted
	FormBool
	FormInt
	FormUint
	FormFloat32
	FormFloat64
	FormString
	FormTime
	FormBytes
	FormOption  // an Option of one of the forms FormBool to FormString
	FormPointer // a pointer to one of the forms FormBool to FormTime
	FormSlice   // a slice of one of the forms FormBool to FormTime
)

// CanFail reports whether encoding a value of the form f may return an error.
func (f Form) CanFail() bool {
	switch f {
	case FormEngine, FormFloat32, FormFloat64, FormString, FormTime:
		return true
	}
	return false
}

// steps returns the steps of p, a program for values of the struct type t. It returns nil if methods
// encode the values, or if the field of a step is not found.
func (p *Program) steps(t reflect.Type) []Step {
	if p.isMethod() {
		return nil
	}
	all := make([]Step, len(p.code))
	for i := range p.code {
		in := &p.code[i]
		s := &all[i]
		s.Literal = in.literal[:in.size]
		accept := p.describe(in, s)
		if s.Form < FormTest || s.Form == FormOmit {
			continue
		}
		if !s.find(t, uintptr(in.off), accept) {
			return nil
		}
		// Go does not convert a slice of a named byte type to []byte.
		if s.Form == FormBytes && s.Type.Elem() != reflect.TypeFor[byte]() {
			s.Form = FormEngine
		}
	}
	return all
}

// isMethod reports whether p encodes a whole value by a method or a function. In that case there
// are no steps for the fields of the value.
func (p *Program) isMethod() bool {
	if len(p.code) != 1 {
		return false
	}
	switch p.code[0].op {
	case opMarshaler, opTextMarshaler, opTextAppender, OpMethods, OpFunctions, OpFail:
		return true
	}
	return false
}

// describe sets the form of s, the step for the instruction in. It returns a function with which
// Step.find finds the field that the instruction encodes. Given a value of type t that contains the
// instruction's offset at off, the function reports whether the instruction encodes this whole
// value.
func (p *Program) describe(in *instr, s *Step) func(t reflect.Type, off uintptr) bool {
	var r *Ref
	if in.op.hasRef() {
		r = &p.refs[in.arg]
	}
	exactly := func(want reflect.Type, at uintptr) func(reflect.Type, uintptr) bool {
		return func(t reflect.Type, off uintptr) bool { return t == want && off == at }
	}
	switch in.op {
	case opLiteral:
		s.Form = FormLiteral
	case opComma:
		s.Form = FormComma
	case opSkipWord, opSkipByte:
		s.Form, s.Target = FormTest, int(in.arg)
		return isTested
	case opSkip:
		s.Form, s.Target = FormOmit, r.target
		if r.simple {
			s.Form = FormTest
		}
		return isTested
	case opBytes:
		s.Form = FormBytes
		return func(t reflect.Type, off uintptr) bool {
			return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && off == 0
		}
	case opOption:
		// FormOption excludes a time. A time may be encoded by its method, so generated code would
		// move it to the heap.
		if s.Elem = r.Program.scalar(); s.Elem != FormEngine && s.Elem != FormTime {
			s.Form = FormOption
		}
		return exactly(r.Shape.Type, r.Shape.Present)
	case opPointer:
		if s.Elem = r.Program.scalar(); s.Elem != FormEngine {
			s.Form = FormPointer
		}
		return exactly(r.Shape.Type, 0)
	case opSlice:
		s.Type = r.Shape.Type
		if s.Elem = r.Program.scalar(); s.Elem != FormEngine {
			s.Form = FormSlice
		}
		return exactly(r.Shape.Type, 0)
	// An interface has no type here, because its cases may be declared after the code was generated.
	case opAny, opInterface, opSum:
	default:
		s.Form = scalarForm(in.op)
		if s.Form == FormEngine && r != nil && r.Shape != nil {
			s.Type = r.Shape.Type
		}
		return func(t reflect.Type, off uintptr) bool { return off == 0 && formOf(t) == s.Form }
	}
	return nil
}

// hasRef reports whether instructions with the operation o have a Ref.
func (o Op) hasRef() bool {
	switch o {
	case opName, opSkip, opThrough, opInterface, opSum, opSlice, opArray, opPointer, opOption, opOptionCopy, opUnion, opUnionCopy, OpMap,
		opMarshaler, opTextMarshaler, opTextAppender, opUnsupported, OpByteArray, OpOmitEmpty, opRest, OpMethods, OpFunctions, OpFail:
		return true
	}
	return false
}

// isTested reports whether the instruction that omits a field of type t may test the word or byte at
// offset off of the field.
func isTested(t reflect.Type, off uintptr) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Array:
		return false
	case reflect.String, reflect.Slice:
		return off == 0 || off == wordSize // the pointer (opSkip) or the length (opSkipWord)
	}
	return off == 0
}

// scalar returns the form of the values that p encodes. If p is not a single instruction without a
// literal, or its form is not one of FormBool to FormTime, scalar returns FormEngine.
func (p *Program) scalar() Form {
	if len(p.code) != 1 || p.code[0].size > 0 {
		return FormEngine
	}
	return scalarForm(p.code[0].op)
}

// scalarForm returns the form of an operation for a scalar or a time, and otherwise FormEngine.
func scalarForm(o Op) Form {
	switch {
	case o == opBool:
		return FormBool
	case o >= opInt8 && o <= opInt64:
		return FormInt
	case o >= opUint8 && o <= opUintptr:
		return FormUint
	case o == opFloat32:
		return FormFloat32
	case o == opFloat64:
		return FormFloat64
	case o == opString:
		return FormString
	case o == opTime:
		return FormTime
	}
	return FormEngine
}

// formOf returns the form of a scalar type or of a time, and otherwise FormEngine.
func formOf(t reflect.Type) Form {
	switch k := t.Kind(); {
	case k == reflect.Bool:
		return FormBool
	case k >= reflect.Int && k <= reflect.Int64:
		return FormInt
	case k >= reflect.Uint && k <= reflect.Uintptr:
		return FormUint
	case k == reflect.Float32:
		return FormFloat32
	case k == reflect.Float64:
		return FormFloat64
	case k == reflect.String:
		return FormString
	case t == reflect.TypeFor[time.Time]():
		return FormTime
	}
	return FormEngine
}

// find finds the field that s encodes, and sets the path and the type of s. It goes from t into the
// field that contains the offset off, and from this field into its own fields, until accept returns
// true. The arguments of accept are the field's type, and off relative to the start of the field.
// find returns false if there is no such field.
func (s *Step) find(t reflect.Type, off uintptr, accept func(t reflect.Type, off uintptr) bool) bool {
	pkg := ""
	for in := shape.Of(t); in.Kind == shape.Struct; {
		if p := in.Type.PkgPath(); p != "" {
			pkg = p // an unnamed struct type is declared in the package of the enclosing type
		}
		// A field of size zero never matches.
		i := slices.IndexFunc(in.Fields, func(f shape.Field) bool { return f.Offset <= off && off-f.Offset < f.Shape.Size })
		if i < 0 {
			return false
		}
		f := &in.Fields[i]
		s.Path = append(s.Path, f.Name)
		if !f.Exported {
			s.Package = pkg
		}
		if in, off = f.Shape, off-f.Offset; accept(in.Type, off) {
			s.Type = in.Type
			return true
		}
	}
	return false
}

// fingerprintVersion is a part of each fingerprint. Changing it makes all existing generated code
// out of date.
const fingerprintVersion = 1

// fingerprint returns a hash of everything that generated code for p relies on: the forms,
// literals, paths and types of its steps. t is the struct type.
func (p *Program) fingerprint(t reflect.Type) uint64 {
	h := fnv.New64a()
	fmt.Fprintln(h, fingerprintVersion, shape.TypeName(t))
	for _, s := range p.steps(t) {
		name, kind := "", reflect.Invalid
		if s.Type != nil {
			name, kind = shape.TypeName(s.Type), s.Type.Kind()
		}
		// %#v quotes strings, so that two different lists of steps never become the same text.
		fmt.Fprintf(h, "%d %d %#v %#v %#v %d %d\n", s.Form, s.Elem, s.Literal, s.Path, name, kind, s.Target)
	}
	return h.Sum64()
}

// interpreted returns the program for addressable values of shape s without generated code.
func (m *Mode) interpreted(s *shape.Shape) *Program {
	c := Compiler{Mode: m, programs: map[Key]*Program{}}
	return c.Program(Key{Shape: s, Addressable: true})
}

// Steps returns the steps of the struct type t and their fingerprint. They follow the rules of
// version 1 for Go 1.27, whatever the linked release of Go is. ok is false if no code can be
// generated for t, for example because methods encode it.
func Steps(t reflect.Type) (all []Step, fingerprint uint64, ok bool) {
	s := shape.Of(t)
	if s.Kind != shape.Struct {
		return nil, 0, false
	}
	p := v1Mode(0).interpreted(s)
	all = p.steps(t)
	return all, p.fingerprint(t), all != nil
}
