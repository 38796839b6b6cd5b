package middleware

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/web"
)

// If its Skipper returns true for a request, a middleware has no effect on the request.
func TestSkippers(t *testing.T) {
	skip := func(c *web.Context) bool { return c.Request().Header.Get("X-Skip") != "" }
	never := func(*web.Context, string, ExtractorSource) (bool, error) { return false, nil }
	store := NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 1e-9, Burst: 1})
	logs, dumps := 0, 0
	var pooled Decompressor = (&DefaultGzipDecompressPool{})
	for name, config := range map[string]web.MiddlewareConfigurator{
		"BasicAuth":           BasicAuthConfig{Skipper: skip, Validator: func(*web.Context, string, string) (bool, error) { return false, nil }},
		"BodyDump":            BodyDumpConfig{Skipper: skip, Handler: func(*web.Context, []byte, []byte, error) { dumps++ }},
		"BodyLimit":           BodyLimitConfig{Skipper: skip, LimitBytes: 1},
		"CORS":                CORSConfig{Skipper: skip, AllowOrigins: []string{"https://a.example"}},
		"CSRF":                CSRFConfig{Skipper: skip},
		"ContextTimeout":      ContextTimeoutConfig{Skipper: skip, Timeout: time.Nanosecond},
		"Decompress":          DecompressConfig{Skipper: skip, GzipDecompressPool: pooled},
		"Gzip":                GzipConfig{Skipper: skip},
		"KeyAuth":             KeyAuthConfig{Skipper: skip, Validator: never},
		"MethodOverride":      MethodOverrideConfig{Skipper: skip},
		"Proxy":               ProxyConfig{Skipper: skip, Balancer: NewRandomBalancer(nil)},
		"RateLimiter":         RateLimiterConfig{Skipper: skip, Store: store},
		"Recover":             RecoverConfig{Skipper: skip, DisablePrintStack: true},
		"Redirect":            redirectHTTPS(skip),
		"RequestID":           RequestIDConfig{Skipper: skip},
		"RequestLogger":       RequestLoggerConfig{Skipper: skip, LogValuesFunc: func(*web.Context, RequestLoggerValues) error { logs++; return nil }},
		"Rewrite":             RewriteConfig{Skipper: skip, Rules: map[string]string{"/x": "/y"}},
		"Secure":              SecureConfig{Skipper: skip, XFrameOptions: "DENY"},
		"AddTrailingSlash":    AddTrailingSlashConfig{Skipper: skip, RedirectCode: 301},
		"RemoveTrailingSlash": RemoveTrailingSlashConfig{Skipper: skip, RedirectCode: 301},
		"Static":              StaticConfig{Skipper: skip, Filesystem: fstest.MapFS{"x": {Data: []byte("a file")}}},
	} {
		m, err := config.ToMiddleware()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		e, _ := logged()
		e.Pre(m)
		handler := func(c *web.Context) error {
			if name == "Recover" {
				panic("boom")
			}
			if err := c.Request().Context().Err(); err != nil {
				return err
			}
			body, err := io.ReadAll(c.Request().Body)
			if err != nil {
				return err
			}
			return c.String(200, c.Request().Method+" "+c.Request().URL.Path+" "+string(body))
		}
		e.Any("/*", handler)
		ask := func(skipped bool) (answer string) {
			path := "/x"
			if name == "RemoveTrailingSlash" {
				path = "/x/"
			}
			logs, dumps = 0, 0
			w, r := httptest.NewRecorder(), httptest.NewRequest("POST", path, strings.NewReader("body"))
			if name == "Static" {
				r = httptest.NewRequest("GET", path, nil)
			}
			for key, value := range map[string]string{"Accept-Encoding": "gzip", "Content-Encoding": "gzip", "Origin": "https://a.example", "X-HTTP-Method-Override": "PUT"} {
				r.Header.Set(key, value)
			}
			if skipped {
				r.Header.Set("X-Skip", "1")
			}
			defer func() {
				if v := recover(); v != nil {
					answer = fmt.Sprint("panic ", v)
				}
			}()
			e.ServeHTTP(w, r)
			if name == "RateLimiter" { // the second request is above the limit
				w, r.Body = httptest.NewRecorder(), io.NopCloser(strings.NewReader("body"))
				e.ServeHTTP(w, r)
			}
			return fmt.Sprintf("%d %v %q logs %d dumps %d", w.Code, w.Header(), w.Body, logs, dumps)
		}
		plain := `200 map[Content-Type:[text/plain; charset=UTF-8]] "POST /x body" logs 0 dumps 0`
		switch name {
		case "Recover":
			plain = "panic boom"
		case "RemoveTrailingSlash":
			plain = strings.Replace(plain, "/x", "/x/", 1)
		case "Static":
			plain = strings.Replace(plain, "POST /x body", "GET /x ", 1)
		}
		if got := ask(true); got != plain {
			t.Errorf("%s, skipped: %s", name, got)
		}
		if got := ask(false); got == plain {
			t.Errorf("%s without a Skipper has no effect that the test detects: %s", name, got)
		}
	}
}

// A skippedRedirect is a MiddlewareConfigurator that makes HTTPSRedirect with a Skipper.
// RedirectConfig alone does not say which redirect to make.
type skippedRedirect struct{ Skipper }

func redirectHTTPS(s Skipper) web.MiddlewareConfigurator { return skippedRedirect{s} }

func (s skippedRedirect) ToMiddleware() (web.MiddlewareFunc, error) {
	return HTTPSRedirectWithConfig(RedirectConfig{Skipper: s.Skipper}), nil
}

func TestBeforeFunc(t *testing.T) {
	var order []string
	e, _ := logged()
	e.Use(RateLimiterWithConfig(RateLimiterConfig{
		Store:      NewRateLimiterMemoryStore(1e9),
		BeforeFunc: func(*web.Context) { order = append(order, "before") },
		IdentifierExtractor: func(*web.Context) (string, error) {
			order = append(order, "who")
			return "x", nil
		},
	}), RequestLoggerWithConfig(RequestLoggerConfig{
		BeforeNextFunc: func(*web.Context) { order = append(order, "before next") },
		LogValuesFunc:  func(*web.Context, RequestLoggerValues) error { order = append(order, "logged"); return nil },
	}))
	e.GET("/", func(c *web.Context) error { order = append(order, "handler"); return c.NoContent(204) })
	serve(e, "GET", "/", "")
	if got := strings.Join(order, ", "); got != "before, who, before next, handler, logged" {
		t.Errorf("%s", got)
	}
}

// An upgraded connection passes through the proxy in both directions, and ends when either
// side closes it. The target implements the parts of RFC 6455 that the test needs.
func TestProxyWebSocket(t *testing.T) {
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") || r.Header.Get("Sec-WebSocket-Key") == "" {
			http.Error(w, "no upgrade", http.StatusBadRequest)
			return
		}
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprintf(rw, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Path: %s\r\n\r\n", r.URL.Path)
		_ = rw.Flush()
		for { // frames of up to 125 bytes, which a client masks
			head := make([]byte, 6)
			if _, err := io.ReadFull(rw, head); err != nil {
				return
			}
			payload := make([]byte, head[1]&0x7f)
			if _, err := io.ReadFull(rw, payload); err != nil {
				return
			}
			for i := range payload {
				payload[i] ^= head[2+i%4]
			}
			if head[0] == 0x88 { // a close frame
				_, _ = conn.Write([]byte{0x88, 0})
				return
			}
			_, _ = conn.Write(append([]byte{head[0], byte(len(payload))}, bytes.ToUpper(payload)...))
		}
	}))
	defer target.Close()
	for _, scheme := range []string{"http", "ws"} {
		u, err := url.Parse(scheme + strings.TrimPrefix(target.URL, "http"))
		if err != nil {
			t.Fatal(err)
		}
		e, _ := logged()
		// If middleware around the proxy wraps the response writer, the connection must still pass
		// through it.
		e.Use(RequestLogger(), Recover(), Gzip(), BodyLimit(1<<20), BodyDump(func(*web.Context, []byte, []byte, error) {}), Proxy(NewRoundRobinBalancer([]*ProxyTarget{{URL: u}})))
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- web.StartConfig{Listener: listener, HidePort: true, GracefulTimeout: time.Second}.Start(ctx, e)
		}()
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
		fmt.Fprintf(conn, "GET /chat HTTP/1.1\r\nHost: site.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAccept-Encoding: gzip\r\n\r\n")
		r := bufio.NewReader(conn)
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 101 || resp.Header.Get("X-Path") != "/chat" || resp.Header.Get("Content-Encoding") != "" {
			t.Fatalf("%s: %v", scheme, resp)
		}
		mask := []byte{1, 2, 3, 4}
		send := func(op byte, text string) {
			frame := append([]byte{op, 0x80 | byte(len(text))}, mask...)
			for i := range len(text) {
				frame = append(frame, text[i]^mask[i%4])
			}
			_, _ = conn.Write(frame)
		}
		for _, text := range []string{"hello", "", strings.Repeat("x", 125)} {
			send(0x81, text)
			got := make([]byte, 2+len(text))
			if _, err := io.ReadFull(r, got); err != nil || got[0] != 0x81 || string(got[2:]) != strings.ToUpper(text) {
				t.Fatalf("%s: %q, %v", scheme, got, err)
			}
		}
		send(0x88, "")
		if rest, err := io.ReadAll(r); err != nil || !bytes.Equal(rest, []byte{0x88, 0}) {
			t.Errorf("%s: %q, %v", scheme, rest, err)
		}
		conn.Close()
		cancel()
		if err := <-done; err != nil {
			t.Errorf("%s: %v", scheme, err)
		}
	}
}

// TestProxyForwardedFields sends each header field in which a proxy describes its client. The
// target gets the fields of a trusted peer, and the Proxy's own values in place of the fields of
// other peers.
func TestProxyForwardedFields(t *testing.T) {
	var seen http.Header
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header.Clone() }))
	defer target.Close()
	u, _ := url.Parse(target.URL)
	fields := map[string]struct {
		fromTrusted bool   // a trusted peer's value reaches the target
		ours        string // the value that the proxy sets, if it drops the client's value
	}{
		"Forwarded": {}, "X-Forwarded-For": {fromTrusted: true, ours: "127.0.0.1"}, "X-Forwarded-Host": {fromTrusted: true}, "X-Forwarded-Port": {fromTrusted: true},
		"X-Forwarded-Prefix": {fromTrusted: true}, "X-Forwarded-Proto": {ours: "http"}, "X-Forwarded-Protocol": {}, "X-Forwarded-Server": {fromTrusted: true},
		"X-Forwarded-Ssl": {}, "X-Real-Ip": {ours: "127.0.0.1"}, "X-Url-Scheme": {},
	}
	for _, trusted := range []bool{false, true} {
		e := web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler), TrustedProxies: []web.TrustOption{web.TrustLoopback(trusted)}})
		e.Use(Proxy(NewRandomBalancer([]*ProxyTarget{{URL: u}})))
		s := httptest.NewServer(e)
		for _, connection := range []string{"", "Upgrade"} {
			r, _ := http.NewRequest("GET", s.URL, nil)
			for name := range fields {
				r.Header.Set(name, "evil.example")
			}
			if connection != "" {
				r.Header.Set("Connection", "X-Real-Ip, "+connection)
				r.Header.Set("Upgrade", "websocket")
			}
			res, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			for name, field := range fields {
				want := field.ours
				if trusted && field.fromTrusted {
					want = "evil.example"
					if field.ours != "" {
						want += ", " + field.ours
					}
				}
				if got := strings.Join(seen[name], "|"); got != want {
					t.Errorf("trusted=%v %s: %s: %q, want %q", trusted, connection, name, got, want)
				}
			}
		}
		s.Close()
	}
}

// A long Origin or list of headers takes time in proportion to its length, and is sent back only
// if it is allowed.
func TestCORSLongHeaders(t *testing.T) {
	e, _ := logged()
	e.Use(CORS("https://a.example", "https://b.example"))
	e.GET("/", func(c *web.Context) error { return c.NoContent(200) })
	testkit.Grows(t, 320_000, 9, func(n int) {
		r := httptest.NewRequest("OPTIONS", "/", nil)
		r.Header.Set("Origin", "https://"+strings.Repeat("a.", n)+"example")
		allowed := httptest.NewRequest("OPTIONS", "/", nil)
		allowed.Header.Set("Origin", "https://a.example")
		allowed.Header.Set("Access-Control-Request-Headers", strings.Repeat("x-a, ", n)+"x-b")
		for range 20 {
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			if w.Header().Get("Access-Control-Allow-Origin") != "" {
				t.Fatal("a long origin is allowed")
			}
			e.ServeHTTP(httptest.NewRecorder(), allowed)
		}
	})
}

// A handler panics inside Gzip, which buffers a part of the body. The client sees that the response
// is incomplete, whether it is compressed or not.
func TestGzipCutOff(t *testing.T) {
	e, _ := logged()
	e.Use(Recover(), GzipWithConfig(GzipConfig{MinLength: 1000}))
	api.Handle(e, "GET /{n}", func(_ context.Context, in *struct {
		N int `path:"n"`
	}) (*api.Elements[int], error) {
		return api.ElementsOf(func(yield func(int, error) bool) {
			for i := range in.N {
				if !yield(i, nil) {
					return
				}
			}
			yield(0, errors.New("then it failed"))
		}), nil
	})
	srv := httptest.NewServer(e)
	defer srv.Close()
	for _, path := range []string{"/1", "/1000", "/1000000"} {
		for _, accept := range []string{"gzip", "identity"} {
			r, err := http.NewRequestWithContext(t.Context(), "GET", srv.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept-Encoding", accept)
			resp, err := srv.Client().Do(r)
			if err != nil {
				continue // not even the header has arrived
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err == nil {
				t.Errorf("%s, %s: %d and %d bytes looked complete", path, accept, resp.StatusCode, len(body))
			}
		}
	}
	if w := serve(e, "GET", "/0", "", "Accept-Encoding", "gzip"); w.Code != 500 {
		t.Errorf("an error before the first element: %d", w.Code)
	}
}

// Static's redirects stay on its own host.
func TestStaticMiddlewareRedirect(t *testing.T) {
	e, _ := logged()
	e.Use(StaticWithConfig(StaticConfig{Filesystem: fstest.MapFS{"dir/index.html": {Data: []byte("index")}, "evil.example/index.html": {Data: []byte("index")}}}))
	for _, target := range []string{"/dir", "//evil.example", "//evil.example/..", "/%2fevil.example", "/\\evil.example", "/%5cevil.example", "///evil.example/%2e%2e"} {
		r := httptest.NewRequest("GET", "/", nil)
		u, err := url.Parse("http://h" + target)
		if err != nil {
			continue
		}
		r.URL = u
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		to := w.Header().Get("Location")
		if strings.HasPrefix(to, "//") || strings.HasPrefix(to, "/\\") || strings.Contains(to, "://") {
			t.Errorf("%s: %d to %q", target, w.Code, to)
		}
	}
}
