package openapi

import (
	"embed"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/hone-go/hone/web"
)

//go:embed page
var page embed.FS

// Serve registers the document and the page that shows it. The document is made
// when it is first asked for, of the routes that there are then; a route that
// comes later is not in it. The error is that of a path that is taken.
func Serve(e *web.Echo, config Config) error {
	if config.Path == "" {
		config.Path = "/openapi.json"
	}
	if config.PagePath == "" {
		config.PagePath = "/docs"
	}
	base := strings.TrimSuffix(config.PagePath, "/")
	own := map[string]bool{config.Path: true, config.PagePath: true, base + "/page.js": true, base + "/page.css": true}
	hidden := config.Hidden
	config.Hidden = func(r web.RouteInfo) bool { return own[r.Path] || hidden != nil && hidden(r) }
	document := sync.OnceValues(func() ([]byte, error) { return Describe(e, config).JSON() })
	add := func(path string, h web.HandlerFunc) error {
		_, err := e.AddRoute(web.Route{Method: http.MethodGet, Path: path, Handler: h})
		return err
	}
	if err := add(config.Path, func(c *web.Context) error {
		data, err := document()
		if err != nil {
			return err
		}
		return c.Blob(http.StatusOK, "application/json", data)
	}); err != nil {
		return err
	}
	index, err := page.ReadFile("page/index.html")
	if err != nil {
		return err
	}
	filled := strings.NewReplacer("{{base}}", htmlAttribute.Replace(base), "{{document}}", htmlAttribute.Replace(config.Path)).Replace(string(index))
	if err := add(config.PagePath, func(c *web.Context) error {
		secure(c)
		return c.HTML(http.StatusOK, filled)
	}); err != nil {
		return err
	}
	for name, mediaType := range map[string]string{"page.js": "text/javascript; charset=utf-8", "page.css": "text/css; charset=utf-8"} {
		data, err := page.ReadFile(path.Join("page", name))
		if err != nil {
			return err
		}
		if err := add(base+"/"+name, func(c *web.Context) error {
			secure(c)
			return c.Blob(http.StatusOK, mediaType, data)
		}); err != nil {
			return err
		}
	}
	return nil
}

var htmlAttribute = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")

// secure lets the page load nothing but its own files, and call nothing but its
// own site.
func secure(c *web.Context) {
	h := c.Response().Header()
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
}
