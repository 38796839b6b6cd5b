package engine

import (
	"errors"
	"io"
	"reflect"
	"slices"
	"sort"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

var errRestNotObject = errors.New("embedded raw value must be a JSON object")

// runRest appends the members that a struct keeps in a field of its own.
func (r *ref) runRest(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	w := r.rest
	for _, hop := range w.hops {
		if a = a.Elem(off + hop.Offset); a.IsNil() {
			return dst, nil
		}
		off = 0
	}
	off += w.offset
	if r.shape.Kind == shape.Pointer {
		if a = a.Elem(off); a.IsNil() {
			return dst, nil
		}
		off = 0
	}
	var names *nameSet
	if !e.has(option.AllowDuplicateNames) {
		names = e.writtenNames(dst)
	}
	if w.shape.Kind == shape.Map {
		return r.restOfMap(e, dst, a.Value(off, w.shape.Type), names)
	}
	if e.v2 == nil {
		return standardRest(dst, a.Bytes(off), e.html())
	}
	return e.v2.restOfText(w, dst, a.Bytes(off), names)
}

// writtenNames returns the names of the object that dst ends in.
func (e *Encoder) writtenNames(dst []byte) *nameSet {
	names := &nameSet{}
	start := lastOpen(dst[e.start:]) + e.start
	for pos := start + 1; pos < len(dst); {
		if dst[pos] == ',' {
			pos++
			continue
		}
		end, _ := syntax.SkipString(dst, pos)
		names.add(dst[pos:end])
		pos = syntax.SkipValue(dst, end+1)
	}
	return names
}

// lastOpen returns where the innermost object starts that a text ends in.
func lastOpen(text []byte) int {
	var open []int
	for pos := 0; pos < len(text); {
		switch text[pos] {
		case '{', '[':
			open = append(open, pos)
			pos++
		case '}', ']':
			open = open[:len(open)-1]
			pos++
		case ',', ':':
			pos++
		default:
			pos = syntax.SkipValue(text, pos)
		}
	}
	return open[len(open)-1]
}

// memberName appends the name of a member that is not the first to be written, perhaps.
func (e *Encoder) memberName(dst, quoted []byte, names *nameSet) ([]byte, error) {
	if names != nil && !names.add(quoted) {
		return dst, duplicateRest(quoted)
	}
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(dst, quoted...), ':'), nil
}

// duplicateRest returns the error for a name that the object has already.
func duplicateRest(quoted []byte) error {
	return &fault{err: stream.ErrDuplicateName, syntax: true, where: stream.Next, name: slices.Clone(quoted), bare: true}
}

// restOfMap appends the members that a map holds.
func (r *ref) restOfMap(e *Encoder, dst []byte, m reflect.Value, names *nameSet) ([]byte, error) {
	keys := m.MapKeys()
	if e.has(option.Deterministic) {
		sort.Slice(keys, func(i, j int) bool { return compareStrings(keys[i].String(), keys[j].String()) < 0 })
	}
	held := reflect.New(r.rest.shape.Elem.Type)
	for _, key := range keys {
		quoted, err := e.string(nil, key.String())
		if err != nil {
			return dst, newFault(r.rest.shape.Key.Type, stream.ErrInvalidUTF8)
		}
		if dst, err = e.memberName(dst, quoted, names); err != nil {
			return dst, err
		}
		held.Elem().Set(m.MapIndex(key))
		if dst, err = r.program.run(e, dst, mem.OfPointer(held)); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func compareStrings(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// restOfText appends the members of an object that is held as text.
func (e *encoder) restOfText(w *restWriter, dst, text []byte, names *nameSet) ([]byte, error) {
	if len(text) == 0 {
		return dst, nil
	}
	d := stream.Decoder{}
	d.SetText(text)
	d.On = option.AllowDuplicateNames | option.AllowInvalidUTF8
	fail := func(err error) ([]byte, error) { return dst, newFault(w.shape.Type, unexpectedEnd(err)) }
	token, err := d.ReadToken()
	switch {
	case err == io.EOF:
		return fail(io.ErrUnexpectedEOF)
	case err != nil:
		return fail(err)
	case token.Kind() != '{':
		return fail(errRestNotObject)
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadValue()
		if err != nil {
			return fail(err)
		}
		name = slices.Clone(name)
		if names != nil && !names.add(name) {
			return dst, duplicateRest(name)
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		if dst, err = e.valid(dst, name); err != nil {
			return dst, err
		}
		value, err := d.ReadValue()
		if err != nil {
			return fail(err)
		}
		if dst, err = e.valid(append(dst, ':'), value); err != nil {
			return dst, err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return fail(err)
	}
	if err := d.CheckEnd(); err != nil {
		return fail(err)
	}
	return dst, nil
}

// namedMap emits a map by the rules of v2, whose keys are of any type that is written as a
// string.
func (customPrograms) mapValue(w *writer, s *shape.Shape, off uintptr) {
	c, mode := w.compiler, w.compiler.mode
	r := ref{shape: s, program: c.program(programKey{shape: s.Elem})}
	plainKey := s.Key.Kind == shape.String && len(mode.types.of(s.Key.Type)) == 0 && s.Key.Type != numberType && len(encodeMethods(s.Key.Type)) == 0
	plainElem := len(mode.types.of(s.Elem.Type)) == 0 && len(encodeMethods(s.Elem.Type)) == 0 && s.Elem.Type != numberType &&
		s.Elem.Type != durationType && (mode.flags&option.StringifyNumbers == 0 || s.Elem.Kind == shape.String || s.Elem.Kind == shape.Bool || s.Elem.Kind == shape.Interface)
	if plainKey && plainElem {
		r.cast = castOf(s.Elem)
	}
	if r.cast == nil {
		r.key = c.program(programKey{shape: s.Key, name: true})
		k := s.Key.Kind
		r.repeats = len(mode.types.of(s.Key.Type)) > 0 || len(encodeMethods(s.Key.Type)) > 0 || s.Key.Type == numberType ||
			!(k == shape.String || k == shape.Bool || k >= shape.Int8 && k <= shape.Uintptr)
	}
	w.emit(opMap, off, &r)
}

// A namedEntry is one of a map that is written in the order of the names.
type namedEntry struct {
	name   string // what it stands for
	quoted []byte // unless it is written when its turn has come
	value  reflect.Value
}

// mapByNames appends a map by the rules of v2.
func (e *encoder) mapByNames(r *ref, dst []byte, m reflect.Value) ([]byte, error) {
	n := m.Len()
	dst = append(dst, '{')
	if n == 0 {
		return append(dst, '}'), nil
	}
	var names *nameSet
	if !e.has(option.AllowDuplicateNames) && (r.repeats || e.has(option.AllowInvalidUTF8)) {
		names = &nameSet{}
	}
	iter := m.MapRange()
	key, value := reflect.New(r.shape.Key.Type), reflect.New(r.shape.Elem.Type)
	if !e.has(option.Deterministic) || n == 1 {
		for i := 0; iter.Next(); i++ {
			if i > 0 {
				dst = append(dst, ',')
			}
			key.Elem().SetIterKey(iter)
			start := len(dst)
			var err error
			if dst, err = e.appendKey(r, dst, key); err != nil {
				return dst, err
			}
			if names != nil && !names.add(dst[start:]) {
				return dst[:start], e.duplicate(dst[start:])
			}
			value.Elem().SetIterValue(iter)
			if dst, err = r.program.run(&e.Encoder, append(dst, ':'), mem.OfPointer(value)); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	}
	entries := make([]namedEntry, 0, n)
	plain := r.shape.Key.Kind == shape.String && !r.repeats // names are known before they are written
	held := reflect.MakeSlice(reflect.SliceOf(r.shape.Elem.Type), n, n)
	body := len(dst)
	for i := 0; iter.Next(); i++ {
		key.Elem().SetIterKey(iter)
		held.Index(i).SetIterValue(iter)
		if plain {
			entries = append(entries, namedEntry{name: key.Elem().String(), value: held.Index(i)})
			continue
		}
		out, err := e.appendKey(r, dst, key)
		if err != nil {
			return out, err
		}
		quoted := slices.Clone(out[body:])
		name, _ := syntax.AppendUnquoted(nil, quoted)
		entries = append(entries, namedEntry{name: string(name), quoted: quoted, value: held.Index(i)})
		dst = out[:body]
		e.back(body)
	}
	sort.Slice(entries, func(i, j int) bool { return compareStrings(entries[i].name, entries[j].name) < 0 })
	for i, entry := range entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		start := len(dst)
		if dst = append(dst, entry.quoted...); plain {
			key.Elem().SetString(entry.name)
			if dst, err = e.appendKey(r, dst, key); err != nil {
				return dst, err
			}
		}
		if names != nil && !names.add(dst[start:]) {
			return dst[:start], e.duplicate(dst[start:])
		}
		if dst, err = r.program.run(&e.Encoder, append(dst, ':'), mem.OfPointer(entry.value.Addr())); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// appendKey appends the name that a key is written as.
func (e *encoder) appendKey(r *ref, dst []byte, key reflect.Value) ([]byte, error) {
	start := len(dst)
	var out []byte
	var err error
	t := r.shape.Key.Type
	if t.Kind() == reflect.Interface && len(e.mode.types.of(t)) == 0 {
		held := key.Elem().Interface()
		// The standard library has a way of its own for floats in any, which does not quote.
		_, unquoted := held.(float64)
		out, err = e.top(dst, held, !(unquoted && t.NumMethod() == 0 && !e.mode.onlyPrograms()))
	} else {
		out, err = r.key.run(&e.Encoder, dst, mem.OfPointer(key))
	}
	notName := err == nil && (len(out) == start || out[start] != '"')
	if f, ok := err.(*fault); ok && f.err == errNotName {
		notName = true
	}
	if !notName {
		return out, err
	}
	if t.Kind() == reflect.Pointer && key.Elem().IsNil() && e.has(option.CallMethodsWithLegacySemantics) &&
		(t.Implements(textMarshaler) || t.Implements(textAppenderType)) {
		return append(out[:start], `""`...), nil
	}
	inner := e.explain(dst[e.start:start], &fault{err: stream.ErrNonStringName, syntax: true, where: stream.Next})
	if e.has(option.ReportErrorsWithLegacySemantics) && reflect.PointerTo(t).Implements(marshaler) {
		return dst[:start], marshalerError(reflect.PointerTo(t), inner, "MarshalJSON")
	}
	return dst[:start], newFault(t, inner)
}
