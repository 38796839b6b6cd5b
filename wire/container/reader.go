package container

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/hone-go/hone/wire/internal/scalar"
)

// ReaderOptions describe how a container is read. The zero value is right for most programs.
type ReaderOptions struct {
	// Limit is the maximum length in bytes of a record, and of all records of a block before
	// compression. 0 means 64 MiB. A block over the limit is reported as lost; no memory is
	// allocated for it.
	Limit int

	// Compressions are the compressions that the container may have.
	Compressions []Compression
}

// Records reads the records of a container without their Go type. It is not safe for concurrent
// use.
type Records struct {
	scanner *scanner
	unpack  func(dst, src []byte, size int) ([]byte, error) // nil without compression

	lost   *LossError // returned by the next call
	totals Totals
	failed error // error of the reader, or io.EOF

	data   []byte // the records of the block
	pos    int    // the offset in data of the next record
	last   int    // the offset in data of the record that was returned last
	left   uint32 // the number of records that follow in the block
	offset int64  // the position of data in the stream
	packed bool   // data was decompressed
	buf    []byte // decompressed records
}

// Totals are the numbers of records that were read and that were lost.
type Totals struct {
	Records int64 // records that were read
	// Lost, LostBlocks and LostBytes sum up the losses. Unknown is set if some lost records could not be counted.
	Lost, LostBlocks, LostBytes int64
	Unknown                     bool
	// Closed is set at the end of a container that [Writer.Close] has closed. If it is not set, the
	// writer has not finished or was interrupted, and blocks may be missing at the end.
	Closed bool
}

// NewRecords reads the header of a container from r. The error is [ErrNotContainer] if r does not
// begin with a container, an error about the header, or an error of r.
func NewRecords(r io.Reader, o ReaderOptions) (*Records, error) {
	s, lost, err := newScanner(r, o.Limit)
	if err != nil {
		return nil, err
	}
	out := &Records{scanner: s, lost: lost}
	if name := s.header.Compression; name != "" {
		i := slices.IndexFunc(o.Compressions, func(c Compression) bool { return c.Name == name && c.Decompress != nil })
		if i < 0 {
			return nil, fmt.Errorf("container: the blocks are compressed by %q, which is not in ReaderOptions.Compressions", name)
		}
		out.unpack = o.Compressions[i].Decompress
	}
	return out, nil
}

// Header returns the header.
func (r *Records) Header() Header { return r.scanner.header }

// Totals returns the numbers of the records that were read and lost so far.
func (r *Records) Totals() Totals {
	t := r.totals
	t.Closed = r.scanner.closed && r.failed == io.EOF
	return t
}

// Next returns the encoding of the next record, which is valid until the next call. The error is
// io.EOF at the end. A [*LossError] reports that a part of the container was lost: the next call
// returns the record after that part. An error of the reader ends the stream: it is returned once,
// and later calls return io.EOF. After a timeout (os.ErrDeadlineExceeded) the next call continues.
func (r *Records) Next() ([]byte, error) {
	for {
		if lost := r.lost; lost != nil {
			r.lost = nil
			r.count(lost)
			return nil, lost
		}
		if r.left > 0 {
			if record, ok := r.take(); ok {
				return record, nil
			}
			continue
		}
		if r.failed != nil {
			return nil, io.EOF
		}
		if err := r.fill(); err != nil {
			return nil, err
		}
	}
}

// take returns the next record of the block. If the length prefix of the record is malformed, take
// reports the rest of the block as lost and returns false.
func (r *Records) take() (record []byte, ok bool) {
	n, start := scalar.Uvarint(r.data, r.pos)
	rest := uint64(len(r.data) - start)
	if start == 0 || n > rest || r.left == 1 && n != rest {
		r.reject(r.nextOffset(), int64(len(r.data)-r.pos), int64(r.left), ErrMalformed)
		return nil, false
	}
	r.last, r.pos = start, start+int(n)
	r.left--
	r.totals.Records++
	return r.data[start:r.pos:r.pos], true
}

// Offset returns the position in the stream of the record that Next has returned last. For a record
// of a compressed block it returns the position of the block's records.
func (r *Records) Offset() int64 {
	if r.packed {
		return r.offset
	}
	return r.offset + int64(r.last)
}

// nextOffset returns the position of the next record in the stream. For a record of a compressed
// block it returns the position of the block's records.
func (r *Records) nextOffset() int64 {
	if r.packed {
		return r.offset
	}
	return r.offset + int64(r.pos)
}

// reject reports the remaining records of the block as lost. They start at the given offset in the
// stream, and have the given number of bytes and records.
func (r *Records) reject(offset, bytes, records int64, cause error) {
	r.lost = &LossError{Offset: offset, Bytes: bytes, Blocks: 1, Records: records, Err: cause}
	r.left = 0
}

// fill reads the next block. Its errors are errors of the reader.
func (r *Records) fill() error {
	b, stored, lost, err := r.scanner.next()
	r.lost = lost
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		r.failed = err
		if lost == nil {
			r.lost = r.scanner.lastGap()
		}
	}
	if err == io.EOF && lost != nil {
		return nil
	}
	if err != nil {
		return err
	}
	if b.count == 0 {
		return nil // the closing block, or a block that the scanner skipped
	}
	r.data, r.pos, r.left = stored, 0, b.count
	r.offset = r.scanner.window.Offset + blockHead
	if r.packed = b.length < b.size; !r.packed {
		return nil
	}
	cause := ErrMalformed
	if r.unpack != nil {
		if r.buf, err = r.unpack(r.buf[:0], stored, int(b.size)); err != nil {
			cause = fmt.Errorf("the compression %s: %w", r.scanner.header.Compression, err)
		} else if len(r.buf) == int(b.size) {
			r.data = r.buf
			return nil
		}
	}
	before := r.lost
	r.reject(r.offset, int64(b.length), int64(b.count), cause)
	if before != nil { // both losses become one error
		r.lost.Offset, r.lost.Bytes = before.Offset, r.lost.Offset+r.lost.Bytes-before.Offset
		r.lost.Blocks, r.lost.Records = r.lost.Blocks+before.Blocks, r.lost.Records+before.Records
	}
	return nil
}

// count adds a loss to the totals.
func (r *Records) count(lost *LossError) {
	r.totals.LostBytes += lost.Bytes
	r.totals.LostBlocks += lost.Blocks
	r.totals.Lost += max(lost.Records, 0)
	r.totals.Unknown = r.totals.Unknown || lost.Records < 0
}
