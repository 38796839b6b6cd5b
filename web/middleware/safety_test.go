package middleware

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hone-go/hone/internal/testkit"
	"github.com/hone-go/hone/web"
)

// serve sends a request with header fields, given in pairs.
func serve(h http.Handler, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func unzipped(t testing.TB, b []byte) string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAcceptsGzip(t *testing.T) {
	for accept, want := range map[string]bool{
		"gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "*": true, "x-gzip": true, "gzip;q=0.001": true,
		"": false, "gzip;q=0": false, "gzip; q=0.000": false, "gzip;q=0, *": false, "*;q=0": false, "br": false, "notgzip": false, "gzipped": false,
	} {
		if got := acceptsGzip([]string{accept}); got != want {
			t.Errorf("%q: %v", accept, got)
		}
	}
}

func TestGzip(t *testing.T) {
	e, _ := logged()
	e.Use(GzipWithConfig(GzipConfig{MinLength: 10}))
	e.GET("/long", func(c *web.Context) error {
		c.Response().Header().Set("Content-Length", "20")
		c.Response().Header().Set("Etag", `"v1"`)
		return c.String(201, strings.Repeat("x", 20))
	})
	e.GET("/short", func(c *web.Context) error { return c.String(200, "short") })
	e.GET("/none", func(c *web.Context) error { return c.NoContent(204) })
	e.GET("/fails", func(c *web.Context) error { return web.ErrForbidden })
	e.GET("/encoded", func(c *web.Context) error {
		c.Response().Header().Set("Content-Encoding", "br")
		return c.String(200, strings.Repeat("x", 20))
	})
	e.GET("/part", func(c *web.Context) error {
		c.Response().Header().Set("Content-Range", "bytes 0-19/40")
		return c.String(206, strings.Repeat("x", 20))
	})
	for path, encoding := range map[string]string{"/long": "gzip", "/short": "", "/none": "", "/fails": "gzip", "/encoded": "br", "/part": ""} {
		w := serve(e, "GET", path, "", "Accept-Encoding", "gzip")
		if path == "/fails" { // the error handler answers outside
			encoding = ""
		}
		if got := w.Header().Get("Content-Encoding"); got != encoding {
			t.Errorf("%s: Content-Encoding %q, want %q", path, got, encoding)
		}
		if w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: Vary %q", path, w.Header().Get("Vary"))
		}
	}
	w := serve(e, "GET", "/long", "", "Accept-Encoding", "gzip")
	if w.Code != 201 || unzipped(t, w.Body.Bytes()) != strings.Repeat("x", 20) || w.Header().Get("Content-Length") != "" || w.Header().Get("Etag") != `W/"v1"` {
		t.Errorf("long: %d %v", w.Code, w.Header())
	}
	if w := serve(e, "GET", "/long", "", "Accept-Encoding", "gzip;q=0"); w.Body.String() != strings.Repeat("x", 20) {
		t.Errorf("not accepted: %q", w.Body)
	}
}

// A flush sends what there is, so that the client can read it at once.
func TestGzipFlush(t *testing.T) {
	e, _ := logged()
	e.Use(Gzip())
	proceed := make(chan struct{})
	e.GET("/", func(c *web.Context) error {
		_, _ = io.WriteString(c.Response(), "first")
		if err := http.NewResponseController(c.Response()).Flush(); err != nil {
			return err
		}
		<-proceed
		_, err := io.WriteString(c.Response(), "second")
		return err
	})
	srv := httptest.NewServer(e)
	defer srv.Close()
	resp, err := srv.Client().Get(srv.URL) // which asks for gzip, and undoes it
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	first := make([]byte, 5)
	if _, err := io.ReadFull(resp.Body, first); err != nil || string(first) != "first" {
		t.Fatalf("%q %v", first, err)
	}
	close(proceed)
	if rest, err := io.ReadAll(resp.Body); err != nil || string(rest) != "second" {
		t.Errorf("%q %v", rest, err)
	}
}

// TestNoSharing runs ten thousand requests at once through everything that
// wraps a body or a response. Outer middleware goes on writing after Gzip, and
// goes on reading a body that BodyLimit and Decompress wrapped; no request may
// ever see a byte of another.
func TestNoSharing(t *testing.T) {
	e, _ := logged()
	e.Use(func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			id := c.QueryParam("id")
			if err := next(c); err != nil {
				return err
			}
			body := c.Request().Body // as the inner middleware left it
			if late, err := io.ReadAll(body); err == nil && len(late) > 0 && !strings.Contains(string(late), id) {
				t.Errorf("request %s reads %q", id, late)
			}
			_, err := io.WriteString(c.Response(), "|late "+id)
			return err
		}
	}, Gzip(), BodyDump(func(c *web.Context, request, response []byte, _ error) {
		if id := c.QueryParam("id"); string(request) != "body "+id || !strings.HasPrefix(string(response), "body "+id) {
			t.Errorf("request %s is dumped as %q and %q", id, request, response)
		}
	}), Decompress(), BodyLimit(1<<20))
	e.POST("/", func(c *web.Context) error {
		body, err := io.ReadAll(c.Request().Body)
		if err != nil {
			return err
		}
		return c.Blob(200, "text/plain", body)
	})
	n := 10_000
	if testing.Short() {
		n = 500
	}
	ids := make(chan int)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for id := range ids {
				body := fmt.Sprintf("body %d", id)
				w := serve(e, "POST", fmt.Sprintf("/?id=%d", id), body, "Accept-Encoding", "gzip")
				if got, want := unzipped(t, w.Body.Bytes()), fmt.Sprintf("%s|late %d", body, id); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
	}
	for id := range n {
		ids <- id
	}
	close(ids)
	wg.Wait()
}

func TestDecompress(t *testing.T) {
	e, _ := logged()
	e.Use(DecompressWithConfig(DecompressConfig{MaxDecompressedSize: 1000}))
	var kept io.Reader
	e.POST("/", func(c *web.Context) error {
		kept = c.Request().Body
		body, err := io.ReadAll(c.Request().Body)
		if err != nil {
			return err
		}
		return c.String(200, string(body))
	})
	for _, tt := range []struct {
		body string
		code int
		want string
	}{
		{zipped(t, "hello"), 200, "hello"},
		{zipped(t, strings.Repeat("x", 1000)), 200, strings.Repeat("x", 1000)},
		{zipped(t, strings.Repeat("x", 1001)), 413, ""},
		{zipped(t, strings.Repeat("x", 10<<20)), 413, ""}, // a bomb
		{"not gzip at all", 400, ""},
		{"", 200, ""},
	} {
		w := serve(e, "POST", "/", tt.body, "Content-Encoding", "GZip")
		if w.Code != tt.code || tt.code == 200 && w.Body.String() != tt.want {
			t.Errorf("%.10q: %d %.50q", tt.body, w.Code, w.Body)
		}
	}
	serve(e, "POST", "/", zipped(t, "hello"), "Content-Encoding", "gzip")
	if _, err := kept.Read(make([]byte, 1)); err == nil {
		t.Error("the body can be read after the handler returned")
	}
}

func TestBodyLimit(t *testing.T) {
	e, _ := logged()
	e.Use(BodyLimit(10))
	e.POST("/", func(c *web.Context) error {
		body, err := io.ReadAll(c.Request().Body)
		if err != nil {
			return err
		}
		return c.String(200, string(body))
	})
	for body, want := range map[string]int{"": 200, "0123456789": 200, "0123456789a": 413} {
		if w := serve(e, "POST", "/", body); w.Code != want {
			t.Errorf("%d bytes: %d", len(body), w.Code)
		}
		r := httptest.NewRequest("POST", "/", struct{ io.Reader }{strings.NewReader(body)}) // of unknown length
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%d bytes in chunks: %d", len(body), w.Code)
		}
	}
	big, _ := logged()
	big.POST("/", func(c *web.Context) error {
		var v struct{ A string }
		if err := c.Bind(&v); err != nil {
			return err
		}
		return c.NoContent(200)
	}, BodyLimit(20<<20))
	if w := serve(big, "POST", "/", `{"A":"`+strings.Repeat("x", 5<<20)+`"}`, "Content-Type", "application/json"); w.Code != 200 {
		t.Errorf("a limit above the default: %d %s", w.Code, w.Body)
	}
}

func TestBodyDumpLeavesTheBodyWhole(t *testing.T) {
	e, _ := logged()
	var request, response string
	e.Use(BodyDumpWithConfig(BodyDumpConfig{MaxRequestBytes: 3, MaxResponseBytes: 2, Handler: func(_ *web.Context, a, b []byte, _ error) {
		request, response = string(a), string(b)
	}}))
	e.POST("/", func(c *web.Context) error {
		body, _ := io.ReadAll(c.Request().Body)
		return c.String(200, string(body))
	})
	if w := serve(e, "POST", "/", "hello"); w.Body.String() != "hello" || request != "hel" || response != "he" {
		t.Errorf("%q %q %q", w.Body, request, response)
	}
}

func TestCORS(t *testing.T) {
	e, _ := logged()
	e.Use(CORSWithConfig(CORSConfig{AllowOrigins: []string{"https://a.example"}, AllowCredentials: true, ExposeHeaders: []string{"X-A", "X-B"}, MaxAge: 60}))
	e.GET("/", func(c *web.Context) error { return c.NoContent(200) })
	e.POST("/", func(c *web.Context) error { return c.NoContent(200) })
	w := serve(e, "GET", "/", "", "Origin", "https://A.example")
	h := w.Header()
	if h.Get("Access-Control-Allow-Origin") != "https://a.example" || h.Get("Access-Control-Allow-Credentials") != "true" || h.Get("Access-Control-Expose-Headers") != "X-A,X-B" {
		t.Errorf("allowed: %v", h)
	}
	for _, origin := range []string{"https://evil.example", "https://a.example.evil.example", "null", "https://a.example:81", "http://a.example"} {
		for _, method := range []string{"GET", "OPTIONS"} {
			if h := serve(e, method, "/", "", "Origin", origin).Header(); h.Get("Access-Control-Allow-Origin") != "" || h.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%s from %s: %v", method, origin, h)
			}
		}
	}
	w = serve(e, "OPTIONS", "/", "", "Origin", "https://a.example", "Access-Control-Request-Headers", "X-Z")
	h = w.Header()
	if w.Code != 204 || h.Get("Access-Control-Allow-Methods") != "OPTIONS, GET, POST" || h.Get("Access-Control-Allow-Headers") != "X-Z" || h.Get("Access-Control-Max-Age") != "60" || len(h["Vary"]) != 3 {
		t.Errorf("preflight: %d %v", w.Code, h)
	}
	for name, config := range map[string]CORSConfig{
		"star and credentials": {AllowOrigins: []string{"*"}, AllowCredentials: true},
		"no origin":            {},
		"no scheme":            {AllowOrigins: []string{"a.example"}},
		"a path":               {AllowOrigins: []string{"https://a.example/x"}},
	} {
		if _, err := config.ToMiddleware(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	star, _ := logged()
	star.Use(CORSWithConfig(CORSConfig{AllowCredentials: true, UnsafeAllowOriginFunc: func(*web.Context, string) (string, bool, error) { return "*", true, nil }}))
	star.GET("/", func(c *web.Context) error { return c.NoContent(200) })
	if h := serve(star, "GET", "/", "", "Origin", "https://x.example").Header(); h.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("credentials with *: %v", h)
	}
}

func TestCSRF(t *testing.T) {
	e, _ := logged()
	e.Use(CSRFWithConfig(CSRFConfig{TokenLookup: "header:X-CSRF-Token,form:csrf", CookiePath: "/", CookieHTTPOnly: true, TrustedOrigins: []string{"https://a.example"}}))
	e.GET("/", func(c *web.Context) error { return c.String(200, c.Get("csrf").(string)) })
	e.POST("/", func(c *web.Context) error { return c.NoContent(200) })
	w := serve(e, "GET", "/", "")
	token := w.Body.String()
	cookie := w.Header().Get("Set-Cookie")
	if len(token) != 32 || !strings.HasPrefix(cookie, "_csrf="+token+"; Path=/; Expires=") || !strings.HasSuffix(cookie, "; HttpOnly") {
		t.Fatalf("token %q, cookie %q", token, cookie)
	}
	if other := serve(e, "GET", "/", "").Body.String(); other == token {
		t.Error("the same token twice")
	}
	for _, tt := range []struct {
		want   int
		header []string
	}{
		{400, nil},
		{400, []string{"Cookie", "_csrf=" + token}},
		{403, []string{"Cookie", "_csrf=" + token, "X-CSRF-Token", "x"}},
		{403, []string{"Cookie", "_csrf=", "X-CSRF-Token", ""}}, // empty on both sides is no secret
		{200, []string{"Cookie", "_csrf=" + token, "X-CSRF-Token", token}},
		{200, []string{"Sec-Fetch-Site", "same-origin"}},
		{403, []string{"Sec-Fetch-Site", "cross-site"}},
		{403, []string{"Sec-Fetch-Site", "same-site", "Origin", "https://evil.example"}},
		{200, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://A.example"}},
	} {
		if w := serve(e, "POST", "/", "", tt.header...); w.Code != tt.want {
			t.Errorf("%q: %d %s, want %d", tt.header, w.Code, w.Body, tt.want)
		}
	}
	if w := serve(e, "POST", "/", "csrf="+token, "Cookie", "_csrf="+token, "Content-Type", "application/x-www-form-urlencoded"); w.Code != 200 {
		t.Errorf("by a form: %d", w.Code)
	}
	strange := serve(e, "GET", "/", "", "Cookie", "_csrf=a b").Header().Get("Set-Cookie")
	if !strings.HasPrefix(strange, `_csrf="a b"; `) {
		t.Errorf("a token that needs quotes: %q", strange)
	}
}

func TestRedirects(t *testing.T) {
	for _, tt := range []struct {
		m          web.MiddlewareFunc
		host, want string
	}{
		{HTTPSRedirect(), "a.example", "https://a.example/p?q=1"},
		{HTTPSWWWRedirect(), "www.a.example", "https://www.a.example/p?q=1"},
		{HTTPSNonWWWRedirect(), "www.a.example", "https://a.example/p?q=1"},
		{WWWRedirect(), "a.example:80", "http://www.a.example:80/p?q=1"},
		{NonWWWRedirect(), "www.a.example", "http://a.example/p?q=1"},
		{NonWWWRedirect(), "a.example", ""},
		{HTTPSRedirect(), "a.example/@evil.example", "400"},
		{HTTPSRedirect(), "evil.example\\a.example", "400"},
		{HTTPSRedirect(), "a@b", "400"},
		{HTTPSRedirect(), "", "400"},
	} {
		e, _ := logged()
		e.Pre(tt.m)
		e.GET("/p", func(c *web.Context) error { return c.NoContent(200) })
		r := httptest.NewRequest("GET", "/p?q=1", nil)
		r.Host = tt.host
		r.RequestURI = "http://evil.example/p?q=1" // what a proxy's client may send
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		got := w.Header().Get("Location")
		if w.Code == 400 {
			got = "400"
		}
		if got != tt.want {
			t.Errorf("%s: %d %q, want %q", tt.host, w.Code, got, tt.want)
		}
	}
	if _, err := (RedirectConfig{}).ToMiddleware(); err == nil {
		t.Error("no target: no error")
	}
}

func TestTrailingSlash(t *testing.T) {
	for _, tt := range []struct {
		m            web.MiddlewareFunc
		target, want string
	}{
		{AddTrailingSlashWithConfig(AddTrailingSlashConfig{RedirectCode: 301}), "//evil.example", "/evil.example/"},
		{AddTrailingSlashWithConfig(AddTrailingSlashConfig{RedirectCode: 301}), "/%5Cevil.example", "/%5Cevil.example/"},
		{AddTrailingSlashWithConfig(AddTrailingSlashConfig{RedirectCode: 308}), "/a%2Fb?x=1", "/a%2Fb/?x=1"},
		{RemoveTrailingSlashWithConfig(RemoveTrailingSlashConfig{RedirectCode: 301}), "//evil.example/", "/evil.example"},
		{RemoveTrailingSlashWithConfig(RemoveTrailingSlashConfig{RedirectCode: 301}), "/", ""},
		{AddTrailingSlash(), "/a?x=1", "served /a/?x=1"},
		{RemoveTrailingSlash(), "/a/?x=1", "served /a?x=1"},
	} {
		e, _ := logged()
		e.Pre(tt.m)
		e.GET("/*", func(c *web.Context) error { return c.String(200, "served "+c.Request().RequestURI) })
		r := httptest.NewRequest("GET", "/", nil)
		r.URL, _ = url.Parse("http://h" + tt.target)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		got := w.Header().Get("Location")
		if strings.HasPrefix(tt.want, "served") {
			got = w.Body.String()
		}
		if got != tt.want {
			t.Errorf("%s: %d %q, want %q", tt.target, w.Code, got, tt.want)
		}
	}
	if _, err := (AddTrailingSlashConfig{RedirectCode: 200}).ToMiddleware(); err == nil {
		t.Error("a code that is no redirect: no error")
	}
}

func TestRewrite(t *testing.T) {
	e, _ := logged()
	e.Pre(RewriteWithConfig(RewriteConfig{
		Rules:      map[string]string{"/old": "/new", "/api/*": "/$1", "/users/*/orders/*": "/user/$1/order/$2", "/api/v1/*": "/v1/$1"},
		RegexRules: map[*regexp.Regexp]string{regexp.MustCompile("^/re/(.+)$"): "/regex/$1"},
	}))
	e.GET("/*", func(c *web.Context) error { return c.String(200, c.Request().URL.Host+c.Request().URL.Path) })
	for target, want := range map[string]string{
		"/old": "/new", "/api/x": "/x", "/api/v1/x": "/v1/x", "/users/a/orders/b": "/user/a/order/b", "/re/z": "/regex/z", "/other": "/other",
		"/api//evil.example": "/evil.example",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL, _ = url.Parse(target)
		if r.URL.Host != "" {
			r.URL = &url.URL{Path: target}
		}
		r.RequestURI = target
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Body.String() != want {
			t.Errorf("%s: %s, want %s", target, w.Body, want)
		}
	}
}

func TestAuth(t *testing.T) {
	e, _ := logged()
	e.GET("/basic", func(c *web.Context) error { return c.NoContent(200) }, BasicAuthWithConfig(BasicAuthConfig{
		Realm: "a\"b", AllowedCheckLimit: 2,
		Validator: func(_ *web.Context, user, password string) (bool, error) {
			if user == "broken" {
				return false, errors.New("inner")
			}
			return user == "u" && password == "p:q", nil
		},
	}))
	key := KeyAuthWithConfig(KeyAuthConfig{
		KeyLookup: "header:Authorization:Bearer ,query:key,cookie:key,form:key,param:key",
		Validator: func(_ *web.Context, key string, source ExtractorSource) (bool, error) { return key == "k", nil },
	})
	e.GET("/key", func(c *web.Context) error { return c.NoContent(200) }, key)
	e.GET("/key/:key", func(c *web.Context) error { return c.NoContent(200) }, key)
	for _, tt := range []struct {
		target string
		want   int
		header []string
	}{
		{"/basic", 401, nil},
		{"/basic", 200, []string{"Authorization", "BASIC dTpwOnE="}},
		{"/basic", 401, []string{"Authorization", "Basic dTp4"}},
		{"/basic", 400, []string{"Authorization", "Basic %%%"}},
		{"/basic", 401, []string{"Authorization", "Basic dQ=="}},
		{"/basic", 500, []string{"Authorization", "Basic YnJva2VuOng="}},
		{"/basic", 200, []string{"Authorization", "Basic dTp4", "Authorization", "Basic dTpwOnE="}},
		{"/basic", 401, []string{"Authorization", "Basic dTp4", "Authorization", "Basic dTp4", "Authorization", "Basic dTpwOnE="}},
		{"/key", 401, nil},
		{"/key", 200, []string{"Authorization", "bearer k"}},
		{"/key", 401, []string{"Authorization", "Basic k"}},
		{"/key?key=k", 200, nil},
		{"/key?key=x", 401, nil},
		{"/key", 200, []string{"Cookie", "key=k"}},
		{"/key/k", 200, nil},
	} {
		if w := serve(e, "GET", tt.target, "", tt.header...); w.Code != tt.want {
			t.Errorf("%s %q: %d, want %d", tt.target, tt.header, w.Code, tt.want)
		}
	}
	if got := serve(e, "GET", "/basic", "").Header().Get("WWW-Authenticate"); got != `basic realm="a\"b"` {
		t.Errorf("challenge: %s", got)
	}
	if _, err := (BasicAuthConfig{}).ToMiddleware(); err == nil {
		t.Error("BasicAuth without a validator: no error")
	}
	for _, config := range []KeyAuthConfig{{}, {KeyLookup: "nope", Validator: func(*web.Context, string, ExtractorSource) (bool, error) { return true, nil }}} {
		if _, err := config.ToMiddleware(); err == nil {
			t.Errorf("KeyAuth %+v: no error", config.KeyLookup)
		}
	}
}

func TestContextTimeout(t *testing.T) {
	e, _ := logged()
	e.GET("/wait", func(c *web.Context) error {
		<-c.Request().Context().Done()
		return c.Request().Context().Err()
	}, ContextTimeout(time.Millisecond))
	var kept context.Context
	type key struct{}
	e.GET("/quick", func(c *web.Context) error {
		kept = c.Request().Context()
		if kept.Err() != nil || kept.Value(key{}) != "v" {
			t.Errorf("inside: %v %v", kept.Err(), kept.Value(key{}))
		}
		child, cancel := context.WithCancel(kept)
		defer cancel()
		if d, ok := child.Deadline(); !ok || time.Until(d) > time.Hour {
			t.Errorf("deadline: %v %v", d, ok)
		}
		return c.NoContent(200)
	}, ContextTimeout(time.Hour))
	e.GET("/lazy", func(c *web.Context) error { kept = c.Request().Context(); return nil }, ContextTimeout(time.Hour))
	if w := serve(e, "GET", "/wait", ""); w.Code != 503 {
		t.Errorf("too long: %d", w.Code)
	}
	for _, target := range []string{"/quick", "/lazy"} {
		parent, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, "v"))
		e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", target, nil).WithContext(parent))
		cancel()
		select {
		case <-kept.Done():
		case <-time.After(time.Minute):
			t.Fatalf("%s: not done after the handler returned", target)
		}
		if !errors.Is(kept.Err(), context.Canceled) || kept.Value(key{}) != "v" {
			t.Errorf("%s: after: %v", target, kept.Err())
		}
	}
	if _, err := (ContextTimeoutConfig{}).ToMiddleware(); err == nil {
		t.Error("no timeout: no error")
	}
}

func TestBuckets(t *testing.T) {
	var b buckets
	b.init(10, 3, time.Hour) // a token each 100 ms
	var one bucket
	now := int64(0)
	take := func() bool { ok, _ := b.takeFrom(&one, now); return ok }
	for i, want := range []bool{true, true, true, false, false} {
		if take() != want {
			t.Errorf("request %d", i)
		}
	}
	now = 100e6 - 1
	if take() {
		t.Error("just before the next token")
	}
	now = 100e6
	if !take() || take() {
		t.Error("one token, at its time")
	}
	now = 10e9
	for range 3 {
		if !take() {
			t.Error("full again")
		}
	}
	if take() {
		t.Error("more than the burst")
	}
	if _, ahead := b.takeFrom(&one, now); b.remaining(ahead) != 0 || b.wait(ahead) != 1 {
		t.Errorf("remaining %d, wait %d", b.remaining(ahead), b.wait(ahead))
	}
	var none buckets
	none.init(0, 2, time.Hour)
	var two bucket
	for i, want := range []bool{true, true, false} {
		if ok, _ := none.takeFrom(&two, 1e18); ok != want {
			t.Errorf("rate 0, request %d", i)
		}
	}
}

func TestRateLimiter(t *testing.T) {
	e, _ := logged()
	e.Use(RateLimiter(NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 0.001, Burst: 2})))
	e.GET("/", func(c *web.Context) error { return c.NoContent(200) })
	for i, want := range []int{200, 200, 429} {
		w := serve(e, "GET", "/", "")
		if w.Code != want || w.Header().Get(HeaderXRateLimitLimit) != "2" || w.Header().Get(HeaderXRateLimitRemaining) != fmt.Sprint(max(1-i, 0)) {
			t.Errorf("request %d: %d %v", i, w.Code, w.Header())
		}
		if (w.Header().Get("Retry-After") != "") != (want == 429) {
			t.Errorf("request %d: Retry-After %q", i, w.Header().Get("Retry-After"))
		}
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "198.51.100.1:1"
	w := httptest.NewRecorder()
	if e.ServeHTTP(w, r); w.Code != 200 {
		t.Errorf("somebody else: %d", w.Code)
	}
	if _, err := (RateLimiterConfig{}).ToMiddleware(); err == nil {
		t.Error("no store: no error")
	}
}

// Whatever the number of visitors, the store stays small, and many at once do
// not get more than their share.
func TestRateLimiterBounded(t *testing.T) {
	store := NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 1e-6, Burst: 1})
	for i := range 3 * shards * perShard {
		_, _ = store.Allow(fmt.Sprint(i))
	}
	n := 0
	for i := range store.buckets.shards {
		n += len(store.buckets.shards[i].visitors)
	}
	if n > shards*perShard {
		t.Errorf("%d visitors", n)
	}
	store = NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 1e-6, Burst: 50})
	var mu sync.Mutex
	var wg sync.WaitGroup
	allowed := 0
	for range 100 {
		wg.Go(func() {
			for range 10 {
				if ok, _ := store.Allow("one"); ok {
					mu.Lock()
					allowed++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if allowed != 50 {
		t.Errorf("%d requests of a burst of 50", allowed)
	}
}

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
		"192.0.2.1:1": {"192.0.2.1", "192.0.2.1", "http"}, // what it says itself is not passed on
		"10.0.0.1:1":  {"6.6.6.6", "6.6.6.6, 10.0.0.1", "https"},
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

func TestStaticMiddleware(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{"secret.txt": "secret", "public/a.txt": "a", "public/index.html": "index", "public/list/<b>.txt": "b"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret.txt", filepath.Join(root, "public", "out")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	e := web.NewWithConfig(web.Config{Filesystem: web.NewDefaultFS(root)})
	e.Use(Static("public"))
	for target, want := range map[string]string{"/a.txt": "a", "/": "index"} {
		if w := serve(e, "GET", target, ""); w.Body.String() != want {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	for _, target := range []string{"/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/..%5csecret.txt", "/a.txt%00", "/out", "/list/", "/none"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL, _ = url.Parse("http://h" + target)
		w := httptest.NewRecorder()
		if e.ServeHTTP(w, r); w.Code != 404 || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	app := web.NewWithConfig(web.Config{Filesystem: web.NewDefaultFS(root)})
	app.Use(StaticWithConfig(StaticConfig{Root: "public", HTML5: true, Browse: true}))
	app.GET("/own", func(c *web.Context) error { return web.ErrNotFound })
	for target, want := range map[string]string{"/some/page": "index", "/own": "{\"message\":\"Not Found\"}\n"} {
		if w := serve(app, "GET", target, ""); w.Body.String() != want {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if w := serve(app, "GET", "/list/", ""); w.Code != 200 || !strings.Contains(w.Body.String(), "&lt;b&gt;.txt") || strings.Contains(w.Body.String(), "<b>") {
		t.Errorf("a listing: %d %s", w.Code, w.Body)
	}
	if _, err := (StaticConfig{DirectoryListTemplate: "{{"}).ToMiddleware(); err == nil {
		t.Error("a bad template: no error")
	}
	if _, err := (StaticConfig{Root: "../x", Filesystem: fstest.MapFS{}}).ToMiddleware(); err == nil {
		t.Error("a root outside: no error")
	}
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

func TestRequestLoggerWithConfig(t *testing.T) {
	e, _ := logged()
	var got RequestLoggerValues
	e.Use(RequestLoggerWithConfig(RequestLoggerConfig{
		LogValuesFunc: func(_ *web.Context, v RequestLoggerValues) error { got = v; return nil },
		HandleError:   true, LogLatency: true, LogProtocol: true, LogRemoteIP: true, LogHost: true, LogMethod: true, LogURI: true,
		LogURIPath: true, LogRoutePath: true, LogRequestID: true, LogReferer: true, LogUserAgent: true, LogStatus: true,
		LogContentLength: true, LogResponseSize: true, LogHeaders: []string{"x-a"}, LogQueryParams: []string{"q"}, LogFormValues: []string{"f"},
	}))
	e.GET("/a/:x", func(c *web.Context) error { return web.ErrForbidden })
	serve(e, "GET", "/a/1?q=2", "", "X-A", "h", "Referer", "r", "User-Agent", "u", "X-Request-Id", "i")
	if got.Status != 403 || got.Method != "GET" || got.URI != "/a/1?q=2" || got.URIPath != "/a/1" || got.RoutePath != "/a/:x" || got.RequestID != "i" ||
		got.Referer != "r" || got.UserAgent != "u" || got.Host != "example.com" || got.RemoteIP != "192.0.2.1" || got.Protocol != "HTTP/1.1" ||
		got.Error == nil || got.ResponseSize != 24 || got.Headers["X-A"][0] != "h" || got.QueryParams["q"][0] != "2" || len(got.FormValues) != 0 {
		t.Errorf("%+v", got)
	}
	if _, err := (RequestLoggerConfig{}).ToMiddleware(); err == nil {
		t.Error("no function: no error")
	}
}

func TestRandomString(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		s := randomString(32)
		if len(s) != 32 || strings.Trim(s, letters) != "" || seen[s] {
			t.Fatalf("%q", s)
		}
		seen[s] = true
	}
}

func TestMiddlewareAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	store := NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 1e9, Burst: 200})
	for name, tt := range map[string]struct {
		m      web.MiddlewareFunc
		budget float64
	}{
		"RequestID":      {RequestID(), 2},               // the ID and its header value
		"ContextTimeout": {ContextTimeout(time.Hour), 2}, // the context and the request
		"CORS":           {CORS("https://a.example"), 0}, //
		"CSRF":           {CSRF(), 4},                    // the token, the cookie, its header value, the token's interface
		"RateLimiter":    {RateLimiter(store), 0},        //
		"BodyLimit":      {BodyLimit(1 << 20), 0},        // without a body
		"Secure":         {Secure(), 0},                  //
		"Redirect":       {NonWWWRedirect(), 0},          //
		"TrailingSlash":  {RemoveTrailingSlash(), 0},     //
	} {
		e, _ := logged()
		e.Use(tt.m)
		e.GET("/:x", func(c *web.Context) error { return nil })
		w, r := &discard{header: http.Header{}}, httptest.NewRequest("GET", "/1", nil)
		r.Header.Set("Origin", "https://a.example")
		if n := testing.AllocsPerRun(100, func() { clear(w.header); e.ServeHTTP(w, r) }); n > tt.budget {
			t.Errorf("%s: %v allocs, budget %v", name, n, tt.budget)
		}
	}
}
