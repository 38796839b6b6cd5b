package measure

import (
	"errors"
	"io"
	"os"
)

// A Window is the part of a stream that was read but not decoded.
type Window struct {
	Offset int64 // position in the stream of the first byte that was not decoded
	Limit  int   // maximum length of one value, in bytes

	r     io.Reader
	buf   []byte
	start int   // index in buf of the first byte that was not decoded
	err   error // permanent error of the reader
	late  error // temporary error that the reader returned together with data
}

// Sizes in bytes.
const (
	defaultRecord = 64 << 20 // the default of Limit
	firstRead     = 4 << 10
)

// NewWindow returns a window on the bytes of r. A limit of 0 means 64 MiB.
func NewWindow(r io.Reader, limit int) Window {
	if limit <= 0 {
		limit = defaultRecord
	}
	return Window{r: r, Limit: limit}
}

// Over returns a window on data, without a reader. It does not copy data.
func Over(data []byte) Window { return Window{buf: data, Limit: len(data)} }

// Data returns the bytes that were read and not yet passed to [Window.Take]. They are valid until
// the next call of [Window.More].
func (w *Window) Data() []byte { return w.buf[w.start:] }

// More reads at least one byte, or returns an error. The buffer doubles when it is full, so its
// size depends on the data that has arrived, not on a length in the input.
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
			w.err = errors.New("wire: the reader's Read returned a count outside its buffer")
			return w.err
		}
		w.buf = w.buf[:len(w.buf)+n]
		if errors.Is(err, os.ErrDeadlineExceeded) {
			w.late = err // the reader may recover from a deadline
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

// Take advances the start of the window by n bytes.
func (w *Window) Take(n int) {
	w.start += n
	w.Offset += int64(n)
}

// Discard advances the start of the window by n bytes, without storing the bytes that have not been
// read yet. It returns the number of bytes that were discarded. If this is less than n, it also
// returns the error of the reader.
func (w *Window) Discard(n uint64) (discarded uint64, err error) {
	for {
		some := min(n-discarded, uint64(len(w.Data())))
		w.Take(int(some))
		if discarded += some; discarded == n {
			return n, nil
		}
		if err := w.More(); err != nil {
			return discarded, err
		}
	}
}
