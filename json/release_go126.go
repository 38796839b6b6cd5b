//go:build !(go1.27 && goexperiment.jsonv2)

package json

import "github.com/hone-go/hone/json/internal/option"

// v1 are the rules of the encoding/json of the release that builds the program.
const v1 = option.V1 | option.FirstEngine

// handsOver is set if encoding/json goes on after an error among tokens.
const handsOver = false // they are found here; see Decoder.fault

// errorBase returns the position from which the offsets of syntax errors count: the bytes that
// Decode has read.
func (d *Decoder) errorBase() int64 { return d.decoded }

// tokenError returns the error for a token that is a value.
func (d *Decoder) tokenError(err error) error { return err }
