package openapi

import (
	"cmp"
	"embed"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/hone-go/hone/api"
)

//go:embed page
var page embed.FS

// Serve registers the document and the page that shows it. The document is generated when it is
// first requested. It contains the handlers registered up to then, and not those registered
// later. If its path ends in .json, it is also served as YAML, at the path with .yaml. The error
// reports a path that is already registered.
func Serve(a *api.API, config Config) error {
	config.Path = cmp.Or(config.Path, "/openapi.json")
	config.PagePath = cmp.Or(config.PagePath, "/docs")
	described := sync.OnceValue(func() *Document { return Describe(a, config) })
	document := sync.OnceValues(func() ([]byte, error) { return described().JSON() })
	asYAML := sync.OnceValues(func() ([]byte, error) { return described().YAML() })
	add := func(path string, h http.Handler) error {
		for _, m := range slices.Backward(config.Middlewares) {
			h = m(h)
		}
		return a.AddHandler(http.MethodGet, path, h)
	}
	err := add(config.Path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := document()
		if err != nil {
			api.WriteError(w, r, err)
			return
		}
		send(w, "application/json", data)
	}))
	if err != nil {
		return err
	}
	if path, ok := strings.CutSuffix(config.Path, ".json"); ok {
		err := add(path+".yaml", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			data, err := asYAML()
			if err != nil {
				api.WriteError(w, r, err)
				return
			}
			send(w, "application/yaml", data)
		}))
		if err != nil {
			return err
		}
	}
	base := strings.TrimSuffix(config.PagePath, "/")
	pagePath := config.PagePath
	if strings.HasSuffix(pagePath, "/") {
		pagePath += "{$}" // matches that path only
	}
	filled := strings.NewReplacer("{{base}}", htmlAttribute.Replace(a.Prefix()+base), "{{document}}", htmlAttribute.Replace(a.Prefix()+config.Path))
	for _, file := range []struct{ path, name, mediaType string }{
		{pagePath, "index.html", "text/html; charset=UTF-8"},
		{base + "/page.js", "page.js", "text/javascript; charset=utf-8"},
		{base + "/page.css", "page.css", "text/css; charset=utf-8"},
	} {
		data, err := page.ReadFile("page/" + file.name)
		if err != nil {
			return err
		}
		if file.name == "index.html" {
			data = []byte(filled.Replace(string(data)))
		}
		if err := add(file.path, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			secure(w.Header())
			send(w, file.mediaType, data)
		})); err != nil {
			return err
		}
	}
	return nil
}

func send(w http.ResponseWriter, mediaType string, data []byte) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(data)
}

var htmlAttribute = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")

// secure restricts the page to its own files, and to calls of its own site.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
}
