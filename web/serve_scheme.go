package web

import (
	"net/http"
	"strings"

	"github.com/hone-go/hone/internal/http/header"
)

// A SchemeExtractor returns the scheme that the client used for a request: http, https, ws or wss.
type SchemeExtractor func(*http.Request) string

// Scheme returns the scheme that the client used, by the Echo's SchemeExtractor. By default it is
// https on an encrypted connection, and else the scheme in the header if the peer is one of
// [Config.TrustedProxies]; see [ExtractSchemeFromHeaders].
func (c *Context) Scheme() string {
	if extract := c.live().echo.SchemeExtractor; extract != nil {
		return extract(c.request)
	}
	return c.echo.trusted.scheme(c.request)
}

// ExtractSchemeDirect returns a SchemeExtractor that uses the connection alone. It is for servers
// without a proxy in front of them.
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
// fields are X-Forwarded-Protocol, X-Forwarded-Ssl, X-Url-Scheme and Forwarded (RFC 7239). A
// trusted proxy has to set X-Forwarded-Proto, and must not forward the client's.
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
		return schemeFromHeader(r.Header)
	}
}

// scheme returns the scheme of a request, read from the header if c trusts the peer.
func (c *ipChecker) scheme(r *http.Request) string {
	switch {
	case r.TLS != nil:
		return "https"
	case hasScheme(r.Header) && (c.trustsPeer(r) || c.loopback && onUnixSocket(r.RemoteAddr)):
		return schemeFromHeader(r.Header)
	}
	return "http"
}

// onUnixSocket reports whether remote is an address that net/http reports for a peer on a Unix
// socket: empty, an abstract name of Linux, or a path.
func onUnixSocket(remote string) bool {
	return remote == "" || remote[0] == '@' || remote[0] == '/'
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

func schemeFromHeader(h http.Header) string {
	for _, name := range schemeFields {
		values := h[name]
		if len(values) == 0 {
			continue
		}
		value := values[0]
		switch name {
		case HeaderXForwardedProto:
			// The last value was added by the nearest proxy.
			if value = values[len(values)-1]; value == "" {
				continue
			}
			value = header.Trim(value[strings.LastIndexByte(value, ',')+1:])
		case HeaderXForwardedSsl:
			if value == "on" {
				value = "https"
			}
		case HeaderForwarded:
			element, _ := header.Cut(value, ',')
			value = header.Param(element, "proto")
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
