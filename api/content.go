package api

import (
	"io"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/internal/http/header"
)

// Content is the answer of a typed handler that is not JSON, such as a file or a
// table in CSV. It is sent as it is read or written, and never in memory as a
// whole.
//
//	api.Handle(r, "GET /v1/reports/{id}", func(ctx context.Context, in *ReportIn) (*api.Content, error) {
//		f, err := reports.Open(in.ID)
//		if err != nil {
//			return nil, err
//		}
//		return &api.Content{Type: "application/pdf", Name: in.ID + ".pdf", Body: f}, nil
//	})
//
// The response begins with the first byte: an error before that is a problem
// document. One after that cuts the connection, so that no client takes half a
// file for a whole one, and is logged; so does a Body of another length than
// Length. Bytes reach the client some 100 ms after they were there at the latest.
// A client that has gone, that takes nothing for the Operation's StreamTimeout or
// falls short of its StreamRate, makes writing fail.
//
// For HEAD, and for a client that has the content already, Body is closed
// unread and Write is not called.
type Content struct {
	// Type is the media type; by default that of the Operation.
	Type string
	// Length in bytes, if it is known; 0 if it is not.
	Length int64
	// Name makes the client save the content as a file of that name.
	Name string
	// ETag is the entity tag of the content, in quotes, such as `"v7"`. A client
	// that has it is answered with 304.
	ETag string
	// Modified is when the content was last changed, for the requests of clients that have
	// an older one; zero if it is not known.
	Modified time.Time
	// Body is the content. If it is an io.WriterTo it writes itself, and if it is
	// an io.Closer it is closed in any case. If it is an io.ReadSeeker, such as a file, and
	// the status is 200, a client may ask for parts of it (RFC 9110, 14) and for what was
	// changed since (RFC 9110, 13); it is measured by seeking, and Length is not used.
	Body io.Reader
	// Write writes the content, in place of Body. It returns what w returns.
	Write func(w io.Writer) error
}

// Stream marks a Content as a stream of bytes for this package and package client.
func (v *Content) Stream() message.Stream { return bytesStream{} }

type bytesStream struct{}

// Elem returns nil: bytes have no elements.
func (bytesStream) Elem() reflect.Type { return nil }

// Close closes the Body, if it can be closed. Close a Content that package client returned.
func (v *Content) Close() error {
	if closer, ok := v.Body.(io.Closer); ok {
		return closer.Close()
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
		_, err = w.Write(nil) // an answer of no bytes begins too
	}
	return err
}
