package web

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"

	"github.com/hone-go/hone/json"
)

// A JSONSerializer encodes and decodes the JSON of a Context.
type JSONSerializer interface {
	// Serialize writes target to c.Response; indent is "" for compact output.
	Serialize(c *Context, target any, indent string) error
	// Deserialize reads the body of c.Request into target.
	Deserialize(c *Context, target any) error
}

// DefaultJSONSerializer is package json of this module.
type DefaultJSONSerializer struct{}

// ownJSON reports whether values are encoded by this package's own serializer,
// which need not be called through its interface.
func (e *Echo) ownJSON() bool {
	switch e.JSONSerializer.(type) {
	case *DefaultJSONSerializer, DefaultJSONSerializer:
		return true
	}
	return false
}

// Serialize writes target and a newline.
func (d DefaultJSONSerializer) Serialize(c *Context, target any, indent string) error {
	buf := takeBuffer()
	defer buf.release()
	if err := buf.json(target, indent); err != nil {
		return err
	}
	_, err := c.Response().Write(buf.b)
	return err
}

// sendJSON encodes before it begins the response, so that a value that cannot
// be encoded can still become an error.
func sendJSON(c *Context, code int, i any, indent string) error {
	buf := takeBuffer()
	defer buf.release()
	if err := buf.json(i, indent); err != nil {
		return err
	}
	c.begin(code, jsonType)
	_, err := c.response.Write(buf.b)
	return err
}

func (b *buffer) json(v any, indent string) (err error) {
	if b.b, err = json.Append(b.b, v); err != nil {
		return err
	}
	if indent != "" {
		var out bytes.Buffer
		if err = json.Indent(&out, b.b, "", indent); err != nil {
			return err
		}
		b.b = append(b.b[:0], out.Bytes()...)
	}
	b.b = append(b.b, '\n')
	return nil
}

// Deserialize reads the whole body, up to its limit, into target. The error has
// a status: 400 for malformed JSON, 413 for too long a body.
func (d DefaultJSONSerializer) Deserialize(c *Context, target any) error {
	buf := takeBuffer()
	defer buf.release()
	if err := buf.readBody(c.Response(), c.Request(), c.limitOr(DefaultBodyLimit)); err != nil {
		return err
	}
	if err := json.Unmarshal(buf.b, target); err != nil {
		return ErrBadRequest.Wrap(err)
	}
	return nil
}

// readBody appends the request body. A body over limit is a 413, and tells
// net/http to close the connection rather than read the rest.
func (b *buffer) readBody(w http.ResponseWriter, r *http.Request, limit int64) error {
	if r.ContentLength > limit {
		return ErrStatusRequestEntityTooLarge
	}
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if n := r.ContentLength; n >= int64(cap(b.b)) && n <= keepBuffer {
		b.b = make([]byte, 0, n+1) // the one byte lets the read after the last see the end
	}
	for {
		if len(b.b) == cap(b.b) {
			b.b = append(b.b, 0)[:len(b.b)]
		}
		n, err := r.Body.Read(b.b[len(b.b):cap(b.b)])
		b.b = b.b[:len(b.b)+n]
		switch {
		case int64(len(b.b)) > limit:
			// Only a MaxBytesReader can tell net/http. It costs an allocation,
			// so there is one only once it is needed.
			_, _ = http.MaxBytesReader(innermost(w), r.Body, 0).Read(make([]byte, 1))
			return ErrStatusRequestEntityTooLarge
		case err == nil:
		case err == io.EOF:
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return ErrRequestTimeout.Wrap(err)
		case errors.As(err, new(*http.MaxBytesError)): // a limit that middleware set
			return ErrStatusRequestEntityTooLarge.Wrap(err)
		default:
			return ErrBadRequest.Wrap(err)
		}
	}
}

// innermost returns net/http's own writer, which MaxBytesReader tells to close
// the connection.
func innermost(w http.ResponseWriter) http.ResponseWriter {
	for {
		u, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return w
		}
		w = u.Unwrap()
	}
}
