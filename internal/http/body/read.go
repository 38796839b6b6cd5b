// Package body reads request bodies, up to a limit, for web and api.
package body

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"os"

	"github.com/hone-go/hone/internal/http/problem"
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
	var coder problem.StatusCoder
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
