package middleware

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/hone-go/hone/web"
)

// A CORSConfig configures CORS.
type CORSConfig struct {
	Skipper Skipper
	// AllowOrigins are the origins that may access the resource, such as
	// "https://example.com", or "*". Other patterns are not supported. Either
	// AllowOrigins or UnsafeAllowOriginFunc must be set.
	AllowOrigins []string
	// UnsafeAllowOriginFunc replaces AllowOrigins. It reports whether an origin is
	// allowed, and returns the origin to be named in the response. It is unsafe
	// because an attacker may register a name that resembles one of yours.
	UnsafeAllowOriginFunc func(c *web.Context, origin string) (allowedOrigin string, allowed bool, err error)
	// AllowMethods are the methods that the answer to a preflight allows; by
	// default the methods of the path's routes if the router knows them, or else GET,
	// HEAD, PUT, PATCH, POST and DELETE.
	AllowMethods []string
	// AllowHeaders are the headers that the answer to a preflight allows; by
	// default the headers that the preflight asks for.
	AllowHeaders []string
	// AllowCredentials lets pages read the answer to a request with cookies. It
	// cannot be combined with the origin "*".
	AllowCredentials bool
	// ExposeHeaders are the response headers that a page may read.
	ExposeHeaders []string
	// MaxAge is the number of seconds for which a browser may cache the answer to a preflight. 0
	// leaves the time to the browser, and a negative number forbids caching.
	MaxAge int
}

// isPreflight reports whether a request is a preflight of the Fetch standard.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && field(r.Header, web.HeaderOrigin) != "" && field(r.Header, web.HeaderAccessControlRequestMethod) != ""
}

// sameOrigin compares origins without regard to the case of ASCII letters.
func sameOrigin(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if c, d := a[i], b[i]; c != d && (c|0x20 != d|0x20 || c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

// CORS permits pages of other origins to access the resource. It answers preflights itself: OPTIONS
// requests with Origin and Access-Control-Request-Method. Other OPTIONS requests are answered by
// the rest of the chain.
func CORS(allowOrigins ...string) web.MiddlewareFunc {
	return CORSWithConfig(CORSConfig{AllowOrigins: allowOrigins})
}

// CORSWithConfig is CORS with a configuration.
func CORSWithConfig(config CORSConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// An allowedOrigin is an element of AllowOrigins, and the header that allows it.
type allowedOrigin struct {
	origin string
	header []string
}

var (
	varyOrigin         = render(web.HeaderVary, web.HeaderOrigin)
	varyRequestMethod  = render(web.HeaderVary, web.HeaderAccessControlRequestMethod)
	varyRequestHeaders = render(web.HeaderVary, web.HeaderAccessControlRequestHeaders)
	headerTrue         = []string{"true"}
	headerStar         = []string{"*"}
)

// ToMiddleware makes the middleware, and renders the values of headers for all responses. Without
// UnsafeAllowOriginFunc it is an error if AllowOrigins is empty, or if an element is not an origin
// or cannot be combined with AllowCredentials. Elements after "*" are not checked.
func (config CORSConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	star := false
	var origins []allowedOrigin
	if config.UnsafeAllowOriginFunc == nil {
		if len(config.AllowOrigins) == 0 {
			return nil, errors.New("at least one AllowOrigins is required or UnsafeAllowOriginFunc must be provided")
		}
		for _, o := range config.AllowOrigins {
			if o == "*" {
				if config.AllowCredentials {
					return nil, errors.New("* as allowed origin and AllowCredentials=true is insecure and not allowed. Use custom UnsafeAllowOriginFunc")
				}
				star = true
				break
			}
			if err := checkOrigin(o, "allow origin"); err != nil {
				return nil, err
			}
			if strings.Contains(o, "*") {
				return nil, fmt.Errorf("allow origin %s is a pattern, which only UnsafeAllowOriginFunc can compare", o)
			}
			origins = append(origins, allowedOrigin{o, []string{o}})
		}
	}
	find := func(c *web.Context, origin string) ([]string, error) {
		switch {
		case star:
			return headerStar, nil
		case config.UnsafeAllowOriginFunc != nil:
			allowed, ok, err := config.UnsafeAllowOriginFunc(c, origin)
			if err != nil || !ok {
				return nil, err
			}
			return []string{allowed}, nil
		}
		for i := range origins {
			if sameOrigin(origins[i].origin, origin) {
				return origins[i].header, nil
			}
		}
		return nil, nil
	}

	ownMethods := len(config.AllowMethods) > 0
	if !ownMethods {
		config.AllowMethods = []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodPatch, http.MethodPost, http.MethodDelete}
	}
	methods := []string{strings.Join(config.AllowMethods, ",")}
	headers := []string{strings.Join(config.AllowHeaders, ",")}
	expose := []string{strings.Join(config.ExposeHeaders, ",")}
	maxAge := []string{strconv.Itoa(max(config.MaxAge, 0))}

	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		r, h := c.Request(), c.Response().Header()
		varyOrigin.addTo(h)
		preflight := isPreflight(r)
		routed := ""
		if r.Method == http.MethodOptions {
			if routed, _ = c.Get(web.ContextKeyHeaderAllow).(string); routed != "" {
				h[web.HeaderAllow] = []string{routed}
			}
		}
		var allowed []string
		if origin := r.Header[web.HeaderOrigin]; len(origin) > 0 && origin[0] != "" {
			var err error
			if allowed, err = find(c, origin[0]); err != nil {
				return err
			}
		}
		if allowed != nil {
			h[web.HeaderAccessControlAllowOrigin] = allowed
			if config.AllowCredentials && allowed[0] != "*" {
				h[web.HeaderAccessControlAllowCredentials] = headerTrue
			}
		}
		if !preflight {
			if allowed != nil && expose[0] != "" {
				h[web.HeaderAccessControlExposeHeaders] = expose
			}
			return next(c)
		}
		if allowed == nil {
			return c.NoContent(http.StatusNoContent)
		}
		varyRequestMethod.addTo(h)
		varyRequestHeaders.addTo(h)
		h[web.HeaderAccessControlAllowMethods] = methods
		if !ownMethods && routed != "" {
			h[web.HeaderAccessControlAllowMethods] = []string{routed}
		}
		if headers[0] != "" {
			h[web.HeaderAccessControlAllowHeaders] = headers
		} else if asked := r.Header.Get(web.HeaderAccessControlRequestHeaders); asked != "" {
			h[web.HeaderAccessControlAllowHeaders] = []string{asked}
		}
		if config.MaxAge != 0 {
			h[web.HeaderAccessControlMaxAge] = maxAge
		}
		return c.NoContent(http.StatusNoContent)
	}), nil
}
