package stream

import (
	"cmp"
	"errors"
	"io"
)

// An IOError is an error from the reader or the writer.
type IOError struct {
	Action string // "read" or "write"
	Err    error
}

func (e *IOError) Error() string { return "jsontext: " + e.Action + " error: " + e.Err.Error() }

func (e *IOError) Unwrap() error { return e.Err }

// emptyReads is the number of consecutive empty reads after which Read returns an error.
const emptyReads = 100

// Read reads at least one byte into b, or returns an error. It also handles readers that violate
// the contract of io.Reader.
func Read(r io.Reader, b []byte) (n int, err error) {
	for range emptyReads {
		n, err = r.Read(b)
		switch {
		case n < 0 || n > len(b):
			return 0, cmp.Or(err, errReadCount)
		case n > 0 || err != nil:
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// minRead is the minimum number of bytes by which a full buffer grows.
const minRead = 512

// ReadAll reads r until its end and appends the input to b. On error it returns the input before
// the error too. If again is set, an error that comes with bytes counts only if the next
// read returns it again, as in encoding/json/jsontext.
func ReadAll(r io.Reader, b []byte, again bool) ([]byte, error) {
	for {
		if len(b) == cap(b) {
			b = append(b, make([]byte, max(minRead, len(b)))...)[:len(b)]
		}
		n, err := Read(r, b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case err == nil || n > 0 && again:
		case err == io.EOF:
			return b, nil
		default:
			return b, err
		}
	}
}

// Write writes all of b, or returns an error. It also handles writers that violate the contract of
// io.Writer.
func Write(w io.Writer, b []byte) (n int, err error) {
	n, err = w.Write(b)
	switch {
	case n < 0 || n > len(b):
		return 0, cmp.Or(err, errWriteCount)
	case n < len(b) && err == nil:
		err = io.ErrShortWrite
	}
	return n, err
}

var (
	errReadCount  = errors.New("reader returned an impossible count")
	errWriteCount = errors.New("writer returned an impossible count")
)
