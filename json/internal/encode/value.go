package encode

import (
	"math"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// String appends a string. It returns a Fault if the options require valid UTF-8 and s is not
// valid.
func (e *Encoder) String(dst []byte, s string) ([]byte, error) {
	n := len(dst)
	dst, ok := syntax.AppendText(dst, s, e.Escapes)
	if !ok {
		return dst[:n], notUTF8
	}
	return dst, nil
}

// runUnion appends the current case of a union of package mo. A case without a value is null.
func (r *Ref) runUnion(e *Encoder, dst []byte, a mem.Pointer) ([]byte, error) {
	// The flags of the union select the case. The program of the case writes the same JSON as the
	// union's own method.
	held := r.Shape.Union.Held(a, 0)
	if p := r.cases[held]; p != nil {
		return p.Run(e, dst, a.Add(r.Shape.Union.Cases[held].Offset))
	}
	return append(dst, "null"...), nil
}

// runPointer appends the target of the pointer at a+off. Scalars are handled first, since they
// cannot be part of a cycle.
func (r *Ref) runPointer(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	to := a.Elem(off)
	if to.IsNil() {
		return append(dst, "null"...), nil
	}
	// A program of one instruction without a literal encodes a scalar. The scalar is encoded here,
	// which saves the level and the loop.
	if code := r.Program.code; len(code) == 1 && code[0].size == 0 {
		switch code[0].op {
		case opBool:
			return strconv.AppendBool(dst, mem.Load[bool](to, 0)), nil
		case opInt64:
			return syntax.AppendInt(dst, mem.Load[int64](to, 0)), nil
		case opFloat64:
			dst, err := e.float(dst, mem.Load[float64](to, 0), 64)
			return dst, named(err, r.Program.floats[0])
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
	// The call of enter counted the level, and detects cycles from a certain depth on.
	dst, err = r.Program.Run(e, dst, to)
	e.leave(key)
	return dst, e.throughPointer(err, r.Shape.Type)
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
	// The elements are addressable, even if the slice is not, so their program may call methods of
	// pointers.
	first, n := a.Slice(off)
	dst, err = r.runElements(e, dst, first, n)
	e.leave(key)
	return dst, err
}

// runElements appends n elements, beginning with the one at first. Each element is followed by a
// comma, and the last comma becomes the bracket. The three most common kinds of scalars have their
// own loops.
func (r *Ref) runElements(e *Encoder, dst []byte, first mem.Pointer, n int) ([]byte, error) {
	if n == 0 {
		return append(dst, "[]"...), nil
	}
	dst = append(dst, '[')
	// Numbers and strings have their own loops, since running a program for each element would cost
	// as much as the element.
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
			if dst, err = e.float(dst, mem.Load[float64](first, uintptr(i)*stride), 64); err != nil {
				return dst, named(err, r.Program.floats[0])
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

// quotedString appends the JSON of a string as a JSON string.
func (e *Encoder) quotedString(dst []byte, s string) ([]byte, error) {
	// The inner JSON has quotes and escapes, which the outer string escapes again.
	quoted, err := e.String(nil, s)
	if err != nil {
		return dst, err
	}
	return e.String(dst, mem.String(quoted))
}

// number appends a Number, quoted or not. The empty Number is 0.
func (e *Encoder) number(dst []byte, s string, quoted bool) ([]byte, error) {
	// The zero Number is encoded as 0, as encoding/json does.
	if s == "" {
		s = "0"
	}
	// A Number is a string, so it may contain any text.
	if !syntax.ValidNumber(s) {
		return dst, e.notNumber(s, quoted)
	}
	if !quoted {
		if e.Has(option.CanonicalizeNumbers) {
			return e.V2.Canonical(dst, s), nil
		}
		return append(dst, s...), nil
	}
	return append(append(append(dst, '"'), s...), '"'), nil
}
