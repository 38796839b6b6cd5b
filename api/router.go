package api

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/http/route"
	"github.com/hone-go/hone/internal/http/routed"
	"github.com/hone-go/hone/shape"
)

// A Router registers handlers under patterns of net/http.
//
// AddHandler registers h for a method and a path such as "/v1/hosts/{host}", which may
// end in "{name...}" or "{$}". GET includes HEAD. The Router retains h. If it cannot
// express the pattern or already has it, AddHandler returns an error that names the
// pattern.
//
// If h is a [RouteHandler], and the router stores path values itself or can handle
// errors, the router calls h.ServeRoute. Otherwise it calls ServeHTTP, with the decoded
// path values set on the request. A router written for this package needs only net/http.
type Router interface {
	AddHandler(method, path string, h http.Handler) error
}

// A RouteHandler is the type of handler that [Handle] and [HandleEvents] pass to a [Router].
type RouteHandler interface {
	http.Handler
	// ServeRoute is like ServeHTTP, but reads the path values from path, and returns an error,
	// a [*Problem], instead of answering with it. If the answer has begun, the error is only
	// for the log.
	//
	// path may also have these methods:
	//
	//   - BodyLimit() int64 returns the limit of the body if the operation sets none, like
	//     [Operation.BodyLimit].
	//   - FormMemory() int64 returns the number of bytes of a form that are kept in memory.
	//   - Logger() *slog.Logger returns the logger.
	//   - Get(name string) (string, bool) is PathValue for values that may be empty.
	ServeRoute(w http.ResponseWriter, r *http.Request, path interface{ PathValue(name string) string }) error
}

// Mux makes a Router of an http.ServeMux.
func Mux(mux *http.ServeMux) Router { return muxRouter{mux} }

type muxRouter struct{ mux *http.ServeMux }

func (m muxRouter) AddHandler(method, path string, h http.Handler) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("http.ServeMux: %v", v)
		}
	}()
	m.mux.Handle(method+" "+path, h)
	return nil
}

// An API is a Router that keeps the descriptions of the handlers registered through
// it.
type API struct {
	// Logger logs panics, and errors that are answered with a status of 500 or more, if the
	// router has no logger; by default it is slog.Default(). Set it before the first handler is
	// registered.
	Logger *slog.Logger
	// Defaults are options for all operations that are registered through the API, and through
	// groups that are made from it later: tags, errors, security and so on. An operation's own
	// fields take precedence. The Tags, Errors, Formats and Middlewares of an operation are added
	// to the lists in Defaults. Name, Summary, Description and Status are not taken from Defaults.
	Defaults Operation

	router       Router
	prefix       string                      // the prefix of the paths in descriptions
	added        string                      // the prefix of the patterns passed to the router
	descriptions []*[]Description            // the lists of this API and of the APIs that it is a group of
	schemes      map[string]*security.Scheme // the security schemes by name, which all groups share
}

// New returns an API that registers its handlers on a router.
func New(r Router) *API {
	return &API{router: r, descriptions: []*[]Description{new([]Description)}, schemes: map[string]*security.Scheme{}}
}

// Group returns a part of the API whose paths begin with a prefix. r is a router that
// adds the prefix itself, such as a Group of package web. If r is nil, the API's own
// router gets the whole path. The group starts with the API's Logger and Defaults, which
// may be changed in the group:
//
//	admin := a.Group("/v1/admin", nil)
//	admin.Defaults.Tags = []string{"admin"}
//	admin.Defaults.Security = []security.Requirement{session.With()}
//
// Package api/openapi can make a separate document of a group, for example one for each
// version of an API.
func (a *API) Group(prefix string, r Router) *API {
	g := *a
	g.descriptions = append(slices.Clip(g.descriptions), new([]Description))
	g.prefix += prefix
	if r == nil {
		g.added += prefix
	} else {
		g.router, g.added = r, ""
	}
	return &g
}

// Prefix returns the prefix of the API's paths: "" unless the API is a [API.Group].
func (a *API) Prefix() string { return a.prefix }

// A describer is a handler that [Handle] or [HandleEvents] made.
type describer interface{ Description() Description }

// AddHandler registers a handler. If [Handle] or [HandleEvents] made it, the API keeps its
// description.
func (a *API) AddHandler(method, path string, h http.Handler) error {
	described, ok := h.(describer)
	if ok {
		if err := a.nameSchemes(described.Description().Security); err != nil {
			return err
		}
	}
	if err := a.router.AddHandler(method, a.added+path, h); err != nil {
		return err
	}
	if ok {
		d := described.Description()
		d.Path = a.prefix + path
		for _, list := range a.descriptions {
			*list = append(*list, d)
		}
	}
	return nil
}

// nameSchemes records the schemes of requirements by their names. It returns an error if two
// schemes have the same name and different descriptions, since names identify the schemes in the document.
func (a *API) nameSchemes(all []security.Requirement) error {
	for _, requirement := range all {
		for _, need := range requirement {
			other := a.schemes[need.Scheme.Name]
			if other != nil && !need.Scheme.Same(other) {
				return fmt.Errorf("another security scheme already has the name %q", need.Scheme.Name)
			}
			a.schemes[need.Scheme.Name] = need.Scheme
		}
	}
	return nil
}

// Descriptions returns the descriptions of the handlers of the API and of all its groups,
// in the order of registration.
func (a *API) Descriptions() []Description {
	return slices.Clone(*a.descriptions[len(a.descriptions)-1])
}

// A RouteError reports a handler that cannot be registered. [Handle] panics with it,
// because the mistake is in the program.
type RouteError struct {
	Pattern string
	Err     error // the cause; never nil
}

func (e *RouteError) Error() string { return "api: handling " + e.Pattern + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *RouteError) Unwrap() error { return e.Err }

// A Segment is one piece of a pattern's path: literal text with its slashes, or a
// parameter.
type Segment struct {
	Literal string // decoded; "" for a parameter
	Name    string // the name of the parameter
	Rest    bool   // the parameter matches the rest of the path, "{name...}"
}

// Segments splits the path of a pattern, such as "/v1/{host}/{file...}", for routers with
// another syntax. A final "{$}" is not a segment. The error describes a mistake in the
// path.
func Segments(path string) ([]Segment, error) {
	parts, err := route.ParseHTTP(path)
	if err != nil {
		return nil, err
	}
	segments := make([]Segment, len(parts))
	for i, p := range parts {
		if p.Kind == route.Literal {
			segments[i].Literal = p.Text
		} else {
			segments[i] = Segment{Name: p.Text, Rest: p.Kind == route.Rest}
		}
	}
	return segments, nil
}

// ServePath answers a request with a handler passed to AddHandler. It is for routers that
// store path values themselves: path returns them, decoded. A handler made by [Handle] or
// [HandleEvents] reads them from path. For other handlers, and for handlers inside
// middleware, ServePath sets the values of the given names on the request.
func ServePath(w http.ResponseWriter, r *http.Request, h http.Handler, names []string, path interface{ PathValue(name string) string }) {
	if t, ok := h.(*handler); ok {
		x := exchange{w, r, path, t.log}
		if begun, err := t.serve(x); err != nil {
			x.fail(err, begun)
		}
		return
	}
	for _, name := range names {
		r.SetPathValue(name, path.PathValue(name))
	}
	h.ServeHTTP(w, r)
}

// A Description describes a handler. The API's document is generated from Descriptions.
type Description struct {
	Method string
	Path   string // the path of the pattern, with the prefixes of the API's groups
	Operation
	In  reflect.Type
	Out reflect.Type // nil for a stream of events
	// Answers describe the successful answers: one Answer for Out, or one for each type of a union
	// of structs with different statuses. A stream of events has none.
	Answers []Answer
	// Takes are the media types of the request body, the preferred one first. It is empty if
	// there is no body, and "*/*" if any type is accepted.
	Takes []string
	// Sends are the media types of the answer, the default first. It is empty if the answer
	// has no content.
	Sends []string
	// TakesElements and SendsElements are the types of the elements if the body or the answer
	// is [Elements]; else nil.
	TakesElements, SendsElements reflect.Type
	// TakesBytes reports whether the body is an io.Reader.
	TakesBytes bool
}

// An Answer describes one type of a successful answer.
type Answer struct {
	Statuses []int
	// Type is Out, or one of its types if Out is a union of structs with different statuses.
	Type reflect.Type
	// Body is the type of the content; nil if there is no content.
	Body reflect.Type
	// Sends are the media types of the content, the default first.
	Sends []string
	// Elements is the type of the elements if the content is [Elements].
	Elements reflect.Type
	// Fields are the header fields and the cookies that the answer may have.
	Fields []shape.Param
}

// A requestPath returns the path values that the router has set on the request.
type requestPath http.Request

func (p *requestPath) Get(name string) (string, bool) {
	v := (*http.Request)(p).PathValue(name)
	return v, v != ""
}

// A pathFunc is a bind.Lookup for any type with a method PathValue.
type pathFunc struct {
	path routed.Path
}

func (p pathFunc) Get(name string) (string, bool) {
	v := p.path.PathValue(name)
	return v, v != ""
}

// A rawPath is a bind.RawLookup: it finds the values of lists in the escaped path of the request.
type rawPath struct {
	bind.Lookup
	r *http.Request
	// after has the number of slashes in the pattern after each list.
	after map[string]int
}

// GetRaw returns the escaped value. It is the segment of the path that the pattern determines, or, if
// the path was changed after routing, the value with all its commas as separators.
func (p rawPath) GetRaw(name string) (string, bool) {
	value, ok := p.Get(name)
	segments := strings.Split(p.r.URL.EscapedPath(), "/")
	if i := len(segments) - 1 - p.after[name]; i >= 0 {
		if plain, err := url.PathUnescape(segments[i]); err == nil && plain == value {
			return segments[i], ok
		}
	}
	return strings.ReplaceAll(url.PathEscape(value), "%2C", ","), ok
}

// pathValues returns the path values for package bind. For the routers of net/http and package web it allocates
// nothing.
func (x *exchange) pathValues() bind.Lookup {
	switch path := x.path.(type) {
	case *http.Request:
		return (*requestPath)(path)
	case bind.Lookup:
		return path
	}
	return pathFunc{x.path}
}
