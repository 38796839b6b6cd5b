// Package openapi describes an API in OpenAPI 3.1 from the types of its typed
// handlers, and serves the document with a page that shows it.
//
//	a := api.New(e) // e is a web.Echo, or any other api.Router
//	api.Handle(a, "GET /v1/hosts/{host}", …)
//	openapi.Serve(a, openapi.Config{Title: "Pulse", Version: "1.2"})
//
// The document is at /openapi.json and the page, which needs no other site, at
// /docs. Names, types and limits come from the structs that the handlers read
// and write; a tag doc:"…" describes a field, and an [api.Operation] its
// operation.
package openapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hone-go/hone/api"
)

// Config is what the document says of the API as a whole.
type Config struct {
	Title       string // default "API"
	Version     string // of the API; default "0"
	Description string // in Markdown
	Servers     []string

	// Routes adds routes whose handlers are not typed, by pattern: "GET /v1/live".
	Routes map[string]Route
	// Hidden leaves an operation out.
	Hidden func(api.Description) bool

	// Path of the document; default "/openapi.json".
	Path string
	// PagePath is where the page is; default "/docs".
	PagePath string
	// Middlewares run around the document, the page and its files, the first
	// outermost, for example to restrict access.
	Middlewares []func(http.Handler) http.Handler
}

// A Route describes a route whose handler is not typed.
type Route struct {
	Summary, Description string
	Tags                 []string
	ContentType          string // of the answer, such as "text/event-stream"
}

// A Document is an OpenAPI 3.1 document
// (https://spec.openapis.org/oas/v3.1.1.html), as far as this package writes it.
type Document struct {
	OpenAPI    string                           `json:"openapi"`
	Info       Info                             `json:"info"`
	Servers    []Server                         `json:"servers,omitempty"`
	Paths      map[string]map[string]*Operation `json:"paths"` // by path and lower-case method
	Components Components                       `json:"components"`
}

// Info says what the document is about.
type Info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description,omitempty"`
}

// A Server is where the API is.
type Server struct {
	URL string `json:"url"`
}

// Components are the schemas that others refer to.
type Components struct {
	Schemas map[string]*Schema `json:"schemas"`
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
}

// A Parameter is a part of the path, the query, the header or a cookie.
type Parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description,omitempty"`
	Required    bool    `json:"required,omitempty"`
	Schema      *Schema `json:"schema"`
}

// A RequestBody is what an operation reads.
type RequestBody struct {
	Required bool             `json:"required,omitempty"`
	Content  map[string]Media `json:"content"` // by media type
}

// Media is a body in one format.
type Media struct {
	Schema *Schema `json:"schema,omitempty"`
}

// A Response is an answer of one status.
type Response struct {
	Description string           `json:"description"`
	Content     map[string]Media `json:"content,omitempty"`
}

// Describe returns the document of the handlers that the API has now.
func Describe(a *api.API, config Config) *Document {
	doc := &Document{
		OpenAPI: "3.1.1",
		Info:    Info{Title: cmp.Or(config.Title, "API"), Version: cmp.Or(config.Version, "0"), Description: config.Description},
		Paths:   map[string]map[string]*Operation{},
	}
	for _, url := range config.Servers {
		doc.Servers = append(doc.Servers, Server{url})
	}
	c := &schemas{components: map[string]*Schema{}, names: map[reflect.Type]string{}}
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
	for _, d := range all {
		if !documented[d.Method] || config.Hidden != nil && config.Hidden(d) {
			continue
		}
		path := pathOf(d.Path)
		op := c.operation(d, problem)
		op.OperationID = idOf(d, path, ids)
		if doc.Paths[path] == nil {
			doc.Paths[path] = map[string]*Operation{}
		}
		doc.Paths[path][strings.ToLower(d.Method)] = op
	}
	doc.Components.Schemas = c.components
	return doc
}

// documented are the methods that a path item has a place for.
var documented = map[string]bool{
	http.MethodGet: true, http.MethodPut: true, http.MethodPost: true, http.MethodDelete: true,
	http.MethodOptions: true, http.MethodHead: true, http.MethodPatch: true, http.MethodTrace: true,
}

// pathOf returns the path of a pattern as a document writes it.
func pathOf(pattern string) string {
	return strings.TrimSuffix(strings.ReplaceAll(pattern, "...}", "}"), "{$}")
}

// idOf returns the operation's identifier: the name if it was given one, else
// the method and the path as one word.
func idOf(d api.Description, path string, taken map[string]bool) string {
	id := d.Name
	if id == "" || strings.ContainsAny(id, " /:{}") {
		var b strings.Builder
		b.WriteString(strings.ToLower(d.Method))
		for word := range strings.FieldsFuncSeq(path, func(r rune) bool {
			return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
		id = b.String()
	}
	for base, n := id, 2; taken[id]; n++ {
		id = base + strconv.Itoa(n)
	}
	taken[id] = true
	return id
}

// operation describes the operation of a handler, or of a route without a typed
// one, which has no In.
func (c *schemas) operation(d api.Description, problem *Schema) *Operation {
	op := &Operation{
		Summary: d.Summary, Description: d.Operation.Description, Tags: d.Tags, Deprecated: d.Deprecated,
		Responses: map[string]*Response{},
	}
	in := input{schemas: c}
	if d.In != nil {
		in.read(d.In)
	}
	op.Parameters = in.params
	// A parameter of the path that the handler does not ask for is there too.
	segments, _ := api.Segments(d.Path)
	for _, s := range segments {
		if s.Name != "" && !in.has("path", s.Name) {
			op.Parameters = append(op.Parameters, &Parameter{Name: s.Name, In: "path", Required: true, Schema: &Schema{Type: "string"}})
		}
	}
	if d.In == nil {
		op.Responses["default"] = &Response{Description: "An answer of the service's own form.", Content: text(d.Sends)}
		return op
	}
	op.RequestBody = c.requestBody(d, &in)
	status, answer := c.response(d)
	op.Responses[strconv.Itoa(status)] = answer
	op.Responses["default"] = &Response{Description: "What went wrong (RFC 9457).", Content: map[string]Media{api.MediaTypeProblem: {Schema: problem}}}
	return op
}

// requestBody describes the body that a handler takes; nil for none.
func (c *schemas) requestBody(d api.Description, in *input) *RequestBody {
	switch {
	case len(d.Takes) == 0:
		return nil
	case in.form != nil:
		return &RequestBody{Content: media(d.Takes, in.form, true)}
	case d.TakesBytes:
		return &RequestBody{Required: d.Takes[0] != "*/*", Content: media(d.Takes, nil, false)}
	case d.TakesElements != nil:
		return &RequestBody{Required: true, Content: media(d.Takes, c.array(d.TakesElements), false)}
	case in.body != nil:
		return &RequestBody{Required: in.required, Content: media(d.Takes, c.of(in.body), false)}
	}
	return &RequestBody{Required: true, Content: media(d.Takes, c.of(d.In), false)}
}

// response describes a handler's answer, and its status.
func (c *schemas) response(d api.Description) (status int, r *Response) {
	status = cmp.Or(d.Status, http.StatusOK)
	switch {
	case d.Out == nil:
		return http.StatusOK, &Response{Description: "A stream of events.", Content: text(d.Sends)}
	case d.Out == contentType:
		return status, &Response{Description: "Sent while it is read.", Content: media(d.Sends, nil, false)}
	case d.SendsElements != nil:
		return status, &Response{
			Description: "Elements, sent while they are made: an array, or one a line.", Content: media(d.Sends, c.array(d.SendsElements), false),
		}
	case len(d.Sends) == 0:
		status = cmp.Or(d.Status, http.StatusNoContent)
		return status, &Response{Description: http.StatusText(status)}
	}
	return status, &Response{Description: http.StatusText(status), Content: media(d.Sends, c.of(d.Out), false)}
}

var contentType = reflect.TypeFor[api.Content]()

// media lists media types. A schema describes JSON, which is the first, or all
// kinds of forms.
func media(types []string, s *Schema, all bool) map[string]Media {
	out := map[string]Media{}
	for i, t := range types {
		out[t] = Media{}
		if all || i == 0 {
			out[t] = Media{Schema: s}
		}
	}
	return out
}

// text lists the media type of an answer that is text, if there is one.
func text(types []string) map[string]Media {
	if types[0] == "" {
		return nil
	}
	return map[string]Media{types[0]: {Schema: &Schema{Type: "string"}}}
}

func (c *schemas) array(elem reflect.Type) *Schema {
	return &Schema{Type: "array", Items: c.of(elem)}
}

// JSON returns the document as indented JSON.
func (d *Document) JSON() ([]byte, error) {
	out, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return append(out, '\n'), nil
}
