package code

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/program"
)

// An Encoder is the state of one encode: the buffer, the remaining levels of nesting and the error.
type Encoder = program.Encoder

// A Decoder is the state of one decode: the input, the budget and the error.
type Decoder = program.Decoder

// A Table has a [Part] for each field of a struct.
type Table = program.Table

// A Part encodes and decodes one field with the engine.
type Part = program.Part

// A Codec is the generated codec of one type.
type Codec = program.Code

// For returns the codec of T that calls the functions put and get. fingerprint is the fingerprint
// of T when the code was generated.
func For[T any](fingerprint uint64, put func(*Encoder, *Table, int, *T) int, get func(*Decoder, *Table, int, *T) int) Codec {
	return Codec{Type: reflect.TypeFor[T](), Fingerprint: fingerprint, Put: mem.Erased(put), Get: mem.Erased(get)}
}
