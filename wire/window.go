package wire

import (
	"errors"
	"io"
)

// A window is the part of a stream that was read and not yet decoded.
type window struct {
	r     io.Reader
	buf   []byte
	start int   // of what is not decoded
	at    int64 // offset of start in the stream
	limit int
	err   error // that the reader gave
}

const (
	defaultRecord = 64 << 20 // bytes that one value may take by default
	firstRead     = 4 << 10
)

func newWindow(r io.Reader, limit int) window {
	if limit <= 0 {
		limit = defaultRecord
	}
	return window{r: r, limit: limit}
}

func (w *window) data() []byte { return w.buf[w.start:] }

// more reads on, at least one byte. What is read into grows with what has
// arrived, not with what was announced.
func (w *window) more() error {
	if w.err != nil {
		return w.err
	}
	if w.start > 0 && w.start == len(w.buf) {
		w.buf, w.start = w.buf[:0], 0
	}
	if len(w.buf) == cap(w.buf) {
		kept := w.data()
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
		w.err = err
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	w.err = io.ErrNoProgress
	return w.err
}

// take moves on by n bytes.
func (w *window) take(n int) {
	w.start += n
	w.at += int64(n)
}

// offset makes the offset of a fault count from the start of the stream.
func (w *window) offset(err error) error {
	if de, ok := err.(*DecodeError); ok {
		de.Offset += w.at
	}
	return err
}
