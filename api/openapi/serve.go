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

// Serve registers the document and the page that shows it. The document is generated when it is first
// requested. Handlers that are registered later are not in the document. If Config.Path or Config.Path30
// ends in .json, the same document is also served as YAML, at the path that ends in .yaml instead. Serve
// returns an error if one of these paths is already registered, and if config has a mistake; see [Describe].
func Serve(a *api.API, config Config) error {
	if err := config.check(); err != nil {
		return err
	}
	config.Path = cmp.Or(config.Path, "/openapi.json")
	config.PagePath = cmp.Or(config.PagePath, "/docs")
	described := sync.OnceValue(func() *Document { return Describe(a, config) })
	described30 := sync.OnceValue(func() *Document { return described().Version30() })
	add := func(path string, h http.Handler) error {
		for _, m := range slices.Backward(config.Middlewares) {
			h = m(h)
		}
		return a.AddHandler(http.MethodGet, path, h)
	}
	addDocument := func(path string, document func() *Document) error {
		err := add(path, rendered("application/json", func() ([]byte, error) { return document().JSON() }))
		if name, ok := strings.CutSuffix(path, ".json"); ok && err == nil {
			err = add(name+".yaml", rendered("application/yaml", func() ([]byte, error) { return document().YAML() }))
		}
		return err
	}
	if err := addDocument(config.Path, described); err != nil {
		return err
	}
	if config.Path30 != "" {
		if err := addDocument(config.Path30, described30); err != nil {
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

// rendered returns a handler that answers with a document. It calls render once.
func rendered(mediaType string, render func() ([]byte, error)) http.Handler {
	render = sync.OnceValues(render)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := render()
		if err != nil {
			api.WriteError(w, r, err)
			return
		}
		send(w, mediaType, data)
	})
}

func send(w http.ResponseWriter, mediaType string, data []byte) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(data)
}

var htmlAttribute = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")

// secure restricts the page to the files and calls of its own origin.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
}
