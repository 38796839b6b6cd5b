package api

import (
	"errors"
	"io"
	"maps"
	"net/http"
)

// serve answers with the content, or with the ranges that the client requests, as
// http.ServeContent does.
func (v *Content) serve(w *streamWriter, content io.ReadSeeker) error {
	h := w.out.Header()
	before := h.Clone()
	w.header(h)
	delete(h, "Content-Length") // http.ServeContent sets the length of the range
	if set := h["Content-Type"]; len(set) == 0 || set[0] == "" {
		h["Content-Type"] = w.mediaType
	}
	w.header = nil
	to := &partWriter{w: w}
	from := &partReader{content: content}
	http.ServeContent(to, w.x.r, "", v.Modified, from)
	switch {
	case to.refused != 0:
		about := h["Content-Range"] // a 416 needs this field, which has the length of the content
		clear(h)
		maps.Copy(h, before)
		if from.err != nil {
			return from.err
		}
		if about != nil {
			h["Content-Range"] = about
		}
		return NewProblem(to.refused, "")
	case to.err != nil:
		return to.err
	}
	return from.err
}

// A partWriter is the response writer for http.ServeContent. It records an error response instead
// of sending it.
type partWriter struct {
	w       *streamWriter
	refused int // the status of an error response
	err     error
}

func (p *partWriter) Header() http.Header { return p.w.out.Header() }

func (p *partWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		p.refused = status
		return
	}
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	p.w.status = status
	if status == http.StatusNotModified {
		p.w.begun = true
		p.w.out.WriteHeader(status)
		return
	}
	p.w.begin()
	if p.w.openWait >= 0 {
		p.w.flushAfter(p.w.openWait)
	}
}

func (p *partWriter) Write(b []byte) (int, error) {
	if p.refused != 0 {
		return len(b), nil
	}
	n, err := p.w.Write(b)
	if err != nil && p.err == nil {
		p.err = err
	}
	return n, err
}

// A partReader records the first error of reading and seeking.
type partReader struct {
	content io.ReadSeeker
	err     error
}

func (p *partReader) Read(b []byte) (int, error) {
	n, err := p.content.Read(b)
	if err != nil && !errors.Is(err, io.EOF) && p.err == nil {
		p.err = err
	}
	return n, err
}

func (p *partReader) Seek(offset int64, whence int) (int64, error) {
	n, err := p.content.Seek(offset, whence)
	if err != nil && p.err == nil {
		p.err = err
	}
	return n, err
}
