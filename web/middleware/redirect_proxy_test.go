package middleware

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/web"
)

// TestHTTPSRedirectBehindProxies sends requests that reached a proxy by https. If the proxy is
// not trusted, the client gets a redirect that it has already followed, and the log explains
// the remedy once.
func TestHTTPSRedirectBehindProxies(t *testing.T) {
	_, edge, err := net.ParseCIDR("203.0.113.0/24")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, peer, proto string
		trusted           []web.TrustOption
		status, warnings  int
	}{
		{name: "private", peer: "10.0.0.1:1", proto: "https", status: http.StatusNoContent},
		{name: "public", peer: "203.0.113.1:1", proto: "https", status: http.StatusMovedPermanently, warnings: 1},
		{name: "public, trusted", peer: "203.0.113.1:1", proto: "https", trusted: []web.TrustOption{web.TrustIPRange(edge)}, status: http.StatusNoContent},
		{name: "public, by http", peer: "203.0.113.1:1", proto: "http", status: http.StatusMovedPermanently},
		{name: "no proxy", peer: "203.0.113.1:1", status: http.StatusMovedPermanently},
	} {
		t.Run(test.name, func(t *testing.T) {
			log := &lines{}
			e := web.NewWithConfig(web.Config{Logger: slog.New(slog.NewTextHandler(log, nil)), TrustedProxies: test.trusted})
			e.Pre(HTTPSRedirect())
			e.GET("/", func(c *web.Context) error { return c.NoContent(http.StatusNoContent) })
			for range 2 {
				r := httptest.NewRequest(http.MethodGet, "/", nil)
				r.RemoteAddr = test.peer
				if test.proto != "" {
					r.Header.Set("X-Forwarded-Proto", test.proto)
				}
				w := httptest.NewRecorder()
				if e.ServeHTTP(w, r); w.Code != test.status {
					t.Errorf("status %d, want %d", w.Code, test.status)
				}
			}
			if n := strings.Count(log.text.String(), "TrustedProxies"); n != test.warnings {
				t.Errorf("%d warnings, want %d: %s", n, test.warnings, log.text.String())
			}
		})
	}
}
