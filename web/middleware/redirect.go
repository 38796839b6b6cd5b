package middleware

import (
	"cmp"
	"errors"
	"fmt"
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

func hasWWW(host string) bool {
	return len(host) >= len(www) && strings.EqualFold(host[:len(www)], www)
}

func withoutWWW(host string) string {
	if hasWWW(host) {
		return host[len(www):]
	}
	return host
}

func toHTTPS(scheme, host string) (string, string, bool) {
	return "https", host, scheme != "https"
}

func toHTTPSWWW(scheme, host string) (string, string, bool) {
	return "https", www + withoutWWW(host), scheme != "https" || !hasWWW(host)
}

func toHTTPSNonWWW(scheme, host string) (string, string, bool) {
	return "https", withoutWWW(host), scheme != "https" || hasWWW(host)
}

func toWWW(scheme, host string) (string, string, bool) {
	return scheme, www + host, !hasWWW(host)
}

func toNonWWW(scheme, host string) (string, string, bool) {
	return scheme, withoutWWW(host), hasWWW(host)
}

// HTTPSRedirect redirects clients from http to https. It belongs in Echo.Pre, as do the
// other redirects. The redirects respond with 400 if the host is not a name or an address, and
// they leave OPTIONS * alone. A WebSocket handshake is redirected to the scheme of HTTP. If the server is reached through a proxy with a public address, and
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
		if r.URL.Path == "*" { // the whole server, which has no URL
			return next(c)
		}
		switch cameBy {
		case "ws":
			cameBy = "http"
		case "wss":
			cameBy = "https"
		}
		scheme, host, elsewhere := config.target(cameBy, r.Host)
		if !elsewhere {
			return next(c)
		}
		if scheme != cameBy && strings.EqualFold(field(r.Header, web.HeaderXForwardedProto), scheme) {
			warned.Do(func() { // tell the operator the cause of the redirect loop
				c.Logger().Warn("middleware: redirecting to https although an untrusted peer reports that the request came by https: see Config.TrustedProxies", "peer", r.RemoteAddr)
			})
		}
		if !plainHost(withoutWWW(r.Host)) {
			return web.ErrBadRequest
		}
		// r.RequestURI has the path before a handler outside of Echo has removed a prefix. It is not
		// used if the client has sent a whole URL in it, which may have any host.
		uri := r.RequestURI
		if !strings.HasPrefix(uri, "/") {
			uri = r.URL.RequestURI()
		}
		if !strings.HasPrefix(uri, "/") {
			uri = "/"
		}
		return c.Redirect(config.Code, scheme+"://"+host+escapeControls(uri))
	}), nil
}

// escapeControls escapes the control characters of a request target. net/http refuses targets with such
// characters, but another server that calls the handler may not.
func escapeControls(uri string) string {
	var b strings.Builder
	for i := range len(uri) {
		if c := uri[i]; c < ' ' || c == 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// plainHost reports whether a host begins with a name or an address, and has only the characters of
// names, addresses and ports. A browser could read "a/b" or "a@b" as another host or a path. It could
// also take the host of a URL from the path if "https://" is followed by a colon or a dot.
func plainHost(host string) bool {
	if host == "" || host[0] == ':' || host[0] == '.' {
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
