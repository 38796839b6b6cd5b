package middleware

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hone-go/hone/web"
)

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
