package encode

import (
	"reflect"
	"slices"
	"sort"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// emitRest emits the code for the field f of unknown members.
func (w *Writer) emitRest(s *shape.Shape, f *shape.Member, members []shape.Member, off uintptr, addressable bool) {
	r := &Ref{Shape: f.Field.Shape, rest: &Rest{in: s.Type, hops: f.Through, offset: f.Offset, loose: map[string][]looseField{}}}
	inner := f.Field.Shape
	if inner.Kind == shape.Pointer {
		inner = inner.Elem
	}
	r.rest.Shape = inner
	for i := range members {
		m := &members[i]
		r.rest.names = append(r.rest.names, m.Name)
		loose := rules.LooseName(m.Name)
		r.rest.loose[loose] = append(r.rest.loose[loose], looseField{m.Name, m.Case})
		r.rest.ignoresCase = r.rest.ignoresCase || m.Case == shape.CaseIgnore
	}
	if inner.Kind == shape.Map {
		r.Program = w.Compiler.Program(Key{Shape: inner.Elem})
	}
	w.Emit(opRest, off, r)
}

// A looseField is a field whose name a decoder may match without regard to case.
type looseField struct {
	name   string
	casing shape.Casing
}

// runRest appends the members in the field. If an embedded pointer that leads to the field is nil,
// it appends nothing.
func (r *Ref) runRest(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	w := r.rest
	// Follow the embedded pointers that lead to the field.
	for _, hop := range w.hops {
		if a = a.Elem(off + hop.Offset); a.IsNil() {
			return dst, nil
		}
		off = 0
	}
	off += w.offset
	if r.Shape.Kind == shape.Pointer {
		if a = a.Elem(off); a.IsNil() {
			return dst, nil
		}
		off = 0
	}
	var names *rules.NameSet
	// Read the names of the struct's other members from the output. Recording each name when it is
	// written would also slow down structs without a field of unknown members.
	if !e.Has(option.AllowDuplicateNames) {
		names = e.writtenNames(dst)
		if w.ignoresCase || e.Has(option.MatchCaseInsensitiveNames) {
			names.Alias = func(name string) string { return w.fieldOf(e.On, name) }
		}
	}
	if w.Shape.Kind == shape.Map {
		return r.restOfMap(e, dst, a.Value(off, w.Shape.Type), names)
	}
	return e.Mode.Rules.RestOfText(e, w, dst, a.Bytes(off), names)
}

// fieldOf returns the name of the field that a decoder would match with the member called name, or
// name itself if there is no such field. Two members that match one field are duplicates, although
// their names differ in case.
func (w *Rest) fieldOf(on option.Flag, name string) string {
	fields := w.loose[rules.LooseName(name)]
	if slices.ContainsFunc(fields, func(f looseField) bool { return f.name == name }) {
		return name
	}
	for _, f := range fields {
		if rules.MatchesLoosely(on, f.casing, f.name, name) {
			return f.name
		}
	}
	return name
}

// writtenNames returns the names in the object that is open at the end of dst.
func (e *Encoder) writtenNames(dst []byte) *rules.NameSet {
	names := &rules.NameSet{}
	// dst may start with text of the caller, which need not be JSON.
	levels := LevelsOf(dst[e.Start:])
	start := levels[len(levels)-1].Start + e.Start
	for pos := start + 1; pos < len(dst); {
		if dst[pos] == ',' {
			pos++
			continue
		}
		end, _ := syntax.SkipString(dst, pos)
		names.Add(dst[pos:end])
		pos = syntax.SkipValue(dst, end+1)
	}
	return names
}

// A Level is an open array or object.
type Level struct {
	Start  int // the position of the bracket
	Object bool
	Name   []byte // the last member's name, in quotes
	Index  int    // of the last element or member
	named  bool
}

// LevelsOf returns the arrays and objects that are open at the end of text, which must be the start of a
// valid value.
func LevelsOf(text []byte) (levels []Level) {
	// The engine wrote the text, so brackets match and tokens are complete.
	for pos := 0; pos < len(text); {
		switch c := text[pos]; c {
		case '{', '[':
			levels = append(levels, Level{Start: pos, Object: c == '{'})
			pos++
		case '}', ']':
			levels = levels[:len(levels)-1]
			pos++
		case ',':
			last := &levels[len(levels)-1]
			last.Index++
			last.named = false
			pos++
		case ':', ' ', '\t', '\r', '\n':
			pos++
		default:
			end := syntax.SkipValue(text, pos)
			if n := len(levels); n > 0 && levels[n-1].Object && !levels[n-1].named {
				levels[n-1].named, levels[n-1].Name = true, text[pos:end]
			}
			pos = end
		}
	}
	return levels
}

// memberName appends the name of a member, and a comma before it unless it is the first member.
func (e *Encoder) memberName(dst, quoted []byte, names *rules.NameSet) ([]byte, error) {
	// Names are compared as JSON, because different strings may have equal JSON.
	if names != nil && !names.Add(quoted) {
		return dst, Duplicate(quoted, true)
	}
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(dst, quoted...), ':'), nil
}

// restOfMap appends the entries of a map as members.
func (r *Ref) restOfMap(e *Encoder, dst []byte, m reflect.Value, names *rules.NameSet) ([]byte, error) {
	// The keys are in iteration order, which is random, unless an option requires a fixed order.
	keys := m.MapKeys()
	if e.Has(option.Deterministic) {
		sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
	}
	// A map entry is not addressable, so copy each value.
	held := reflect.New(r.rest.Shape.Elem.Type)
	for _, key := range keys {
		quoted, err := e.String(nil, key.String())
		if err != nil {
			return dst, NewFault(r.rest.Shape.Key.Type, stream.ErrInvalidUTF8)
		}
		if dst, err = e.memberName(dst, quoted, names); err != nil {
			return dst, err
		}
		held.Elem().Set(m.MapIndex(key))
		if dst, err = r.Program.Run(e, dst, mem.OfPointer(held)); err != nil {
			return dst, err
		}
	}
	return dst, nil
}
