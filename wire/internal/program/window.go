package program

import (
	"errors"
	"io"
	"os"
)

// A Window is the part of a stream that was read and not yet decoded.
type Window struct {
	Offset int64 // in the stream, of what is not decoded
	Limit  int   // bytes that one value may take

	r     io.Reader
	buf   []byte
	start int   // of what is not decoded
	err   error // that the reader gave, for good
	late  error // that it gave with its last bytes, and may get over
}

const (
	defaultRecord = 64 << 20 // bytes that one value may take by default
	firstRead     = 4 << 10
)

// NewWindow returns a window on what r delivers. A limit of 0 is 64 MiB.
func NewWindow(r io.Reader, limit int) Window {
	if limit <= 0 {
		limit = defaultRecord
	}
	return Window{r: r, Limit: limit}
}

// Data returns what was read and not yet taken.
func (w *Window) Data() []byte { return w.buf[w.start:] }

// More reads on, at least one byte. What is read into grows with what has
// arrived, not with what was announced.
func (w *Window) More() error {
	if err := w.late; err != nil {
		w.late = nil
		return err
	}
	if w.err != nil {
		return w.err
	}
	if w.start > 0 && w.start == len(w.buf) {
		w.buf, w.start = w.buf[:0], 0
	}
	if len(w.buf) == cap(w.buf) {
		kept := w.Data()
		next := w.buf[:0]
		if 2*len(kept) >= cap(w.buf) {
			next = make([]byte, 0, max(firstRead, 2*cap(w.buf)))
		}
		w.buf, w.start = append(next, kept...), 0
	}
	for range 100 {
		n, err := w.r.Read(w.buf[len(w.buf):cap(w.buf)])
		if n < 0 || n > cap(w.buf)-len(w.buf) {
			w.err = errors.New("wire: the reader returned an impossible count")
			return w.err
		}
		w.buf = w.buf[:len(w.buf)+n]
		if errors.Is(err, os.ErrDeadlineExceeded) {
			w.late = err // which the reader may get over
		} else {
			w.err = err
		}
		if n > 0 {
			return nil
		}
		if err != nil {
			w.late = nil
			return err
		}
	}
	w.err = io.ErrNoProgress
	return w.err
}

// Take moves on by n bytes.
func (w *Window) Take(n int) {
	w.start += n
	w.Offset += int64(n)
}

// Shift adds to the offset of a fault, which then counts from further ahead.
func Shift(err error, by int64) error {
	if de, ok := err.(*DecodeError); ok {
		de.Offset += by
	}
	return err
}
