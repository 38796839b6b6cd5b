package encoding

import (
	"sync"

	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/stream"
)

// An encoder holds the state of one call of version 2. It embeds an [encode.Encoder], whose field Call
// is the encoder. Encoders are pooled.
type encoder struct {
	encode.Encoder
	// call contains the options of the call.
	call Call
	// outer is the stream that the value is written to, or nil.
	outer *stream.Encoder
	// base is the offset of the value in outer.
	base int64
	// separator is the number of bytes that the stream adds before the value: a comma or a colon,
	// and white space.
	separator int
	// tokens is the stream for methods and functions; it is nil while a method or function is using
	// it.
	tokens *writerOfTokens
	// standard is the standard library's stream for methods; it is nil while a method is using it.
	standard *standardWriter
}

// encoders is the pool of encoders.
var encoders = sync.Pool{New: func() any {
	e := new(encoder)
	e.Call = e
	return e
}}

// of returns the encoder that embeds e.
func of(e *encode.Encoder) *encoder { return e.Call.(*encoder) }

// encoder returns an encoder for a call that appends to a slice of the length start.
func (c *Call) encoder(start int) *encoder {
	e := encoders.Get().(*encoder)
	e.call = *c
	e.Escapes, e.On, e.Mode, e.Start = stream.EscapesOf(c.Set.On), c.Set.On, c.mode, start
	return e
}

// release clears the encoder and returns it to the pool. It keeps the memory of the track and the
// standard library's stream, and drops all references to the caller's memory.
func (e *encoder) release() {
	if e.Track != nil {
		e.Track.Reset()
	}
	if e.tokens != nil {
		e.tokens.release()
	}
	if e.standard != nil {
		e.standard.forget()
	}
	e.Encoder, e.call = encode.Encoder{Call: e, Track: e.Track}, Call{}
	e.outer, e.tokens, e.base, e.separator = nil, nil, 0, 0
	encoders.Put(e)
}
