package web

import (
	"bytes"
	"io"
)

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
