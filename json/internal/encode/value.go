package encode

import (
	"math"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// String appends s as a JSON string. It returns a Fault if the options require valid UTF-8 and s is
// not valid.
func (e *Encoder) String(dst []byte, s string) ([]byte, error) {
	n := len(dst)
	dst, ok := syntax.AppendText(dst, s, e.Escapes)
	if !ok {
		return dst[:n], notUTF8
	}
	return dst, nil
}

// runUnion appends the value in a union of package mo, such as an Either. A case without a value is
// encoded as null.
func (r *Ref) runUnion(e *Encoder, dst []byte, a mem.Pointer) ([]byte, error) {
	// The flags of the union select the case. The program of the case writes the same JSON as the
	// union's MarshalJSON method.
	held := r.Shape.Union.Held(a, 0)
	if p := r.cases[held]; p != nil {
		if r.prefixes != nil {
			return r.runInternal(e, dst, a, held)
		}
		return p.Run(e, dst, a.Add(r.Shape.Union.Cases[held].Offset))
	}
	return append(dst, "null"...), nil
}

// runInternal appends the Either at a, whose value belongs to case i and has an internal tag.
// The program of the case is known when the Either is compiled, so runInternal needs no lookup. An
// interface looks up the program by the type of its value.
func (r *Ref) runInternal(e *Encoder, dst []byte, a mem.Pointer, i int) ([]byte, error) {
	u, start := r.Shape.Union, len(dst)
	dst = append(dst, r.prefixes[i]...)
	at := len(dst)
	dst, err := r.cases[i].Run(e, dst, a.Add(u.Cases[i].Offset))
	return e.joined(dst, start, at, err, func() error {
		return e.notObject(u.Sum, i, a.Value(u.Cases[i].Offset, u.Cases[i].Elem.Type))
	})
}

// runPointer appends the target of the pointer at a+off. It handles scalars first, because they
// cannot be part of a cycle.
func (r *Ref) runPointer(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	to := a.Elem(off)
	if to.IsNil() {
		return append(dst, "null"...), nil
	}
	// A program of one instruction without a literal encodes a scalar. Encode it here, which is
	// faster than Run and needs no nesting level.
	if code := r.Program.code; len(code) == 1 && code[0].size == 0 {
		switch code[0].op {
		case opBool:
			return strconv.AppendBool(dst, mem.Load[bool](to, 0)), nil
		case opInt64:
			return syntax.AppendInt(dst, mem.Load[int64](to, 0)), nil
		case opFloat64:
			return r.Program.float(e, 0, dst, mem.Load[float64](to, 0), 64)
		case opString:
			return e.String(dst, mem.Load[string](to, 0))
		}
	}
	key, err := e.enter(func() (any, reflect.Value) {
		v := a.Value(off, r.Shape.Type)
		return v.Interface(), v
	})
	if err != nil {
		return dst, err
	}
	// enter has counted the level, and detects cycles beyond cycleLevel.
	dst, err = r.Program.Run(e, dst, to)
	e.leave(key)
	if err != nil {
		err = e.Mode.Rules.ThroughPointer(err, r.Shape.Type)
	}
	return dst, err
}

// runSlice appends the slice at a+off.
func (r *Ref) runSlice(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	if a.SliceIsNil(off) && e.Has(option.FormatNilSliceAsNull) {
		return append(dst, "null"...), nil
	}
	key, err := e.enter(func() (any, reflect.Value) {
		v := a.Value(off, r.Shape.Type)
		return [2]any{v.Pointer(), v.Len()}, v
	})
	if err != nil {
		return dst, err
	}
	// The elements of a slice are always addressable, so their program may call methods with a
	// pointer receiver.
	first, n := a.Slice(off)
	dst, err = r.runElements(e, dst, first, n)
	e.leave(key)
	return dst, err
}

// runElements appends n elements, starting at the address first. It appends a comma after each
// element, and replaces the last comma by the closing bracket.
func (r *Ref) runElements(e *Encoder, dst []byte, first mem.Pointer, n int) ([]byte, error) {
	if n == 0 {
		return append(dst, "[]"...), nil
	}
	dst = append(dst, '[')
	// Numbers and strings have their own loops, because running a program for each element would
	// take as long as encoding the element.
	stride := r.Shape.Elem.Size
	switch code := r.Program.code; {
	case len(code) == 1 && code[0].op == opInt64 && code[0].size == 0:
		for i := range n {
			dst = append(syntax.AppendInt(dst, mem.Load[int64](first, uintptr(i)*stride)), ',')
		}
	case len(code) == 1 && code[0].op == opString && code[0].size == 0:
		for i := range n {
			var err error
			if dst, err = e.String(dst, mem.Load[string](first, uintptr(i)*stride)); err != nil {
				return dst, err
			}
			dst = append(dst, ',')
		}
	case len(code) == 1 && code[0].op == opFloat64 && code[0].size == 0:
		for i := range n {
			var err error
			if dst, err = r.Program.float(e, 0, dst, mem.Load[float64](first, uintptr(i)*stride), 64); err != nil {
				return dst, err
			}
			dst = append(dst, ',')
		}
	default:
		for i := range n {
			var err error
			if dst, err = r.Program.Run(e, dst, first.Add(uintptr(i)*stride)); err != nil {
				return dst, err
			}
			dst = append(dst, ',')
		}
	}
	dst[len(dst)-1] = ']'
	return dst, nil
}

// float appends the float of the instruction at pc, which has the given size in bits.
func (p *Program) float(e *Encoder, pc int, dst []byte, f float64, bits int) ([]byte, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		v := reflect.ValueOf(f)
		if t := p.types[pc]; t != nil {
			v = v.Convert(t)
		}
		return dst, e.Mode.Rules.NotFinite(e, v)
	}
	return syntax.AppendFloat(dst, f, bits), nil
}

// quotedFloat appends a float as a JSON string.
func (p *Program) quotedFloat(e *Encoder, pc int, dst []byte, f float64, bits int) ([]byte, error) {
	n := len(dst)
	dst, err := p.float(e, pc, append(dst, '"'), f, bits)
	if err != nil {
		return dst[:n], err
	}
	return append(dst, '"'), nil
}

// quotedString appends a JSON string whose content is the JSON of s.
func (p *Program) quotedString(e *Encoder, pc int, dst []byte, s string) ([]byte, error) {
	// The outer string escapes the quotes and escapes of the inner JSON again.
	quoted, ok := syntax.AppendText(nil, s, e.Escapes)
	if !ok {
		return dst, NewFault(p.types[pc], &stream.SyntacticError{Err: stream.ErrInvalidUTF8})
	}
	return e.String(dst, mem.String(quoted))
}

// runOmitEmpty appends a member, and removes it again if its value is null, "", {} or []. It only
// looks at the last bytes of the output. The bytes \"" are the end of a string that is not empty.
func (r *Ref) runOmitEmpty(e *Encoder, dst []byte, a mem.Pointer) ([]byte, error) {
	start := len(dst)
	dst, err := r.Program.Run(e, dst, a)
	if err != nil {
		return dst, err
	}
	n := len(dst)
	switch string(dst[n-2:]) {
	case "ll", "{}", "[]":
	case `""`:
		if dst[n-3] == '\\' {
			return dst, nil
		}
	default:
		return dst, nil
	}
	e.Back(start)
	return dst[:start], nil
}

// number appends a Number, in quotes if quoted is set. An empty Number is encoded as 0.
func (e *Encoder) number(dst []byte, s string, quoted bool) ([]byte, error) {
	if s == "" {
		s = "0"
	}
	// A Number may contain any text, because its type is string.
	if !syntax.ValidNumber(s) {
		return dst, e.notNumber(s, quoted)
	}
	if !quoted {
		if e.Has(option.CanonicalizeNumbers) {
			return stream.AppendNumber(dst, s, &option.Set{On: e.On}), nil
		}
		return append(dst, s...), nil
	}
	return append(append(append(dst, '"'), s...), '"'), nil
}
