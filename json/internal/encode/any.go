package encode

import (
	"reflect"
	"strconv"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// Any appends the JSON of v. For the types that decoding into an empty interface produces, it needs
// no lookup of a program.
func (e *Encoder) Any(dst []byte, v any) ([]byte, error) {
	if e.Mode.OnlyPrograms() {
		return e.AnyByProgram(dst, v)
	}
	// Most interface values have one of these types.
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
		return floats.float(e, 0, dst, v, 64)
	case map[string]any:
		return e.object(dst, v)
	case []any:
		return e.array(dst, v)
	}
	return e.AnyByProgram(dst, v)
}

// floats represents the program of a float64.
var floats Program

// AnyByProgram implements Any with the program for v's type. If v is a pointer, it uses the program
// for the target. A program needs the address of its value, so a value that the interface stores in
// its data word is copied to memory first.
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
		// A pointer in an interface is a level of nesting, because an interface may contain a
		// pointer to itself.
		leave, err := e.enter(func() (any, reflect.Value) { return v, reflect.ValueOf(v) })
		if err != nil {
			return dst, err
		}
		dst, err = r.program.Run(e, dst, p)
		e.leave(leave)
		if err != nil {
			err = e.Mode.Rules.ThroughPointer(err, reflect.TypeOf(v))
		}
		return dst, err
	case word:
		// A program needs the address of its value, so copy the interface word to memory.
		held := words.Get().(*any)
		*held = v
		dst, err := r.program.Run(e, dst, mem.OfWord(held))
		*held = nil
		words.Put(held)
		return dst, err
	}
	return r.program.Run(e, dst, mem.OfData(v))
}

// words is a pool of interfaces. A value that is stored in an interface word, such as a map or a
// struct of one pointer, is copied to a pooled interface while it is encoded. Marshal methods
// receive a copy of the value, so they cannot retain a pointer into the pool.
var words = sync.Pool{New: func() any { return new(any) }}

// object appends a map[string]any.
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
	dst, err = appendMap(e, dst, m, &objectScratch, (*Encoder).Any)
	e.leave(key)
	return dst, err
}

// objectScratch is the pool of scratch memory for sorting a map[string]any.
var objectScratch = sync.Pool{New: func() any { return new(castScratch[any]) }}

// array appends a []any.
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
