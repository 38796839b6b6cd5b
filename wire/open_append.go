package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/schema"
)

// A File holds a stream that can be read again and cut off, such as an *os.File.
type File interface {
	io.ReadWriteSeeker
	Truncate(size int64) error
}

// AppendOptions describe the stream in a file. The zero value is a stream without a fingerprint,
// whose records have at most 64 MiB.
type AppendOptions struct {
	// Fingerprint, if not nil, is the fingerprint at the start of the stream. OpenAppend compares
	// it with the fingerprint in the file. OpenAppend writes it to a file that is empty or ends
	// within the fingerprint.
	Fingerprint *schema.Fingerprint

	// Limit is the maximum length of a record in bytes. A larger length is treated as damage, not
	// as the start of a record.
	Limit int
}

// OpenAppend returns an Encoder that writes records after the last whole record of the stream in f,
// a file that was opened for reading and writing. If the program that wrote the file stopped within
// a record, OpenAppend truncates f to the end of the record before it, and cut is the number of bytes
// that were removed.
//
// OpenAppend follows lengths and does not read the content of records. It truncates f only if f
// ends within a record or within the fingerprint. It does not change a file that contains an
// invalid length, a length above the limit, or another fingerprint: the error is a [*DecodeError]
// with the offset, or a [*FingerprintError]. Other errors are errors of f.
//
// A stream has no checksums, so a damaged length may look like the length of a record that was cut
// off at the end of the file. Package [github.com/hone-go/hone/wire/container] detects such damage.
func OpenAppend(f File, o AppendOptions) (e *Encoder, cut int64, err error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, err
	}
	s := tail{file: f, size: size, limit: o.Limit}
	if s.limit <= 0 {
		s.limit = 64 << 20
	}
	if err := s.seek(0); err != nil {
		return nil, 0, err
	}
	end := int64(0)
	if o.Fingerprint != nil {
		if end, err = s.fingerprint(*o.Fingerprint); err != nil {
			return nil, 0, err
		}
	}
	if o.Fingerprint == nil || end > 0 {
		if end, err = s.records(end); err != nil {
			return nil, 0, err
		}
	}
	if cut = size - end; cut > 0 {
		if err := f.Truncate(end); err != nil {
			return nil, 0, err
		}
	}
	if _, err := f.Seek(end, io.SeekStart); err != nil {
		return nil, cut, err
	}
	e = NewEncoder(f)
	if o.Fingerprint != nil && end == 0 {
		err = e.Fingerprint(*o.Fingerprint)
	}
	return e, cut, err
}

// A tail finds the end of the last whole record of a file.
type tail struct {
	file  File
	size  int64
	limit int
	r     *bufio.Reader
}

// seek moves to the offset pos.
func (s *tail) seek(pos int64) error {
	if _, err := s.file.Seek(pos, io.SeekStart); err != nil {
		return err
	}
	if s.r == nil {
		s.r = bufio.NewReaderSize(s.file, 64<<10)
	}
	s.r.Reset(s.file)
	return nil
}

// fingerprint compares the start of the file with f and returns the offset after it. The offset is
// 0 for a file that ends within the fingerprint.
func (s *tail) fingerprint(f schema.Fingerprint) (end int64, err error) {
	if s.size < int64(len(f)) {
		return 0, nil
	}
	var got schema.Fingerprint
	if _, err := io.ReadFull(s.r, got[:]); err != nil {
		return 0, err
	}
	if got != f {
		return 0, &FingerprintError{Got: got, Want: f}
	}
	return int64(len(f)), nil
}

// records returns the offset of the end of the last whole record. pos is the offset of the first
// record.
func (s *tail) records(pos int64) (end int64, err error) {
	for pos < s.size {
		head, err := s.r.Peek(int(min(binary.MaxVarintLen64, s.size-pos)))
		if err != nil {
			return 0, err
		}
		n, used := scalar.Uvarint(head, 0)
		switch {
		case used == 0:
			at, cause := scalar.UvarintFault(head, 0)
			if errors.Is(cause, fault.ErrTruncated) {
				return pos, nil
			}
			return 0, &DecodeError{Offset: pos + int64(at), Err: fmt.Errorf("the length of a record: %w", cause)}
		case n > uint64(s.limit):
			return 0, &DecodeError{Offset: pos, Err: fmt.Errorf("a record of %d bytes is longer than AppendOptions.Limit, %d: %w", n, s.limit, ErrLimit)}
		case n > uint64(s.size-pos-int64(used)):
			return pos, nil
		}
		next := pos + int64(used) + int64(n)
		if skip := next - pos; skip <= int64(s.r.Buffered()) {
			_, err = s.r.Discard(int(skip))
		} else {
			err = s.seek(next)
		}
		if err != nil {
			return 0, err
		}
		pos = next
	}
	return pos, nil
}
