package container

import (
	"bytes"
	"fmt"
	"io"

	"github.com/hone-go/hone/wire/internal/measure"
)

// newScanner reads the header of the container in r. If only the first copy of the header is
// damaged, lost reports the damage. If both copies are damaged, err reports the damage. Other
// errors are errors of the reader.
func newScanner(r io.Reader, limit int) (s *scanner, lost *LossError, err error) {
	if limit <= 0 {
		limit = defaultMaximum
	}
	s = &scanner{window: measure.NewWindow(r, 0), limit: limit}
	n, err := s.findHeader()
	if err != nil {
		return nil, nil, err
	}
	s.headerSize = n
	at := s.window.Offset
	if at > 0 {
		lost = &LossError{Bytes: at, Err: errCopy}
	}
	if err := s.skipCopy(n); err != nil {
		return nil, nil, err
	}
	s.end = s.window.Offset
	return s, lost, nil
}

// findHeader moves to the first whole copy of the header and returns its length.
func (s *scanner) findHeader() (n int, err error) {
	var failed error // error of the first copy
	for {
		data := s.window.Data()
		h, n, err := parseHeader(data)
		if err == nil {
			s.header = h
			return n, nil
		}
		if err == errPart {
			if err = s.window.More(); err == nil {
				continue
			}
			if err != io.EOF {
				return 0, err
			}
			if len(data) == 0 && failed != nil {
				return 0, failed
			}
			err = fmt.Errorf("container: the header ends after %d bytes: %w", len(data), io.ErrUnexpectedEOF)
			if len(data) == 0 {
				err = fmt.Errorf("%w: no input", ErrNotContainer)
			}
		}
		if failed == nil || failed == ErrNotContainer {
			failed = err
		}
		if s.window.Offset > maxHeader {
			return 0, failed
		}
		s.window.Take(skipTo(data, []byte(magic)))
	}
}

// skipTo returns the first offset after 0 at which data contains text or ends with a prefix of
// text. It returns the length of data if there is no such offset.
func skipTo(data, text []byte) int {
	for at := 1; at < len(data); at++ {
		i := bytes.IndexByte(data[at:], text[0])
		if i < 0 {
			break
		}
		at += i
		if have := min(len(data)-at, len(text)); bytes.Equal(data[at:at+have], text[:have]) {
			return at
		}
	}
	return len(data)
}

// skipCopy moves past the copy of the header at the start of the window, and past a second copy
// after it. Both have n bytes. If the second copy is damaged, skipCopy begins a gap.
func (s *scanner) skipCopy(n int) error {
	second := append(make([]byte, separatorSize), s.window.Data()[:n]...)
	rest := func() []byte { return s.window.Data()[n:min(n+len(second), len(s.window.Data()))] }
	var err error
	for err == nil && len(rest()) < len(second) && bytes.HasPrefix(second, rest()) {
		err = s.window.More()
	}
	if err != nil && err != io.EOF {
		return err
	}
	got, isFirst := rest(), s.window.Offset == 0
	s.window.Take(n)
	switch {
	case bytes.Equal(got, second):
		s.window.Take(len(second))
	case !isFirst: // this was the second copy
	case bytes.HasPrefix(second, got):
		s.begin(io.ErrUnexpectedEOF, 0)
		s.window.Take(len(got))
	default:
		s.begin(errCopy, 0)
	}
	return nil
}
