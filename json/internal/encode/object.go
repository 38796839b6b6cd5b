package encode

import (
	"slices"
	"strings"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// members returns the members of a struct that are written, and the field that has all
// others.
func (m *Mode) members(s *shape.Shape) ([]shape.Member, *shape.Member) {
	list, rest := rules.MembersOf(s, m.IsV1())
	if m.Flags&option.OmitWriteOnly != 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(f shape.Member) bool { return f.Field.WriteOnly() })
	}
	return list, rest
}

// member returns what a field's value is written by.
func (c *Compiler) member(f *shape.Member, addressable bool) Key {
	key := Key{Shape: f.Field.Shape, Addressable: addressable, Quoted: f.Quoted}
	if !c.Mode.IsV1() {
		key.Quoted = f.String
	}
	return key
}

// object emits a struct. Certain is set once a field has been written whatever
// the values are; until then, behind a field that may have been left out, the
// comma depends on what has been written when the program runs.
func (w *Writer) object(s *shape.Shape, off uintptr, addressable bool) {
	w.literal.WriteByte('{')
	certain, uncertain := false, false
	members, rest := w.Compiler.Mode.members(s)
	for i := range members {
		f := &members[i]
		omit := w.Compiler.Mode.omitOf(f, addressable || len(f.Through) > 0)
		empty := f.OmitEmpty && w.Compiler.Mode.omitsJSON()
		if omit == nil && len(f.Through) == 0 && !empty {
			w.name(f, certain, uncertain)
			w.value(w.Compiler.member(f, addressable), off+f.Offset)
			certain = true
			continue
		}
		w.flush()
		inner, start := w, off
		if len(f.Through) > 0 {
			// What the pointers lead to is addressable whatever s is.
			inner = &Writer{Compiler: w.Compiler, program: &Program{}}
			start = 0
		}
		skip := len(inner.program.code)
		o, part := w.Compiler.Mode.skipOf(f)
		if omit != nil {
			if o == opSkip {
				inner.Emit(o, start+f.Offset, &Ref{omit: omit, asksZero: w.Compiler.Mode.omitsZero(f) && zeroIsAsked(f.Field.Shape.Type)})
			} else {
				inner.Emit(o, start+f.Offset+part, nil)
			}
		}
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

// name writes the comma, the name and the colon in front of a field's value.
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

// isPlainName reports whether a name is written as it is, whatever the options are.
func isPlainName(s string) bool {
	for _, r := range s {
		if r < ' ' || strings.ContainsRune("<>&\"\\\u2028\u2029\ufffd", r) {
			return false
		}
	}
	return true
}
