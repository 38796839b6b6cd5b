// Package export hands the streams in jsontext's Encoders and Decoders to the engine, so that
// jsontext need not export them.
package export

import "github.com/hone-go/hone/json/internal/stream"

// Encoder and Decoder return the stream in a *jsontext.Encoder or *jsontext.Decoder. Package
// jsontext sets them when it starts.
var (
	Encoder func(any) *stream.Encoder
	Decoder func(any) *stream.Decoder
)
