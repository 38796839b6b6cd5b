package rules

import (
	"errors"
	"reflect"
	"sync"

	"github.com/hone-go/hone/json/internal/export"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
	text "github.com/hone-go/hone/json/jsontext"
	"github.com/hone-go/hone/shape"
)

// The engine of v1 calls methods with Hone's streams by MarshalTo and UnmarshalFrom. Version 2 has
// its own functions, since its streams have a position in the text and share the state of the call.
// A program without such methods links these two functions, but not the code that writes or reads
// tokens.

// A writerOfTokens is a stream for a method that encodes its value.
type writerOfTokens struct {
	encoder text.Encoder
	s       *stream.Encoder
}

var tokenWriters = sync.Pool{New: func() any {
	w := new(writerOfTokens)
	w.s = export.Encoder(&w.encoder)
	return w
}}

// MarshalTo appends the value that m writes to a stream with the options on. Start is the length of
// dst before the call's root value. The error is [ErrDeclined] if m declines the value. On error it
// returns dst.
func MarshalTo(dst []byte, start int, m MarshalerTo, on option.Flag) ([]byte, error) {
	w := tokenWriters.Get().(*writerOfTokens)
	w.s.Set = option.Set{Given: option.V1, On: on | option.OneValue | option.WithinCall}
	w.s.SetPart(dst, int64(len(dst)-start), 0, nil)
	w.s.Calls = 1
	err := m.MarshalJSONTo(&w.encoder)
	count, depth := w.s.Values()
	out := w.s.Buffer()
	// After a panic the stream is not pooled, since the method may have kept it.
	w.s.Set = option.Set{}
	w.s.SetBuffer(nil)
	tokenWriters.Put(w)
	if err = oneValue(err, count, depth); err != nil {
		return dst, err
	}
	return out, nil
}

// A readerOfTokens is a stream for a method that decodes its value.
type readerOfTokens struct {
	decoder text.Decoder
	s       *stream.Decoder
}

var tokenReaders = sync.Pool{New: func() any {
	r := new(readerOfTokens)
	r.s = export.Decoder(&r.decoder)
	return r
}}

// UnmarshalFrom lets m read data, one valid value, from a stream with the options of v1. The error
// is [ErrDeclined] if m declines the value.
func UnmarshalFrom(data []byte, m UnmarshalerFrom) error {
	r := tokenReaders.Get().(*readerOfTokens)
	r.s.Set = option.Set{Given: option.V1, On: option.V1 | option.WithinCall}
	r.s.SetText(data)
	err := m.UnmarshalJSONFrom(&r.decoder)
	count, depth := r.s.Values()
	// After a panic the stream is not pooled, since the method may have kept it.
	r.s.Set = option.Set{}
	r.s.SetText(nil)
	tokenReaders.Put(r)
	return oneValue(err, count, depth)
}

// oneValue returns the error of a method that was given a stream. The method must have written or
// read exactly one value, or have declined without using the stream.
func oneValue(err error, count int64, depth int) error {
	switch {
	case err == nil && count == 1 && depth == 0:
		return nil
	case err == nil:
		return ErrSingle
	case !errors.Is(err, errors.ErrUnsupported):
		return UnexpectedEnd(err)
	case count == 0 && depth == 0:
		return ErrDeclined
	}
	return ErrMutation
}

// HasStreams reports whether t has a method that takes one of Hone's streams, to encode itself or
// to decode itself.
func HasStreams(t reflect.Type) bool {
	return t.Implements(marshalerToType) || t.Implements(unmarshalerFromType)
}

// MarshalsTo reports whether t has a method that writes to one of Hone's streams.
func MarshalsTo(t reflect.Type) bool { return t.Implements(marshalerToType) }

// UnmarshalsFrom reports whether t has a method that reads from one of Hone's streams.
func UnmarshalsFrom(t reflect.Type) bool { return t.Implements(unmarshalerFromType) }

// holding caches the results of HoldsStreams.
var holding sync.Map // reflect.Type -> bool

// HoldsStreams reports whether a value of type t may contain a value with a method that takes one
// of Hone's streams, which encoding/json does not call. Values in interfaces are not examined.
func HoldsStreams(t reflect.Type) bool {
	if t == nil {
		return false
	}
	if known, ok := holding.Load(t); ok {
		return known.(bool)
	}
	holds := holdsStreams(shape.Of(t), map[*shape.Shape]bool{})
	holding.Store(t, holds)
	return holds
}

func holdsStreams(s *shape.Shape, seen map[*shape.Shape]bool) bool {
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	if HasStreams(s.Type) || s.Type.Kind() != reflect.Pointer && HasStreams(reflect.PointerTo(s.Type)) {
		return true
	}
	if holdsStreams(s.Elem, seen) || holdsStreams(s.Key, seen) {
		return true
	}
	if s.Union != nil {
		for _, c := range s.Union.Cases {
			if holdsStreams(c.Elem, seen) {
				return true
			}
		}
	}
	for i := range s.Fields {
		if holdsStreams(s.Fields[i].Shape, seen) {
			return true
		}
	}
	return false
}
