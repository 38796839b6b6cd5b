package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/hone-go/hone/internal/memory/buffer"
)

// JSONP sends a script that calls a function with a value. The client chooses the name
// of the function. The name is empty or like "app.show"; any other name is refused with
// 400. If the value cannot be encoded, the response has not begun. Any page can request
// the script with the user's cookies and read it, so JSONP is not for data that only
// the user may see.
func (c *Context) JSONP(code int, callback string, i any) (err error) {
	buf := buffer.Take()
	defer buf.Release()
	if buf.B, err = c.callback(buf.B, callback); err != nil {
		return err
	}
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

// recordJSON makes the program's JSONSerializer write to buf. The deferred function restores the
// response on a panic too, because other requests use buf again.
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
	buf := buffer.Take()
	defer buf.Release()
	if buf.B, err = c.callback(buf.B, callback); err != nil {
		return err
	}
	buf.B = append(append(buf.B, b...), ");"...)
	return c.Blob(code, MIMEApplicationJavaScriptCharsetUTF8, buf.B)
}

// ErrInvalidJSONPCallback is the cause of the error of status 400 for a function name that is not
// allowed.
var ErrInvalidJSONPCallback = errors.New("invalid JSONP callback")

// maxCallback limits the length of the callback's name, in bytes. A longer name is
// refused.
const maxCallback = 255

// callback appends the start of a script that calls the function. The name is empty, or one or more
// identifiers separated by dots, so that a client cannot inject other code.
func (c *Context) callback(dst []byte, name string) ([]byte, error) {
	valid := len(name) <= maxCallback
	if name != "" {
		for part := range strings.SplitSeq(name, ".") {
			valid = valid && isIdentifier(part)
		}
	}
	if !valid {
		return dst, ErrBadRequest.Wrap(ErrInvalidJSONPCallback)
	}
	return append(append(dst, name...), '('), nil
}

// isIdentifier reports whether s is an ASCII identifier of JavaScript.
func isIdentifier(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == '$', i > 0 && '0' <= c && c <= '9':
		default:
			return false
		}
	}
	return s != ""
}

// A bodyRecorder writes the body to a buffer instead of the response.
type bodyRecorder struct {
	http.ResponseWriter
	bufferWriter
}

func (w *bodyRecorder) Write(b []byte) (int, error) { return w.bufferWriter.Write(b) }

func (w *bodyRecorder) WriteHeader(int) {}
