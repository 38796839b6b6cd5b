package web

import (
	"net/http"

	"github.com/hone-go/hone/internal/http/body"
	"github.com/hone-go/hone/internal/memory/buffer"
)

// Default limits of the request body, in bytes; see [Context.SetBodyLimit].
const (
	// DefaultBodyLimit is the limit of bodies that are read into memory.
	DefaultBodyLimit = 4 << 20
	// DefaultMultipartLimit is the limit of multipart forms. Their files are stored on disk.
	DefaultMultipartLimit = 32 << 20
)

// SetBodyLimit sets the number of bytes of the request body that Bind, the form methods and the
// handlers of package api read. A longer body is an error of status 413. 0 means the defaults
// ([DefaultBodyLimit], [DefaultMultipartLimit]); a negative number means no limit. Middleware
// that limits the body itself calls SetBodyLimit.
func (c *Context) SetBodyLimit(limit int64) { c.live().bodyLimit = limit }

// readBody appends the request body, up to its limit, to buf. The error has a status.
func (c *Context) readBody(buf *buffer.Buffer) error {
	err := body.Read(buf, c.response, c.request, body.Limit(c.bodyLimit, DefaultBodyLimit))
	e, ok := err.(*body.Error)
	switch {
	case !ok:
		return err
	case e == body.TooLarge:
		return ErrStatusRequestEntityTooLarge
	}
	return httpError{e.Status}.Wrap(e.Err)
}

// limitBody makes reading the request's body fail past the limit.
func (c *Context) limitBody(byDefault int64) {
	c.request.Body = body.Bound(c.request.Body, body.Limit(c.bodyLimit, byDefault))
}

// tooLarge returns ErrStatusRequestEntityTooLarge (413) if err is about a body past its limit, and err
// itself otherwise.
func tooLarge(err error) error {
	if err != nil && body.StatusOf(err) == http.StatusRequestEntityTooLarge {
		return ErrStatusRequestEntityTooLarge.Wrap(err)
	}
	return err
}
