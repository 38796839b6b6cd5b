package call

import (
	"sync"

	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/stream"
)

// An encoder is an Encoder for calls of V2.
type encoder struct {
	encode.Encoder
	call      Call
	outer     *stream.Encoder // that the value is written to, if there is one
	base      int64           // where that is in the stream
	separator int             // how many bytes in front of it belong to it: a comma, a colon, white space
	track     *stream.Track   // of what methods ask where they are; may be nil
	tokens    *writerOfTokens // of methods and functions, between their calls; may be nil
	standard  *standardWriter // of methods with the standard library's streams; may be nil
}

// encoders are states for calls of V2.
var encoders = sync.Pool{New: func() any {
	e := new(encoder)
	e.V2 = e
	return e
}}

// encoder returns the state of a call that appends behind start bytes.
func (c *Call) encoder(start int) *encoder {
	e := encoders.Get().(*encoder)
	e.call = *c
	e.Escapes, e.On, e.Mode, e.Start = stream.EscapesOf(c.Set.On), c.Set.On, c.mode, start
	return e
}

// release makes the state ready for the next call.
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
	*e = encoder{Encoder: encode.Encoder{V2: e}, track: e.track, standard: e.standard}
	encoders.Put(e)
}
