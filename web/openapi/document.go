// Package openapi describes an API in OpenAPI 3.1 from the types of its typed
// handlers, and serves the document with a page that shows it.
//
//	openapi.Serve(e, openapi.Config{Title: "Pulse", Version: "1.2"})
//
// The document is at /openapi.json and the page, which needs no other site, at
// /docs. Names, types and limits come from the structs that the handlers read
// and write; a tag doc:"…" describes a field, and a [web.Operation] its
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

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/web"
)

// Config is what the document says of the API as a whole.
type Config struct {
	Title       string // default "API"
	Version     string // of the API; default "0"
	Description string // in Markdown
	Servers     []string

	// Routes describes routes whose handlers are not typed, by method and path
	// as they were registered: "GET /v1/live".
	Routes map[string]Route
	// Hidden leaves a route out. By default those are left out that match no
	// method of their own, and the document itself.
	Hidden func(web.RouteInfo) bool

	// Path of the document; default "/openapi.json".
	Path string
	// PagePath is where the page is; default "/docs".
	PagePath string
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

// Describe returns the document of the routes that e has now.
func Describe(e *web.Echo, config Config) *Document {
	if config.Title == "" {
		config.Title = "API"
	}
	if config.Version == "" {
		config.Version = "0"
	}
	doc := &Document{
		OpenAPI: "3.1.1",
		Info:    Info{Title: config.Title, Version: config.Version, Description: config.Description},
		Paths:   map[string]map[string]*Operation{},
	}
	for _, url := range config.Servers {
		doc.Servers = append(doc.Servers, Server{url})
	}
	c := &schemas{components: map[string]*Schema{}, names: map[reflect.Type]string{}}
	problem := c.of(reflect.TypeFor[web.Problem]())
	ids := map[string]bool{}
	routes := slices.Clone(e.Router().Routes())
	slices.SortFunc(routes, func(a, b web.RouteInfo) int { return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method) })
	for _, route := range routes {
		if !documented[route.Method] || config.Hidden != nil && config.Hidden(route) {
			continue
		}
		path := pathOf(route)
		op := &Operation{Responses: map[string]*Response{}}
		if typed, ok := route.Typed(); ok {
			c.typed(op, route, typed, problem)
		} else {
			about := config.Routes[route.Method+" "+route.Path]
			op.Summary, op.Description, op.Tags = about.Summary, about.Description, about.Tags
			answer := &Response{Description: "An answer of the service's own form."}
			if about.ContentType != "" {
				answer.Content = map[string]Media{about.ContentType: {Schema: &Schema{Type: "string"}}}
			}
			op.Responses["default"] = answer
			for _, name := range route.Parameters {
				op.Parameters = append(op.Parameters, &Parameter{Name: paramName(name), In: "path", Required: true, Schema: &Schema{Type: "string"}})
			}
		}
		op.OperationID = idOf(route, path, ids)
		if doc.Paths[path] == nil {
			doc.Paths[path] = map[string]*Operation{}
		}
		doc.Paths[path][strings.ToLower(route.Method)] = op
	}
	doc.Components.Schemas = c.components
	return doc
}

// documented are the methods that a path item has a place for.
var documented = map[string]bool{
	http.MethodGet: true, http.MethodPut: true, http.MethodPost: true, http.MethodDelete: true,
	http.MethodOptions: true, http.MethodHead: true, http.MethodPatch: true, http.MethodTrace: true,
}

// pathOf returns the route's path with its parameters in braces.
func pathOf(route web.RouteInfo) string {
	var b strings.Builder
	next := 0
	for i := 0; i < len(route.Path); i++ {
		switch c := route.Path[i]; {
		case c == '\\' && i+1 < len(route.Path) && route.Path[i+1] == ':':
			b.WriteByte(':')
			i++
		case (c == ':' || c == '*') && next < len(route.Parameters):
			b.WriteString("{" + paramName(route.Parameters[next]) + "}")
			next++
			for i+1 < len(route.Path) && route.Path[i+1] != '/' {
				i++
			}
		default:
			b.WriteByte(c)
		}
	}
	if !strings.HasPrefix(b.String(), "/") {
		return "/" + b.String()
	}
	return b.String()
}

// paramName names a parameter; the rest of a path has no name of its own.
func paramName(name string) string {
	if name == "*" {
		return "rest"
	}
	return name
}

// idOf returns the operation's identifier: the route's name if it was given
// one, else the method and the path as one word.
func idOf(route web.RouteInfo, path string, taken map[string]bool) string {
	id := route.Name
	if id == "" || id == route.Method+":"+route.Path || strings.ContainsAny(id, " /:{}") {
		var b strings.Builder
		b.WriteString(strings.ToLower(route.Method))
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

// typed describes the operation of a typed handler.
func (c *schemas) typed(op *Operation, route web.RouteInfo, typed web.Typed, problem *Schema) {
	about := typed.Operation
	op.Summary, op.Description, op.Tags, op.Deprecated = about.Summary, about.Description, about.Tags, about.Deprecated
	in := input{schemas: c}
	in.read(typed.In)
	op.Parameters = in.params
	// A parameter of the path that the handler does not ask for is there too.
	for _, name := range route.Parameters {
		if !in.has("path", paramName(name)) {
			op.Parameters = append(op.Parameters, &Parameter{Name: paramName(name), In: "path", Required: true, Schema: &Schema{Type: "string"}})
		}
	}
	hasBody := route.Method != http.MethodGet && route.Method != http.MethodHead
	switch {
	case in.form != nil:
		op.RequestBody = &RequestBody{Content: map[string]Media{web.MIMEMultipartForm: {Schema: in.form}}}
		if !in.files {
			op.RequestBody.Content[web.MIMEApplicationForm] = Media{Schema: in.form}
		}
	case typed.TakesBytes:
		op.RequestBody = &RequestBody{Required: typed.BytesTypes != nil, Content: map[string]Media{}}
		for _, mediaType := range typed.BytesTypes {
			op.RequestBody.Content[mediaType] = Media{}
		}
		if typed.BytesTypes == nil {
			op.RequestBody.Content["*/*"] = Media{}
		}
	case typed.TakesElements != nil:
		op.RequestBody = &RequestBody{Required: true, Content: c.elements(typed.TakesElements)}
	case in.body != nil:
		op.RequestBody = &RequestBody{Required: in.required, Content: formats(c.of(in.body), typed.TakesWire)}
	case !in.tagged && hasBody && !empty(typed.In):
		op.RequestBody = &RequestBody{Required: true, Content: formats(c.of(typed.In), typed.TakesWire)}
	}
	status := about.Status
	if typed.Events {
		op.Responses["200"] = &Response{Description: "A stream of events.", Content: map[string]Media{"text/event-stream": {Schema: &Schema{Type: "string"}}}}
	} else if typed.Out == contentType {
		op.Responses[strconv.Itoa(cmp.Or(status, http.StatusOK))] = &Response{
			Description: "Sent while it is read.", Content: map[string]Media{cmp.Or(about.ContentType, web.MIMEOctetStream): {}},
		}
	} else if typed.SendsElements != nil {
		op.Responses[strconv.Itoa(cmp.Or(status, http.StatusOK))] = &Response{
			Description: "Elements, sent while they are made: an array, or one a line.", Content: c.elements(typed.SendsElements),
		}
	} else if empty(typed.Out) {
		if status == 0 {
			status = http.StatusNoContent
		}
		op.Responses[strconv.Itoa(status)] = &Response{Description: http.StatusText(status)}
	} else {
		if status == 0 {
			status = http.StatusOK
		}
		op.Responses[strconv.Itoa(status)] = &Response{
			Description: http.StatusText(status), Content: formats(c.of(typed.Out), typed.SendsWire),
		}
	}
	op.Responses["default"] = &Response{Description: "What went wrong (RFC 9457).", Content: map[string]Media{"application/problem+json": {Schema: problem}}}
}

func empty(t reflect.Type) bool { return t.Kind() == reflect.Struct && t.NumField() == 0 }

// formats lists the media types that a typed handler speaks.
func formats(s *Schema, wire bool) map[string]Media {
	out := map[string]Media{web.MIMEApplicationJSON: {Schema: s}}
	if wire {
		out[web.MIMEApplicationWire] = Media{}
	}
	return out
}

var contentType = reflect.TypeFor[web.Content]()

// elements lists the media types of a sequence: an array, or one value a line,
// which a schema cannot describe.
func (c *schemas) elements(t reflect.Type) map[string]Media {
	return map[string]Media{
		web.MIMEApplicationJSON:   {Schema: &Schema{Type: "array", Items: c.of(t)}},
		web.MIMEApplicationNDJSON: {},
	}
}

// An input gathers what a handler's input type says.
type input struct {
	*schemas
	params   []*Parameter
	body     reflect.Type // of the field for it
	required bool         // the body is
	form     *Schema
	files    bool
	tagged   bool // some field says where it comes from
}

// read gathers the fields of t. A parameter that several fields take is listed
// once.
func (in *input) read(t reflect.Type) {
	s := shape.Of(t)
	if s.Kind != shape.Struct {
		return
	}
	request := s.Request()
	in.tagged = len(request.Params) > 0 || len(request.Bodies) > 0
	for _, body := range request.Bodies {
		in.body = body.Field.Shape.Type
		in.required = in.body.Kind() != reflect.Func && !optional(body.Field.Shape)
	}
	for i := range request.Params {
		p := &request.Params[i]
		schema := in.withoutNull(p.Field)
		if p.Source == shape.FromForm {
			if in.form == nil {
				in.form = &Schema{Type: "object", Properties: map[string]*Schema{}}
			}
			in.form.Properties[p.Name] = schema
			in.files = in.files || isFile(p.Field.Shape.Type)
			continue
		}
		if in.has(string(p.Source), p.Name) {
			continue
		}
		in.params = append(in.params, &Parameter{Name: p.Name, In: string(p.Source),
			Description: schema.Description, Required: p.Source == shape.FromPath, Schema: schema})
		schema.Description = ""
	}
}

func (in *input) has(source, name string) bool {
	return slices.ContainsFunc(in.params, func(p *Parameter) bool { return p.In == source && p.Name == name })
}

// withoutNull is the schema of a parameter, which is there or not, but never
// null.
func (in *input) withoutNull(f *shape.Field) *Schema {
	s := in.field(f)
	if several, ok := s.Type.([]string); ok {
		s.Type = several[0]
		s.Enum = slices.DeleteFunc(s.Enum, func(v any) bool { return v == nil })
	}
	if len(s.AnyOf) == 2 {
		s.AnyOf[0].Description = s.Description
		s = s.AnyOf[0]
	}
	return s
}

func isFile(t reflect.Type) bool {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t == fileType
}

// JSON returns the document as indented JSON.
func (d *Document) JSON() ([]byte, error) {
	out, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return append(out, '\n'), nil
}
