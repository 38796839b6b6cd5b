package web

import (
	"encoding/xml"

	"github.com/hone-go/hone/internal/memory/buffer"
)

// XML sends a value encoded by encoding/xml, after an XML declaration. If the
// value cannot be encoded, the response has not begun.
func (c *Context) XML(code int, i any) (err error) { return c.xml(code, i, "") }

// XMLPretty is XML, indented.
func (c *Context) XMLPretty(code int, i any, indent string) (err error) {
	return c.xml(code, i, indent)
}

// XMLBlob sends an XML declaration, and then b, which is XML without a declaration.
func (c *Context) XMLBlob(code int, b []byte) (err error) {
	if err := c.Blob(code, MIMEApplicationXMLCharsetUTF8, xmlHeader); err != nil {
		return err
	}
	_, err = c.response.Write(b)
	return err
}

// xmlHeader is the XML declaration. It is a shared slice: writers must not modify it.
var xmlHeader = []byte(xml.Header)

func (c *Context) xml(code int, i any, indent string) error {
	buf := buffer.Take()
	defer buf.Release()
	buf.B = append(buf.B, xml.Header...)
	out := &bufferWriter{to: buf} // marshal methods get the encoder, and may retain it
	defer out.cut()
	enc := xml.NewEncoder(out)
	enc.Indent("", indent)
	if err := enc.Encode(i); err != nil {
		return err
	}
	return c.Blob(code, MIMEApplicationXMLCharsetUTF8, buf.B)
}
