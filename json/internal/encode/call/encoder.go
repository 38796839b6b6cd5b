package call

import (
	"sync"

	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/stream"
)

// An encoder is the state of one call of version 2. Encoders are pooled. An encoder embeds an
// [encode.Encoder] and is the Version2 of that Encoder.
type encoder struct {
	encode.Encoder
	// The options of the call.
	call Call
	// The stream that the value is written to, or nil.
	outer *stream.Encoder
	// The offset of the value in that stream.
	base int64
	// The number of bytes before the value that the value's write adds: a comma, a colon, white
	// space.
	separator int
	// The JSON path at the last position for which a method asked; may be nil.
	track *stream.Track
	// The stream for methods and functions; nil while one of them uses it.
	tokens *writerOfTokens
	// The standard library's stream for methods; nil while a method uses it.
	standard *standardWriter
}

// encoders is the pool of encoders.
var encoders = sync.Pool{New: func() any {
	e := new(encoder)
	e.V2 = e
	return e
}}

// encoder returns an encoder for a call that appends after the first start bytes.
func (c *Call) encoder(start int) *encoder {
	e := encoders.Get().(*encoder)
	e.call = *c
	e.Escapes, e.On, e.Mode, e.Start = stream.EscapesOf(c.Set.On), c.Set.On, c.mode, start
	return e
}

// release clears the encoder and returns it to the pool. It keeps the memory of the track and of
// the standard library's stream, and drops all references to memory of the caller.
func (e *encoder) release() {
	if e.track != nil {
		e.track.Reset()
	}
	if e.tokens != nil {
		e.tokens.release()
	}
	if e.standard != nil {
		e.standard.forget()
	}
	e.Encoder, e.call = encode.Encoder{V2: e}, Call{}
	e.outer, e.tokens, e.base, e.separator = nil, nil, 0, 0
	encoders.Put(e)
}
