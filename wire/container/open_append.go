package container

import (
	"errors"
	"fmt"
	"io"

	"github.com/hone-go/hone/wire"
)

// OpenAppend returns a Writer that appends to the container in f, a file that was opened for
// reading and writing. It reads the whole container, and truncates f to the end of the last whole
// block. cut is the number of bytes that were removed, not counting the closing block of
// [Writer.Close]. Damage before the last whole block stays in the file, and readers report it. An
// empty file, and a file that ends within the header, get a new header.
//
// The schema and the name of the compression must be the same as in the container: otherwise the
// error is a [*SchemaError], or names both compressions. In these cases, and if f is not a
// container, f is not changed.
func OpenAppend[T any](f wire.File, c *wire.Codec[T], o Options) (w *Writer[T], cut int64, err error) {
	w, h, err := prepare(f, c, o)
	if err != nil {
		return nil, 0, err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, 0, err
	}
	end, closing, err := w.resume(f, size, h)
	if err != nil {
		if err != errTorn && !torn(f, size, h) {
			return nil, 0, err
		}
		if err := f.Truncate(0); err != nil {
			return nil, 0, err
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, 0, err
		}
		w, err := NewWriter(f, c, o)
		return w, size, err
	}
	if cut = size - end - closing; size > end {
		if err := f.Truncate(end); err != nil {
			return nil, 0, err
		}
	}
	_, err = f.Seek(end, io.SeekStart)
	return w, cut, err
}

// resume reads a container and prepares w to continue after its last whole block, which ends at the
// offset end. closing is the length of the closing block after it, or 0.
func (w *Writer[T]) resume(f io.Reader, size int64, h *Header) (end, closing int64, err error) {
	s, _, err := newScanner(f, maxBlock)
	if err != nil {
		return 0, 0, err
	}
	if s.header.Fingerprint != h.Fingerprint {
		return 0, 0, &SchemaError{Got: s.header.Fingerprint, Want: h.Fingerprint, Writing: true}
	}
	if s.header.Compression != h.Compression {
		return 0, 0, fmt.Errorf("container: the container has the compression %q, and Options.Compression is %q", s.header.Compression, h.Compression)
	}
	for {
		b, _, _, err := s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, 0, err
		}
		if b.count > 0 {
			w.block.number, w.block.first = s.number, s.first
			closing = 0
		} else if s.closed {
			closing = blockHead + blockTail
		}
	}
	if s.number == 0 && size < 2*int64(s.headerSize)+separatorSize {
		return 0, 0, errTorn
	}
	w.marker = s.header.marker
	return s.end, closing, nil
}

// errTorn means that a file ends within the second copy of its header.
var errTorn = errors.New("container: the second copy of the header is incomplete")

// torn reports whether f, a file of size bytes, was cut off within the first copy of the header h.
// Such a file has no records.
func torn(f io.ReadSeeker, size int64, h *Header) bool {
	whole, err := h.append(nil)
	if err != nil || size >= int64(len(whole)/2) {
		return false
	}
	start := make([]byte, min(size, int64(len(magic))))
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false
	}
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == magic[:len(start)]
}
