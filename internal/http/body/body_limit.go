package body

import (
	"cmp"
	"io"
	"math"
	"net/http"
)

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
