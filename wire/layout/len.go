package layout

import (
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// A Len is the encoding of a length. The zero value is a uvarint, as in the derived format; all
// other lengths have a fixed width. A signed length has half the range, and a negative one is
// malformed. The String of a Len is its name in a schema, such as "u16le".
type Len = scalar.Len

// The names have the sign (U or I), the bits and the byte order (LE or BE).
const (
	LenVarint = scalar.LenVarint
	LenU8     = scalar.LenU8
	LenI8     = scalar.LenI8
	LenU16LE  = scalar.LenU16LE
	LenU16BE  = scalar.LenU16BE
	LenI16LE  = scalar.LenI16LE
	LenI16BE  = scalar.LenI16BE
	LenU32LE  = scalar.LenU32LE
	LenU32BE  = scalar.LenU32BE
	LenI32LE  = scalar.LenI32LE
	LenI32BE  = scalar.LenI32BE
	LenU64LE  = scalar.LenU64LE
	LenU64BE  = scalar.LenU64BE
	LenI64LE  = scalar.LenI64LE
	LenI64BE  = scalar.LenI64BE
)

// ErrCount is the cause of an error about a list whose number of elements differs from the number
// in its layout.
var ErrCount = fault.ErrCount
