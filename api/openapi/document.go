// Package openapi generates an OpenAPI document (3.1, 3.2 or 3.0) of an API from the types of its
// typed handlers, and serves the document with a page that shows it.
//
//	a := api.New(e) // e is a web.Echo, or any other api.Router
//	api.Handle(a, "GET /v1/hosts/{host}", …)
//	openapi.Serve(a, openapi.Config{Title: "Pulse", Version: "1.2"})
//
// The document is served at /openapi.json. The page is served at /docs and loads nothing
// from other sites. Names, types and limits come from the structs that the handlers read
// and write. A tag doc:"…" describes a field, and an [api.Operation] its operation.
package openapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/hone-go/hone/api"
)

// Config holds the parts of the document that concern the whole API.
type Config struct {
	Title       string   // the title of the API; default "API"
	Version     string   // the version of the API; default "0"
	Description string   // in Markdown
	Servers     []string // the addresses of the API; default "/", which is the host of the document

	// OpenAPI is the version of OpenAPI: "3.1", which is the default, or "3.2" for tools that know it. See
	// [Document.Version32].
	OpenAPI string
	// Self is the URI of the document, which may be relative; it has no fragment. Only OpenAPI 3.2 has a place for it
	// ($self).
	Self string

	// Routes adds routes whose handlers are not typed, by pattern: "GET /v1/live".
	Routes map[string]Route
	// Hidden reports whether an operation is omitted.
	Hidden func(api.Description) bool

	// Path is the path of the document; default "/openapi.json".
	Path string
	// Path30 is the path of the document in OpenAPI 3.0, for tools that do not know 3.1, such as
	// "/openapi-3.0.json". By default there is none.
	Path30 string
	// PagePath is the path of the page; default "/docs".
	PagePath string
	// Edit changes the document before it is served, to add parts that the handlers do not
	// determine: a licence, descriptions of tags, extensions. Describe calls it too.
	Edit func(*Document)
	// Middlewares run around the document, the page and its files, the first
	// outermost, for example to restrict access.
	Middlewares []func(http.Handler) http.Handler
}

// A Route describes a route whose handler is not typed.
type Route struct {
	Summary, Description string
	Tags                 []string
	ContentType          string // the media type of the answer, such as "text/event-stream"
}

// A Document is an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1.html),
// restricted to the parts that this package writes. [Document.Version32] and [Document.Version30]
// return documents of other versions.
type Document struct {
	OpenAPI    string              `json:"openapi"`
	Self       string              `json:"$self,omitempty"` // the URI of the document; only in OpenAPI 3.2
	Info       Info                `json:"info"`
	Servers    []Server            `json:"servers,omitempty"`
	Tags       []Tag               `json:"tags,omitempty"` // the tags of operations, in alphabetical order
	Paths      map[string]PathItem `json:"paths"`
	Components Components          `json:"components"`
	// Security is empty: each operation has its own.
	Security []Requirement `json:"security"`
}

// A Tag groups operations.
type Tag struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// A Requirement is a set of security schemes that are needed together. It maps their
// names to the scopes needed.
type Requirement map[string][]string

// Info describes the API.
type Info struct {
	Title       string   `json:"title"`
	Version     string   `json:"version"`
	Description string   `json:"description,omitempty"`
	License     *License `json:"license,omitempty"`
}

// A License is the licence of the API.
type License struct {
	Name       string `json:"name"`
	Identifier string `json:"identifier,omitempty"` // an SPDX identifier
	URL        string `json:"url,omitempty"`
}

// A Server is an address of the API.
type Server struct {
	URL string `json:"url"`
}

// Components are the parts of the document that other parts refer to.
type Components struct {
	Schemas         map[string]*Schema         `json:"schemas"`
	SecuritySchemes map[string]*SecurityScheme `json:"securitySchemes,omitempty"`
}

// An Operation is one method of one path.
type Operation struct {
	OperationID string               `json:"operationId"`
	Summary     string               `json:"summary,omitempty"`
	Description string               `json:"description,omitempty"`
	Tags        []string             `json:"tags,omitempty"`
	Deprecated  bool                 `json:"deprecated,omitempty"`
	Parameters  []*Parameter         `json:"parameters,omitempty"`
	RequestBody *RequestBody         `json:"requestBody,omitempty"`
	Responses   map[string]*Response `json:"responses"` // by status, and "default"
	// Security lists requirements. A request must meet one of them. It is nil if anyone may call
	// the operation.
	Security []Requirement `json:"security,omitempty"`
	// UnknownParameters is "refused" if the operation refuses parameters of the query that
	// are not listed.
	UnknownParameters string `json:"x-unknown-parameters,omitempty"`
}

// A Parameter is a part of the path, the query, the header or a cookie.
type Parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description,omitempty"`
	Required    bool    `json:"required,omitempty"`
	Style       string  `json:"style,omitempty"`
	Explode     *bool   `json:"explode,omitempty"`
	Schema      *Schema `json:"schema"`
}

// A RequestBody describes the body of an operation's requests.
type RequestBody struct {
	Required bool             `json:"required,omitempty"`
	Content  map[string]Media `json:"content"` // by media type
}

// JSON returns the media type of a body in JSON, and its schema: application/json if the body has it, else the
// first media type in alphabetical order that ends in +json, else "" and nil.
func (b *RequestBody) JSON() (mediaType string, schema *Schema) {
	for t, media := range b.Content {
		if t == "application/json" {
			return t, media.Schema
		}
		if strings.HasSuffix(t, "+json") && (mediaType == "" || t < mediaType) {
			mediaType, schema = t, media.Schema
		}
	}
	return mediaType, schema
}

// Media is a body in one format.
type Media struct {
	Schema *Schema `json:"schema,omitempty"`
	// ItemSchema describes an element of a stream, such as an event or a line; only in OpenAPI 3.2.
	ItemSchema *Schema `json:"itemSchema,omitempty"`
	// Events maps the names of server-sent events to the types of their data, which is JSON.
	// Schema allows all of these types. In OpenAPI 3.2, ItemSchema describes the events instead.
	Events map[string]*Schema `json:"x-events,omitempty"`
}

// A Response describes the answers of one status.
type Response struct {
	Description string             `json:"description"`
	Headers     map[string]*Header `json:"headers,omitempty"`
	Content     map[string]Media   `json:"content,omitempty"`
}

// A Header describes a header field of a response.
type Header struct {
	Description string  `json:"description,omitempty"`
	Required    bool    `json:"required,omitempty"`
	Schema      *Schema `json:"schema"`
}

// check returns a mistake in the configuration.
func (config *Config) check() error {
	is32 := config.OpenAPI == "3.2"
	switch uri, err := url.Parse(config.Self); {
	case config.OpenAPI != "" && config.OpenAPI != "3.1" && !is32:
		return fmt.Errorf("openapi: Config.OpenAPI must be 3.1 or 3.2, not %q", config.OpenAPI)
	case config.Self != "" && !is32:
		return errors.New("openapi: Config.Self needs OpenAPI 3.2")
	case err != nil || uri.Fragment != "" || strings.Contains(config.Self, "#"):
		return fmt.Errorf("openapi: Config.Self must be a URI without a fragment, not %q", config.Self)
	}
	for _, pattern := range slices.Sorted(maps.Keys(config.Routes)) {
		method, path, _ := strings.Cut(pattern, " ")
		if method == "" || method != strings.ToUpper(method) || !strings.HasPrefix(path, "/") {
			return fmt.Errorf("openapi: Config.Routes: the pattern %q must be a method, a space and a path", pattern)
		}
	}
	return nil
}

// Describe returns the document of the handlers registered so far. It panics if config has a mistake: another version
// of OpenAPI, a Self that is not a URI, or a pattern of Routes that is not a method in capital letters and a path.
func Describe(a *api.API, config Config) *Document {
	if err := config.check(); err != nil {
		panic(err)
	}
	doc := &Document{
		OpenAPI: "3.1.1",
		Info:    Info{Title: cmp.Or(config.Title, "API"), Version: cmp.Or(config.Version, "0"), Description: config.Description},
		Paths:   map[string]PathItem{}, Security: []Requirement{},
	}
	if config.Servers == nil {
		config.Servers = []string{"/"}
	}
	for _, address := range config.Servers {
		doc.Servers = append(doc.Servers, Server{address})
	}
	c := newSchemas()
	problem := c.of(reflect.TypeFor[api.Problem]())
	all := a.Descriptions()
	for pattern, about := range config.Routes {
		method, path, _ := strings.Cut(pattern, " ")
		all = append(all, api.Description{
			Method: method, Path: path, Sends: []string{about.ContentType},
			Operation: api.Operation{Summary: about.Summary, Description: about.Description, Tags: about.Tags},
		})
	}
	slices.SortFunc(all, func(a, b api.Description) int {
		return cmp.Or(strings.Compare(pathOf(a.Path), pathOf(b.Path)), strings.Compare(a.Method, b.Method))
	})
	ids := map[string]bool{}
	tags := map[string]bool{}
	for _, d := range all {
		if config.Hidden != nil && config.Hidden(d) {
			continue
		}
		path := pathOf(d.Path)
		op := c.operation(d, problem)
		op.OperationID = idOf(d, path, ids)
		op.Summary = cmp.Or(d.Summary, summaryOf(d, path))
		for _, tag := range d.Tags {
			tags[tag] = true
		}
		if doc.Paths[path] == nil {
			doc.Paths[path] = PathItem{}
		}
		doc.Paths[path][keyOf(d.Method)] = op
	}
	doc.Components.Schemas = c.components
	if len(c.security) > 0 {
		doc.Components.SecuritySchemes = c.security
	}
	for _, tag := range slices.Sorted(maps.Keys(tags)) {
		doc.Tags = append(doc.Tags, Tag{Name: tag})
	}
	if config.OpenAPI == "3.2" {
		doc = doc.Version32()
		doc.Self = config.Self
	}
	if config.Edit != nil {
		config.Edit(doc)
	}
	return doc
}

// pathOf returns the path of a pattern in OpenAPI's syntax.
func pathOf(pattern string) string {
	return strings.TrimSuffix(strings.ReplaceAll(pattern, "...}", "}"), "{$}")
}

// JSON returns the document as indented JSON.
func (d *Document) JSON() ([]byte, error) {
	out, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return append(out, '\n'), nil
}
