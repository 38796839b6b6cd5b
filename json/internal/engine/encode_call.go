package engine

import (
	"encoding/base64"
	"errors"
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// encoders are states for calls of v2.
var encoders = sync.Pool{New: func() any {
	e := new(encoder)
	e.v2 = e
	return e
}}

// encoder returns the state of a call that appends behind start bytes.
func (c *EncodeCall) encoder(start int) *encoder {
	e := encoders.Get().(*encoder)
	e.call = *c
	e.escapes, e.on, e.mode, e.start = stream.EscapesOf(c.Set.On), c.Set.On, c.mode, start
	return e
}

// release makes the state ready for the next call.
func (e *encoder) release() {
	if e.track != nil {
		e.track.Reset()
	}
	if e.tokens != nil {
		e.tokens.release()
	}
	if e.standard != nil {
		e.standard.forget()
	}
	*e = encoder{Encoder: Encoder{v2: e}, track: e.track, standard: e.standard}
	encoders.Put(e)
}

// Append appends the encoding of v to dst, without white space. On error it returns dst.
func (c *EncodeCall) Append(dst []byte, v any) ([]byte, error) {
	e := c.encoder(len(dst))
	out, err := e.top(dst, v, false)
	if err != nil {
		err, out = e.failed(out[len(dst):], err), dst
	}
	e.release()
	return out, err
}

// failed returns the error of a call, after the text that was written.
func (e *encoder) failed(text []byte, err error) error {
	err = e.explain(text, err)
	if e.has(option.ReportErrorsWithLegacySemantics) {
		return e.legacy(err)
	}
	return err
}

// top appends the value of a call, as the name of a member perhaps.
func (e *encoder) top(dst []byte, v any, name bool) ([]byte, error) {
	if v == nil {
		return append(dst, "null"...), nil
	}
	t := reflect.TypeOf(v)
	if t.Kind() != reflect.Pointer {
		if name {
			held := reflect.New(t)
			held.Elem().Set(reflect.ValueOf(v))
			return e.mode.nameOf(t, false).run(&e.Encoder, dst, mem.OfPointer(held))
		}
		if e.mode.types == nil {
			return e.any(dst, v)
		}
		return e.anyByProgram(dst, v)
	}
	p := mem.OfPointer(reflect.ValueOf(v))
	if p.IsNil() {
		return append(dst, "null"...), nil
	}
	return e.mode.nameOf(t, name).run(&e.Encoder, dst, p)
}

// nameOf returns the program for what a pointer type points to or, if name is set, for it or
// for another type as the name of a member.
func (m *encodeMode) nameOf(t reflect.Type, name bool) *Program {
	cache := &m.pointers
	if name || t.Kind() != reflect.Pointer {
		cache = &m.names
	}
	if p := cache.Get(t); p != nil {
		return p
	}
	c := encodeCompiler{mode: m, programs: map[programKey]*Program{}}
	s := shape.Of(t)
	if t.Kind() == reflect.Pointer {
		s = s.Elem
	}
	return cache.Put(t, c.program(programKey{shape: s, addressable: t.Kind() == reflect.Pointer, name: cache == &m.names}))
}

// MarshalEncode writes v to a stream, as the next value or name.
func (c *EncodeCall) MarshalEncode(to *stream.Encoder, v any) error {
	if to.Calls > stream.MaxDepth {
		return to.TooDeep() // a value that holds itself, and writes itself by a method
	}
	name := to.WantsName()
	if c.Set.On&option.Whitespace != 0 || name {
		// What is written is looked at before it counts.
		e := c.encoder(0)
		e.outer = to
		e.lead = len(to.Start('"')) - len(to.Buffer())
		e.base = to.OutputOffset() + int64(e.lead)
		text, err := e.top(nil, v, name)
		defer e.release()
		if err == nil && !name {
			start := to.Start('"')
			return to.Count(to.AppendValid(start, text))
		}
		if f, ok := err.(*fault); ok && f.err == errNotName {
			err = nil
			text = nil
		}
		if err != nil {
			return e.failed(text, err)
		}
		start := to.Start('"')
		err = to.CountName(append(start, text...), len(start))
		if err != nil && e.has(option.ReportErrorsWithLegacySemantics) {
			return e.legacy(err)
		}
		return err
	}
	buf := to.Start('"')
	e := c.encoder(len(buf))
	e.outer = to
	e.lead = len(buf) - len(to.Buffer())
	e.base = to.OutputOffset() + int64(e.lead)
	out, err := e.top(buf, v, false)
	if err != nil {
		err = e.failed(out[len(buf):], err)
		e.release()
		return err
	}
	e.release()
	return to.Count(out)
}

// Program returns the program of the call's rules for what a pointer of type t points to.
func (c *EncodeCall) Program(t reflect.Type) *Program { return c.mode.nameOf(t, false) }

// AppendBy is Append for the value at a, by its program.
func (c *EncodeCall) AppendBy(p *Program, dst []byte, a mem.Pointer) ([]byte, error) {
	e := c.encoder(len(dst))
	out, err := p.run(&e.Encoder, dst, a)
	if err != nil {
		err, out = e.failed(out[len(dst):], err), dst
	}
	e.release()
	return out, err
}

// runV2 appends a value by an instruction that v1 does not have.
func (e *encoder) runV2(r *ref, o op, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	switch o {
	case opByteArray:
		dst = base64.StdEncoding.AppendEncode(append(dst, '"'), a.Array(off, r.shape.Len))
		return append(dst, '"'), nil
	case opOmitEmpty:
		return e.runOmitEmpty(r, dst, a.Add(off))
	case opMethods:
		return e.runMethods(r, dst, a, off)
	case opFunctions:
		return e.runFunctions(r, dst, a, off)
	}
	return dst, &fault{err: r.fault, typ: r.shape.Type, where: stream.Next}
}

// canonical appends a number in its canonical form.
func (e *encoder) canonical(dst []byte, s string) []byte {
	return stream.AppendNumber(dst, s, &e.call.Set)
}

var errNotPointer = errors.New("value must be passed as a non-nil pointer reference")

// BeforeEncoding returns the error for a call that writes nothing to a stream.
func BeforeEncoding(to *stream.Encoder, v any, err error) error {
	e := newSemantic(false)
	e.ByteOffset, e.JSONPointer = to.Place(stream.Next)
	e.GoType, e.Err = reflect.TypeOf(v), err
	return e
}

// BeforeDecoding returns the error for a call that reads nothing from a stream.
func BeforeDecoding(from *stream.Decoder, v any, err error) error {
	e := newSemantic(true)
	e.ByteOffset, e.JSONPointer = from.NextOffset(), from.PointerTo(stream.Next)
	e.GoType, e.Err = reflect.TypeOf(v), err
	return e
}
