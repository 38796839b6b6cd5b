package web

import (
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/http/body"
	"github.com/hone-go/hone/internal/http/header"
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

// FormValue returns the first value of a form field, or "". It finds the field in the body, or in the
// query if the body is not a form.
func (c *Context) FormValue(name string) string {
	_, _ = c.FormValues() // without a form in the body, the fields are the query's parameters
	return first(c.request.Form[name])
}

// FormValueOr returns the first value of a form field, or defaultValue if the
// field is missing or empty.
func (c *Context) FormValueOr(name, defaultValue string) string {
	if v := c.FormValue(name); v != "" {
		return v
	}
	return defaultValue
}

// FormValues returns the form fields of the body, followed by the parameters of
// the query. The body is parsed once for a request.
func (c *Context) FormValues() (url.Values, error) {
	if isMultipart(c.live().request.Header) {
		if _, err := c.MultipartForm(); err != nil {
			return nil, err
		}
		return c.request.Form, nil
	}
	if c.request.Form == nil {
		c.limitBody(DefaultBodyLimit)
		if err := c.request.ParseForm(); err != nil {
			return nil, tooLarge(err)
		}
	}
	return c.request.Form, nil
}

// FormFile returns the first file of a multipart form field. The error is
// http.ErrMissingFile if there is none.
func (c *Context) FormFile(name string) (*multipart.FileHeader, error) {
	form, err := c.MultipartForm()
	if err != nil {
		return nil, err
	}
	if files := form.File[name]; len(files) > 0 {
		return files[0], nil
	}
	return nil, http.ErrMissingFile
}

// MultipartForm returns the fields and files of a multipart form. Files beyond
// [Config.FormParseMaxMemory] are on disk, until the request has been answered.
func (c *Context) MultipartForm() (*multipart.Form, error) {
	if c.live().request.MultipartForm == nil {
		c.limitBody(DefaultMultipartLimit)
	}
	err := c.request.ParseMultipartForm(c.echo.formMemory)
	return c.request.MultipartForm, tooLarge(err)
}

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

func isMultipart(h http.Header) bool {
	return strings.EqualFold(header.MediaType(h.Get(HeaderContentType)), MIMEMultipartForm)
}

// noteFiles records the request's multipart form, so that removeFiles removes its files.
func (c *Context) noteFiles() {
	if c.request != nil && c.request.MultipartForm != nil && !slices.Contains(c.files, c.request.MultipartForm) {
		c.files = append(c.files, c.request.MultipartForm)
	}
}

// removeFiles removes the files of multipart forms. net/http removes only the
// files of the request that it created, and only if the handler returns.
func (c *Context) removeFiles() {
	c.noteFiles()
	for _, form := range c.files {
		_ = form.RemoveAll()
	}
	c.files = nil
}
