package web

import (
	"bytes"
	"errors"
	"net/http"
	"strings"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/json"
)

// A JSONSerializer encodes and decodes the JSON of a Context.
type JSONSerializer interface {
	// Serialize writes target to c.Response; indent is "" for compact output.
	Serialize(c *Context, target any, indent string) error
	// Deserialize reads the body of c.Request into target.
	Deserialize(c *Context, target any) error
}

// DefaultJSONSerializer uses package json of this module.
type DefaultJSONSerializer struct{}

// ownJSON reports whether the serializer is this package's own, which need not be
// called through its interface.
func (e *Echo) ownJSON() bool {
	switch e.JSONSerializer.(type) {
	case *DefaultJSONSerializer, DefaultJSONSerializer:
		return true
	}
	return false
}

// Serialize writes target and a newline.
func (d DefaultJSONSerializer) Serialize(c *Context, target any, indent string) error {
	buf := buffer.Take()
	defer buf.Release()
	var err error
	if buf.B, err = appendJSON(buf.B, target, indent); err != nil {
		return err
	}
	_, err = c.Response().Write(buf.B)
	return err
}

// sendJSON encodes the value before it begins the response. So a value that cannot
// be encoded can still be answered with an error.
func sendJSON(c *Context, code int, i any, indent string) error {
	buf := buffer.Take()
	defer buf.Release()
	var err error
	if buf.B, err = appendJSON(buf.B, i, indent); err != nil {
		return err
	}
	c.begin(code, jsonType)
	_, err = c.response.Write(buf.B)
	return err
}

// appendJSON appends a value and a newline.
func appendJSON(dst []byte, v any, indent string) ([]byte, error) {
	dst, err := json.Append(dst, v)
	if err != nil {
		return dst, err
	}
	if indent != "" {
		return appendIndented(dst, indent)
	}
	return append(dst, '\n'), nil
}

// appendIndented replaces b by its indented form, followed by a newline.
func appendIndented(b []byte, indent string) ([]byte, error) {
	lines := buffer.Take()
	defer lines.Release()
	out := bytes.NewBuffer(lines.B)
	err := json.Indent(out, b, "", indent)
	lines.B = out.Bytes()
	if err != nil {
		return b, err
	}
	return append(append(b[:0], lines.B...), '\n'), nil
}

// Deserialize reads the whole body, up to its limit, into target. The error has
// the status 400 for malformed JSON and 413 for a body past the limit.
func (d DefaultJSONSerializer) Deserialize(c *Context, target any) error {
	buf := buffer.Take()
	defer buf.Release()
	if err := c.readBody(buf); err != nil {
		return err
	}
	if err := (json.Config{CopyInput: true}).Unmarshal(buf.B, target); err != nil {
		return ErrBadRequest.Wrap(err)
	}
	return nil
}

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
