package engine

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/jsontext"
	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/internal/optional"
)

// An Encoder is the state of one call that its programs share.
type Encoder struct {
	html  bool
	level int              // pointers, maps and slices that are being followed
	seen  map[any]struct{} // from cycleLevel on, which ones
}

// Append appends the encoding of v, by the rules of v1. On error what it returns is not to be
// used.
func Append(dst []byte, v any, html bool) ([]byte, error) {
	state := Encoder{html: html}
	dst, err := mem.NoEscape(&state).any(dst, v)
	runtime.KeepAlive(&state)
	return dst, err
}

// Append appends the encoding of the value at a, which a pointer of type t points to. On
// error what it returns is not to be used.
func (p *Program) Append(dst []byte, a mem.Pointer, t reflect.Type, html bool) ([]byte, error) {
	state := Encoder{html: html}
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
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case string:
		return jsontext.AppendString(dst, v, e.html), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case int:
		return jsontext.AppendInt(dst, int64(v)), nil
	case float64:
		return appendFloat(dst, v, 64)
	case map[string]any:
		return e.object(dst, v)
	case []any:
		return e.array(dst, v)
	}
	r := rootOf(reflect.TypeOf(v))
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
		return nil, unsupported(v, fmt.Sprintf("encountered a cycle via %s", v.Type()))
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
	var err error
	dst = slices.Grow(dst, p.room)
	code := p.code
	for pc := 0; pc < len(code); pc++ {
		in := &code[pc]
		off := uintptr(in.off)
		if n := len(dst); in.size > 0 && in.op != opName {
			dst = dst[:n+int(in.size)]
			for i := 0; i < len(in.literal); i += literalUnit {
				mem.Copy16(dst[:cap(dst)], n+i, in.literal, i)
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
			if e.html {
				dst = append(dst, p.refs[in.arg].html...)
			} else {
				dst = append(dst, in.literal[:in.size]...)
			}
		case opSkip:
			if r := &p.refs[in.arg]; r.omit(a, off) {
				pc = r.target - 1
			}
			continue
		case opSkipWord:
			if mem.Load[uintptr](a, off) == 0 {
				pc = int(in.arg) - 1
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
			dst = jsontext.AppendInt(dst, int64(mem.Load[int8](a, off)))
			continue
		case opInt16:
			dst = jsontext.AppendInt(dst, int64(mem.Load[int16](a, off)))
			continue
		case opInt32:
			dst = jsontext.AppendInt(dst, int64(mem.Load[int32](a, off)))
			continue
		case opInt64:
			dst = jsontext.AppendInt(dst, mem.Load[int64](a, off))
			continue
		case opUint8:
			dst = jsontext.AppendUint(dst, uint64(mem.Load[uint8](a, off)))
			continue
		case opUint16:
			dst = jsontext.AppendUint(dst, uint64(mem.Load[uint16](a, off)))
			continue
		case opUint32:
			dst = jsontext.AppendUint(dst, uint64(mem.Load[uint32](a, off)))
			continue
		case opUint64:
			dst = jsontext.AppendUint(dst, mem.Load[uint64](a, off))
			continue
		case opUintptr:
			dst = jsontext.AppendUint(dst, uint64(mem.Load[uintptr](a, off)))
			continue
		case opFloat32:
			if dst, err = appendFloat(dst, float64(mem.Load[float32](a, off)), 32); err != nil {
				return dst, err
			}
			continue
		case opFloat64:
			if dst, err = appendFloat(dst, mem.Load[float64](a, off), 64); err != nil {
				return dst, err
			}
			continue
		case opString:
			dst = jsontext.AppendString(dst, mem.Load[string](a, off), e.html)
		case opQuotedString:
			quoted := jsontext.AppendString(nil, mem.Load[string](a, off), e.html)
			dst = jsontext.AppendString(dst, mem.String(quoted), false)
		case opNumber:
			dst, err = appendNumber(dst, mem.Load[string](a, off), false)
		case opQuotedNumber:
			dst, err = appendNumber(append(dst, '"'), mem.Load[string](a, off), true)
			dst = append(dst, '"')
		case opBytes:
			if b := a.Bytes(off); b == nil {
				dst = append(dst, "null"...)
			} else {
				dst = base64.StdEncoding.AppendEncode(append(dst, '"'), b)
				dst = append(dst, '"')
			}
		case opTime:
			dst, err = appendTime(dst, mem.At[time.Time](a, off))
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
			dst = jsontext.AppendString(dst, text, e.html)
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
		case opMarshaler, opTextMarshaler:
			dst, err = p.refs[in.arg].runMethod(e, in.op, dst, a, off)
		case opUnsupported:
			dst, err = unsupportedType(dst, p.refs[in.arg].shape, a, off)
		}
		if err != nil {
			return dst, err
		}
		dst = slices.Grow(dst, int(in.room))
	}
	return dst, nil
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
			return jsontext.AppendInt(dst, mem.Load[int64](to, 0)), nil
		case opFloat64:
			return appendFloat(dst, mem.Load[float64](to, 0), 64)
		case opString:
			return jsontext.AppendString(dst, mem.Load[string](to, 0), e.html), nil
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
	if a.SliceIsNil(off) {
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
			dst = append(jsontext.AppendInt(dst, mem.Load[int64](first, uintptr(i)*stride)), ',')
		}
	case len(code) == 1 && code[0].op == opString && code[0].size == 0:
		for i := range n {
			dst = append(jsontext.AppendString(dst, mem.Load[string](first, uintptr(i)*stride), e.html), ',')
		}
	case len(code) == 1 && code[0].op == opFloat64 && code[0].size == 0:
		for i := range n {
			var err error
			if dst, err = appendFloat(dst, mem.Load[float64](first, uintptr(i)*stride), 64); err != nil {
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

func appendFloat(dst []byte, f float64, bits int) ([]byte, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		v := reflect.ValueOf(f)
		if bits == 32 {
			v = reflect.ValueOf(float32(f))
		}
		return dst, unsupported(v, strconv.FormatFloat(f, 'g', -1, bits))
	}
	return jsontext.AppendFloat(dst, f, bits), nil
}

func appendNumber(dst []byte, s string, quoted bool) ([]byte, error) {
	if s == "" {
		s = "0"
	}
	if !jsontext.ValidNumber(s) {
		return dst, numberError(s, quoted)
	}
	return append(dst, s...), nil
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
		method = a.Addr(off, t)
	}
	if o == opTextMarshaler {
		text, err := method.(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return dst, textError(methodType(t, method), err)
		}
		return jsontext.AppendString(dst, string(text), e.html), nil
	}
	b, err := marshalJSON(method, e.html)
	if err == nil && !jsontext.Valid(b) {
		err = json.Compact(new(bytes.Buffer), b)
	}
	if err != nil {
		return dst, methodError(t, method, err)
	}
	return jsontext.AppendCompact(dst, b, e.html), nil
}

// A failedText makes encoding/json say which method failed, in the field of its
// error that only it can set.
type failedText struct{ err error }

func (f failedText) MarshalText() ([]byte, error) { return nil, f.err }

func textError(t reflect.Type, cause error) error {
	_, err := json.Marshal(failedText{cause})
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
