package web

import (
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/http/header"
)

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
