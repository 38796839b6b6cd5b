package web

import (
	"net/http"

	"github.com/hone-go/hone/internal/memory/buffer"
)

// JSONP sends a script that calls a function with a value: the name of the
// function is the client's choice, and refused with 400 unless it is one such
// as "app.show[0]". If the value cannot be encoded, nothing has been sent.
func (c *Context) JSONP(code int, callback string, i any) (err error) {
	if !callbackName(callback) {
		return errCallback
	}
	buf := buffer.Take()
	defer buf.Release()
	buf.B = append(append(buf.B, callback...), '(')
	if c.live().echo.ownJSON() {
		if buf.B, err = appendJSON(buf.B, i, ""); err != nil {
			return err
		}
	} else if err := c.recordJSON(buf, i); err != nil {
		return err
	}
	buf.B = append(buf.B, ");"...)
	return c.Blob(code, MIMEApplicationJavaScriptCharsetUTF8, buf.B)
}

// recordJSON has the program's own serializer write to buf. The response is put
// back on a panic too: buf is used again by other requests.
func (c *Context) recordJSON(buf *buffer.Buffer, i any) error {
	outer := c.response
	body := &bodyRecorder{ResponseWriter: outer, bufferWriter: bufferWriter{to: buf}}
	defer func() {
		c.response = outer
		body.cut()
	}()
	c.response = body
	return c.echo.JSONSerializer.Serialize(c, i, "")
}

// JSONPBlob is JSONP with a value that is JSON already.
func (c *Context) JSONPBlob(code int, callback string, b []byte) (err error) {
	if !callbackName(callback) {
		return errCallback
	}
	buf := buffer.Take()
	defer buf.Release()
	buf.B = append(append(append(append(buf.B, callback...), '('), b...), ");"...)
	return c.Blob(code, MIMEApplicationJavaScriptCharsetUTF8, buf.B)
}

var errCallback = &HTTPError{Code: http.StatusBadRequest, Message: "invalid callback name"}

// maxCallback bounds the callback's name: longer ones are attempts at something
// else.
const maxCallback = 255

// callbackName reports whether a name can be nothing but one or more
// identifiers and indices, so that a client cannot have it run what it likes.
func callbackName(name string) bool {
	if name == "" || len(name) > maxCallback || '0' <= name[0] && name[0] <= '9' {
		return false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
			c == '_', c == '$', c == '.', c == '[', c == ']':
		default:
			return false
		}
	}
	return true
}

// A bodyRecorder takes a body that is not to be sent as it is.
type bodyRecorder struct {
	http.ResponseWriter
	bufferWriter
}

func (w *bodyRecorder) Write(b []byte) (int, error) { return w.bufferWriter.Write(b) }

func (w *bodyRecorder) WriteHeader(int) {}
