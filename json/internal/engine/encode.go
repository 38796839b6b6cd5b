package engine

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/memory/optional"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// An Encoder is the state of one call that its programs share.
type Encoder struct {
	escapes syntax.Escapes
	on      option.Flag
	mode    *encodeMode
	v2      encodeVersion2   // nil by the rules of v1
	start   int              // where the value starts in the buffer
	level   int              // pointers, maps and slices that are being followed
	seen    map[any]struct{} // from cycleLevel on, which ones
}

// An encoder is an Encoder for calls of v2.
type encoder struct {
	Encoder
	call     EncodeCall
	outer    *stream.Encoder // that the value is written to, if there is one
	base     int64           // where that is in the stream
	lead     int             // how many bytes in front of it belong to it: a comma, a colon, white space
	track    *stream.Track   // of what methods ask where they are; may be nil
	tokens   *writerOfTokens // of methods and functions, between their calls; may be nil
	standard *standardWriter // of methods with the standard library's streams; may be nil
}

// html reports whether <, > and & are escaped.
func (e *Encoder) html() bool { return e.escapes&syntax.EscapeHTML != 0 }

func (e *Encoder) has(f option.Flag) bool { return e.on&f != 0 }

// useV1 makes a zero Encoder the state of a call of v1. It sets the fields in place: a copy of
// what has just been written in smaller pieces would wait for them.
func (e *Encoder) useV1(html bool, start int) {
	e.escapes, e.on, e.mode, e.start = syntax.StandardEscapes, option.V1, &v1Encode, start
	if html {
		e.escapes |= syntax.EscapeHTML
	}
}

// Append appends the encoding of v, by the rules of v1. On error what it returns is not to be
// used.
func Append(dst []byte, v any, html bool) ([]byte, error) {
	var state Encoder
	state.useV1(html, len(dst))
	dst, err := mem.NoEscape(&state).any(dst, v)
	runtime.KeepAlive(&state)
	return dst, err
}

// Append appends the encoding of the value at a, which a pointer of type t points to, by the
// rules of v1. On error what it returns is not to be used.
func (p *Program) Append(dst []byte, a mem.Pointer, t reflect.Type, html bool) ([]byte, error) {
	var state Encoder
	state.useV1(html, len(dst))
	dst, err := p.run(mem.NoEscape(&state), dst, a)
	runtime.KeepAlive(&state)
	if err != nil {
		return dst, throughPointer(err, t)
	}
	return dst, nil
}

// cycleLevel is the nesting from which on a cycle is looked for.
const cycleLevel = 1000

// any appends the value in an interface, which is not addressable.
func (e *Encoder) any(dst []byte, v any) ([]byte, error) {
	if e.mode.onlyPrograms() {
		return e.anyByProgram(dst, v)
	}
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case string:
		return e.string(dst, v)
	case bool:
		return strconv.AppendBool(dst, v), nil
	case int:
		return syntax.AppendInt(dst, int64(v)), nil
	case float64:
		return e.float(dst, v, 64)
	case map[string]any:
		return e.object(dst, v)
	case []any:
		return e.array(dst, v)
	}
	return e.anyByProgram(dst, v)
}

// onlyPrograms reports whether no value is written without asking for its type's program.
func (m *encodeMode) onlyPrograms() bool {
	return m.flags&option.StringifyNumbers != 0 || m.types != nil
}

// string appends a string.
func (e *Encoder) string(dst []byte, s string) ([]byte, error) {
	n := len(dst)
	dst, ok := syntax.AppendText(dst, s, e.escapes)
	if !ok {
		return dst[:n], notUTF8
	}
	return dst, nil
}

// anyByProgram is any by the program of v's type.
func (e *Encoder) anyByProgram(dst []byte, v any) ([]byte, error) {
	if v == nil {
		return append(dst, "null"...), nil
	}
	r := e.mode.rootOf(reflect.TypeOf(v))
	switch r.form {
	case pointer:
		p := mem.OfPointer(reflect.ValueOf(v))
		if p.IsNil() {
			return append(dst, "null"...), nil
		}
		leave, err := e.enter(func() (any, reflect.Value) { return v, reflect.ValueOf(v) })
		if err != nil {
			return dst, err
		}
		dst, err = r.program.run(e, dst, p)
		e.leave(leave)
		return dst, throughPointer(err, reflect.TypeOf(v))
	case word:
		held := words.Get().(*any)
		*held = v
		dst, err := r.program.run(e, dst, mem.OfWord(held))
		*held = nil
		words.Put(held)
		return dst, err
	}
	return r.program.run(e, dst, mem.OfData(v))
}

// words are interfaces whose word is a value, while that is encoded: a map, or
// a struct of one pointer. Marshal methods get copies.
var words = sync.Pool{New: func() any { return new(any) }}

// enter goes a level deeper, along a pointer, map or slice. Past cycleLevel it
// asks identity for a key of what is entered, and refuses to enter it twice.
func (e *Encoder) enter(identity func() (any, reflect.Value)) (key any, err error) {
	if e.level++; e.level <= cycleLevel {
		return nil, nil
	}
	key, v := identity()
	if _, ok := e.seen[key]; ok {
		return nil, e.cycle(v)
	}
	if e.seen == nil {
		e.seen = map[any]struct{}{}
	}
	e.seen[key] = struct{}{}
	return key, nil
}

func (e *Encoder) leave(key any) {
	e.level--
	if key != nil {
		delete(e.seen, key)
	}
}

// run appends the value at a. Room for literals and numbers is made at the
// start, and again behind what takes an unknown amount of it. It is long since
// it is the loop: what is short stands in it, and the rest is a call.
func (p *Program) run(e *Encoder, dst []byte, a mem.Pointer) ([]byte, error) {
	dst = slices.Grow(dst, p.room)
	code := p.code
	for pc := 0; pc < len(code); pc++ {
		var err error
		in := &code[pc]
		off := uintptr(in.off)
		if n := len(dst); in.size > 0 {
			dst = dst[:n+int(in.size)]
			mem.Copy16(dst[:cap(dst)], n, in.literal, 0)
			if in.size > literalUnit {
				mem.Copy16(dst[:cap(dst)], n+literalUnit, in.literal, literalUnit)
				if in.size > 2*literalUnit {
					copyUnits(dst[:cap(dst)], n, in.literal)
				}
			}
		}
		switch in.op {
		case opLiteral:
			continue
		case opComma:
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			continue
		case opName:
			dst, _ = syntax.AppendText(dst, p.refs[in.arg].name, e.escapes&^syntax.OnlyUTF8)
			dst = append(dst, ':')
		case opSkip:
			if r := &p.refs[in.arg]; r.omit(a, off) {
				pc = r.target - 1
			}
			continue
		case opSkipWord:
			// Fields that are left out come in runs.
			for mem.Load[uintptr](a, off) == 0 {
				pc = int(in.arg) - 1
				if pc+1 == len(code) || code[pc+1].op != opSkipWord {
					break
				}
				pc++
				in = &code[pc]
				off = uintptr(in.off)
			}
			continue
		case opSkipByte:
			if mem.Load[uint8](a, off) == 0 {
				pc = int(in.arg) - 1
			}
			continue
		case opBool:
			if mem.Load[bool](a, off) {
				dst = append(dst, "true"...)
			} else {
				dst = append(dst, "false"...)
			}
			continue
		case opInt8:
			dst = syntax.AppendInt(dst, int64(mem.Load[int8](a, off)))
			continue
		case opInt16:
			dst = syntax.AppendInt(dst, int64(mem.Load[int16](a, off)))
			continue
		case opInt32:
			dst = syntax.AppendInt(dst, int64(mem.Load[int32](a, off)))
			continue
		case opInt64:
			dst = syntax.AppendInt(dst, mem.Load[int64](a, off))
			continue
		case opUint8:
			dst = syntax.AppendUint(dst, uint64(mem.Load[uint8](a, off)))
			continue
		case opUint16:
			dst = syntax.AppendUint(dst, uint64(mem.Load[uint16](a, off)))
			continue
		case opUint32:
			dst = syntax.AppendUint(dst, uint64(mem.Load[uint32](a, off)))
			continue
		case opUint64:
			dst = syntax.AppendUint(dst, mem.Load[uint64](a, off))
			continue
		case opUintptr:
			dst = syntax.AppendUint(dst, uint64(mem.Load[uintptr](a, off)))
			continue
		case opFloat32:
			if dst, err = e.float(dst, float64(mem.Load[float32](a, off)), 32); err != nil {
				return dst, err
			}
			continue
		case opFloat64:
			if dst, err = e.float(dst, mem.Load[float64](a, off), 64); err != nil {
				return dst, err
			}
			continue
		case opString:
			var ok bool
			start := len(dst)
			if dst, ok = syntax.AppendText(dst, mem.Load[string](a, off), e.escapes); !ok {
				return dst[:start], notUTF8
			}
			dst = slices.Grow(dst, int(in.room))
			continue
		case opQuotedString:
			dst, err = e.quotedString(dst, mem.Load[string](a, off))
		case opNumber:
			dst, err = e.number(dst, mem.Load[string](a, off), false)
		case opQuotedNumber:
			dst, err = e.number(dst, mem.Load[string](a, off), true)
		case opQuotedFloat32:
			dst, err = e.quotedFloat(dst, float64(mem.Load[float32](a, off)), 32)
		case opQuotedFloat64:
			dst, err = e.quotedFloat(dst, mem.Load[float64](a, off), 64)
		case opBytes:
			if b := a.Bytes(off); b == nil && e.has(option.FormatNilSliceAsNull) {
				dst = append(dst, "null"...)
			} else {
				dst = base64.StdEncoding.AppendEncode(append(dst, '"'), b)
				dst = append(dst, '"')
			}
		case opTime:
			dst, err = e.time(dst, mem.At[time.Time](a, off))
		case opAny:
			dst, err = e.any(dst, a.Any(off))
		case opInterface:
			if v := a.Value(off, p.refs[in.arg].shape.Type); v.IsNil() {
				dst = append(dst, "null"...)
			} else {
				dst, err = e.any(dst, v.Elem().Interface())
			}
		case opPointer:
			dst, err = p.refs[in.arg].runPointer(e, dst, a, off)
		case opOption:
			if r := &p.refs[in.arg]; mem.Load[bool](a, off) {
				dst, err = r.program.run(e, dst, a.Add(off+r.value))
			} else {
				dst = append(dst, "null"...)
			}
		case opOptionCopy:
			if r := &p.refs[in.arg]; mem.Load[bool](a, off) {
				held := reflect.New(r.shape.Type)
				held.Elem().Set(a.Value(off-r.shape.Present, r.shape.Type))
				dst, err = r.program.run(e, dst, mem.OfPointer(held).Add(r.shape.Value))
			} else {
				dst = append(dst, "null"...)
			}
		case opError:
			text := optional.NilError
			if e := *mem.At[error](a, off); e != nil {
				text = e.Error()
			}
			dst, err = e.string(dst, text)
		case opUnion:
			dst, err = p.refs[in.arg].runUnion(e, dst, a.Add(off))
		case opUnionCopy:
			r := &p.refs[in.arg]
			held := reflect.New(r.shape.Type)
			held.Elem().Set(a.Value(off, r.shape.Type))
			dst, err = r.runUnion(e, dst, mem.OfPointer(held))
		case opSlice:
			dst, err = p.refs[in.arg].runSlice(e, dst, a, off)
		case opArray:
			r := &p.refs[in.arg]
			dst, err = r.runElements(e, dst, a.Add(off), r.shape.Len)
		case opMap:
			dst, err = p.refs[in.arg].runMap(e, dst, a, off)
		case opThrough:
			r := &p.refs[in.arg]
			at := a.Add(off)
			for _, hop := range r.hops {
				if at = at.Elem(hop.Offset); at.IsNil() {
					break
				}
			}
			if !at.IsNil() {
				dst, err = r.program.run(e, dst, at)
			}
		case opMarshaler, opTextMarshaler, opTextAppender:
			dst, err = p.refs[in.arg].runMethod(e, in.op, dst, a, off)
		case opUnsupported:
			err = &UnsupportedTypeError{Type: p.refs[in.arg].shape.Type}
		case opRest:
			dst, err = p.refs[in.arg].runRest(e, dst, a, off)
		case opByteArray, opOmitEmpty, opMethods, opFunctions, opFail:
			r := &p.refs[in.arg]
			dst, err = e.v2.runV2(r, in.op, dst, a, off)
		}
		if err != nil {
			return dst, err
		}
		dst = slices.Grow(dst, int(in.room))
	}
	return dst, nil
}

// copyUnits copies a literal behind its first two units to b[n:].
//
//go:noinline
func copyUnits(b []byte, n int, literal string) {
	for i := 2 * literalUnit; i < len(literal); i += literalUnit {
		mem.Copy16(b, n+i, literal, i)
	}
}

// runUnion appends what a union of mo holds. Absent is null, as its own method
// has it.
func (r *ref) runUnion(e *Encoder, dst []byte, a mem.Pointer) ([]byte, error) {
	held := r.shape.Union.Held(a, 0)
	if p := r.cases[held]; p != nil {
		return p.run(e, dst, a.Add(r.shape.Union.Cases[held].Offset))
	}
	return append(dst, "null"...), nil
}

func (r *ref) runPointer(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	to := a.Elem(off)
	if to.IsNil() {
		return append(dst, "null"...), nil
	}
	if code := r.program.code; len(code) == 1 && code[0].size == 0 {
		switch code[0].op { // what leads nowhere is not in a cycle
		case opBool:
			return strconv.AppendBool(dst, mem.Load[bool](to, 0)), nil
		case opInt64:
			return syntax.AppendInt(dst, mem.Load[int64](to, 0)), nil
		case opFloat64:
			return e.float(dst, mem.Load[float64](to, 0), 64)
		case opString:
			return e.string(dst, mem.Load[string](to, 0))
		}
	}
	key, err := e.enter(func() (any, reflect.Value) {
		v := a.Value(off, r.shape.Type)
		return v.Interface(), v
	})
	if err != nil {
		return dst, err
	}
	dst, err = r.program.run(e, dst, to)
	e.leave(key)
	return dst, throughPointer(err, r.shape.Type)
}

func (r *ref) runSlice(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	if a.SliceIsNil(off) && e.has(option.FormatNilSliceAsNull) {
		return append(dst, "null"...), nil
	}
	key, err := e.enter(func() (any, reflect.Value) {
		v := a.Value(off, r.shape.Type)
		return [2]any{v.Pointer(), v.Len()}, v
	})
	if err != nil {
		return dst, err
	}
	first, n := a.Slice(off)
	dst, err = r.runElements(e, dst, first, n)
	e.leave(key)
	return dst, err
}

func (r *ref) runElements(e *Encoder, dst []byte, first mem.Pointer, n int) ([]byte, error) {
	if n == 0 {
		return append(dst, "[]"...), nil
	}
	// Each element has a comma behind it, and the last one's becomes the bracket.
	dst = append(dst, '[')
	stride := r.shape.Elem.Size
	switch code := r.program.code; {
	case len(code) == 1 && code[0].op == opInt64 && code[0].size == 0:
		for i := range n {
			dst = append(syntax.AppendInt(dst, mem.Load[int64](first, uintptr(i)*stride)), ',')
		}
	case len(code) == 1 && code[0].op == opString && code[0].size == 0:
		for i := range n {
			var err error
			if dst, err = e.string(dst, mem.Load[string](first, uintptr(i)*stride)); err != nil {
				return dst, err
			}
			dst = append(dst, ',')
		}
	case len(code) == 1 && code[0].op == opFloat64 && code[0].size == 0:
		for i := range n {
			var err error
			if dst, err = e.float(dst, mem.Load[float64](first, uintptr(i)*stride), 64); err != nil {
				return dst, err
			}
			dst = append(dst, ',')
		}
	default:
		for i := range n {
			var err error
			if dst, err = r.program.run(e, dst, first.Add(uintptr(i)*stride)); err != nil {
				return dst, err
			}
			dst = append(dst, ',')
		}
	}
	dst[len(dst)-1] = ']'
	return dst, nil
}

// float appends a float of 32 or 64 bits.
func (e *Encoder) float(dst []byte, f float64, bits int) ([]byte, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return dst, e.notFinite(f, bits)
	}
	return syntax.AppendFloat(dst, f, bits), nil
}

// quotedFloat appends a float as a string.
func (e *Encoder) quotedFloat(dst []byte, f float64, bits int) ([]byte, error) {
	n := len(dst)
	dst, err := e.float(append(dst, '"'), f, bits)
	if err != nil {
		return dst[:n], err
	}
	return append(dst, '"'), nil
}

// quotedString appends the text of a string in another one.
func (e *Encoder) quotedString(dst []byte, s string) ([]byte, error) {
	quoted, err := e.string(nil, s)
	if err != nil {
		return dst, err
	}
	return e.string(dst, mem.String(quoted))
}

// number appends a Number.
func (e *Encoder) number(dst []byte, s string, quoted bool) ([]byte, error) {
	if s == "" {
		s = "0"
	}
	if !syntax.ValidNumber(s) {
		return dst, e.notNumber(s, quoted)
	}
	if !quoted {
		if e.has(option.CanonicalizeNumbers) {
			return e.v2.canonical(dst, s), nil
		}
		return append(dst, s...), nil
	}
	return append(append(append(dst, '"'), s...), '"'), nil
}

// runMethod appends what a value's own marshal method returns.
func (r *ref) runMethod(e *Encoder, o op, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	t := r.shape.Type
	var method any
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
		v := a.Value(off, t)
		if v.IsNil() {
			return append(dst, "null"...), nil
		}
		method = v.Interface()
	default:
		method = r.pointer.Any(a, off)
	}
	switch o {
	case opTextMarshaler:
		text, err := method.(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return dst, errorBy(failedText{err}, methodType(t, method))
		}
		return syntax.AppendString(dst, string(text), e.html()), nil
	case opTextAppender:
		text, err := method.(encoding.TextAppender).AppendText(nil)
		if err != nil {
			return dst, errorBy(failedAppend{err}, methodType(t, method))
		}
		return syntax.AppendString(dst, string(text), e.html()), nil
	}
	b, err := marshalJSON(method, e.html())
	if err == nil {
		out, ok := syntax.AppendCompact(dst, b, e.html())
		if ok {
			return out, nil
		}
		err = json.Compact(new(bytes.Buffer), b)
	}
	return dst, methodError(t, method, err)
}

// A failedText and a failedAppend make encoding/json say which method failed, in the field
// of its error that only it can set.
type (
	failedText   struct{ err error }
	failedAppend struct{ err error }
)

func (f failedText) MarshalText() ([]byte, error)            { return nil, f.err }
func (f failedAppend) AppendText(dst []byte) ([]byte, error) { return dst, f.err }

// errorBy returns encoding/json's error for one of these, about the type t.
func errorBy(failed any, t reflect.Type) error {
	_, err := json.Marshal(failed)
	if e := (*MarshalerError)(nil); errors.As(err, &e) {
		e.Type = t
	}
	return err
}

// SyntaxErrorOf returns what encoding/json says of text that is not valid JSON.
func SyntaxErrorOf(data []byte) error {
	var raw RawMessage
	return json.Unmarshal(data, &raw)
}
