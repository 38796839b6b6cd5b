package encode

import (
	"slices"
	"strings"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// members returns the members of a struct that are encoded, and the field of unknown members.
func (m *Mode) members(s *shape.Shape) ([]shape.Member, *shape.Member) {
	list, rest := m.MembersOf(s)
	if m.Flags&option.OmitWriteOnly != 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(f shape.Member) bool { return f.Field.WriteOnly() })
	}
	return list, rest
}

// member returns the Key for the value of a field.
func (c *Compiler) member(f *shape.Member, addressable bool) Key {
	key := Key{Shape: f.Field.Shape, Addressable: addressable, Quoted: f.Quoted}
	if !c.Mode.IsV1() {
		key.Quoted = f.String
	}
	return key
}

// object emits a struct.
//
// The comma before a member is part of the literal if an earlier member is always written. If all
// earlier members may be omitted, opComma examines the output. A member in an embedded pointer
// becomes a separate program, which opThrough runs if no pointer on the way is nil.
func (w *Writer) object(s *shape.Shape, off uintptr, addressable bool) {
	w.literal.WriteByte('{')
	// Certain means that an earlier member is always written, and uncertain that an earlier member
	// may be written.
	certain, uncertain := false, false
	members, rest := w.Compiler.Mode.members(s)
	for i := range members {
		f := &members[i]
		omit := w.Compiler.Mode.omitOf(f, addressable || len(f.Through) > 0)
		empty := f.OmitEmpty && w.Compiler.Mode.omitsJSON()
		// The usual case: name and comma are literals, and the value follows.
		if omit == nil && len(f.Through) == 0 && !empty {
			w.name(f, certain, uncertain)
			w.value(w.Compiler.member(f, addressable), off+f.Offset)
			certain = true
			continue
		}
		w.flush()
		inner, start := w, off
		if len(f.Through) > 0 {
			// The target of a pointer is addressable, even if s is not.
			inner = &Writer{Compiler: w.Compiler, program: &Program{}}
			start = 0
		}
		// The target of the jump is set below, when the code of the member is complete.
		skip := len(inner.program.code)
		o, part := w.Compiler.Mode.skipOf(f)
		if omit != nil {
			if o == opSkip {
				inner.Emit(o, start+f.Offset, &Ref{omit: omit, asksZero: w.Compiler.Mode.omitsZero(f) && zeroIsAsked(f.Field.Shape.Type)})
			} else {
				inner.Emit(o, start+f.Offset+part, nil)
			}
		}
		// A member that is omitted if its JSON is empty becomes a separate program, since its
		// output may be removed again.
		whole := inner
		if empty {
			whole = &Writer{Compiler: w.Compiler, program: &Program{}}
		}
		whole.name(f, certain, uncertain)
		whole.value(w.Compiler.member(f, addressable || inner != w), start+f.Offset)
		whole.flush()
		if empty {
			whole.program.seal()
			inner.Emit(OpOmitEmpty, 0, &Ref{Program: whole.program})
		}
		// An instruction that tests a word or a byte has its target in arg. For opSkip, arg is the
		// index of a Ref, which has the target.
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
		w.rest(s, rest, members, off, addressable)
	}
	w.literal.WriteByte('}')
}

// name emits the comma, the name and the colon before a member's value.
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

// isPlainName reports whether a name has the same JSON under all options, so that it can be part of
// a literal.
func isPlainName(s string) bool {
	for _, r := range s {
		if r < ' ' || strings.ContainsRune("<>&\"\\\u2028\u2029\ufffd", r) {
			return false
		}
	}
	return true
}
