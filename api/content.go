package api

import (
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/internal/http/header"
)

// Content is an answer of a typed handler that is not JSON, such as a file or a table in CSV. It is
// sent while it is read or written, and is never completely in memory.
//
//	api.Handle(r, "GET /v1/reports/{id}", func(ctx context.Context, in *ReportIn) (*api.Content, error) {
//		f, err := reports.Open(in.ID)
//		if err != nil {
//			return nil, err
//		}
//		return &api.Content{Type: "application/pdf", Name: in.ID + ".pdf", Body: f}, nil
//	})
//
// The response begins with the first byte, or after the Operation's OpenWait. An earlier error is
// answered with a problem document. A later error is logged and closes the connection, so that no client takes an
// incomplete file for a complete one. A content with fewer or more bytes than Length is such an
// error. Bytes are sent within about 100 ms after they were written. Writing fails if the client
// has disconnected, accepts nothing for the Operation's StreamTimeout, or falls below its
// StreamRate.
//
// If the request is HEAD, or the client already has the content, Body is closed unread and
// Write is not called.
type Content struct {
	// Type is the media type; by default the Operation's ContentType.
	Type string
	// Length is the length in bytes; 0 if unknown.
	Length int64
	// Name is a file name under which the client saves the content.
	Name string
	// ETag is the entity tag of the content, in quotes, such as `"v7"`. If the status is 200, a GET
	// or HEAD request with this tag in If-None-Match is answered with 304.
	ETag string
	// Modified is the time of the last change, for conditional requests; zero if
	// unknown.
	Modified time.Time
	// Body is the content. If Body is an io.Closer, it is always closed. If Body is an
	// io.ReadSeeker, such as a file, the status is 200 and the method is GET or HEAD, range requests
	// (RFC 9110, 14) and conditional requests (RFC 9110, 13) are answered. The length of the Body is
	// then found by seeking, and Length is not used. Otherwise, if Body is an io.WriterTo, its WriteTo
	// is called.
	Body io.Reader
	// Write writes the content, in place of Body. It must return the errors of w.
	Write func(w io.Writer) error
}

// Stream returns the Content as a stream of bytes. Only this package and package client call it.
func (v *Content) Stream() message.Stream { return bytesStream{} }

var _ message.Streamer = (*Content)(nil)

type bytesStream struct{}

// Elem returns nil: bytes have no elements.
func (bytesStream) Elem() reflect.Type { return nil }

// Close closes the Body if it is an io.Closer. Callers of package client have to close the
// Contents that it returns.
func (v *Content) Close() error {
	if closer, ok := v.Body.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// check returns an error if the type or the entity tag cannot be sent as a field of the header.
func (v *Content) check() error {
	for name, value := range map[string]string{"media type": v.Type, "entity tag": v.ETag} {
		if !header.IsValue(value) {
			return fmt.Errorf("api: the %s of a Content has a control character", name)
		}
	}
	return nil
}

func (v *Content) header(h http.Header) {
	if v.Name != "" {
		h.Set("Content-Disposition", header.Disposition("attachment", v.Name))
	}
	if v.ETag != "" {
		h[headerETag] = []string{v.ETag}
	}
	if !v.Modified.IsZero() {
		h["Last-Modified"] = []string{v.Modified.UTC().Format(http.TimeFormat)}
	}
	if v.Length > 0 {
		h["Content-Length"] = []string{strconv.FormatInt(v.Length, 10)}
	}
}

func (v *Content) writeTo(w *streamWriter) (err error) {
	switch {
	case v.Write != nil:
		err = v.Write(w)
	case v.Body != nil:
		_, err = io.Copy(w, v.Body)
	}
	if err == nil && v.Length > 0 && w.written != v.Length {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		_, err = w.Write(nil) // begin the answer even if it has no bytes
	}
	return err
}
