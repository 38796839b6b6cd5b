package middleware

import (
	"net/http"
	"strings"
	"sync"

	"github.com/hone-go/hone/web"
)

// A MethodOverrideGetter returns the method that a request asks for, or "".
type MethodOverrideGetter func(c *web.Context) string

// A MethodOverrideConfig configures MethodOverride.
type MethodOverrideConfig struct {
	Skipper Skipper
	// Getter is MethodFromHeader("X-HTTP-Method-Override") by default.
	Getter MethodOverrideGetter
}

// DefaultMethodOverrideConfig is the configuration of MethodOverride.
var DefaultMethodOverrideConfig = MethodOverrideConfig{
	Skipper: DefaultSkipper,
	Getter:  MethodFromHeader(web.HeaderXHTTPMethodOverride),
}

// MethodOverride replaces the method of a POST request, such as by PUT or DELETE, if the client asks for
// it. It is meant for clients that cannot send these methods. It ignores safe methods
// such as GET and QUERY, CONNECT, and names with other characters than A to Z and '-'. It belongs in Echo.Pre. In Echo.Use or
// on a group, it runs after routing. There it does not change the method, because other middleware,
// such as CSRF, may already have checked the method. It logs once that it has no effect.
func MethodOverride() web.MiddlewareFunc {
	return MethodOverrideWithConfig(DefaultMethodOverrideConfig)
}

// MethodOverrideWithConfig is MethodOverride with a configuration.
func MethodOverrideWithConfig(config MethodOverrideConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config MethodOverrideConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.Getter == nil {
		config.Getter = DefaultMethodOverrideConfig.Getter
	}
	var misplaced sync.Once
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		r := c.Request()
		if r.Method != http.MethodPost {
			return next(c)
		}
		if method := config.Getter(c); replaceable(method) {
			if c.Path() != "" || c.RouteInfo().Name != "" { // the request has been routed, perhaps to no route
				misplaced.Do(func() {
					c.Logger().Error("middleware: MethodOverride has no effect after routing: pass it to Echo.Pre")
				})
				return next(c)
			}
			r.Method = method
		}
		return next(c)
	}), nil
}

// replaceable reports whether a POST may become a request with the method. The middleware CSRF lets safe methods pass
// without a token, and the router has methods of its own with small letters.
func replaceable(method string) bool {
	switch method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, http.MethodConnect, web.QUERY:
		return false
	}
	return strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") == ""
}

// MethodFromHeader reads the method from a header.
func MethodFromHeader(header string) MethodOverrideGetter {
	return func(c *web.Context) string { return c.Request().Header.Get(header) }
}

// MethodFromForm reads the method from a form field.
func MethodFromForm(param string) MethodOverrideGetter {
	return func(c *web.Context) string { return c.FormValue(param) }
}

// MethodFromQuery reads the method from a query parameter.
func MethodFromQuery(param string) MethodOverrideGetter {
	return func(c *web.Context) string { return c.QueryParam(param) }
}
