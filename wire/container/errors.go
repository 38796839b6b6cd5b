package container

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hone-go/hone/wire/schema"
)

// The causes of errors about a container.
var (
	ErrNotContainer = errors.New("container: not a container")                // no header
	ErrChecksum     = errors.New("the checksum of a block does not match")    // changed bytes
	ErrMissing      = errors.New("blocks are missing")                        // removed blocks
	ErrOrder        = errors.New("a repeated block, or a block out of order") // repeated or moved blocks
	ErrMalformed    = errors.New("a block whose records do not match its head")
	ErrLimit        = errors.New("a block is longer than ReaderOptions.Limit")
	ErrClosed       = errors.New("container: the Writer is closed")

	errHeader = errors.New("container: both copies of the header are damaged")
	errCopy   = errors.New("a copy of the header is damaged")
)

// A LossError reports a part of a container that cannot be read. Reading continues after that part.
type LossError struct {
	Offset int64 // position of the lost part, in bytes from the start of the stream
	Bytes  int64 // length of the lost part; 0 if whole blocks are missing at Offset

	// Blocks and Records count the lost blocks and records. They are computed from the sequence
	// numbers in the next whole block. If no whole block follows, they are computed from the last
	// intact block head in the lost part. If there is no such head either, Records is -1, which
	// means unknown, and Blocks is the number of block markers in the part, but at least 1. If in
	// this case the closing block was read before and the part has no markers, Blocks and Records
	// are 0.
	Blocks, Records int64

	// Err is the cause: [ErrChecksum], [ErrMissing], [ErrOrder], [ErrMalformed], [ErrLimit], an
	// error of the compression, or io.ErrUnexpectedEOF if the stream ends within a block.
	Err error
}

func (e *LossError) Error() string {
	records := fmt.Sprint(e.Records)
	if e.Records < 0 {
		records = "an unknown number of"
	}
	return fmt.Sprintf("container: lost %d bytes at byte %d, with %d blocks and %s records: %v", e.Bytes, e.Offset, e.Blocks, records, e.Err)
}

// Unwrap returns the cause.
func (e *LossError) Unwrap() error { return e.Err }

// A SchemaError reports a container with another schema: the reader's type cannot read its records,
// or a Writer cannot append to it.
type SchemaError struct {
	Got, Want schema.Fingerprint
	// Problems are the differences that [schema.Schema.Reads] has found. They are nil if the header
	// contains no schema, or if Writing is set.
	Problems []schema.Problem
	// Writing is set by [OpenAppend], which requires the same schema.
	Writing bool
}

func (e *SchemaError) Error() string {
	text := fmt.Sprintf("container: the container has the schema %v, and this program has %v", e.Got, e.Want)
	switch {
	case e.Writing:
		return text + "; all records of a container have one schema, so write to a new container"
	case len(e.Problems) == 0:
		return text + "; the header contains no schema, so the records may differ"
	}
	const most = 5
	var list []string
	for _, p := range e.Problems[:min(len(e.Problems), most)] {
		list = append(list, p.String())
	}
	if more := len(e.Problems) - most; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return text + "; it cannot be read: " + strings.Join(list, "; ")
}

// A LengthError reports a record that is longer than [Options.Limit]. Nothing was written.
type LengthError struct {
	Length, Limit int // in bytes
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("container: a record of %d bytes is longer than Options.Limit, %d; readers need the same ReaderOptions.Limit", e.Length, e.Limit)
}
