package document

import (
	"errors"
	"io"
	"iter"
	"math"

	"github.com/hone-go/hone/internal/variadic"
	"github.com/hone-go/hone/json"
)

// StreamOptions are the options of [Documents]. The zero value is the default.
type StreamOptions struct {
	// Options apply to each value. AllowComments has no effect on streams.
	Options

	// MaxBytes is the length of the longest value in bytes, with the white space before it. 0 means 64 MiB. The error for a longer one wraps
	// [ErrTextSize].
	MaxBytes int
}

// Documents returns an iterator over the JSON values in r: JSON lines, or values that follow one another with
// or without white space between them.
//
//	for doc, err := range document.Documents(file) {
//		if err != nil {
//			return err
//		}
//		id, err := doc.Root().Get("id").Int64()
//
// The iterator yields the same Document each time, so its Values are valid until the next value. It keeps one
// value and some kilobytes of r in memory. A value that the options refuse is yielded as its error, and the
// iterator goes on if the loop does. Any other error ends it: those of r, and the errors of a [json.Decoder],
// such as io.ErrUnexpectedEOF within a value.
func Documents(r io.Reader, options ...StreamOptions) iter.Seq2[*Document, error] {
	o := variadic.Only(options)
	if o.MaxBytes <= 0 {
		o.MaxBytes = 64 << 20
	}
	most := min(int64(o.MaxBytes), math.MaxInt64/2)
	o.AllowComments = false
	return func(yield func(*Document, error) bool) {
		limited := &limitedReader{r: r}
		in := json.NewDecoder(limited)
		var doc Document
		var text json.RawMessage
		for {
			limited.limit = in.InputOffset() + most + readAhead
			err := in.Decode(&text)
			if err == io.EOF {
				return
			}
			if limited.failed || err == nil && len(text) > o.MaxBytes {
				err = &Error{Offset: -1, Err: ErrTextSize}
			}
			if err != nil {
				yield(nil, err)
				return
			}
			err = doc.Parse(text, o.Options)
			var refused *Error
			switch {
			case err == nil:
				if !yield(&doc, nil) {
					return
				}
			case !yield(nil, err) || !errors.As(err, &refused):
				return
			}
		}
	}
}

// readAhead is how many bytes of white space, and of the next value, may be read in addition to a value.
const readAhead = 4096

// A limitedReader reads up to a limit, which may rise.
type limitedReader struct {
	r           io.Reader
	read, limit int64
	failed      bool // the limit has been reached
}

func (l *limitedReader) Read(b []byte) (int, error) {
	rest := l.limit - l.read
	if rest <= 0 && len(b) > 0 {
		l.failed = true
		return 0, ErrTextSize
	}
	n, err := l.r.Read(b[:min(int64(len(b)), rest)])
	l.read += int64(n)
	return n, err
}
