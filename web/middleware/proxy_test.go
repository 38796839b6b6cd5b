package middleware

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hone-go/hone/web"
)

func TestProxy(t *testing.T) {
	var seen http.Header
	var host, path string
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen, host, path = r.Header.Clone(), r.Host, r.URL.Path
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write(body)
	}))
	defer target.Close()
	dead := httptest.NewServer(http.NotFoundHandler())
	deadURL, _ := url.Parse(dead.URL)
	dead.Close()
	liveURL, _ := url.Parse(target.URL)
	e, _ := logged()
	e.Use(ProxyWithConfig(ProxyConfig{
		Balancer:   NewRoundRobinBalancer([]*ProxyTarget{{Name: "dead", URL: deadURL}, {Name: "live", URL: liveURL}}),
		RetryCount: 1, Rewrite: map[string]string{"/api/*": "/$1"},
	}))
	for peer, want := range map[string][3]string{
		"192.0.2.1:1": {"192.0.2.1", "192.0.2.1", "http"}, // the fields of an untrusted client are not forwarded
		"10.0.0.1:1":  {"10.0.0.1", "6.6.6.6, 10.0.0.1", "https"},
	} {
		for range 2 {
			r := httptest.NewRequest("POST", "http://site.example/api/x", strings.NewReader("body"))
			r.RequestURI = "/api/x"
			r.RemoteAddr = peer
			for name, value := range map[string]string{"X-Real-Ip": "6.6.6.6", "X-Forwarded-For": "6.6.6.6", "X-Forwarded-Proto": "https"} {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			got := [3]string{seen.Get("X-Real-Ip"), seen.Get("X-Forwarded-For"), seen.Get("X-Forwarded-Proto")}
			if w.Code != http.StatusAccepted || w.Body.String() != "body" || got != want || host != "site.example" || path != "/x" {
				t.Errorf("from %s: %d %q %q %s %s", peer, w.Code, w.Body, got, host, path)
			}
		}
	}
	b := NewRandomBalancer(nil)
	none, _ := logged()
	none.Use(Proxy(b))
	if w := serve(none, "GET", "/", ""); w.Code != 502 {
		t.Errorf("no target: %d", w.Code)
	}
	if !b.AddTarget(&ProxyTarget{Name: "dead", URL: deadURL}) || b.AddTarget(&ProxyTarget{Name: "dead"}) {
		t.Error("AddTarget")
	}
	if w := serve(none, "GET", "/", ""); w.Code != 502 {
		t.Errorf("a dead target: %d", w.Code)
	}
	if !b.RemoveTarget("dead") || b.RemoveTarget("dead") {
		t.Error("RemoveTarget")
	}
}

// TestProxyConnection names fields in Connection, which a proxy usually removes, and asks for
// upgrades. The fields that middleware has set reach the target.
func TestProxyConnection(t *testing.T) {
	var seen http.Header
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header.Clone() }))
	defer target.Close()
	u, err := url.Parse(target.URL)
	if err != nil {
		t.Fatal(err)
	}
	ours := []string{"X-User", "X-Real-Ip", "X-Forwarded-For", "X-Forwarded-Proto"}
	for _, test := range []struct {
		name     string
		upgrades []string
		sent     []string // header fields, in pairs
		upgrade  string   // the upgrade that the target receives
	}{
		{name: "nothing"},
		{name: "fields", sent: []string{"Connection", "close, X-Real-Ip, X-User, x-forwarded-for, X-Forwarded-Proto"}},
		{name: "fields of their own", sent: []string{"Connection", "X-User", "Connection", "X-Real-Ip,X-Forwarded-For", "Connection", "keep-alive"}},
		{name: "fields beside a WebSocket", sent: []string{"Connection", "Upgrade, X-User, X-Real-Ip", "Upgrade", "WebSocket"}, upgrade: "WebSocket"},
		{name: "WebSocket", sent: []string{"Connection", "keep-alive, upgrade", "Upgrade", "websocket"}, upgrade: "websocket"},
		{name: "WebSocket without Connection", sent: []string{"Upgrade", "websocket"}},
		{name: "HTTP/2", sent: []string{"Connection", "Upgrade, HTTP2-Settings", "Upgrade", "h2c", "HTTP2-Settings", "AAMAAABkAAQAAP__"}},
		{name: "two protocols", sent: []string{"Connection", "Upgrade", "Upgrade", "websocket, h2c"}},
		{name: "another", sent: []string{"Connection", "Upgrade", "Upgrade", "tcp"}},
		{name: "another, allowed", upgrades: []string{"tcp"}, sent: []string{"Connection", "Upgrade", "Upgrade", "TCP"}, upgrade: "TCP"},
		{name: "WebSocket, not allowed", upgrades: []string{}, sent: []string{"Connection", "Upgrade", "Upgrade", "websocket"}},
		{name: "fields of the same names to CGI", sent: []string{"X_User", "x", "X_Real-Ip", "x", "x_forwarded_for", "x", "X-Forwarded_Host", "x", "X_Forwarded_Proto", "x", "X_Url_Scheme", "x"}},
		{name: "of a connection by itself", sent: []string{"Keep-Alive", "x", "Te", "x", "Proxy-Connection", "x", "Proxy-Authorization", "x"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, _ := logged()
			e.Use(func(next web.HandlerFunc) web.HandlerFunc {
				return func(c *web.Context) error {
					c.Request().Header.Set("X-User", "known")
					return next(c)
				}
			}, ProxyWithConfig(ProxyConfig{Balancer: NewRandomBalancer([]*ProxyTarget{{URL: u}}), Upgrades: test.upgrades}))
			seen = nil
			serve(e, http.MethodGet, "/", "", append(test.sent, "own_field", "kept")...)
			for _, name := range ours {
				if seen.Get(name) == "" {
					t.Errorf("%s is gone: %v", name, seen)
				}
			}
			for name := range seen {
				if strings.Contains(name, "_") && name != "Own_field" {
					t.Errorf("%s: %q", name, seen[name])
				}
			}
			if seen.Get("Own_field") != "kept" {
				t.Error("another field with an underscore is gone")
			}
			if seen.Get("Upgrade") != test.upgrade || (seen.Get("Connection") == "Upgrade") != (test.upgrade != "") {
				t.Errorf("Upgrade %q, Connection %q", seen.Get("Upgrade"), seen.Get("Connection"))
			}
			for _, name := range []string{"Keep-Alive", "Te", "Proxy-Connection", "Proxy-Authorization", "Http2-Settings"} {
				if seen.Get(name) != "" {
					t.Errorf("%s: %q", name, seen.Get(name))
				}
			}
		})
	}
}

// TestProxyStaysBelowTarget sends paths that lead above the path of a target, in every spelling that a server might
// resolve. They are answered with 404. A target without a path gets all paths unchanged.
func TestProxyStaysBelowTarget(t *testing.T) {
	var seen string
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.URL.EscapedPath() }))
	defer target.Close()
	base, _ := url.Parse(target.URL + "/base")
	root, _ := url.Parse(target.URL + "/")
	for path, below := range map[string]string{
		"/x": "/base/x", "/a/../x": "/base/a/../x", "/group%2Fissues": "/base/group%2Fissues", "/": "/base/",
		"/../x": "", "/%2e%2e/x": "", "/a/../../x": "", "/..%2fx": "", `/..%5cx`: "", "/%252e%252e/x": "", "/..;a=b/x": "",
	} {
		for _, url := range []*url.URL{base, root} {
			e, _ := logged()
			e.Use(Proxy(NewRandomBalancer([]*ProxyTarget{{URL: url}})))
			want, code := below, 200
			switch {
			case url == root:
				want = path
			case below == "":
				code = 404
			}
			seen = ""
			r := httptest.NewRequest("GET", "http://site.example"+path, nil)
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			if w.Code != code || seen != want {
				t.Errorf("%s to %s: %d, the target has seen %q; want %d %q", path, url, w.Code, seen, code, want)
			}
		}
	}
}

// A swapping balancer replaces the Context's request before each attempt.
type swapping struct {
	targets []*ProxyTarget
	tries   int
}

func (b *swapping) AddTarget(*ProxyTarget) bool { return false }
func (b *swapping) RemoveTarget(string) bool    { return false }
func (b *swapping) Next(c *web.Context) (*ProxyTarget, error) {
	r := c.Request().Clone(c.Request().Context())
	r.Header.Set(web.HeaderXRealIP, "6.6.6.6")
	r.RemoteAddr = "6.6.6.6:6"
	c.SetRequest(r)
	b.tries++
	return b.targets[b.tries-1], nil
}

// TestProxyRealIP: the target receives the address that RealIP returned before the balancer was
// called, even if the balancer replaces the request and the request is sent again.
func TestProxyRealIP(t *testing.T) {
	var seen []string
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header["X-Real-Ip"] }))
	defer target.Close()
	live, _ := url.Parse(target.URL)
	dead := &ProxyTarget{URL: &url.URL{Scheme: "http", Host: "127.0.0.1:1"}}
	calls := 0
	e, _ := logged()
	e.IPExtractor = func(*http.Request) string { calls++; return "192.0.2.9" }
	e.Use(ProxyWithConfig(ProxyConfig{RetryCount: 2, Balancer: &swapping{targets: []*ProxyTarget{dead, dead, {URL: live}}}}))
	s := httptest.NewServer(e)
	defer s.Close()
	res, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 200 || len(seen) != 1 || seen[0] != "192.0.2.9" || calls != 1 {
		t.Errorf("%d: the target has seen %q; RealIP was computed %d times", res.StatusCode, seen, calls)
	}
}

// Informational responses of the target remove no field that middleware has set.
func TestProxyInformational(t *testing.T) {
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 2 {
			w.Header().Set("Link", "</style.css>; rel=preload")
			w.WriteHeader(http.StatusEarlyHints)
			w.Header().Del("Link")
		}
		if r.URL.Path == "/dies" {
			panic(http.ErrAbortHandler)
		}
		w.Header().Add("Vary", "Accept")
		_, _ = io.WriteString(w, "body")
	}))
	defer target.Close()
	targetURL, _ := url.Parse(target.URL)
	e, _ := logged()
	e.Use(Secure(), CORS("*"), func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			c.SetCookie(&http.Cookie{Name: "a", Value: "1"})
			return next(c)
		}
	}, Proxy(NewRandomBalancer([]*ProxyTarget{{URL: targetURL}})))
	server := httptest.NewServer(e)
	defer server.Close()
	for path, want := range map[string]struct {
		status int
		vary   string
	}{"/": {200, "Origin, Accept"}, "/dies": {502, "Origin"}} {
		for _, method := range []string{"GET", "HEAD", "POST"} {
			r, _ := http.NewRequest(method, server.URL+path, nil)
			r.Header.Set("Origin", "https://a.example")
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			h := res.Header
			if res.StatusCode != want.status || h.Get("X-Frame-Options") == "" || h.Get("Access-Control-Allow-Origin") != "*" ||
				len(h["Set-Cookie"]) != 1 || strings.Join(h["Vary"], ", ") != want.vary || h.Get("Link") != "" {
				t.Errorf("%s %s: %d %v", method, path, res.StatusCode, h)
			}
		}
	}
}

// A request that a target may have acted on is repeated only if its method is idempotent.
func TestProxyRetries(t *testing.T) {
	var requests atomic.Int64
	dies := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		requests.Add(1)
		panic(http.ErrAbortHandler)
	}))
	defer dies.Close()
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	for _, test := range []struct {
		method, target string
		attempts       int
	}{
		{method: "GET", target: dies.URL, attempts: 3},
		{method: "HEAD", target: dies.URL, attempts: 3},
		{method: "OPTIONS", target: dies.URL, attempts: 3},
		{method: "PUT", target: dies.URL, attempts: 3},
		{method: "DELETE", target: dies.URL, attempts: 3},
		{method: "POST", target: dies.URL, attempts: 1},
		{method: "PATCH", target: dies.URL, attempts: 1},
		{method: "OWN", target: dies.URL, attempts: 1},
		{method: "GET", target: dead.URL, attempts: 3},
		{method: "POST", target: dead.URL, attempts: 3},
		{method: "PATCH", target: dead.URL, attempts: 3},
	} {
		requests.Store(0)
		targetURL, _ := url.Parse(test.target)
		balancer := &countingBalancer{ProxyBalancer: NewRandomBalancer([]*ProxyTarget{{URL: targetURL}})}
		e, _ := logged()
		// On a reused connection http.Transport itself would repeat a failed request.
		e.Use(ProxyWithConfig(ProxyConfig{Balancer: balancer, RetryCount: 2, Transport: &http.Transport{DisableKeepAlives: true}}))
		if w := serve(e, test.method, "/", ""); w.Code != 502 || balancer.attempts != test.attempts {
			t.Errorf("%s %s: %d after %d attempts, want %d", test.method, test.target, w.Code, balancer.attempts, test.attempts)
		}
		if n := requests.Load(); test.target == dies.URL && n != int64(test.attempts) {
			t.Errorf("%s: the target had %d requests, want %d", test.method, n, test.attempts)
		}
	}
}

// A countingBalancer counts the attempts.
type countingBalancer struct {
	ProxyBalancer
	attempts int
}

func (b *countingBalancer) Next(c *web.Context) (*ProxyTarget, error) {
	b.attempts++
	return b.ProxyBalancer.Next(c)
}

// A proxy that connects by a Unix socket reports the client's address, scheme and host.
func TestProxyUnixSocket(t *testing.T) {
	seen := http.Header{}
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header.Clone() }))
	defer target.Close()
	targetURL, _ := url.Parse(target.URL)
	folder, err := os.MkdirTemp("", "hone") // a short path, because the length of a socket's path is limited
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	socket := filepath.Join(folder, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Skipf("no Unix sockets: %v", err)
	}
	e := web.NewWithConfig(web.Config{IPExtractor: web.ExtractIPFromXFFHeader()})
	e.Use(Proxy(NewRandomBalancer([]*ProxyTarget{{URL: targetURL}})))
	server := httptest.NewUnstartedServer(e)
	server.Listener = listener
	server.Start()
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	for _, test := range []struct{ via, want, address string }{
		{via: "6.6.6.6, 203.0.113.5", want: "6.6.6.6, 203.0.113.5", address: "203.0.113.5"},
		{},
	} {
		r, _ := http.NewRequest("GET", "http://site.example/", nil)
		if test.via != "" {
			r.Header.Set("X-Forwarded-For", test.via)
		}
		r.Header.Set("X-Forwarded-Host", "site.example")
		r.Header.Set("X-Forwarded-Proto", "https")
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if seen.Get("X-Forwarded-For") != test.want || seen.Get("X-Real-Ip") != test.address || seen.Get("X-Forwarded-Host") != "site.example" || seen.Get("X-Forwarded-Proto") != "https" {
			t.Errorf("%+v: %v", test, seen)
		}
	}
}
