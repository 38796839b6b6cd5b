package web

import (
	"bytes"

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
