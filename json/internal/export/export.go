// Package export gives the engine access to the streams inside of jsontext's Encoders and Decoders,
// so that jsontext need not export them.
package export

import "github.com/hone-go/hone/json/internal/stream"

// Encoder and Decoder return the stream inside of a *jsontext.Encoder or *jsontext.Decoder. Package
// jsontext sets these variables when it is initialized.
var (
	Encoder func(any) *stream.Encoder
	Decoder func(any) *stream.Decoder
)
