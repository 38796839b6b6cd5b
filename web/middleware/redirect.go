package middleware

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/hone-go/hone/web"
)

// A RedirectConfig configures the redirects.
type RedirectConfig struct {
	Skipper
	// Code is the status; 0 means 301.
	Code int

	target redirectTarget
}

// A redirectTarget returns the scheme and the host that a request should have used.
// elsewhere reports whether the request used another scheme or another host.
type redirectTarget func(scheme, host string) (newScheme, newHost string, elsewhere bool)

// Configurations of the redirects.
var (
	RedirectHTTPSConfig       = RedirectConfig{target: toHTTPS}
	RedirectHTTPSWWWConfig    = RedirectConfig{target: toHTTPSWWW}
	RedirectNonHTTPSWWWConfig = RedirectConfig{target: toHTTPSNonWWW}
	RedirectWWWConfig         = RedirectConfig{target: toWWW}
	RedirectNonWWWConfig      = RedirectConfig{target: toNonWWW}
)

const www = "www."

func toHTTPS(scheme, host string) (string, string, bool) {
	return "https", host, scheme != "https"
}

func toHTTPSWWW(scheme, host string) (string, string, bool) {
	return "https", www + strings.TrimPrefix(host, www), scheme != "https" || !strings.HasPrefix(host, www)
}

func toHTTPSNonWWW(scheme, host string) (string, string, bool) {
	return "https", strings.TrimPrefix(host, www), scheme != "https" || strings.HasPrefix(host, www)
}

func toWWW(scheme, host string) (string, string, bool) {
	return scheme, www + host, !strings.HasPrefix(host, www)
}

func toNonWWW(scheme, host string) (string, string, bool) {
	return scheme, strings.TrimPrefix(host, www), strings.HasPrefix(host, www)
}

// HTTPSRedirect redirects clients from http to https. It belongs in Echo.Pre, as do the
// other redirects. If the server is reached through a proxy with a public address, and
// the proxy is not among [web.Config.TrustedProxies], the redirects never end. The log
// reports this once.
func HTTPSRedirect() web.MiddlewareFunc { return HTTPSRedirectWithConfig(RedirectHTTPSConfig) }

// HTTPSRedirectWithConfig is HTTPSRedirect with a configuration.
func HTTPSRedirectWithConfig(config RedirectConfig) web.MiddlewareFunc {
	return config.to(toHTTPS)
}

// HTTPSWWWRedirect redirects clients to https and the host's name with "www.".
func HTTPSWWWRedirect() web.MiddlewareFunc {
	return HTTPSWWWRedirectWithConfig(RedirectHTTPSWWWConfig)
}

// HTTPSWWWRedirectWithConfig is HTTPSWWWRedirect with a configuration.
func HTTPSWWWRedirectWithConfig(config RedirectConfig) web.MiddlewareFunc {
	return config.to(toHTTPSWWW)
}

// HTTPSNonWWWRedirect redirects clients to https and the host's name without "www.".
func HTTPSNonWWWRedirect() web.MiddlewareFunc {
	return HTTPSNonWWWRedirectWithConfig(RedirectNonHTTPSWWWConfig)
}

// HTTPSNonWWWRedirectWithConfig is HTTPSNonWWWRedirect with a configuration.
func HTTPSNonWWWRedirectWithConfig(config RedirectConfig) web.MiddlewareFunc {
	return config.to(toHTTPSNonWWW)
}

// WWWRedirect redirects clients to the host's name with "www.".
func WWWRedirect() web.MiddlewareFunc { return WWWRedirectWithConfig(RedirectWWWConfig) }

// WWWRedirectWithConfig is WWWRedirect with a configuration.
func WWWRedirectWithConfig(config RedirectConfig) web.MiddlewareFunc { return config.to(toWWW) }

// NonWWWRedirect redirects clients to the host's name without "www.".
func NonWWWRedirect() web.MiddlewareFunc { return NonWWWRedirectWithConfig(RedirectNonWWWConfig) }

// NonWWWRedirectWithConfig is NonWWWRedirect with a configuration.
func NonWWWRedirectWithConfig(config RedirectConfig) web.MiddlewareFunc { return config.to(toNonWWW) }

func (config RedirectConfig) to(target redirectTarget) web.MiddlewareFunc {
	config.target = target
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config RedirectConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	config.Code = cmp.Or(config.Code, http.StatusMovedPermanently)
	if config.target == nil {
		return nil, errors.New("redirectConfig is missing redirect function")
	}
	var warned sync.Once
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		r, cameBy := c.Request(), c.Scheme()
		scheme, host, elsewhere := config.target(cameBy, r.Host)
		if !elsewhere {
			return next(c)
		}
		if scheme != cameBy && strings.EqualFold(field(r.Header, web.HeaderXForwardedProto), scheme) {
			warned.Do(func() { // tell the operator the cause of the redirect loop
				c.Logger().Warn("middleware: redirecting to https although an untrusted peer reports that the request came by https: see Config.TrustedProxies", "peer", r.RemoteAddr)
			})
		}
		if !plainHost(host) {
			return web.ErrBadRequest
		}
		// r.RequestURI is not used: a client may send a whole URL in it, with any host.
		uri := r.URL.RequestURI()
		if !strings.HasPrefix(uri, "/") {
			uri = "/"
		}
		return c.Redirect(config.Code, scheme+"://"+host+uri)
	}), nil
}

// plainHost reports whether a host is a name or an address, optionally with a port. It returns
// false if the host has any other character: a browser could read "a/b" or "a@b" as another host or
// a path.
func plainHost(host string) bool {
	if host == "" {
		return false
	}
	for i := range len(host) {
		switch c := host[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
			c == '.', c == '-', c == '_', c == ':', c == '[', c == ']', c >= 0x80:
		default:
			return false
		}
	}
	return true
}
