package middleware

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/web"
)

// logged returns an Echo and its log.
func logged() (*web.Echo, *bytes.Buffer) {
	var log bytes.Buffer
	return web.NewWithConfig(web.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}), &log
}

func get(h http.Handler, target string, header ...string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	h.ServeHTTP(w, r)
	return w
}

func TestRecover(t *testing.T) {
	e, log := logged()
	e.Use(RequestLogger(), Recover())
	sentinel := errors.New("sentinel")
	e.GET("/value", func(*web.Context) error { panic("secret") })
	e.GET("/error", func(*web.Context) error { panic(sentinel) })
	e.GET("/fine", func(c *web.Context) error { return c.String(200, "fine") })
	var seen error
	handler := e.HTTPErrorHandler
	e.HTTPErrorHandler = func(c *web.Context, err error) { seen = err; handler(c, err) }

	w := get(e, "/value")
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("panic: %d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), "middleware_test.go") {
		t.Errorf("the log lacks the panic or its stack: %s", log)
	}
	if s := log.String(); strings.Count(s, "(*RecoverConfig).recovered(") != 1 || strings.Contains(s, "[chan receive") || strings.Count(s, "msg=\"web: panic\"") != 1 {
		t.Errorf("the stack is logged more than once, or other stacks are logged: %s", s)
	}
	get(e, "/error")
	var pe *PanicStackError
	if !errors.Is(seen, sentinel) || !errors.As(seen, &pe) {
		t.Errorf("error of the panic: %v", seen)
	}
	if w := get(e, "/fine"); w.Body.String() != "fine" {
		t.Errorf("without a panic: %s", w.Body)
	}
}

// Over a real connection, an aborted handler and a panic after the response has begun
// both give the client a truncated body.
func TestRecoverCutsConnection(t *testing.T) {
	e, _ := logged()
	e.Use(RequestLogger(), Recover())
	e.GET("/abort", func(c *web.Context) error { panic(http.ErrAbortHandler) })
	e.GET("/begun", func(c *web.Context) error {
		_ = c.String(200, strings.Repeat("x", 1<<16))
		panic("half way")
	})
	srv := httptest.NewServer(e)
	defer srv.Close()
	for _, path := range []string{"/abort", "/begun"} {
		resp, err := srv.Client().Get(srv.URL + path)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if err == nil {
			t.Errorf("%s: the client read a whole response", path)
		}
	}
}

func TestRequestID(t *testing.T) {
	e, _ := logged()
	var handled string
	e.Use(RequestIDWithConfig(RequestIDConfig{RequestIDHandler: func(_ *web.Context, id string) { handled = id }}))
	e.GET("/", func(c *web.Context) error { return c.NoContent(200) })
	tests := []struct {
		sent string
		kept bool
	}{
		{"", false}, {"abc-123", true}, {"with space", false}, {strings.Repeat("x", 129), false}, {"caf\u00e9", false},
	}
	for _, tt := range tests {
		w := get(e, "/", "X-Request-ID", tt.sent)
		got := w.Header().Get("X-Request-Id")
		if got == "" || (got == tt.sent) != tt.kept || handled != got {
			t.Errorf("sent %q: got %q, handler %q", tt.sent, got, handled)
		}
	}
}

func TestRequestLogger(t *testing.T) {
	e, log := logged()
	e.Use(RequestLogger(), RequestID())
	e.GET("/a/:x", func(c *web.Context) error { return c.String(201, "four") })
	e.GET("/fails", func(c *web.Context) error { return errors.New("inner") })
	tests := []struct {
		target string
		want   []string
	}{
		{"/a/1?q=2", []string{"level=INFO", "method=GET", "uri=/a/1 ", "status=201", "bytes_out=4", "request_id="}},
		{"/fails", []string{"level=ERROR", "status=500", "error=inner"}},
		{"/none", []string{"level=ERROR", "msg=REQUEST_ERROR", "status=404"}},
	}
	for _, tt := range tests {
		log.Reset()
		get(e, tt.target)
		for _, want := range tt.want {
			if !strings.Contains(log.String(), want) {
				t.Errorf("%s: no %s in %s", tt.target, want, log)
			}
		}
	}
}

func TestSecure(t *testing.T) {
	e, _ := logged()
	e.Use(SecureWithConfig(SecureConfig{
		ContentTypeNosniff: "nosniff", ContentSecurityPolicy: "default-src 'self'",
		ReferrerPolicy: "no-referrer", HSTSMaxAge: 3600, HSTSPreloadEnabled: true,
	}))
	e.GET("/", func(c *web.Context) error { return c.NoContent(200) })
	h := get(e, "/").Header()
	for name, want := range map[string]string{
		"X-Content-Type-Options":    "nosniff",
		"Content-Security-Policy":   "default-src 'self'",
		"Referrer-Policy":           "no-referrer",
		"X-Frame-Options":           "",
		"Strict-Transport-Security": "",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for peer, want := range map[string]string{"10.1.2.3:4": "max-age=3600; includeSubdomains; preload", "192.0.2.1:4": ""} {
		r, w := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		r.RemoteAddr = peer
		r.Header.Set("X-Forwarded-Proto", "https")
		e.ServeHTTP(w, r)
		if got := w.Header().Get("Strict-Transport-Security"); got != want {
			t.Errorf("HSTS with X-Forwarded-Proto from %s: %q, want %q", peer, got, want)
		}
	}
	if _, err := (SecureConfig{XFrameOptions: "a\r\nb: c"}).ToMiddleware(); err == nil {
		t.Error("a value with a line break: no error")
	}
}

type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }

func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	e, _ := logged()
	e.Use(Recover(), Secure())
	e.GET("/:x", func(c *web.Context) error { return c.NoContent(200) })
	w, r := &discard{header: http.Header{}}, httptest.NewRequest("GET", "/1", nil)
	if n := testing.AllocsPerRun(100, func() { e.ServeHTTP(w, r) }); n > 0 {
		t.Errorf("Recover and Secure: %v allocs, budget 0", n)
	}
}

// serve sends a request with header fields, which are passed in pairs.
func serve(h http.Handler, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestMethodOverride(t *testing.T) {
	for name, m := range map[string]web.MiddlewareFunc{
		"header": MethodOverride(), "query": MethodOverrideWithConfig(MethodOverrideConfig{Getter: MethodFromQuery("m")}),
		"form": MethodOverrideWithConfig(MethodOverrideConfig{Getter: MethodFromForm("m")}),
	} {
		e, _ := logged()
		e.Pre(m)
		e.DELETE("/", func(c *web.Context) error { return c.String(200, "deleted") })
		w := serve(e, "POST", "/?m=DELETE", "m=DELETE", "X-HTTP-Method-Override", "DELETE", "Content-Type", "application/x-www-form-urlencoded")
		if w.Body.String() != "deleted" {
			t.Errorf("%s: %d", name, w.Code)
		}
		if w := serve(e, "GET", "/?m=DELETE", "", "X-HTTP-Method-Override", "DELETE"); w.Code != 405 {
			t.Errorf("%s, GET: %d", name, w.Code)
		}
	}
}

func TestRandomString(t *testing.T) {
	seen := map[string]bool{}
	count := [256]int{}
	for range 1000 {
		s := randomString(32)
		if seen[s] {
			t.Fatalf("%q, again", s)
		}
		seen[s] = true
	}
	total := 0
	for n := range 256 { // the length of a token is a uint8
		s := randomString(n)
		if len(s) != n || strings.Trim(s, letters) != "" {
			t.Fatalf("%q", s)
		}
		for i := range n {
			count[s[i]]++
		}
		total += n
	}
	for i := range len(letters) { // each letter is expected about 628 times; the bounds are eight standard deviations away
		if n := count[letters[i]]; n < total/52-200 || n > total/52+200 {
			t.Errorf("%d of %d letters are %q", n, total, letters[i])
		}
	}
}
