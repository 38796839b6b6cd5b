package container

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/hone-go/hone/wire"
)

// Options describe the container that a Writer writes. The zero value is right for most programs.
type Options struct {
	// BlockSize is the number of bytes of records after which a block is written: 0 means 64 KiB. A
	// larger record is written as a separate block.
	BlockSize int

	// Limit is the maximum length of a record in bytes. 0 means 64 MiB, the default of readers.
	Limit int

	// Compression compresses the blocks. The zero value means that they are not compressed.
	Compression Compression

	// OmitSchema leaves the schema out of the header. A reader must then have exactly the same schema.
	OmitSchema bool
}

// A Writer writes the records of a container. It is not safe for concurrent use.
type Writer[T any] struct {
	codec       *wire.Codec[T]
	out         io.Writer
	size        int // size at which a block is written
	limit       int // maximum length of a record
	marker      [markerSize]byte
	compression Compression

	block  block  // the block that is being filled; size and length are set when it is written
	buf    []byte // space for the head of the block, followed by its records
	packed []byte // the block with compressed records
	prefix int    // length of the last record's length prefix, in bytes
	err    error  // permanent
}

// NewWriter writes a header to w and returns a Writer of records. If the codec c is nil, the codec
// is [wire.For] of T.
//
// A record is written to w at the latest by [Writer.Flush] or [Writer.Close]. The error is a
// *wire.TypeError, or an error of w.
func NewWriter[T any](w io.Writer, c *wire.Codec[T], o Options) (*Writer[T], error) {
	out, h, err := prepare(w, c, o)
	if err != nil {
		return nil, err
	}
	if _, err := rand.Read(h.marker[:]); err != nil {
		return nil, err
	}
	return out, out.start(h)
}

// prepare returns a Writer whose marker is not set yet, and the header of its container.
func prepare[T any](out io.Writer, c *wire.Codec[T], o Options) (*Writer[T], *Header, error) {
	c, s, err := codecOf(c)
	if err != nil {
		return nil, nil, err
	}
	w := &Writer[T]{codec: c, out: out, size: o.BlockSize, limit: o.Limit, compression: o.Compression}
	if w.size <= 0 {
		w.size = defaultBlock
	}
	if w.limit <= 0 {
		w.limit = defaultMaximum
	}
	if w.limit = min(w.limit, maxBlock); w.size > w.limit {
		return nil, nil, fmt.Errorf("container: Options.BlockSize is %d, more than Options.Limit, %d", w.size, w.limit)
	}
	if (w.compression.Name == "") != (w.compression.Compress == nil) {
		return nil, nil, errors.New("container: Options.Compression needs both a Name and a function Compress")
	}
	w.reset()
	h := &Header{Fingerprint: s.Fingerprint(), Compression: w.compression.Name}
	if !o.OmitSchema {
		h.Schema = s
	}
	return w, h, nil
}

// maxBlock is the maximum length of the records of a block, in bytes. Even with one more length
// prefix the block is shorter than 1 GiB.
const maxBlock = 1<<30 - 16

// start writes the header.
func (w *Writer[T]) start(h *Header) error {
	w.marker = h.marker
	text, err := h.append(nil)
	if err != nil {
		return err
	}
	return w.write(text)
}

// reset makes the block empty.
func (w *Writer[T]) reset() {
	if cap(w.buf) < blockHead || cap(w.buf) > 2*(w.size+blockHead)+defaultBlock {
		w.buf = make([]byte, blockHead, blockHead+w.size+w.size/4+blockTail)
	}
	w.buf = w.buf[:blockHead]
	w.block.count = 0
}

// Write adds the record *v to the block, and writes the block if it is full. An error of the codec,
// or a [*LengthError], does not change the container. An error of the io.Writer is permanent, since
// a part of a block may have been written.
func (w *Writer[T]) Write(v *T) error {
	if w.err != nil {
		return w.err
	}
	start := len(w.buf)
	// The length prefix precedes the record. The size of the prefix is first assumed to be the same
	// as for the last record.
	guess := max(w.prefix, 1)
	buf, err := w.codec.Append(append(w.buf, make([]byte, guess)...), v)
	if err != nil {
		return err
	}
	n := len(buf) - start - guess
	if n > w.limit {
		return &LengthError{Length: n, Limit: w.limit}
	}
	if w.prefix = prefixOf(n); w.prefix != guess {
		buf = w.move(buf, start, guess)
	}
	binary.PutUvarint(buf[start:], uint64(n))
	w.buf = buf
	w.block.count++
	switch full := len(buf) - blockHead; {
	case full < w.size:
		return nil
	case full == w.size || w.block.count == 1:
		return w.Flush()
	}
	return w.spill(start)
}

// prefixOf returns the length of n as a uvarint.
func prefixOf(n int) int { return (bits.Len64(uint64(n)|1) + 6) / 7 }

// move moves the record that begins guess bytes after start, so that w.prefix bytes precede it.
func (w *Writer[T]) move(buf []byte, start, guess int) []byte {
	if more := w.prefix - guess; more > 0 {
		buf = append(buf, make([]byte, more)...)
		copy(buf[start+w.prefix:], buf[start+guess:])
		return buf
	}
	n := copy(buf[start+w.prefix:], buf[start+guess:])
	return buf[:start+w.prefix+n]
}

// spill writes the block without the record at the position start, which begins the next block.
func (w *Writer[T]) spill(start int) error {
	whole := w.buf
	var tail [blockTail]byte
	saved := copy(tail[:], whole[start:])
	w.buf = whole[:start]
	w.block.count--
	if err := w.emit(); err != nil {
		return err
	}
	copy(whole[start:], tail[:saved]) // restore the bytes that emit overwrote with the checksum
	w.buf = append(whole[:blockHead], whole[start:]...)
	w.block.count = 1
	if len(w.buf)-blockHead >= w.size {
		return w.Flush()
	}
	return nil
}

// Flush writes the records since the last block as a block. If there are none, it does nothing.
func (w *Writer[T]) Flush() error {
	if w.err != nil || w.block.count == 0 {
		return w.err
	}
	if err := w.emit(); err != nil {
		return err
	}
	w.reset()
	return nil
}

// Close flushes, and writes the closing block, which marks the container as complete. It does not
// close the io.Writer. Every later call returns [ErrClosed].
func (w *Writer[T]) Close() error {
	if err := w.Flush(); err != nil {
		return err
	}
	if err := w.emit(); err != nil {
		return err
	}
	w.err = ErrClosed
	return nil
}

// emit writes the block in w.buf and makes w.block the next one. It overwrites the blockTail bytes
// after w.buf.
func (w *Writer[T]) emit() error {
	out := w.buf
	records := len(out) - blockHead
	w.block.size, w.block.length = uint32(records), uint32(records)
	if w.compression.Compress != nil && records > 0 {
		if cap(w.packed) < blockHead {
			w.packed = make([]byte, blockHead, blockHead+records/2)
		}
		packed, err := w.compression.Compress(w.packed[:blockHead], out[blockHead:])
		if err != nil {
			return w.fail(fmt.Errorf("container: compression %s: %w", w.compression.Name, err))
		}
		w.packed = packed
		// A block that does not become shorter is stored without compression.
		if n := len(packed) - blockHead; n < records {
			out, w.block.length = packed, uint32(n)
		}
	}
	w.block.put(out, &w.marker)
	out = binary.LittleEndian.AppendUint32(out, sum(out, int(w.block.length)))
	w.block.number++
	w.block.first += uint64(w.block.count)
	return w.write(out)
}

func (w *Writer[T]) write(b []byte) error {
	n, err := w.out.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return w.fail(err)
}

// fail makes err, which may be nil, the result of later calls, and returns it.
func (w *Writer[T]) fail(err error) error {
	w.err = err
	return err
}
