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

// FormMemory is the default limit, in bytes, for the files of a multipart form that are kept in
// memory.
const FormMemory = 1 << 20

// An Error reports a body that could not be read. Its status is 400, 408 or 413, or the status of
// Err if that is 400 or more.
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

// TooLarge is the error for a body that is longer than its limit.
var TooLarge = &Error{Status: http.StatusRequestEntityTooLarge}

// Limit returns the first of the limits that is not 0. The last of them is the default. A
// negative limit means no limit.
func Limit(limits ...int64) int64 {
	if l := cmp.Or(limits...); l >= 0 {
		return l
	}
	return math.MaxInt64
}

// Bound wraps b so that it ends with an [http.MaxBytesError] past limit bytes. The limit must
// not be negative.
//
// Bound does not use http.MaxBytesReader, which changes the header of the answer while it reads.
// Before Go 1.26.11 and 1.27.4 the server crashes if another goroutine, such as the handler's, uses
// the header at the same time (GO-2026-6859). So Bound cannot make net/http close the connection.
// After the handler returns, net/http reads up to 256 KiB of unread body, and closes the connection
// if the body is longer.
func Bound(b io.ReadCloser, limit int64) io.ReadCloser {
	if b == nil || b == http.NoBody || limit == math.MaxInt64 {
		return b
	}
	return &bounded{ReadCloser: b, limit: limit, left: limit}
}

// A bounded body reads at most limit bytes.
type bounded struct {
	io.ReadCloser
	limit, left int64
	err         error // returned by all further reads
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.err != nil || len(p) == 0 {
		return 0, b.err
	}
	// Reading one byte past the limit distinguishes a body of exactly limit bytes from a longer one.
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if int64(n) > b.left {
		n, err = int(b.left), &http.MaxBytesError{Limit: b.limit}
	}
	b.left -= int64(n)
	b.err = err
	return n, err
}

// Read appends the body of a request to b. Call it in the goroutine of the handler, before the
// response is written. For a body of more than limit bytes the error is [TooLarge]. If the
// Content-Length is missing or too small, so that Read detects the length only while reading, Read
// also makes the server close an HTTP/1 connection after the response. Any other error is an
// [*Error].
func Read(b *buffer.Buffer, w http.ResponseWriter, r *http.Request, limit int64) error {
	if r.ContentLength > limit {
		return TooLarge
	}
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if n := r.ContentLength; n >= int64(cap(b.B)) && n <= buffer.Large {
		b.B = make([]byte, 0, n+1) // one more byte lets the last read reach the end of the body
	}
	for {
		if len(b.B) == cap(b.B) {
			b.B = append(b.B, 0)[:len(b.B)]
		}
		n, err := r.Body.Read(b.B[len(b.B):cap(b.B)])
		b.B = b.B[:len(b.B)+n]
		switch {
		case int64(len(b.B)) > limit:
			if r.ProtoMajor == 1 {
				w.Header().Set("Connection", "close")
			}
			return TooLarge
		case err == nil:
		case err == io.EOF:
			return nil
		default:
			return &Error{StatusOf(err), err}
		}
	}
}

// StatusOf returns the status for an error that occurred while reading a body. If the error has a
// status of 400 or more, for example from middleware, StatusOf returns that status.
func StatusOf(err error) int {
	var coder interface{ StatusCode() int }
	switch {
	case errors.As(err, &coder) && coder.StatusCode() >= http.StatusBadRequest:
		return coder.StatusCode()
	case errors.As(err, new(*http.MaxBytesError)), errors.Is(err, multipart.ErrMessageTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}
