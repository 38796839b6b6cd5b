package layout

import "github.com/hone-go/hone/wire/internal/program"

// Len says how a length is written. The zero value is a uvarint, as the derived
// format has it; the others have a fixed width. A signed one holds half as much,
// and a negative one is malformed. Its String is its name in a schema, such as
// "u16le".
type Len = program.Len

// The lengths: unsigned or signed, their bits, least or most significant byte
// first.
const (
	LenVarint = program.LenVarint
	LenU8     = program.LenU8
	LenI8     = program.LenI8
	LenU16LE  = program.LenU16LE
	LenU16BE  = program.LenU16BE
	LenI16LE  = program.LenI16LE
	LenI16BE  = program.LenI16BE
	LenU32LE  = program.LenU32LE
	LenU32BE  = program.LenU32BE
	LenI32LE  = program.LenI32LE
	LenI32BE  = program.LenI32BE
	LenU64LE  = program.LenU64LE
	LenU64BE  = program.LenU64BE
	LenI64LE  = program.LenI64LE
	LenI64BE  = program.LenI64BE
)

// ErrCount is the cause of an error about a list that has not as many elements as
// its layout says.
var ErrCount = program.ErrCount
