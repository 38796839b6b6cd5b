package web

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/hone-go/hone/internal/http/header"
)

// A SchemeExtractor returns the scheme that the client used for a request: http, https, ws or wss.
type SchemeExtractor func(*http.Request) string

// Scheme returns the scheme that the client used, according to the Echo's
// SchemeExtractor. By default it is https on an encrypted connection. On other
// connections it is the scheme in the header, if the peer is one of
// [Config.TrustedProxies]; see [ExtractSchemeFromHeaders].
func (c *Context) Scheme() string {
	if extract := c.live().echo.SchemeExtractor; extract != nil {
		return extract(c.request)
	}
	return c.echo.trusted.scheme(c.request)
}

// ExtractSchemeDirect returns a SchemeExtractor that uses only the connection. It is
// for servers without a proxy in front of them.
func ExtractSchemeDirect() SchemeExtractor {
	return func(r *http.Request) string {
		if r.TLS != nil {
			return "https"
		}
		return "http"
	}
}

// ExtractSchemeFromHeaders returns a SchemeExtractor that reads the header of requests from trusted
// peers. The options select these peers. By default they have a loopback, link-local or private
// address, or a Unix socket, which counts as loopback.
//
// If X-Forwarded-Proto is present, its last value counts and no other field is read. The other
// fields are X-Forwarded-Protocol, X-Forwarded-Ssl, X-Url-Scheme and Forwarded (RFC 7239).
// Forwarded is read from its end, up to the element about the first peer that is not trusted, as by
// [ExtractIPFromForwardedHeader]. A trusted proxy has to set X-Forwarded-Proto itself, and must not
// forward the client's own field.
func ExtractSchemeFromHeaders(options ...TrustOption) SchemeExtractor {
	return newIPChecker(options).scheme
}

// LegacySchemeExtractor trusts the header of every peer. It exists for programs that depend on
// this behaviour. Clients can forge the scheme, so do not base decisions on it.
func LegacySchemeExtractor() SchemeExtractor {
	return func(r *http.Request) string {
		if r.TLS != nil {
			return "https"
		}
		return schemeFromHeader(r.Header, func(netip.Addr) bool { return true })
	}
}

// scheme returns the scheme of a request, read from the header if c trusts the peer.
func (c *ipChecker) scheme(r *http.Request) string {
	switch {
	case r.TLS != nil:
		return "https"
	case hasScheme(r.Header) && c.trustsPeer(r):
		return schemeFromHeader(r.Header, c.trust)
	}
	return "http"
}

// schemeFields are the header fields that may hold a scheme, in the order in which they are read.
var schemeFields = [...]string{HeaderXForwardedProto, HeaderXForwardedProtocol, HeaderXForwardedSsl, HeaderXUrlScheme, HeaderForwarded}

// hasScheme reports whether the header has one of the fields. Most requests have none, and the peer
// then need not be checked.
func hasScheme(h http.Header) bool {
	for _, name := range schemeFields {
		if len(h[name]) > 0 {
			return true
		}
	}
	return false
}

// schemeFromHeader returns the scheme in the header of a trusted peer, or http if the header has
// none. trust reports whether the peer of another proxy is trusted.
func schemeFromHeader(h http.Header, trust func(netip.Addr) bool) string {
	for _, name := range schemeFields {
		values := h[name]
		if len(values) == 0 {
			continue
		}
		value := values[len(values)-1] // the nearest proxy has added it
		switch name {
		case HeaderXForwardedProto:
			if value == "" {
				continue
			}
			value = header.Trim(value[strings.LastIndexByte(value, ',')+1:])
		case HeaderXForwardedSsl:
			if value == "on" {
				value = "https"
			}
		case HeaderForwarded:
			value = forwardedProto(values, trust)
		}
		for _, scheme := range [...]string{"https", "http", "wss", "ws"} {
			if strings.EqualFold(value, scheme) {
				return scheme
			}
		}
		if name == HeaderXForwardedProto {
			break
		}
	}
	return "http"
}

// forwardedProto returns the first "proto" parameter in the elements of Forwarded that trusted
// proxies have added. The client has sent the elements before those.
func forwardedProto(lists []string, trust func(netip.Addr) bool) (proto string) {
	for item := range fromEnd(lists) {
		if p := header.Param(item, "proto"); p != "" {
			proto = p
		}
		if a, ok := forwardedFor(item); !ok || !trust(a) {
			break
		}
	}
	return proto
}
