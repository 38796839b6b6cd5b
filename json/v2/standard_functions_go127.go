//go:build go1.27 && goexperiment.jsonv2

package json

import (
	stdtext "encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"reflect"
	"sync"

	"github.com/hone-go/hone/json/jsontext"
)

// A standardFunctions contains functions as a value of type F, a type of the standard library.
type standardFunctions[F any] struct {
	list *F
	once sync.Once
	all  *F // the functions of list, followed by methodsTo or methodsFrom
}

// The Marshalers and Unmarshalers of a call, converted for the standard library.
type (
	standardMarshalers   = standardFunctions[jsonv2.Marshalers]
	standardUnmarshalers = standardFunctions[jsonv2.Unmarshalers]
)

// methodsTo and methodsFrom are functions for the standard library. They call the methods that take
// Hone's streams, for all types with such methods.
var (
	methodsTo = jsonv2.MarshalToFunc(func(e *stdtext.Encoder, v MarshalerTo) error {
		return writeStandard(e, reflect.TypeOf(v).Elem(), v.MarshalJSONTo)
	})
	methodsFrom = jsonv2.UnmarshalFromFunc(func(d *stdtext.Decoder, v UnmarshalerFrom) error {
		return readStandard(d, reflect.TypeOf(v).Elem(), v.UnmarshalJSONFrom)
	})
)

// withMethods converts m for the standard library, and adds methodsTo.
func (m *Marshalers) withMethods() *jsonv2.Marshalers {
	if m == nil || m.standard == nil {
		return methodsTo
	}
	m.standard.once.Do(func() { m.standard.all = jsonv2.JoinMarshalers(m.standard.list, methodsTo) })
	return m.standard.all
}

func (u *Unmarshalers) withMethods() *jsonv2.Unmarshalers {
	if u == nil || u.standard == nil {
		return methodsFrom
	}
	u.standard.once.Do(func() { u.standard.all = jsonv2.JoinUnmarshalers(u.standard.list, methodsFrom) })
	return u.standard.all
}

func joinStandardMarshalers(ms []*Marshalers) *standardMarshalers {
	var lists []*jsonv2.Marshalers
	for _, m := range ms {
		if m != nil {
			lists = append(lists, m.standard.list)
		}
	}
	return &standardMarshalers{list: jsonv2.JoinMarshalers(lists...)}
}

func joinStandardUnmarshalers(us []*Unmarshalers) *standardUnmarshalers {
	var lists []*jsonv2.Unmarshalers
	for _, u := range us {
		if u != nil {
			lists = append(lists, u.standard.list)
		}
	}
	return &standardUnmarshalers{list: jsonv2.JoinUnmarshalers(lists...)}
}

func standardMarshalFunc[T any](fn func(T) ([]byte, error)) *standardMarshalers {
	return &standardMarshalers{list: jsonv2.MarshalFunc(fn)}
}

func standardMarshalToFunc[T any](fn func(*jsontext.Encoder, T) error) *standardMarshalers {
	return &standardMarshalers{list: jsonv2.MarshalToFunc(func(e *stdtext.Encoder, v T) error {
		return writeStandard(e, nil, func(to *jsontext.Encoder) error { return fn(to, v) })
	})}
}

func standardUnmarshalFunc[T any](fn func([]byte, T) error) *standardUnmarshalers {
	return &standardUnmarshalers{list: jsonv2.UnmarshalFunc(fn)}
}

func standardUnmarshalFromFunc[T any](fn func(*jsontext.Decoder, T) error) *standardUnmarshalers {
	return &standardUnmarshalers{list: jsonv2.UnmarshalFromFunc(func(d *stdtext.Decoder, v T) error {
		return readStandard(d, nil, func(from *jsontext.Decoder) error { return fn(from, v) })
	})}
}
