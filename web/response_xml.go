package web

import (
	"encoding/xml"

	"github.com/hone-go/hone/internal/memory/buffer"
)

// XML sends a value as encoding/xml has it, behind an XML declaration. If the
// value cannot be encoded, nothing has been sent.
func (c *Context) XML(code int, i any) (err error) { return c.xml(code, i, "") }

// XMLPretty is XML, indented.
func (c *Context) XMLPretty(code int, i any, indent string) (err error) {
	return c.xml(code, i, indent)
}

// XMLBlob sends XML that is already encoded but for the declaration.
func (c *Context) XMLBlob(code int, b []byte) (err error) {
	if err := c.Blob(code, MIMEApplicationXMLCharsetUTF8, xmlHeader); err != nil {
		return err
	}
	_, err = c.response.Write(b)
	return err
}

// xmlHeader is the XML declaration, which writers only read.
var xmlHeader = []byte(xml.Header)

func (c *Context) xml(code int, i any, indent string) error {
	buf := buffer.Take()
	defer buf.Release()
	buf.B = append(buf.B, xml.Header...)
	out := &bufferWriter{to: buf} // marshal methods get the encoder, and may keep it
	defer out.cut()
	enc := xml.NewEncoder(out)
	enc.Indent("", indent)
	if err := enc.Encode(i); err != nil {
		return err
	}
	return c.Blob(code, MIMEApplicationXMLCharsetUTF8, buf.B)
}
