// Package export lets the engine access the stream in an Encoder or Decoder of package jsontext, so
// that jsontext need not export it.
package export

import "github.com/hone-go/hone/json/internal/stream"

// Encoder and Decoder return the stream that a *jsontext.Encoder or *jsontext.Decoder contains.
// Package jsontext sets these variables in its initialization.
var (
	Encoder func(any) *stream.Encoder
	Decoder func(any) *stream.Decoder
)
