//go:build go1.27 && goexperiment.jsonv2

package json

import "github.com/hone-go/hone/json/internal/option"

// v1 are the rules of the encoding/json of the release that builds the program.
const v1 = option.V1

// handsOver is set if encoding/json goes on after an error among tokens.
const handsOver = true

// errorBase returns the position from which the offsets of syntax errors count: the start of the
// stream.
func (d *Decoder) errorBase() int64 { return d.InputOffset() }

// tokenError returns the error for a token that is a value: its offset counts from the
// stream's start.
func (d *Decoder) tokenError(err error) error {
	if e, ok := err.(*UnmarshalTypeError); ok {
		e.Offset, e.Struct, e.Field = d.InputOffset(), "", ""
	}
	return err
}
