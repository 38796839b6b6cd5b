package rules

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"sync"

	"github.com/hone-go/hone/json/internal/export"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
	text "github.com/hone-go/hone/json/jsontext"
	"github.com/hone-go/hone/shape"
)

// In version 1, MarshalTo and UnmarshalFrom call methods that take Hone's streams. Version 2 has
// its own functions, because its streams share the state of the call. A program without such methods
// links these two functions, but not the code that reads or writes tokens.

// A Track is the position in a text of the last stream that needed its position.
type Track = stream.Track

// A writerOfTokens is a stream that is passed to a marshal method.
type writerOfTokens struct {
	encoder text.Encoder
	s       *stream.Encoder
	place   stream.Place
}

var tokenWriters = sync.Pool{New: func() any {
	w := new(writerOfTokens)
	w.s = export.Encoder(&w.encoder)
	return w
}}

// MarshalTo calls m with a stream that has the given options. It appends to dst the value that m
// writes to the stream. The root value starts at dst[start:]. track is the position of the last
// stream of this call that needed it, so that each byte of the output is read only once. If m
// declines the value, the error is [ErrDeclined]. On error MarshalTo returns dst.
func MarshalTo(dst []byte, start int, track **Track, m MarshalerTo, on option.Flag) ([]byte, error) {
	w := tokenWriters.Get().(*writerOfTokens)
	w.s.Set = option.Set{Given: option.V1, On: on | option.OneValue | option.WithinCall}
	w.place = stream.Place{Text: dst[start:], At: len(dst) - start, Own: *track}
	separator := 0
	if n := len(dst); n > start && (dst[n-1] == ',' || dst[n-1] == ':') {
		separator = 1
	}
	w.s.SetPart(dst, int64(len(dst)-start), separator, &w.place)
	w.s.Calls = 1
	err := m.MarshalJSONTo(&w.encoder)
	*track = w.place.Own
	count, depth := w.s.Values()
	out := w.s.Buffer()
	// This is not reached after a panic of the method, which may have retained the stream.
	w.s.Set = option.Set{}
	w.s.SetBuffer(nil)
	w.place = stream.Place{}
	tokenWriters.Put(w)
	if err = oneValue(err, count, depth); err != nil {
		return dst, err
	}
	return out, nil
}

// A readerOfTokens is a stream that is passed to an unmarshal method.
type readerOfTokens struct {
	decoder text.Decoder
	s       *stream.Decoder
	place   stream.Place
}

var tokenReaders = sync.Pool{New: func() any {
	r := new(readerOfTokens)
	r.s = export.Decoder(&r.decoder)
	return r
}}

// UnmarshalFrom calls m with a stream of data, which must be one valid value, with the options of
// version 1. The value starts at text[pos:]. track is the position of the last stream of this call
// that needed it, so that each byte of the text is read only once. If m declines the value, the
// error is [ErrDeclined].
func UnmarshalFrom(data, text []byte, pos int, track **Track, m UnmarshalerFrom) error {
	r := tokenReaders.Get().(*readerOfTokens)
	r.s.Set = option.Set{Given: option.V1, On: option.V1 | option.WithinCall}
	r.place = stream.Place{Text: text, At: pos, Own: *track}
	before := pos
	for before > 0 && strings.IndexByte(" \n\t\r,:", text[before-1]) >= 0 {
		before--
	}
	r.s.SetPart(data, text[before:], int64(pos), pos-before, &r.place)
	err := m.UnmarshalJSONFrom(&r.decoder)
	*track = r.place.Own
	count, depth := r.s.Values()
	// This is not reached after a panic of the method, which may have retained the stream.
	r.s.Set = option.Set{}
	r.s.SetText(nil)
	r.place = stream.Place{}
	tokenReaders.Put(r)
	if err == io.EOF {
		return &stream.SyntacticError{ByteOffset: int64(len(text)), Err: io.ErrUnexpectedEOF}
	}
	return oneValue(err, count, depth)
}

// oneValue checks how a method has used its stream. It returns an error unless the method wrote or
// read exactly one value, or declined without using the stream. err is the error of the method.
func oneValue(err error, count int64, depth int) error {
	switch {
	case err == nil && count == 1 && depth == 0:
		return nil
	case err == nil:
		return ErrSingle
	case !errors.Is(err, errors.ErrUnsupported):
		return err
	case count == 0 && depth == 0:
		return ErrDeclined
	}
	return ErrMutation
}

// HasStreams reports whether t has a method that takes one of Hone's streams.
func HasStreams(t reflect.Type) bool {
	return t.Implements(marshalerToType) || t.Implements(unmarshalerFromType)
}

// MarshalsTo reports whether t has a method that writes to one of Hone's streams.
func MarshalsTo(t reflect.Type) bool { return t.Implements(marshalerToType) }

// UnmarshalsFrom reports whether t has a method that reads from one of Hone's streams.
func UnmarshalsFrom(t reflect.Type) bool { return t.Implements(unmarshalerFromType) }

// NeedsHone reports whether encoding/json cannot encode or decode values of type t, because they may
// contain a value with a method that takes one of Hone's streams, or a union with declared cases
// (package union). It does not examine values in interfaces.
func NeedsHone(t reflect.Type) bool { return containsStreams.containedIn(t) || HoldsCases(t) }

// HoldsCases reports whether a value of type t may contain a union with declared cases (package
// union). It does not examine values in interfaces.
func HoldsCases(t reflect.Type) bool { return containsCases.containedIn(t) }

// A containment reports whether a value of a type may contain a value with a matching shape. It
// caches the results.
type containment struct {
	matches func(*shape.Shape) bool
	known   sync.Map // reflect.Type -> bool
}

var (
	containsStreams = containment{matches: func(s *shape.Shape) bool {
		return HasStreams(s.Type) || s.Type.Kind() != reflect.Pointer && HasStreams(reflect.PointerTo(s.Type))
	}}
	containsCases = containment{matches: func(s *shape.Shape) bool { return s.Sum != nil || s.Union != nil && s.Union.Sum != nil }}
)

// containedIn reports whether a value of type t may contain a value whose shape matches.
func (h *containment) containedIn(t reflect.Type) bool {
	if t == nil {
		return false
	}
	if known, ok := h.known.Load(t); ok {
		return known.(bool)
	}
	holds := h.within(shape.Of(t), map[*shape.Shape]bool{})
	h.known.Store(t, holds)
	return holds
}

// within implements containedIn for the shape s. seen contains the shapes that were examined
// already, so that the search ends for recursive types.
func (h *containment) within(s *shape.Shape, seen map[*shape.Shape]bool) bool {
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	if h.matches(s) || h.within(s.Elem, seen) || h.within(s.Key, seen) {
		return true
	}
	if s.Union != nil {
		for _, c := range s.Union.Cases {
			if h.within(c.Elem, seen) {
				return true
			}
		}
	}
	for i := range s.Fields {
		if h.within(s.Fields[i].Shape, seen) {
			return true
		}
	}
	return false
}
