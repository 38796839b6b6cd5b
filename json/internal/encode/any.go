package encode

import (
	"reflect"
	"strconv"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// Any appends the value in an interface, which is not addressable.
func (e *Encoder) Any(dst []byte, v any) ([]byte, error) {
	if e.Mode.OnlyPrograms() {
		return e.AnyByProgram(dst, v)
	}
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case string:
		return e.String(dst, v)
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
	return e.AnyByProgram(dst, v)
}

// AnyByProgram is any by the program of v's type.
func (e *Encoder) AnyByProgram(dst []byte, v any) ([]byte, error) {
	if v == nil {
		return append(dst, "null"...), nil
	}
	r := e.Mode.rootOf(reflect.TypeOf(v))
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
		dst, err = r.program.Run(e, dst, p)
		e.leave(leave)
		return dst, throughPointer(err, reflect.TypeOf(v))
	case word:
		held := words.Get().(*any)
		*held = v
		dst, err := r.program.Run(e, dst, mem.OfWord(held))
		*held = nil
		words.Put(held)
		return dst, err
	}
	return r.program.Run(e, dst, mem.OfData(v))
}

// words are interfaces whose word is a value, while that is encoded: a map, or
// a struct of one pointer. Marshal methods get copies.
var words = sync.Pool{New: func() any { return new(any) }}

// object appends what decoding into an interface makes of an object.
func (e *Encoder) object(dst []byte, m map[string]any) ([]byte, error) {
	if m == nil && e.Has(option.FormatNilMapAsNull) {
		return append(dst, "null"...), nil
	}
	key, err := e.enter(func() (any, reflect.Value) {
		v := reflect.ValueOf(m)
		return v.Pointer(), v
	})
	if err != nil {
		return dst, err
	}
	if e.V2 != nil {
		dst, err = e.V2.ObjectV2(dst, m)
	} else {
		dst, err = AppendMap(e, dst, m, &ObjectScratch, (*Encoder).Any)
	}
	e.leave(key)
	return dst, err
}

var ObjectScratch = sync.Pool{New: func() any { return new(castScratch[any]) }}

// array appends what decoding into an interface makes of an array.
func (e *Encoder) array(dst []byte, list []any) ([]byte, error) {
	if list == nil && e.Has(option.FormatNilSliceAsNull) {
		return append(dst, "null"...), nil
	}
	key, err := e.enter(func() (any, reflect.Value) {
		v := reflect.ValueOf(list)
		return [2]any{v.Pointer(), v.Len()}, v
	})
	if err != nil {
		return dst, err
	}
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = e.Any(dst, v); err != nil {
			return dst, err
		}
	}
	e.leave(key)
	return append(dst, ']'), nil
}
