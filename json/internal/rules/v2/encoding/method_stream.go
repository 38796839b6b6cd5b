package encoding

import (
	"errors"
	"reflect"
	"sync"

	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/export"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	text "github.com/hone-go/hone/json/jsontext"
)

// tracked returns the track, advanced to the end of dst. The track continues from its last
// position, so in a list whose elements all need their position, each byte is read only once.
func (e *encoder) tracked(dst []byte) *stream.Track {
	if e.Track == nil {
		e.Track = new(stream.Track)
	}
	e.Track.Move(dst[e.Start:], len(dst)-e.Start)
	return e.Track
}

// A writerOfTokens is the stream, of Hone's stream type, that e passes to a method or a function.
// It appends to dst, the output of the call.
type writerOfTokens struct {
	encoder text.Encoder
	s       *stream.Encoder
	place   stream.Place
	e       *encoder
	dst     []byte
}

// tokenWriters is the pool of streams.
var tokenWriters = sync.Pool{New: func() any {
	w := new(writerOfTokens)
	w.s = export.Encoder(&w.encoder)
	w.place.Track = w.track
	return w
}}

// track returns the position of the stream's value in the output of the call. It is called only if
// the method asks the stream for a position or returns an error.
func (w *writerOfTokens) track() *stream.Track { return w.e.tracked(w.dst) }

// release drops all references to the call, and returns the stream to the pool.
func (w *writerOfTokens) release() {
	w.s.Set = option.Set{}
	w.s.SetBuffer(nil)
	w.place.Set(nil)
	w.e, w.dst = nil, nil
	tokenWriters.Put(w)
}

// takeWriter returns a stream for a method. The call keeps one stream for all its methods, and
// takes additional streams for nested methods from the pool. The caller returns the stream with
// keepWriter, except after a panic of the method, because the method may have retained the stream.
func (e *encoder) takeWriter() *writerOfTokens {
	if w := e.tokens; w != nil {
		e.tokens = nil
		return w
	}
	w := tokenWriters.Get().(*writerOfTokens)
	w.e, w.s.Set = e, e.call.Set
	return w
}

// keepWriter keeps w for the next method of the call. If the call already has a stream, because
// methods were nested, keepWriter returns w to the pool.
func (e *encoder) keepWriter(w *writerOfTokens) {
	if e.tokens == nil {
		e.tokens = w
	} else {
		w.release()
	}
}

// aim makes w append to dst. The offsets and JSON pointers of w are relative to the start of the
// outer stream.
func (e *encoder) aim(w *writerOfTokens, dst []byte) {
	w.dst = dst
	if w.place.Set(nil); e.outer != nil {
		w.place.Set(e.outer)
	}
	w.s.Given, w.s.On = e.call.Set.Given, e.call.Set.On|option.Compact|option.OneValue
	separator := e.separator
	if n := len(dst); n > e.Start {
		if separator = 0; dst[n-1] == ',' || dst[n-1] == ':' {
			separator = 1
		}
	}
	w.s.SetPart(dst, e.base+int64(len(dst)-e.Start), separator, &w.place)
	if w.s.Calls = 1; e.outer != nil {
		w.s.Calls += e.outer.Calls
	}
}

// stream calls write, a method or a function, with a stream that appends one value to dst. If write
// returns an error without a position, stream adds the position.
func (e *encoder) stream(dst []byte, t reflect.Type, stringed, name bool, write func(*text.Encoder) error, by string, p any) ([]byte, error) {
	w := e.takeWriter()
	e.aim(w, dst)
	w.s.On |= option.WithinCall
	if stringed {
		w.s.Put(option.StringifyNumbers, true)
	}
	if name {
		w.s.StartName()
	}
	err := write(&w.encoder)
	// This is not reached after a panic of the method, which may have retained the stream.
	e.keepWriter(w)
	count, depth := w.s.Values()
	out := w.s.Buffer()
	if err == nil {
		if count == 1 && depth == 0 {
			return out, nil
		}
		err = rules.ErrSingle
	} else if errors.Is(err, errors.ErrUnsupported) {
		if count == 0 && depth == 0 {
			return dst, rules.ErrDeclined
		}
		err = rules.ErrMutation
	}
	if e.Has(option.ReportErrorsWithLegacySemantics) {
		return out, rules.NewMarshalerError(reflect.TypeOf(p), err, by)
	}
	f := &encode.Fault{Err: rules.UnexpectedEnd(err), Typ: t, Where: stream.Ambiguous}
	switch {
	case depth == 0 && count == 0:
		f.Where = stream.Next
	case depth == 0 && count == 1:
		f.Where = stream.Previous
	}
	if s, ok := err.(*rules.SemanticError); ok {
		f.Semantic = s
	} else {
		f.Semantic = &rules.SemanticError{Err: f.Err}
	}
	return out, f
}
