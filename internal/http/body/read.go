// Package body reads request bodies, up to a limit, for web and api.
package body

import (
	"cmp"
	"errors"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"os"

	"github.com/hone-go/hone/internal/memory/buffer"
)

// FormMemory is how much of the files of a multipart form stays in memory by
// default, in bytes.
const FormMemory = 1 << 20

// An Error is why a body could not be read, as a status: 400, 408 or 413.
type Error struct {
	Status int
	Err    error // may be nil
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return http.StatusText(e.Status)
}

func (e *Error) Unwrap() error { return e.Err }

// StatusCode returns Status.
func (e *Error) StatusCode() int { return e.Status }

// TooLarge is the error of a body that is longer than its limit.
var TooLarge = &Error{Status: http.StatusRequestEntityTooLarge}

// Limit returns the first of the limits that is not 0. The default comes last. A
// negative limit means that there is none.
func Limit(limits ...int64) int64 {
	if l := cmp.Or(limits...); l >= 0 {
		return l
	}
	return math.MaxInt64
}

// Bound returns b as a body that ends with an error past the limit, of which
// net/http is told.
func Bound(w http.ResponseWriter, b io.ReadCloser, limit int64) io.ReadCloser {
	if b == nil || b == http.NoBody || limit == math.MaxInt64 {
		return b
	}
	return http.MaxBytesReader(innermost(w), b, limit)
}

// Read appends the body of a request to b. A body over the limit is [TooLarge], and
// net/http is told to close the connection rather than read the rest.
func Read(b *buffer.Buffer, w http.ResponseWriter, r *http.Request, limit int64) error {
	if r.ContentLength > limit {
		return TooLarge
	}
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if n := r.ContentLength; n >= int64(cap(b.B)) && n <= buffer.Large {
		b.B = make([]byte, 0, n+1) // the one byte lets the read after the last see the end
	}
	for {
		if len(b.B) == cap(b.B) {
			b.B = append(b.B, 0)[:len(b.B)]
		}
		n, err := r.Body.Read(b.B[len(b.B):cap(b.B)])
		b.B = b.B[:len(b.B)+n]
		switch {
		case int64(len(b.B)) > limit:
			// Only a MaxBytesReader can tell net/http. It costs an allocation,
			// so there is one only once it is needed.
			_, _ = http.MaxBytesReader(innermost(w), r.Body, 0).Read(make([]byte, 1))
			return TooLarge
		case err == nil:
		case err == io.EOF:
			return nil
		default:
			return &Error{StatusOf(err), err}
		}
	}
}

// StatusOf returns the status for an error of reading a body.
func StatusOf(err error) int {
	switch {
	case errors.As(err, new(*http.MaxBytesError)), errors.Is(err, multipart.ErrMessageTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}

// innermost returns net/http's own writer, which http.MaxBytesReader tells to
// close the connection.
func innermost(w http.ResponseWriter) http.ResponseWriter {
	for {
		u, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return w
		}
		w = u.Unwrap()
	}
}
