package encode

import (
	"slices"
	"strings"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// members returns the encoded members of a struct, and the field of unknown members or nil.
func (m *Mode) members(s *shape.Shape) ([]shape.Member, *shape.Member) {
	list, rest := m.Rules.Members(s)
	if m.Flags&option.OmitWriteOnly != 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(f shape.Member) bool { return f.Field.WriteOnly() })
	}
	return list, rest
}

// object emits the code for a struct.
//
// If an earlier member is always written, the comma before a member is part of its literal. If all
// earlier members may be omitted, opComma examines the output. A member in an embedded pointer is
// compiled to a separate program, which opThrough runs unless one of the embedded pointers is nil.
func (w *Writer) object(s *shape.Shape, off uintptr, addressable bool) {
	w.literal.WriteByte('{')
	// certain is set if an earlier member is always written. uncertain is set if an earlier member
	// may be written, depending on its value.
	certain, uncertain := false, false
	members, rest := w.Compiler.Mode.members(s)
	for i := range members {
		f := &members[i]
		omit := w.Compiler.Mode.omitOf(f, addressable || len(f.Through) > 0)
		empty := f.OmitEmpty && w.Compiler.Mode.omitsJSON()
		// The usual case: the comma and the name are part of a literal, followed by the value.
		if omit == nil && len(f.Through) == 0 && !empty {
			w.name(f, certain, uncertain)
			w.value(Key{Shape: f.Field.Shape, Addressable: addressable, Quoted: f.Quoted}, off+f.Offset)
			certain = true
			continue
		}
		w.flush()
		inner, start := w, off
		if len(f.Through) > 0 {
			// The target of a pointer is always addressable.
			inner = &Writer{Compiler: w.Compiler, program: &Program{}}
			start = 0
		}
		// The target of the jump is set below, after the code of the member.
		skip := len(inner.program.code)
		o, part := w.Compiler.Mode.skipOf(f)
		if omit != nil {
			if o == opSkip {
				inner.Emit(o, start+f.Offset, &Ref{omit: omit, CallsMethods: w.Compiler.Mode.omitsZero(f) && hasIsZero(f.Field.Shape.Type)})
			} else {
				inner.Emit(o, start+f.Offset+part, nil)
			}
		}
		// A member that may be omitted because its JSON is empty is compiled to a separate program,
		// whose output can be removed.
		whole := inner
		if empty {
			whole = &Writer{Compiler: w.Compiler, program: &Program{}}
		}
		whole.name(f, certain, uncertain)
		whole.value(Key{Shape: f.Field.Shape, Addressable: addressable || inner != w, Quoted: f.Quoted}, start+f.Offset)
		whole.flush()
		if empty {
			whole.program.seal()
			inner.Emit(opOmitEmpty, 0, &Ref{Program: whole.program})
		}
		// The target of opSkip is in its Ref. The instructions that test a word or a byte have the
		// target in arg.
		if target := len(inner.program.code); omit == nil {
		} else if o == opSkip {
			inner.program.refs[inner.program.code[skip].arg].target = target
		} else {
			inner.program.code[skip].arg = uint32(target)
		}
		if inner != w {
			inner.program.seal()
			w.Emit(opThrough, off, &Ref{hops: f.Through, Program: inner.program})
		}
		uncertain = true
	}
	if rest != nil {
		w.flush()
		w.emitRest(s, rest, members, off, addressable)
	}
	w.literal.WriteByte('}')
}

// name emits the comma, the name and the colon before the value of the member f.
func (w *Writer) name(f *shape.Member, certain, uncertain bool) {
	if certain {
		w.literal.WriteByte(',')
	} else if uncertain {
		w.flush()
		w.Emit(opComma, 0, nil)
	}
	if isPlainName(f.Name) {
		w.literal.WriteString(`"` + f.Name + `":`)
		return
	}
	w.flush()
	w.Emit(opName, 0, &Ref{name: f.Name})
}

// isPlainName reports whether s needs no escapes in JSON, whatever the options are. The name in
// quotes can then be part of a literal.
func isPlainName(s string) bool {
	for _, r := range s {
		if r < ' ' || strings.ContainsRune("<>&\"\\\u2028\u2029\ufffd", r) {
			return false
		}
	}
	return true
}
