package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

func TestIPExtractors(t *testing.T) {
	_, office, err := net.ParseCIDR("203.0.113.0/24")
	if err != nil {
		t.Fatal(err)
	}
	direct, real, xff, forwarded := ExtractIPDirect(), ExtractIPFromRealIPHeader(), ExtractIPFromXFFHeader(), ExtractIPFromForwardedHeader()
	strict := ExtractIPFromXFFHeader(TrustLoopback(false), TrustLinkLocal(false), TrustPrivateNet(false), TrustIPRange(office))
	for _, tt := range []struct {
		name         string
		extract      IPExtractor
		peer         string
		header, said string
		want         string
	}{
		{name: "direct", extract: direct, peer: "192.0.2.1:1", header: "X-Real-Ip", said: "1.2.3.4", want: "192.0.2.1"},
		{name: "direct, v6", extract: direct, peer: "[2001:db8::1]:1", want: "2001:db8::1"},
		{name: "direct, bare", extract: direct, peer: "192.0.2.1", want: "192.0.2.1"},
		{name: "direct, a zone", extract: direct, peer: "[fe80::1%eth0]:1", want: "fe80::1"},
		{name: "direct, a zone, bare", extract: direct, peer: "fe80::1%eth0", want: "fe80::1"},
		{name: "real, a zone", extract: real, peer: "[fe80::1%eth0]:1", header: "X-Real-Ip", said: "1.2.3.4", want: "1.2.3.4"},
		{name: "real, a zone in the field", extract: real, peer: "[fe80::1%eth0]:1", header: "X-Real-Ip", said: "fe80::2%eth0", want: "fe80::1"},
		{name: "xff, a zone", extract: xff, peer: "fe80::1%eth0", header: "X-Forwarded-For", said: "1.2.3.4, 10.0.0.1", want: "1.2.3.4"},
		{name: "xff, a zone in the field", extract: xff, peer: "[fe80::1%eth0]:1", header: "X-Forwarded-For", said: "fe80::2%eth0", want: "fe80::1"},
		{name: "xff, a zone that is not trusted", extract: strict, peer: "[fe80::1%eth0]:1", header: "X-Forwarded-For", said: "1.2.3.4", want: "fe80::1"},
		{name: "forwarded, a zone", extract: forwarded, peer: "[fe80::1%eth0]:1", header: "Forwarded", said: "for=1.2.3.4", want: "1.2.3.4"},
		{name: "legacy, a zone", extract: LegacyIPExtractor(), peer: "[fe80::1%eth0]:1", want: "fe80::1"},
		{name: "direct, a socket", extract: direct, peer: "@"},
		{name: "real, a socket", extract: real, peer: "@", header: "X-Real-Ip", said: "1.2.3.4", want: "1.2.3.4"},
		{name: "list, a socket", extract: xff, peer: "@", header: "X-Forwarded-For", said: "6.6.6.6, 1.2.3.4", want: "1.2.3.4"},
		{name: "list, a socket with a path", extract: xff, peer: "/run/x.sock", header: "X-Forwarded-For", said: "1.2.3.4", want: "1.2.3.4"},
		{name: "forwarded, a socket", extract: forwarded, peer: "@", header: "Forwarded", said: "for=1.2.3.4", want: "1.2.3.4"},
		{name: "list, a socket that is not trusted", extract: strict, peer: "@", header: "X-Forwarded-For", said: "1.2.3.4"},
		{name: "real, trusted peer", extract: real, peer: "10.0.0.1:1", header: "X-Real-Ip", said: "1.2.3.4", want: "1.2.3.4"},
		{name: "real, anybody", extract: real, peer: "192.0.2.1:1", header: "X-Real-Ip", said: "1.2.3.4", want: "192.0.2.1"},
		{name: "real, anybody who claims to be trusted", extract: real, peer: "192.0.2.1:1", header: "X-Real-Ip", said: "127.0.0.1", want: "192.0.2.1"},
		{name: "real, brackets", extract: real, peer: "10.0.0.1:1", header: "X-Real-Ip", said: "[2001:db8::2]", want: "2001:db8::2"},
		{name: "real, rubbish", extract: real, peer: "10.0.0.1:1", header: "X-Real-Ip", said: "x", want: "10.0.0.1"},
		{name: "xff, nearest untrusted", extract: xff, peer: "10.0.0.1:1", header: "X-Forwarded-For", said: "6.6.6.6, 1.2.3.4, 10.0.0.2", want: "1.2.3.4"},
		{name: "xff, all trusted", extract: xff, peer: "10.0.0.1:1", header: "X-Forwarded-For", said: "10.0.0.3, 10.0.0.2", want: "10.0.0.3"},
		{name: "xff, anybody", extract: xff, peer: "192.0.2.1:1", header: "X-Forwarded-For", said: "1.2.3.4", want: "192.0.2.1"},
		{name: "xff, rubbish", extract: xff, peer: "10.0.0.1:1", header: "X-Forwarded-For", said: "1.2.3.4, unknown, 10.0.0.2", want: "10.0.0.1"},
		{name: "xff, mapped", extract: xff, peer: "10.0.0.1:1", header: "X-Forwarded-For", said: "::ffff:1.2.3.4", want: "1.2.3.4"},
		{name: "xff, a range, private peer", extract: strict, peer: "10.0.0.1:1", header: "X-Forwarded-For", said: "1.2.3.4", want: "10.0.0.1"},
		{name: "xff, a range", extract: strict, peer: "203.0.113.9:1", header: "X-Forwarded-For", said: "1.2.3.4, 203.0.113.8", want: "1.2.3.4"},
		{name: "xff, long", extract: xff, peer: "10.0.0.1:1", header: "X-Forwarded-For", said: strings.Repeat("10.0.0.9,", 1<<16) + "1.2.3.4", want: "1.2.3.4"},
		{name: "forwarded", extract: forwarded, peer: "10.0.0.1:1", header: "Forwarded", said: `for=6.6.6.6, For="[2001:db8::7]:80";proto=https;by=x, for=10.0.0.2:99`, want: "2001:db8::7"},
		{name: "forwarded, a comma in quotes", extract: forwarded, peer: "10.0.0.1:1", header: "Forwarded", said: `for=1.2.3.4;host="a,b"`, want: "1.2.3.4"},
		{name: "forwarded, unknown", extract: forwarded, peer: "10.0.0.1:1", header: "Forwarded", said: `for=1.2.3.4, for=unknown`, want: "10.0.0.1"},
		{name: "forwarded, obfuscated", extract: forwarded, peer: "10.0.0.1:1", header: "Forwarded", said: `for=_hidden`, want: "10.0.0.1"},
		{name: "forwarded, anybody", extract: forwarded, peer: "192.0.2.1:1", header: "Forwarded", said: `for=1.2.3.4`, want: "192.0.2.1"},
		{name: "legacy believes anybody", extract: LegacyIPExtractor(), peer: "192.0.2.1:1", header: "X-Forwarded-For", said: "1.2.3.4, 5.6.7.8", want: "1.2.3.4"},
		{name: "legacy, real", extract: LegacyIPExtractor(), peer: "192.0.2.1:1", header: "X-Real-Ip", said: "1.2.3.4", want: "1.2.3.4"},
		{name: "legacy, none", extract: LegacyIPExtractor(), peer: "192.0.2.1:1", want: "192.0.2.1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = tt.peer
		if tt.header != "" {
			r.Header.Set(tt.header, tt.said)
		}
		if got := tt.extract(r); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestScheme(t *testing.T) {
	_, proxies, _ := net.ParseCIDR("198.51.100.0/24")
	own := NewWithConfig(Config{Logger: quiet().Logger, TrustedProxies: []TrustOption{TrustPrivateNet(false), TrustIPRange(proxies)}})
	for _, tt := range []struct {
		e            *Echo
		peer         string
		header, said string
		want         string
	}{
		{e: quiet(), peer: "192.0.2.1:1", header: "X-Forwarded-Proto", said: "https", want: "http"},
		{e: quiet(), peer: "10.0.0.1:1", header: "X-Forwarded-Proto", said: "HTTPS", want: "https"},
		{e: quiet(), peer: "10.0.0.1:1", header: "X-Forwarded-Proto", said: "javascript", want: "http"},
		{e: quiet(), peer: "10.0.0.1:1", header: "X-Forwarded-Protocol", said: "wss", want: "wss"},
		{e: quiet(), peer: "10.0.0.1:1", header: "X-Forwarded-Ssl", said: "on", want: "https"},
		{e: quiet(), peer: "10.0.0.1:1", header: "X-Forwarded-Ssl", said: "off", want: "http"},
		{e: quiet(), peer: "10.0.0.1:1", header: "X-Url-Scheme", said: "ws", want: "ws"},
		{e: quiet(), peer: "10.0.0.1:1", header: "Forwarded", said: "for=1.2.3.4;proto=https, for=10.0.0.3", want: "https"},
		{e: own, peer: "10.0.0.1:1", header: "X-Forwarded-Proto", said: "https", want: "http"},
		{e: own, peer: "198.51.100.7:1", header: "X-Forwarded-Proto", said: "https", want: "https"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = tt.peer
		r.Header.Set(tt.header, tt.said)
		if got := tt.e.NewContext(r, nil).Scheme(); got != tt.want {
			t.Errorf("%s: %s from %s: %s, want %s", tt.header, tt.said, tt.peer, got, tt.want)
		}
	}
	if got := quiet().NewContext(httptest.NewRequest(http.MethodGet, "https://example.com/", nil), nil).Scheme(); got != "https" {
		t.Errorf("over TLS: %s", got)
	}
}

// A list of proxies takes time in proportion to its length, for any content, and a constant
// number of allocations. For sixteen times the length the test allows about sixty times the time.
// Quadratic time would be 256 times.
func TestLongLists(t *testing.T) {
	_, office, err := net.ParseCIDR("10.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	options := []TrustOption{TrustPrivateNet(false), TrustIPRange(office)}
	for _, test := range []struct{ name, header, item string }{
		{name: "addresses", header: HeaderXForwardedFor, item: "10.0.0.1,"}, {name: "commas", header: HeaderXForwardedFor, item: ","},
		{name: "no comma", header: HeaderXForwardedFor, item: "1"}, {name: "quotes", header: HeaderXForwardedFor, item: `"`},
		{name: "nodes", header: HeaderForwarded, item: "for=10.0.0.1,"}, {name: "parameters", header: HeaderForwarded, item: "a=b;"},
		{name: "quoted nodes", header: HeaderForwarded, item: `for="10.0.0.1",`}, {name: "quoted commas", header: HeaderForwarded, item: `",`},
		{name: "open quotes", header: HeaderForwarded, item: `a=",b;`}, {name: "escapes", header: HeaderForwarded, item: `\",`},
	} {
		extract := ExtractIPFromXFFHeader(options...)
		if test.header == HeaderForwarded {
			extract = ExtractIPFromForwardedHeader(options...)
		}
		e := quiet()
		trusted := func(n int) func() {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = "10.0.0.1:1"
			list := strings.Repeat(test.item, n)
			r.Header[test.header] = []string{list + strings.TrimRight(test.item, ",")}
			c := e.NewContext(r, httptest.NewRecorder())
			return func() { extract(r); c.Scheme() }
		}
		const n = 16_000
		few, many := trusted(n/4), trusted(n)
		testkit.Grows(t, n, 9, func(size int) {
			for range 10 {
				if size < n {
					few()
				} else {
					many()
				}
			}
		})
		if a, b := testing.AllocsPerRun(5, few), testing.AllocsPerRun(5, many); b > a {
			t.Errorf("%s: %v allocations, %v for four times the length", test.name, a, b)
		}
	}
}
