package engine

import (
	"reflect"
	"sync"

	"github.com/hone-go/hone/json/internal/option"
)

// object appends what decoding into an interface makes of an object.
func (e *Encoder) object(dst []byte, m map[string]any) ([]byte, error) {
	if m == nil && e.has(option.FormatNilMapAsNull) {
		return append(dst, "null"...), nil
	}
	key, err := e.enter(func() (any, reflect.Value) {
		v := reflect.ValueOf(m)
		return v.Pointer(), v
	})
	if err != nil {
		return dst, err
	}
	if e.v2 != nil {
		dst, err = e.v2.objectV2(dst, m)
	} else {
		dst, err = appendMap(e, dst, m, &objectScratch, (*Encoder).any)
	}
	e.leave(key)
	return dst, err
}

var objectScratch = sync.Pool{New: func() any { return new(castScratch[any]) }}

// array appends what decoding into an interface makes of an array.
func (e *Encoder) array(dst []byte, list []any) ([]byte, error) {
	if list == nil && e.has(option.FormatNilSliceAsNull) {
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
		if dst, err = e.any(dst, v); err != nil {
			return dst, err
		}
	}
	e.leave(key)
	return append(dst, ']'), nil
}
