package program

import "errors"

// Limits bound what one decode may do. The zero value is the default.
type Limits struct {
	Depth int // nesting; 0 means 1,000

	// Bytes is the memory that slices, maps and pointers may take. 0 means as
	// much as any valid encoding of the type needs: for each byte of input the
	// largest ratio in the type of an element's size to its shortest encoding,
	// from 64 to 4,096; and at least 64 KiB.
	Bytes int
}

// DefaultDepth is how deeply values may nest if no limit says otherwise.
const DefaultDepth = 1000

const minBudget = 64 << 10

// ErrNoCodec is the cause of an error about a codec that was not made by a
// function of package wire or wire/layout.
var ErrNoCodec = errors.New("a zero codec has no type")

// ErrNilValue is the cause of an error about a nil pointer to a value.
var ErrNilValue = errors.New("v is nil")
