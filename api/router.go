package api

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"

	"github.com/hone-go/hone/internal/http/route"
)

// A Router takes handlers under patterns of net/http.
//
// AddHandler registers h for a method and a path such as "/v1/hosts/{host}", which
// may end in "{name...}" or "{$}"; GET stands for HEAD too. It keeps h. It returns
// an error that names the pattern if the router cannot express it, or has it
// already.
//
// The router calls ServeRoute of a h that is a [RouteHandler], if it keeps path
// values itself or has a way to handle errors, and else ServeHTTP, with the
// decoded path values in the request. A router written for this package alone
// needs nothing but net/http.
type Router interface {
	AddHandler(method, path string, h http.Handler) error
}

// A RouteHandler is what [Handle] and [HandleEvents] give to a [Router].
type RouteHandler interface {
	http.Handler
	// ServeRoute is ServeHTTP with the path values from elsewhere than the
	// request. It returns an error, a [*Problem], instead of answering with it; if
	// the answer has begun when it does so, the error is for the log.
	//
	// path may have more methods, which are then used: BodyLimit() int64, the
	// limit of a body whose operation has none, as [Operation.BodyLimit] is given;
	// FormMemory() int64, how many bytes of a form are kept in memory; Logger()
	// *slog.Logger; and Get(name string) (string, bool), which is PathValue for
	// values that may be empty.
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

// An API is a Router that keeps the descriptions of the handlers that are
// registered by it.
type API struct {
	// Logger is told of panics and of errors behind answers of status 500 and
	// more, where the router has no logger of its own; by default slog.Default().
	// Set it before the first handler is registered.
	Logger *slog.Logger
	// Defaults are what is said of all operations that are registered by the API, and by the
	// groups that are made of it later: tags, errors, security and so on. An operation's own
	// fields count before them; of Tags, Errors, Formats and Middlewares both do. Name,
	// Summary, Description and Status are not taken from here.
	Defaults Operation

	router       Router
	prefix       string             // of the descriptions
	added        string             // to the patterns, before the router gets them
	descriptions []*[]Description   // of this API, and of those that it is a group of
	schemes      map[string]*Scheme // by their names, of all groups
}

// New returns an API on a router.
func New(r Router) *API {
	return &API{router: r, descriptions: []*[]Description{new([]Description)}, schemes: map[string]*Scheme{}}
}

// Group returns a part of the API whose paths begin with a prefix. r is a router
// that adds the prefix itself, such as a Group of package web; without one, nil,
// the API's own router gets the whole path. The group has the API's Logger and Defaults,
// which may be changed in it:
//
//	admin := a.Group("/v1/admin", nil)
//	admin.Defaults.Tags = []string{"admin"}
//	admin.Defaults.Security = []api.Requirement{session.With()}
//
// A group has a document of its own if package api/openapi is given it, such as one for each
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

// Prefix returns what the paths of the API begin with: "" unless it is a [API.Group].
func (a *API) Prefix() string { return a.prefix }

// AddHandler registers a handler. If it is one of [Handle] or [HandleEvents] it
// is described.
func (a *API) AddHandler(method, path string, h http.Handler) error {
	described, ok := h.(interface{ Description() Description })
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

// nameSchemes returns an error if a scheme has the name of another one, whose place in the
// document it would take.
func (a *API) nameSchemes(all []Requirement) error {
	for _, requirement := range all {
		for _, need := range requirement {
			other := a.schemes[need.Scheme.Name]
			if other != nil && !need.Scheme.reads(other) {
				return fmt.Errorf("another security scheme is called %q already", need.Scheme.Name)
			}
			a.schemes[need.Scheme.Name] = need.Scheme
		}
	}
	return nil
}

// Descriptions returns what the handlers of the API and of all its groups say of
// themselves, in the order of registration.
func (a *API) Descriptions() []Description {
	return slices.Clone(*a.descriptions[len(a.descriptions)-1])
}

// A RouteError reports a handler that cannot be registered. [Handle] panics with
// it: such a mistake belongs to set-up.
type RouteError struct {
	Pattern string
	Err     error // the cause; never nil
}

func (e *RouteError) Error() string { return "api: handling " + e.Pattern + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *RouteError) Unwrap() error { return e.Err }

// A Segment is one piece of the path of a pattern: literal text, with its
// slashes, or a parameter.
type Segment struct {
	Literal string // decoded; "" for a parameter
	Name    string // of the parameter
	Rest    bool   // the parameter is the rest of the path, "{name...}"
}

// Segments cuts the path of a pattern, such as "/v1/{host}/{file...}", for routers
// that have other patterns. A final "{$}" is no segment. The error says what is
// wrong with the path.
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

// ServePath answers a request by a handler that AddHandler was given, for routers
// that keep path values themselves: path has them, decoded. One of [Handle] or
// [HandleEvents] asks path for them; any other, or one with middleware, finds those
// of the names in the request.
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
