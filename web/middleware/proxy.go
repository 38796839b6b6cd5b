package middleware

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"regexp"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/http/urlpath"
	"github.com/hone-go/hone/web"
)

// StatusCodeContextCanceled is the status of a request whose client disconnected before the
// answer. It is only for logs, since no client receives it.
const StatusCodeContextCanceled = 499

// A ProxyConfig configures Proxy.
type ProxyConfig struct {
	Skipper Skipper
	// Balancer must be set.
	Balancer ProxyBalancer
	// RetryCount is the number of retries of a failed request. A request whose body
	// has been read, even in part, is not retried.
	RetryCount int
	// RetryFilter reports whether to retry after an error. By default Proxy retries
	// after errors of status 502, if the method is idempotent (RFC 9110, section 9.2.2)
	// or no connection to the target could be made. In other cases the target may
	// already have acted on the request.
	RetryFilter func(c *web.Context, e error) bool
	// ErrorHandler handles the last error.
	ErrorHandler func(c *web.Context, err error) error
	// Rewrite and RegexRewrite change the path; see RewriteConfig.
	Rewrite      map[string]string
	RegexRewrite map[*regexp.Regexp]string
	// ContextKey is the Context's key of the chosen target; by default "target".
	ContextKey string
	// Upgrades are the protocols that a client may upgrade to, in lower case; by
	// default only "websocket".
	Upgrades []string
	// Transport sends the requests; http.DefaultTransport by default.
	Transport http.RoundTripper
	// ModifyResponse may change the target's response, or refuse it.
	ModifyResponse func(*http.Response) error
}

// DefaultProxyConfig is the configuration of Proxy.
var DefaultProxyConfig = ProxyConfig{Skipper: DefaultSkipper, ContextKey: "target"}

// Proxy forwards requests, including WebSockets. The target receives the client's address
// ([web.Context.RealIP]) in X-Real-Ip, and the scheme that the client used ([web.Context.Scheme])
// in X-Forwarded-Proto. X-Forwarded-For ends with the peer's address. Other fields X-Forwarded-*,
// and the addresses before the peer's, are forwarded only if the peer is trusted, see
// [web.Config.TrustedProxies]. Forwarded, X-Forwarded-Ssl, X-Forwarded-Protocol and X-Url-Scheme
// are never forwarded.
//
// An upgraded connection ends on both sides as soon as one side ends it. WebSockets cannot be
// closed in one direction only.
//
// Proxy removes the usual hop-by-hop fields, but not further fields that the client names in
// Connection. Otherwise a client could name a field that middleware has set, and so hide it from
// the target.
func Proxy(balancer ProxyBalancer) web.MiddlewareFunc {
	config := DefaultProxyConfig
	config.Balancer = balancer
	return ProxyWithConfig(config)
}

// ProxyWithConfig is Proxy with a configuration.
func ProxyWithConfig(config ProxyConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config ProxyConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	config.ContextKey = cmp.Or(config.ContextKey, DefaultProxyConfig.ContextKey)
	if config.Balancer == nil {
		return nil, errors.New("echo proxy middleware requires balancer")
	}
	if config.RetryFilter == nil {
		config.RetryFilter = retryable
	}
	if config.Upgrades == nil {
		config.Upgrades = []string{"websocket"}
	}
	if config.ErrorHandler == nil {
		config.ErrorHandler = func(_ *web.Context, err error) error { return err }
	}
	rules := rewriteRules(config.Rewrite, config.RegexRewrite)
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		if err := config.forward(c, rules); err != nil {
			return config.ErrorHandler(c, err)
		}
		return nil
	}), nil
}

func (config *ProxyConfig) forward(c *web.Context, rules rewriter) error {
	r := c.Request()
	if err := rules.apply(r); err != nil {
		return err
	}
	config.cleanConnection(r.Header)
	clientIP := c.RealIP()
	r.Header.Set(web.HeaderXForwardedProto, c.Scheme())
	trusted := c.TrustsPeer()
	for name := range r.Header {
		if clientClaim(name) && !(trusted && passedOn(name)) {
			delete(r.Header, name)
		}
	}
	r.Header.Set(web.HeaderXRealIP, clientIP)
	dropTwins(r.Header)
	body := &proxyBody{ReadCloser: r.Body}
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = body
		defer func() { r.Body = body.ReadCloser }()
	}
	for retries := config.RetryCount; ; retries-- {
		target, err := config.Balancer.Next(c)
		if err != nil {
			return err
		}
		if target == nil || target.URL == nil {
			return web.NewHTTPError(http.StatusBadGateway, "no proxy target available")
		}
		if strings.Trim(target.URL.Path, "/") != "" && urlpath.Climbs(r.URL.EscapedPath()) {
			return web.ErrNotFound // the path would leave the path of the target
		}
		c.Set(config.ContextKey, target)
		err = config.send(c, target, clientIP)
		if err == nil || retries <= 0 || body.read || !config.RetryFilter(c, err) {
			return err
		}
	}
}

// retryable is the default RetryFilter.
func retryable(c *web.Context, err error) bool {
	if web.StatusCode(err) != http.StatusBadGateway {
		return false
	}
	if method := c.Request().Method; safeMethod(method) || method == http.MethodPut || method == http.MethodDelete {
		return true
	}
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// A proxyBody is the request's body for all attempts. It ignores the Close of a failed
// attempt, and records whether an attempt has read from it.
type proxyBody struct {
	io.ReadCloser
	read bool
}

func (b *proxyBody) Read(p []byte) (int, error) {
	b.read = true
	return b.ReadCloser.Read(p)
}

func (b *proxyBody) Close() error { return nil } // net/http closes the body itself

// send forwards the request to a target. clientIP is the client's address, even if the balancer
// has replaced the request.
func (config *ProxyConfig) send(c *web.Context, target *ProxyTarget, clientIP string) (failure error) {
	proxy := httputil.ReverseProxy{
		Transport: config.Transport,
		ModifyResponse: func(res *http.Response) error {
			if config.ModifyResponse != nil {
				if err := config.ModifyResponse(res); err != nil {
					return err
				}
			}
			if conn, ok := res.Body.(io.ReadWriteCloser); ok && res.StatusCode == http.StatusSwitchingProtocols {
				res.Body = struct{ io.ReadWriteCloser }{conn} // ReverseProxy sees only Read, Write and Close; see proxyWriter
			}
			return nil
		},
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Opaque = "" // an opaque URL would replace the path
			p.SetURL(target.URL)
			switch p.Out.URL.Scheme { // a WebSocket begins as an HTTP request
			case "ws":
				p.Out.URL.Scheme = "http"
			case "wss":
				p.Out.URL.Scheme = "https"
			}
			p.Out.Host = p.In.Host
			p.Out.Header.Set(web.HeaderXRealIP, clientIP)
			for _, name := range []string{web.HeaderXForwardedFor, web.HeaderXForwardedProto, "X-Forwarded-Host"} {
				if values, ok := p.In.Header[name]; ok {
					p.Out.Header[name] = values
				}
			}
			via := slices.Clone(p.In.Header[web.HeaderXForwardedFor])
			if peer := web.ExtractIPDirect()(p.In); peer != "" { // a Unix socket has no address
				via = append(via, peer)
			}
			if len(via) > 0 {
				p.Out.Header.Set(web.HeaderXForwardedFor, strings.Join(via, ", "))
			}
		},
		ErrorHandler: func(_ http.ResponseWriter, r *http.Request, err error) {
			if errors.Is(err, context.Canceled) {
				failure = web.NewHTTPError(StatusCodeContextCanceled, "client closed connection").Wrap(err)
				return
			}
			name := target.URL.Redacted() // without the password, for the log
			if target.Name != "" {
				name = target.Name + "(" + name + ")"
			}
			failure = web.NewHTTPError(http.StatusBadGateway, "remote server unreachable, could not proxy request").
				Wrap(fmt.Errorf("server: %s, err: %w", name, err))
		},
	}
	w := &proxyWriter{ResponseWriter: c.Response()}
	proxy.ServeHTTP(w, c.Request())
	w.restore() // restore the header for the response to a failure
	return failure
}

// A proxyWriter is the response writer of httputil.ReverseProxy.
//
// It keeps the header fields that middleware has set. ReverseProxy clears the whole header after
// an informational response, such as 103.
//
// It hides CloseWrite of a connection that is upgraded. With CloseWrite, ReverseProxy propagates the
// end of one direction, and then waits for the end of the other direction, which may never come.
// Without CloseWrite it closes both connections when one direction ends.
type proxyWriter struct {
	http.ResponseWriter
	fields  http.Header // the fields that middleware has set, copied by the first call of Header; nil before that call
	cleared bool        // the header may have been cleared since the last call
}

// Header returns the header with the fields of middleware.
func (w *proxyWriter) Header() http.Header {
	h := w.ResponseWriter.Header()
	if w.fields == nil {
		w.fields = maps.Clone(h)
	}
	w.restore()
	return h
}

// WriteHeader sends the header. An informational response is followed by another call.
func (w *proxyWriter) WriteHeader(code int) {
	w.restore()
	w.ResponseWriter.WriteHeader(code)
	w.cleared = code < 200 && code != http.StatusSwitchingProtocols
}

// restore puts the fields of middleware back after an informational response.
func (w *proxyWriter) restore() {
	if w.cleared {
		w.cleared = false
		h := w.ResponseWriter.Header()
		clear(h)
		maps.Copy(h, w.fields)
	}
}

// Unwrap gives http.ResponseController the other methods of the writer.
func (w *proxyWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Hijack implements http.Hijacker.
func (w *proxyWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	return struct{ net.Conn }{conn}, buffered, nil
}

// clientClaim reports whether a proxy uses the field to describe the client's connection. It
// returns false for X-Forwarded-Proto, which is set before the other fields are removed.
func clientClaim(name string) bool {
	return strings.HasPrefix(name, "X-Forwarded-") && name != web.HeaderXForwardedProto ||
		name == web.HeaderForwarded || name == web.HeaderXUrlScheme || name == web.HeaderXRealIP
}

// passedOn reports whether the target receives the field if a trusted peer has sent it. The target receives the
// addresses before the peer's, and the host, port and prefix of the client's URL. X-Forwarded-Proto is the only
// field for the scheme. Forwarded is dropped, because it would be a second source of the address and the scheme.
func passedOn(name string) bool {
	switch name {
	case web.HeaderXForwardedSsl, web.HeaderXForwardedProtocol:
		return false
	}
	return strings.HasPrefix(name, "X-Forwarded-")
}

// cleanConnection removes the client's Connection and Upgrade. If they ask for a protocol in
// Upgrades, it sets both again, for this protocol only. httputil.ReverseProxy removes the other
// fields of a connection.
func (config *ProxyConfig) cleanConnection(h http.Header) {
	upgrade := h.Get(web.HeaderUpgrade)
	asked := slices.ContainsFunc(h[web.HeaderConnection], func(list string) bool {
		return slices.ContainsFunc(strings.Split(list, ","), func(option string) bool { return strings.EqualFold(strings.TrimSpace(option), "upgrade") })
	})
	delete(h, web.HeaderConnection)
	delete(h, web.HeaderUpgrade)
	delete(h, "Http2-Settings")
	if asked && slices.Contains(config.Upgrades, strings.ToLower(upgrade)) {
		h[web.HeaderConnection], h[web.HeaderUpgrade] = []string{"Upgrade"}, []string{upgrade}
	}
}

// dropTwins removes fields such as X_Real_Ip. Targets that name fields as CGI does (RFC 3875,
// section 4.1.18) cannot distinguish X_Real_Ip from X-Real-Ip.
func dropTwins(h http.Header) {
	for name := range h {
		twin := http.CanonicalHeaderKey(strings.ReplaceAll(name, "_", "-"))
		if twin != name && (len(h[twin]) > 0 || twin == web.HeaderXUrlScheme || strings.HasPrefix(twin, "X-Forwarded-")) {
			delete(h, name)
		}
	}
}
