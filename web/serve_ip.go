package web

import (
	"iter"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/http/header"
)

// An IPExtractor returns the address of the client that sent a request.
type IPExtractor func(*http.Request) string

// A TrustOption selects the peers that are trusted to report the client's address.
// By default these are all peers with a loopback, link-local or private address. A Unix
// socket counts as loopback.
type TrustOption func(*ipChecker)

type ipChecker struct {
	loopback, linkLocal, private bool
	ranges                       []*net.IPNet
}

// TrustLoopback sets whether loopback addresses are trusted.
func TrustLoopback(v bool) TrustOption { return func(c *ipChecker) { c.loopback = v } }

// TrustLinkLocal sets whether link-local addresses are trusted.
func TrustLinkLocal(v bool) TrustOption { return func(c *ipChecker) { c.linkLocal = v } }

// TrustPrivateNet sets whether private addresses (RFC 1918, RFC 4193) are
// trusted.
func TrustPrivateNet(v bool) TrustOption { return func(c *ipChecker) { c.private = v } }

// TrustIPRange adds a range of trusted addresses.
func TrustIPRange(ipRange *net.IPNet) TrustOption {
	return func(c *ipChecker) { c.ranges = append(c.ranges, ipRange) }
}

func newIPChecker(options []TrustOption) *ipChecker {
	c := &ipChecker{loopback: true, linkLocal: true, private: true}
	for _, o := range options {
		o(c)
	}
	return c
}

func (c *ipChecker) trust(a netip.Addr) bool {
	if c.loopback && a.IsLoopback() || c.linkLocal && a.IsLinkLocalUnicast() || c.private && a.IsPrivate() {
		return true
	}
	if len(c.ranges) == 0 {
		return false
	}
	bytes := a.As16() // net.IP may also hold an IPv4 address in 16 bytes
	ip := net.IP(bytes[:])
	for _, r := range c.ranges {
		if r.Contains(ip) {
			return true
		}
	}
	return false
}

// trustsPeer reports whether the other end of the connection is trusted. A Unix socket counts as
// loopback.
func (c *ipChecker) trustsPeer(r *http.Request) bool {
	if onUnixSocket(r.RemoteAddr) {
		return c.loopback
	}
	a, err := netip.ParseAddr(directIP(r))
	return err == nil && c.trust(a.Unmap())
}

// onUnixSocket reports whether remote is an address that net/http reports for a peer on a Unix
// socket: empty, an abstract name of Linux, or a path.
func onUnixSocket(remote string) bool {
	return remote == "" || remote[0] == '@' || remote[0] == '/'
}

// parseAddr parses an address, with or without the brackets of IPv6.
func parseAddr(s string) (netip.Addr, bool) {
	if len(s) > 1 && s[0] == '[' && s[len(s)-1] == ']' {
		s = s[1 : len(s)-1]
	}
	a, err := netip.ParseAddr(s)
	return a.Unmap(), err == nil && a.Zone() == ""
}

// ExtractIPDirect returns the address of the connection's peer without the zone of IPv6. The address
// is empty on a Unix socket. It is meant for a server without a proxy in front of it.
func ExtractIPDirect() IPExtractor { return directIP }

func directIP(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err == nil {
		return withoutZone(host)
	}
	if _, err := netip.ParseAddr(r.RemoteAddr); err == nil {
		return withoutZone(r.RemoteAddr)
	}
	return ""
}

// withoutZone removes the zone of a link-local address of IPv6: the interface of this machine, which
// says nothing of the peer.
func withoutZone(host string) string {
	if strings.IndexByte(host, ':') >= 0 {
		host, _, _ = strings.Cut(host, "%")
	}
	return host
}

// ExtractIPFromRealIPHeader returns the address in X-Real-IP if the peer is
// trusted, and else the peer's address.
func ExtractIPFromRealIPHeader(options ...TrustOption) IPExtractor {
	checker := newIPChecker(options)
	return func(r *http.Request) string {
		if claim := r.Header.Get(HeaderXRealIP); claim != "" {
			if a, ok := parseAddr(strings.TrimSpace(claim)); ok && checker.trustsPeer(r) {
				return a.String()
			}
		}
		return directIP(r)
	}
}

// ExtractIPFromXFFHeader returns the last address in X-Forwarded-For that is not trusted, or the
// first address if all are trusted. It returns the peer's address if the peer is not trusted, if
// there is no X-Forwarded-For, or if the search from the end of the list meets an item that is not
// an address.
func ExtractIPFromXFFHeader(options ...TrustOption) IPExtractor {
	return extractIPFromList(HeaderXForwardedFor, newIPChecker(options), func(item string) (netip.Addr, bool) {
		return parseAddr(item)
	})
}

// ExtractIPFromForwardedHeader is like ExtractIPFromXFFHeader for the "for"
// parameters of Forwarded (RFC 7239).
func ExtractIPFromForwardedHeader(options ...TrustOption) IPExtractor {
	return extractIPFromList(HeaderForwarded, newIPChecker(options), forwardedFor)
}

// forwardedFor returns the address in the "for" parameter of an element of Forwarded.
func forwardedFor(item string) (netip.Addr, bool) {
	node := header.Param(item, "for")
	if a, ok := parseAddr(node); ok {
		return a, true
	}
	if ap, err := netip.ParseAddrPort(node); err == nil {
		return ap.Addr().Unmap(), true
	}
	return netip.Addr{}, false // the element is obfuscated, unknown or malformed
}

// extractIPFromList reads the addresses of a header field from the end, where the last proxy added
// its address, and stops at the first address that is not trusted.
func extractIPFromList(name string, checker *ipChecker, read func(item string) (netip.Addr, bool)) IPExtractor {
	return func(r *http.Request) string {
		peer := directIP(r)
		lists := r.Header[name]
		if len(lists) == 0 || !checker.trustsPeer(r) {
			return peer
		}
		var farthest netip.Addr
		for item := range fromEnd(lists) {
			a, ok := read(item)
			if !ok {
				return peer
			}
			if farthest = a; !checker.trust(a) {
				return a.String()
			}
		}
		return farthest.String()
	}
}

// fromEnd ranges over the items of a header field with several values, from the last one.
func fromEnd(lists []string) iter.Seq[string] {
	return func(yield func(item string) bool) {
		for _, list := range slices.Backward(lists) {
			for more := true; more; {
				item := list
				cut := lastComma(list)
				if more = cut >= 0; more {
					item, list = list[cut+1:], list[:cut]
				}
				if !yield(header.Trim(item)) {
					return
				}
			}
		}
	}
}

// lastComma returns the index of the last comma that is not in quotes, or -1.
func lastComma(list string) int {
	quoted := false
	for i := len(list) - 1; i >= 0; i-- {
		switch list[i] {
		case '"':
			quoted = !quoted
		case ',':
			if !quoted {
				return i
			}
		}
	}
	return -1
}

// LegacyIPExtractor trusts X-Forwarded-For and X-Real-IP of every peer. It exists for programs
// that depend on this behaviour. Clients can forge the address, so do not base decisions on it.
func LegacyIPExtractor() IPExtractor {
	unbracket := func(s string) string { return strings.TrimSuffix(strings.TrimPrefix(s, "["), "]") }
	return func(r *http.Request) string {
		if list := r.Header.Get(HeaderXForwardedFor); list != "" {
			nearest, _, _ := strings.Cut(list, ",")
			return unbracket(header.Trim(nearest))
		}
		if ip := r.Header.Get(HeaderXRealIP); ip != "" {
			return unbracket(ip)
		}
		return directIP(r)
	}
}

// TrustsPeer reports whether the connection's peer is one of [Config.TrustedProxies]. Its
// X-Forwarded-* and similar headers can then be trusted.
func (c *Context) TrustsPeer() bool { return c.live().echo.trusted.trustsPeer(c.request) }
