package web

import (
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"sync/atomic"

	"github.com/hone-go/hone/internal/http/body"
)

// A HandlerFunc answers a request. An error that it returns passes through the
// middleware around it and, if no middleware handles it, to the [HTTPErrorHandler].
type HandlerFunc func(c *Context) error

// A MiddlewareFunc wraps a handler. It is called when a chain is compiled, not
// for each request. Work that depends only on the configuration belongs outside
// the HandlerFunc that it returns.
type MiddlewareFunc func(next HandlerFunc) HandlerFunc

// A MiddlewareConfigurator creates middleware from a configuration. The error
// describes a mistake in the configuration.
type MiddlewareConfigurator interface {
	ToMiddleware() (MiddlewareFunc, error)
}

// A Validator checks a bound value; see [Context.Validate].
type Validator interface {
	Validate(i any) error
}

// Echo is the framework: a router, the middleware around it, and the components
// that a [Context] uses. It is an http.Handler.
//
// The fields may be set before the first request is served.
type Echo struct {
	Binder           Binder
	Filesystem       fs.FS
	Renderer         Renderer
	Validator        Validator
	JSONSerializer   JSONSerializer
	IPExtractor      IPExtractor
	SchemeExtractor  SchemeExtractor
	OnAddRoute       func(route Route) error
	HTTPErrorHandler HTTPErrorHandler
	Logger           *slog.Logger

	routeMethods
	router         Router
	tree           *DefaultRouter // the router if it is a *DefaultRouter, else nil
	group404       bool
	unescapeStatic bool
	dotFiles       bool
	formMemory     int64
	bodyLimit      int64
	trusted        *ipChecker
	hosts          map[string]*Echo // only for NewVirtualHostHandler

	mu   sync.Mutex // guards the fields below, which Use and Pre change
	pre  []MiddlewareFunc
	use  []MiddlewareFunc
	runs atomic.Pointer[chains] // nil until the next request compiles the chains

	reuse    bool
	contexts sync.Pool // not used if Contexts are not reused
}

// A Config configures an Echo. The zero value is the default.
type Config struct {
	// Logger is the default of Context.Logger; by default it writes JSON to
	// standard output.
	Logger *slog.Logger
	// HTTPErrorHandler answers errors; by default DefaultHTTPErrorHandler(false).
	HTTPErrorHandler HTTPErrorHandler
	// Router finds the handlers; by default a DefaultRouter in which a later
	// route replaces an earlier one.
	Router Router
	// OnAddRoute is called before each route is registered and may refuse it.
	OnAddRoute func(route Route) error
	// Filesystem holds the files that are served; by default the working
	// directory.
	Filesystem fs.FS
	// Binder is used by Context.Bind; by default a DefaultBinder.
	Binder Binder
	// Validator is used by Context.Validate; there is none by default.
	Validator Validator
	// Renderer is used by Context.Render; there is none by default.
	Renderer Renderer
	// JSONSerializer is used by Context.JSON; by default a DefaultJSONSerializer.
	JSONSerializer JSONSerializer
	// IPExtractor is used by Context.RealIP; by default it returns the connection's peer.
	IPExtractor IPExtractor
	// SchemeExtractor is used by Context.Scheme; nil means
	// ExtractSchemeFromHeaders(TrustedProxies...).
	SchemeExtractor SchemeExtractor
	// FormParseMaxMemory is the number of bytes of a multipart form's files that are kept in
	// memory; 0 means 1 MiB. Larger files are stored on disk. Fields that are not files stay in
	// memory, up to 10 MiB.
	FormParseMaxMemory int64
	// EnablePathUnescapingStaticFiles makes Static and StaticFS decode the name of the file once
	// more. A request for "/admin%2fkey" then reads admin/key, and bypasses a handler for
	// "/admin/*" that refuses it. So the second decoding is off by default.
	EnablePathUnescapingStaticFiles bool
	// ServeDotFiles makes Static and StaticFS serve files and directories whose name
	// begins with a dot, such as ".env" and ".git/config". By default ".well-known" is
	// the only such name that they serve.
	ServeDotFiles bool
	// BodyLimit limits the request bodies that Bind, the form methods and the
	// handlers of package api read; see Context.SetBodyLimit.
	BodyLimit int64
	// TrustedProxies are the peers whose X-Forwarded-Proto and similar headers are
	// trusted for the scheme that the client used. By default they are the peers
	// with a loopback, link-local or private address.
	TrustedProxies []TrustOption
	// NoGroupAutoRegister404Routes turns off the answer that a Group gives to paths without a route
	// under its prefix. By default a Group with middleware answers them through that middleware. If
	// NoGroupAutoRegister404Routes is set, routes with wider patterns answer those paths.
	NoGroupAutoRegister404Routes bool
	// NoReuse allocates a new Context and a new Response for each request, about 450
	// bytes. It protects against handlers that break the rules and use a Context after
	// they have returned. With NoReuse such code reads the data of its own request, and
	// its writes fail. Without it, such code reads and writes another client's request.
	// A build for the race detector never reuses Contexts, and panics with the route if
	// one is used too late.
	NoReuse bool
}

// New returns an Echo with the default configuration.
func New() *Echo { return NewWithConfig(Config{}) }

// NewWithConfig returns an Echo with the given configuration.
func NewWithConfig(config Config) *Echo {
	e := &Echo{
		Binder:           config.Binder,
		Filesystem:       config.Filesystem,
		Validator:        config.Validator,
		JSONSerializer:   config.JSONSerializer,
		IPExtractor:      config.IPExtractor,
		SchemeExtractor:  config.SchemeExtractor,
		OnAddRoute:       config.OnAddRoute,
		HTTPErrorHandler: config.HTTPErrorHandler,
		Logger:           config.Logger,
		router:           config.Router,
		Renderer:         config.Renderer,
		group404:         !config.NoGroupAutoRegister404Routes,
		unescapeStatic:   config.EnablePathUnescapingStaticFiles,
		dotFiles:         config.ServeDotFiles,
		formMemory:       config.FormParseMaxMemory,
		bodyLimit:        config.BodyLimit,
		trusted:          newIPChecker(config.TrustedProxies),
		reuse:            !config.NoReuse && !raceEnabled,
	}
	e.routeMethods = routeMethods{e, e}
	if e.Binder == nil {
		e.Binder = &DefaultBinder{}
	}
	if e.Filesystem == nil {
		dir, _ := os.Getwd()
		e.Filesystem = NewDefaultFS(dir)
	}
	if e.JSONSerializer == nil {
		e.JSONSerializer = &DefaultJSONSerializer{}
	}
	if e.HTTPErrorHandler == nil {
		e.HTTPErrorHandler = DefaultHTTPErrorHandler(false)
	}
	if e.Logger == nil {
		e.Logger = slog.New(slog.NewJSONHandler(os.Stdout, nil))
	}
	if e.router == nil {
		e.router = NewRouter(RouterConfig{AllowOverwritingRoute: true})
	}
	if e.formMemory <= 0 {
		e.formMemory = body.FormMemory
	}
	e.tree, _ = e.router.(*DefaultRouter)
	e.contexts.New = func() any { return e.newContext() }
	return e
}

// Router returns the router.
func (e *Echo) Router() Router { return e.router }

// ServeHTTP routes the request, and runs the middleware and the handler.
//
// The Context returns to a pool when the handler chain has returned, unless Config.NoReuse is set.
// After a panic it does not return to the pool, because other code may still use the Context.
func (e *Echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if e.hosts != nil {
		if host := e.hosts[hostKey(r.Host)]; host != nil {
			host.ServeHTTP(w, r)
			return
		}
	}
	c := e.contexts.Get().(*Context)
	c.take(r, w)
	defer e.end(c)
	ch := e.runs.Load()
	if ch == nil {
		ch = e.compile()
	}
	var err error
	if ch.pre != nil {
		err = ch.pre(c)
	} else {
		err = e.dispatch(c, ch)
	}
	if err != nil {
		e.HTTPErrorHandler(c, err)
	}
	c.returned = true
}

// NewContext returns a Context for a request that does not come through
// ServeHTTP, for example in a test. The Status of its Response is 0 until
// the response is written.
func (e *Echo) NewContext(r *http.Request, w http.ResponseWriter) *Context {
	c := e.newContext()
	c.take(r, w)
	c.own.Status, c.own.ResponseWriter = 0, w
	return c
}

// AddRoute registers a route. The error is an [*AddRouteError], or the error of
// OnAddRoute.
func (e *Echo) AddRoute(route Route) (RouteInfo, error) {
	if e.OnAddRoute != nil {
		if err := e.OnAddRoute(route); err != nil {
			return RouteInfo{}, err
		}
	}
	return e.router.Add(route)
}

// Group returns a set of routes with a path prefix and with middleware around
// them.
func (e *Echo) Group(prefix string, m ...MiddlewareFunc) (g *Group) {
	return newGroup(Group{prefix: prefix, routeMethods: e.routeMethods}, m)
}

// Version is the release of Echo whose API this package implements.
const Version = "5.4.5"
