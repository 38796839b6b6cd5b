package web

import (
	"bytes"
	"encoding/xml"
	"io"
	"net/http"
	"strings"

	"github.com/hone-go/hone/internal/memory/buffer"
)

// begin sends the header of a response. The media type is mediaType unless the
// handler has already set one.
func (c *Context) begin(code int, mediaType []string) {
	typed(c.live().response.Header(), mediaType)
	c.response.WriteHeader(code)
}

// typed sets the media type of a response, unless the handler has already set one. For
// JSON and scripts it also sets nosniff, so that a browser does not treat them as another
// type, such as a page with content from a client.
func typed(h http.Header, mediaType []string) {
	var set []string
	if len(h) > 0 { // a lookup costs time in an empty map too
		set = h[HeaderContentType]
	}
	if len(set) == 0 || set[0] == "" {
		h[HeaderContentType] = mediaType
	}
	if &mediaType[0] == &jsonType[0] { // the most common type: skip parsing
		h[HeaderXContentTypeOptions] = nosniff
		return
	}
	if !strings.HasPrefix(mediaType[0], "application/") {
		return
	}
	switch name, _, _ := strings.Cut(mediaType[0], ";"); name {
	case MIMEApplicationJSON, MIMEApplicationJavaScript, MIMEApplicationProblemJSON:
		h[HeaderXContentTypeOptions] = nosniff
	}
}

// Blob sends bytes of a media type.
func (c *Context) Blob(code int, mediaType string, b []byte) (err error) {
	c.begin(code, contentType(mediaType))
	_, err = c.response.Write(b)
	return err
}

// String sends plain text.
func (c *Context) String(code int, s string) (err error) {
	return c.text(code, plainText, s)
}

// HTML sends a page.
func (c *Context) HTML(code int, html string) (err error) {
	return c.text(code, htmlText, html)
}

func (c *Context) text(code int, mediaType []string, s string) (err error) {
	c.begin(code, mediaType)
	if w, ok := c.response.(stringWriter); ok {
		_, err = w.WriteString(s)
	} else {
		_, err = c.response.Write([]byte(s))
	}
	return err
}

// HTMLBlob sends a page.
func (c *Context) HTMLBlob(code int, b []byte) (err error) {
	return c.Blob(code, MIMETextHTMLCharsetUTF8, b)
}

// JSON sends a value encoded by the Echo's JSONSerializer. If the value cannot be
// encoded, the response has not begun.
func (c *Context) JSON(code int, i any) (err error) { return c.json(code, i, "") }

// JSONPretty sends a value, indented.
func (c *Context) JSONPretty(code int, i any, indent string) (err error) {
	return c.json(code, i, indent)
}

func (c *Context) json(code int, i any, indent string) error {
	if c.live().echo.ownJSON() {
		return sendJSON(c, code, i, indent)
	}
	outer := c.response
	late := &lateHeader{ResponseWriter: outer, code: code}
	c.response = late
	defer func() { c.response = outer }()
	err := c.echo.JSONSerializer.Serialize(c, i, indent)
	if err == nil {
		late.begin() // begin the response if the serializer wrote no body
	}
	return err
}

// lateHeader delays the status until the body's first byte. So a serializer that
// fails before it writes leaves the response unstarted.
type lateHeader struct {
	http.ResponseWriter
	code  int
	begun bool
}

func (w *lateHeader) begin() {
	if w.begun {
		return
	}
	w.begun = true
	typed(w.Header(), jsonType)
	w.ResponseWriter.WriteHeader(w.code)
}

func (w *lateHeader) Write(b []byte) (int, error) {
	w.begin()
	return w.ResponseWriter.Write(b)
}

func (w *lateHeader) FlushError() error {
	w.begin()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

func (w *lateHeader) WriteHeader(code int) { w.code = code }

func (w *lateHeader) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// JSONBlob sends JSON that is already encoded.
func (c *Context) JSONBlob(code int, b []byte) (err error) {
	return c.Blob(code, MIMEApplicationJSON, b)
}

// Stream copies r to the response.
func (c *Context) Stream(code int, mediaType string, r io.Reader) (err error) {
	c.begin(code, contentType(mediaType))
	_, err = io.Copy(c.response, r)
	return err
}

// NoContent sends a status without a body.
func (c *Context) NoContent(code int) error {
	c.live().response.WriteHeader(code)
	return nil
}

// Redirect sends the client to another URL. The error is [ErrInvalidRedirectCode] if
// the status is not in 300..308, and [ErrBadRequest] if the URL has a line break.
func (c *Context) Redirect(code int, url string) error {
	if code < http.StatusMultipleChoices || code > http.StatusPermanentRedirect {
		return ErrInvalidRedirectCode
	}
	if strings.ContainsAny(url, "\r\n") {
		return ErrBadRequest
	}
	c.live().response.Header().Set(HeaderLocation, url)
	c.response.WriteHeader(code)
	return nil
}

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

// A Renderer renders the templates of [Context.Render].
type Renderer interface {
	Render(c *Context, w io.Writer, templateName string, data any) error
}

// A TemplateRenderer renders templates of html/template or text/template:
//
//	e.Renderer = &web.TemplateRenderer{Template: template.Must(template.ParseGlob("views/*.html"))}
type TemplateRenderer struct {
	Template interface {
		ExecuteTemplate(wr io.Writer, name string, data any) error
	}
}

// Render renders the named template.
func (t *TemplateRenderer) Render(c *Context, w io.Writer, name string, data any) error {
	return t.Template.ExecuteTemplate(w, name, data)
}

// Render sends a page made by the Echo's Renderer. If rendering fails, the
// response has not begun.
func (c *Context) Render(code int, name string, data any) (err error) {
	if c.live().echo.Renderer == nil {
		return ErrRendererNotRegistered
	}
	var page bytes.Buffer
	if err := c.echo.Renderer.Render(c, &page, name, data); err != nil {
		return err
	}
	return c.HTMLBlob(code, page.Bytes())
}
