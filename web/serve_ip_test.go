package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
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
		{"direct", direct, "192.0.2.1:1", "X-Real-Ip", "1.2.3.4", "192.0.2.1"},
		{"direct, v6", direct, "[2001:db8::1]:1", "", "", "2001:db8::1"},
		{"direct, bare", direct, "192.0.2.1", "", "", "192.0.2.1"},
		{"direct, a socket", direct, "@", "", "", ""},
		{"real, trusted peer", real, "10.0.0.1:1", "X-Real-Ip", "1.2.3.4", "1.2.3.4"},
		{"real, anybody", real, "192.0.2.1:1", "X-Real-Ip", "1.2.3.4", "192.0.2.1"},
		{"real, anybody who claims to be trusted", real, "192.0.2.1:1", "X-Real-Ip", "127.0.0.1", "192.0.2.1"},
		{"real, brackets", real, "10.0.0.1:1", "X-Real-Ip", "[2001:db8::2]", "2001:db8::2"},
		{"real, rubbish", real, "10.0.0.1:1", "X-Real-Ip", "x", "10.0.0.1"},
		{"xff, nearest untrusted", xff, "10.0.0.1:1", "X-Forwarded-For", "6.6.6.6, 1.2.3.4, 10.0.0.2", "1.2.3.4"},
		{"xff, all trusted", xff, "10.0.0.1:1", "X-Forwarded-For", "10.0.0.3, 10.0.0.2", "10.0.0.3"},
		{"xff, anybody", xff, "192.0.2.1:1", "X-Forwarded-For", "1.2.3.4", "192.0.2.1"},
		{"xff, rubbish", xff, "10.0.0.1:1", "X-Forwarded-For", "1.2.3.4, unknown, 10.0.0.2", "10.0.0.1"},
		{"xff, mapped", xff, "10.0.0.1:1", "X-Forwarded-For", "::ffff:1.2.3.4", "1.2.3.4"},
		{"xff, a range, private peer", strict, "10.0.0.1:1", "X-Forwarded-For", "1.2.3.4", "10.0.0.1"},
		{"xff, a range", strict, "203.0.113.9:1", "X-Forwarded-For", "1.2.3.4, 203.0.113.8", "1.2.3.4"},
		{"xff, long", xff, "10.0.0.1:1", "X-Forwarded-For", strings.Repeat("10.0.0.9,", 1<<16) + "1.2.3.4", "1.2.3.4"},
		{"forwarded", forwarded, "10.0.0.1:1", "Forwarded", `for=6.6.6.6, For="[2001:db8::7]:80";proto=https;by=x, for=10.0.0.2:99`, "2001:db8::7"},
		{"forwarded, a comma in quotes", forwarded, "10.0.0.1:1", "Forwarded", `for=1.2.3.4;host="a,b"`, "1.2.3.4"},
		{"forwarded, unknown", forwarded, "10.0.0.1:1", "Forwarded", `for=1.2.3.4, for=unknown`, "10.0.0.1"},
		{"forwarded, obfuscated", forwarded, "10.0.0.1:1", "Forwarded", `for=_hidden`, "10.0.0.1"},
		{"forwarded, anybody", forwarded, "192.0.2.1:1", "Forwarded", `for=1.2.3.4`, "192.0.2.1"},
		{"legacy believes anybody", LegacyIPExtractor(), "192.0.2.1:1", "X-Forwarded-For", "1.2.3.4, 5.6.7.8", "1.2.3.4"},
		{"legacy, real", LegacyIPExtractor(), "192.0.2.1:1", "X-Real-Ip", "1.2.3.4", "1.2.3.4"},
		{"legacy, none", LegacyIPExtractor(), "192.0.2.1:1", "", "", "192.0.2.1"},
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
		{quiet(), "192.0.2.1:1", "X-Forwarded-Proto", "https", "http"},
		{quiet(), "10.0.0.1:1", "X-Forwarded-Proto", "HTTPS", "https"},
		{quiet(), "10.0.0.1:1", "X-Forwarded-Proto", "javascript", "http"},
		{quiet(), "10.0.0.1:1", "X-Forwarded-Protocol", "wss", "wss"},
		{quiet(), "10.0.0.1:1", "X-Forwarded-Ssl", "on", "https"},
		{quiet(), "10.0.0.1:1", "X-Forwarded-Ssl", "off", "http"},
		{quiet(), "10.0.0.1:1", "X-Url-Scheme", "ws", "ws"},
		{quiet(), "10.0.0.1:1", "Forwarded", "for=1.2.3.4;proto=https, for=10.0.0.3", "https"},
		{own, "10.0.0.1:1", "X-Forwarded-Proto", "https", "http"},
		{own, "198.51.100.7:1", "X-Forwarded-Proto", "https", "https"},
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
