package encoding

import (
	"io"
	"reflect"
	"slices"
	"sort"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// RestOfText implements [encode.Rules]. It reads the text as a stream of tokens, because each name must
// be compared with the names of the struct's fields.
func (compiler) RestOfText(to *encode.Encoder, w *encode.Rest, dst, text []byte, names *rules.NameSet) ([]byte, error) {
	e := of(to)
	if len(text) == 0 {
		return dst, nil
	}
	d := stream.Decoder{}
	d.SetText(text)
	d.On = option.AllowDuplicateNames | option.AllowInvalidUTF8
	fail := func(err error) ([]byte, error) { return dst, encode.NewFault(w.Shape.Type, rules.UnexpectedEnd(err)) }
	token, err := d.ReadToken()
	switch {
	case err == io.EOF:
		return fail(io.ErrUnexpectedEOF)
	case err != nil:
		return fail(err)
	case token.Kind() != '{':
		return fail(rules.ErrRestNotObject)
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadValue()
		if err != nil {
			return fail(err)
		}
		name = slices.Clone(name)
		if names != nil && !names.Add(name) {
			return dst, encode.Duplicate(name, true)
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

// A namedEntry is an entry of a map that is sorted by name.
type namedEntry struct {
	name   string // without quotes and escapes
	quoted []byte // nil until the name is encoded, which for plain strings is after sorting
	value  reflect.Value
}

// A namedMap is the row for maps without a cast.
type namedMap struct {
	// key is the program for the keys.
	key *encode.Program
	// repeats is set if different keys may have equal names.
	repeats bool
}

// Run implements [encode.Row]. It encodes each key with the program for keys, which may call methods
// and functions. Plain strings are sorted before they are encoded, all other keys after they are
// encoded.
func (w *namedMap) Run(to *encode.Encoder, r *encode.Ref, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	e, m := of(to), a.Value(off, r.Shape.Type)
	n := m.Len()
	dst = append(dst, '{')
	if n == 0 {
		return append(dst, '}'), nil
	}
	var names *rules.NameSet
	if !e.Has(option.AllowDuplicateNames) && (w.repeats || e.Has(option.AllowInvalidUTF8)) {
		names = &rules.NameSet{}
	}
	iter := m.MapRange()
	key, value := reflect.New(r.Shape.Key.Type), reflect.New(r.Shape.Elem.Type)
	if !e.Has(option.Deterministic) || n == 1 {
		for i := 0; iter.Next(); i++ {
			if i > 0 {
				dst = append(dst, ',')
			}
			key.Elem().SetIterKey(iter)
			start := len(dst)
			var err error
			if dst, err = w.appendKey(e, r, dst, key); err != nil {
				return dst, err
			}
			if names != nil && !names.Add(dst[start:]) {
				return dst[:start], encode.Duplicate(dst[start:], false)
			}
			value.Elem().SetIterValue(iter)
			if dst, err = r.Program.Run(&e.Encoder, append(dst, ':'), mem.OfPointer(value)); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	}
	entries := make([]namedEntry, 0, n)
	plain := r.Shape.Key.Kind == shape.String && !w.repeats // each key is its own name
	held := reflect.MakeSlice(reflect.SliceOf(r.Shape.Elem.Type), n, n)
	body := len(dst)
	for i := 0; iter.Next(); i++ {
		key.Elem().SetIterKey(iter)
		held.Index(i).SetIterValue(iter)
		if plain {
			entries = append(entries, namedEntry{name: key.Elem().String(), value: held.Index(i)})
			continue
		}
		out, err := w.appendKey(e, r, dst, key)
		if err != nil {
			return out, err
		}
		quoted := slices.Clone(out[body:])
		name, _ := syntax.AppendUnquoted(nil, quoted)
		entries = append(entries, namedEntry{name: string(name), quoted: quoted, value: held.Index(i)})
		dst = out[:body]
		e.Back(body)
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].name < entries[j].name })
	for i, entry := range entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		start := len(dst)
		if dst = append(dst, entry.quoted...); plain {
			key.Elem().SetString(entry.name)
			if dst, err = w.appendKey(e, r, dst, key); err != nil {
				return dst, err
			}
		}
		if names != nil && !names.Add(dst[start:]) {
			return dst[:start], encode.Duplicate(dst[start:], false)
		}
		if dst, err = r.Program.Run(&e.Encoder, append(dst, ':'), mem.OfPointer(entry.value.Addr())); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// appendKey appends the name for a key. It returns an error if the key is not encoded as a string.
func (w *namedMap) appendKey(e *encoder, r *encode.Ref, dst []byte, key reflect.Value) ([]byte, error) {
	start := len(dst)
	var out []byte
	var err error
	t := r.Shape.Key.Type
	if t.Kind() == reflect.Interface && len(e.Mode.Types.Of(t)) == 0 {
		held := key.Elem().Interface()
		// The standard library encodes a float64 in an any as a number, and not as a name.
		_, unquoted := held.(float64)
		out, err = e.top(dst, held, !(unquoted && t.NumMethod() == 0 && !e.Mode.OnlyPrograms()))
	} else {
		out, err = w.key.Run(&e.Encoder, dst, mem.OfPointer(key))
	}
	notName := err == nil && (len(out) == start || out[start] != '"')
	if f, ok := err.(*encode.Fault); ok && f.Err == errNotName {
		notName = true
	}
	if !notName {
		return out, err
	}
	if t.Kind() == reflect.Pointer && key.Elem().IsNil() && e.Has(option.CallMethodsWithLegacySemantics) &&
		(t.Implements(rules.TextMarshalerType) || t.Implements(rules.TextAppenderType)) {
		return append(out[:start], `""`...), nil
	}
	inner := e.explain(dst[e.Start:start], &encode.Fault{Err: stream.ErrNonStringName, Syntax: true, Where: stream.Next})
	if e.Has(option.ReportErrorsWithLegacySemantics) && reflect.PointerTo(t).Implements(rules.MarshalerType) {
		return dst[:start], rules.NewMarshalerError(reflect.PointerTo(t), inner, "MarshalJSON")
	}
	return dst[:start], encode.NewFault(t, inner)
}
