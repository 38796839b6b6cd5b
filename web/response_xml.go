package web

import (
	"bytes"
	"encoding/xml"
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
	if err := c.Blob(code, MIMEApplicationXMLCharsetUTF8, []byte(xml.Header)); err != nil {
		return err
	}
	_, err = c.response.Write(b)
	return err
}

func (c *Context) xml(code int, i any, indent string) error {
	var out bytes.Buffer
	out.WriteString(xml.Header)
	enc := xml.NewEncoder(&out)
	enc.Indent("", indent)
	if err := enc.Encode(i); err != nil {
		return err
	}
	return c.Blob(code, MIMEApplicationXMLCharsetUTF8, out.Bytes())
}
