package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/hone-go/hone/internal/http/route"
)

// A Context represents one request and its response. It is passed to each handler and middleware.
//
// It must not be used after the chain has returned. Unless Config.NoReuse is set, the
// Context, its Response and the slice that PathValues returns then serve another
// request. A goroutine that outlives the handler copies the values that it needs before
// the handler returns. Strings stay valid. The *http.Request stays valid for as long as
// net/http keeps it. Under the race detector a Context that is used too late panics.
//
// Set and Get may be called concurrently. The other methods may not.
type Context struct {
	request   *http.Request
	response  http.ResponseWriter
	own       Response // the initial response
	cutoff    cutoff   // wraps the connection's writer if the Context is not reused; see cutoff
	echo      *Echo
	bodyLimit int64
	abandoned bool // another goroutine may still use the Context: never reuse it
	released  bool // only set under the race detector; path is then the path of the route
	returned  bool // the handler chain has returned without a panic
	perRequest
	search route.Search[endpoint, PathValue] // state of the router's search

	mu    sync.Mutex
	store []storeEntry
}

// perRequest is the part of a Context that is reset between two requests.
type perRequest struct {
	handler    HandlerFunc
	route      *RouteInfo // nil before routing
	pathValues PathValues
	path       string // set by SetPath
	logger     *slog.Logger
	query      url.Values        // parsed by QueryParams
	files      []*multipart.Form // forms of replaced requests; their files must be removed
	allow      []string          // the value of the header Allow; not used if middleware has stored another list under ContextKeyHeaderAllow
	rawPath    bool              // the path values are still escaped
}

type storeEntry struct {
	key   string
	value any
}

// NewContext returns a Context without a server, for tests. An option may be an
// *Echo.
func NewContext(r *http.Request, w http.ResponseWriter, opts ...any) *Context {
	var e *Echo
	for _, o := range opts {
		if v, ok := o.(*Echo); ok {
			e = v
		}
	}
	if e == nil {
		e = New()
	}
	return e.NewContext(r, w)
}

// Echo returns the instance that serves the request.
func (c *Context) Echo() *Echo { return c.live().echo }

// Request returns the request.
func (c *Context) Request() *http.Request { return c.live().request }

// SetRequest replaces the request, for the rest of the chain.
func (c *Context) SetRequest(r *http.Request) {
	c.live().noteFiles()
	if c.request == nil || r == nil || c.request.URL != r.URL {
		c.query = nil
	}
	c.request = r
}

// Response returns the response writer: a [*Response], or the writer set by
// SetResponse.
func (c *Context) Response() http.ResponseWriter { return c.live().response }

// SetResponse replaces the response writer, for the rest of the chain. A writer
// that wraps another should have a method Unwrap() http.ResponseWriter.
func (c *Context) SetResponse(r http.ResponseWriter) { c.live().response = r }

// Logger returns the request's logger.
func (c *Context) Logger() *slog.Logger {
	if c.live().logger != nil {
		return c.logger
	}
	return c.echo.Logger
}

// SetLogger sets the request's logger.
func (c *Context) SetLogger(logger *slog.Logger) { c.live().logger = logger }

// Path returns the pattern of the matched route, such as "/users/:id".
func (c *Context) Path() string {
	if c.live().path == "" && c.route != nil {
		return c.route.Path
	}
	return c.path
}

// SetPath sets the result of Path.
func (c *Context) SetPath(p string) { c.live().path = p }

// RouteInfo describes the matched route. Its name is [NotFoundRouteName] or
// [MethodNotAllowedRouteName] if no route matched, and "" before routing.
func (c *Context) RouteInfo() RouteInfo {
	if c.live().route == nil {
		return RouteInfo{}
	}
	return c.route.Clone()
}

// InitializeRoute is for routers: it sets the route and its path values. The Context retains the
// two arguments. A router allocates nothing if it writes the path values into the slice that
// PathValues returns.
func (c *Context) InitializeRoute(ri *RouteInfo, pathValues *PathValues) {
	c.live().route = ri
	c.pathValues = *pathValues
}

// PathValues returns the path parameters; the slice is never nil. It is only
// valid until the handler chain has returned.
func (c *Context) PathValues() PathValues {
	if c.live().pathValues == nil {
		return PathValues{}
	}
	return c.pathValues
}

// SetPathValues sets the path parameters. It copies them.
func (c *Context) SetPathValues(pathValues PathValues) {
	c.live().pathValues = append(PathValues(nil), pathValues...)
	c.rawPath = false
}

// Param returns a path parameter, or "".
func (c *Context) Param(name string) string {
	value, _ := c.live().pathValues.Get(name)
	return value
}

// ParamOr returns a path parameter, or defaultValue if the route has no such
// parameter.
func (c *Context) ParamOr(name, defaultValue string) string {
	return c.live().pathValues.GetOr(name, defaultValue)
}

// QueryString returns the raw query.
func (c *Context) QueryString() string { return c.live().request.URL.RawQuery }

// Get returns the value that Set stored under the key, or nil.
func (c *Context) Get(key string) any {
	c.live().mu.Lock()
	var value any
	for i := range c.store {
		if c.store[i].key == key {
			value = c.store[i].value
			break
		}
	}
	c.mu.Unlock()
	return value
}

// Set stores a value for the rest of the chain.
func (c *Context) Set(key string, val any) {
	c.live().mu.Lock()
	i := 0
	for i < len(c.store) && c.store[i].key != key {
		i++
	}
	if i == len(c.store) {
		c.store = append(c.store, storeEntry{key: key})
	}
	c.store[i].value = val
	c.mu.Unlock()
}

// [ContextGet] returns these errors.
var (
	ErrNonExistentKey = errors.New("non existent key")
	ErrInvalidKeyType = errors.New("invalid key type")
)

// ContextGet returns the value that Set stored under the key. The error is
// [ErrNonExistentKey], or [ErrInvalidKeyType] if the value is not a T.
func ContextGet[T any](c *Context, key string) (T, error) {
	var zero T
	v := c.Get(key)
	if v == nil {
		return zero, ErrNonExistentKey
	}
	t, ok := v.(T)
	if !ok {
		return zero, fmt.Errorf("%w: %q holds a %T", ErrInvalidKeyType, key, v)
	}
	return t, nil
}

// ContextGetOr is ContextGet with a default for a key that does not exist.
func ContextGetOr[T any](c *Context, key string, defaultValue T) (T, error) {
	t, err := ContextGet[T](c, key)
	if errors.Is(err, ErrNonExistentKey) {
		return defaultValue, nil
	}
	return t, err
}

// IsTLS reports whether the connection is encrypted.
func (c *Context) IsTLS() bool { return c.live().request.TLS != nil }

// IsWebSocket reports whether the request asks for a WebSocket.
func (c *Context) IsWebSocket() bool {
	return strings.EqualFold(c.live().request.Header.Get(HeaderUpgrade), "websocket") &&
		strings.Contains(strings.ToLower(c.request.Header.Get(HeaderConnection)), "upgrade")
}

// RealIP returns the client's address according to the IPExtractor. Without an IPExtractor it
// is the address of the connection's peer. No header is trusted by default.
func (c *Context) RealIP() string {
	if c.live().echo.IPExtractor != nil {
		return c.echo.IPExtractor(c.request)
	}
	return directIP(c.request)
}

// Cookie returns the named cookie of the request. The error is http.ErrNoCookie if there is none.
func (c *Context) Cookie(name string) (*http.Cookie, error) {
	return c.live().request.Cookie(name)
}

// Cookies returns the cookies of the request.
func (c *Context) Cookies() []*http.Cookie { return c.live().request.Cookies() }

// SetCookie adds a cookie to the response.
func (c *Context) SetCookie(cookie *http.Cookie) { http.SetCookie(c.live().response, cookie) }

// Bind fills i from the path, the query and the body, using the Echo's Binder.
func (c *Context) Bind(i any) error { return c.live().echo.Binder.Bind(c, i) }

// Validate checks i with the Echo's Validator, and returns its error. Without a Validator the
// error is ErrValidatorNotRegistered.
func (c *Context) Validate(i any) error {
	if c.live().echo.Validator == nil {
		return ErrValidatorNotRegistered
	}
	return c.echo.Validator.Validate(i)
}

// ValidateCtx checks i with the method ValidateCtx(context.Context, any) error of the Echo's
// Validator. It passes the request's context, or the background context if there is no request.
// If the Validator has no such method, ValidateCtx calls [Context.Validate].
func (c *Context) ValidateCtx(i any) error {
	if v, ok := c.live().echo.Validator.(interface {
		ValidateCtx(ctx context.Context, i any) error
	}); ok {
		ctx := context.Background()
		if c.request != nil {
			ctx = c.request.Context()
		}
		return v.ValidateCtx(ctx, i)
	}
	return c.Validate(i)
}
