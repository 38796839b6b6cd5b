package compress_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	honecompress "github.com/hone-go/hone/integrations/compress"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// uncompressed decodes a content coding with readers of other modules.
func uncompressed(t testing.TB, coding string, b []byte) string {
	t.Helper()
	var r io.Reader
	var err error
	switch coding {
	case "gzip":
		r, err = gzip.NewReader(bytes.NewReader(b))
	case "zstd":
		var d *zstd.Decoder
		if d, err = zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderMaxWindow(8<<20)); err == nil {
			defer d.Close()
			r = d
		}
	default:
		return string(b)
	}
	if err != nil {
		t.Fatalf("%s: %v", coding, err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Errorf("%s: %v", coding, err)
	}
	return string(text)
}

// An answer is the part of a response that the tests check. The body has not been decoded.
type answer struct {
	StatusCode    int
	Header        http.Header
	ContentLength int64
}

// start starts a server on the loopback interface, and returns a client that does not decode
// codings.
func start(t testing.TB, h http.Handler) func(method, path, accept string) (answer, []byte, error) {
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	t.Cleanup(s.Close)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}}
	t.Cleanup(client.CloseIdleConnections)
	return func(method, path, accept string) (answer, []byte, error) {
		r, err := http.NewRequest(method, s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if accept != "" {
			r.Header.Set("Accept-Encoding", accept)
		}
		resp, err := client.Do(r)
		if err != nil {
			return answer{}, nil, err
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		return answer{resp.StatusCode, resp.Header, resp.ContentLength}, b, err
	}
}

func quiet() *web.Echo {
	return web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler), Router: web.NewRouter(web.RouterConfig{AutoHandleHEAD: true})})
}

// big is longer than the window, and does not compress well.
var big = func() string {
	b := make([]byte, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = "abcdefghijklmnop"[r.IntN(16)]
	}
	return string(b)
}()

func handlers(e *web.Echo) {
	e.GET("/text", func(c *web.Context) error { return c.String(201, strings.Repeat("text ", 1000)) })
	e.GET("/big", func(c *web.Context) error { return c.String(200, big) })
	e.GET("/pieces", func(c *web.Context) error {
		for i := 0; i < len(big); i += 1000 {
			if _, err := io.WriteString(c.Response(), big[i:min(i+1000, len(big))]); err != nil {
				return err
			}
			if i%500_000 == 0 {
				c.Response().(http.Flusher).Flush()
			}
		}
		return nil
	})
	e.GET("/short", func(c *web.Context) error { return c.String(200, "short") })
	e.GET("/empty", func(c *web.Context) error { return c.String(200, "") })
	e.GET("/flushed", func(c *web.Context) error { return http.NewResponseController(c.Response()).Flush() })
	e.GET("/none", func(c *web.Context) error { return c.NoContent(204) })
	e.GET("/unmodified", func(c *web.Context) error { return c.NoContent(304) })
	e.GET("/moved", func(c *web.Context) error { return c.Redirect(302, "/text") })
	e.GET("/encoded", func(c *web.Context) error {
		c.Response().Header().Set("Content-Encoding", "br")
		return c.String(200, strings.Repeat("x", 100))
	})
	e.GET("/part", func(c *web.Context) error {
		c.Response().Header().Set("Content-Range", "bytes 0-99/400")
		return c.String(206, strings.Repeat("x", 100))
	})
	e.GET("/error", func(c *web.Context) error { return web.ErrForbidden })
	e.GET("/length", func(c *web.Context) error {
		c.Response().Header().Set("Content-Length", "100")
		c.Response().Header().Set("Etag", `"v1"`)
		return c.String(200, strings.Repeat("x", 100))
	})
}

func TestCompress(t *testing.T) {
	e := quiet()
	e.Use(honecompress.CompressWithConfig(honecompress.CompressConfig{MinLength: 10}))
	handlers(e)
	ask := start(t, e)
	for _, accept := range []string{"", "gzip", "zstd", "gzip, deflate, br, zstd", "zstd;q=0.1, gzip;q=0.2", "zstd;q=0", "br"} {
		coding := map[string]string{"gzip": "gzip", "zstd": "zstd", "gzip, deflate, br, zstd": "zstd", "zstd;q=0.1, gzip;q=0.2": "gzip"}[accept]
		for _, tt := range []struct {
			path   string
			coding string
			code   int
			body   string
		}{
			{"/text", coding, 201, strings.Repeat("text ", 1000)},
			{"/big", coding, 200, big},
			{"/pieces", coding, 200, big},
			{"/short", "", 200, "short"},
			{"/empty", "", 200, ""},
			{"/flushed", coding, 200, ""},
			{"/none", "", 204, ""},
			{"/unmodified", "", 304, ""},
			{"/encoded", "br", 200, strings.Repeat("x", 100)},
			{"/part", "", 206, strings.Repeat("x", 100)},
			{"/error", "", 403, "{\"message\":\"Forbidden\"}\n"}, // written outside the middleware
			{"/length", coding, 200, strings.Repeat("x", 100)},
		} {
			resp, b, err := ask("GET", tt.path, accept)
			if err != nil {
				t.Fatalf("%s %q: %v", tt.path, accept, err)
			}
			if got := resp.Header.Get("Content-Encoding"); got != tt.coding || resp.StatusCode != tt.code || resp.Header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s %q: %d %v", tt.path, accept, resp.StatusCode, resp.Header)
				continue
			}
			if text := uncompressed(t, tt.coding, b); text != tt.body {
				t.Errorf("%s %q: %d bytes: %.50q", tt.path, accept, len(text), text)
			}
			if tt.coding == "zstd" || tt.coding == "gzip" {
				if tag := resp.Header.Get("Etag"); tt.path == "/length" && tag != `W/"v1"` {
					t.Errorf("%s %q: tag %q", tt.path, accept, tag)
				}
				if resp.ContentLength > 0 && int(resp.ContentLength) != len(b) {
					t.Errorf("%s %q: length %d of %d", tt.path, accept, resp.ContentLength, len(b))
				}
			}
			head, b, err := ask("HEAD", tt.path, accept)
			if err != nil || head.StatusCode != tt.code || len(b) > 0 {
				t.Fatalf("HEAD %s %q: %v %d bytes, %v", tt.path, accept, head, len(b), err)
			}
			// The response to HEAD has the same headers as the response to GET, or fewer if the
			// handler flushes.
			for _, name := range []string{"Content-Encoding", "Content-Length", "Etag"} {
				known := resp.Header.Get(name)
				if got := head.Header.Get(name); got != known && !(name == "Content-Length" && got == "") && tt.path != "/flushed" && tt.path != "/pieces" && !(name == "Content-Length" && tt.coding == "" && got == fmt.Sprint(len(tt.body))) {
					t.Errorf("HEAD %s %q: %s is %q, of GET %q", tt.path, accept, name, got, known)
				}
			}
		}
	}
}

// TestErrors checks that the response of an error handler inside the middleware is compressed, and that
// the response of an error handler outside is the same as without the middleware.
func TestErrors(t *testing.T) {
	problem := func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			if err := next(c); err != nil {
				c.Response().Header().Set("Content-Type", "application/problem+json")
				return c.String(web.StatusCode(err), `{"status":"`+strings.Repeat("x", 100)+`"}`)
			}
			return nil
		}
	}
	for name, order := range map[string][]web.MiddlewareFunc{"inside": {honecompress.Compress(), problem}, "outside": {problem, honecompress.Compress()}} {
		e := quiet()
		e.Use(order...)
		e.GET("/error", func(c *web.Context) error { return web.ErrForbidden })
		e.GET("/late", func(c *web.Context) error {
			_, _ = io.WriteString(c.Response(), "begun")
			return web.ErrForbidden
		})
		ask := start(t, e)
		for _, coding := range []string{"gzip", "zstd"} {
			resp, b, err := ask("GET", "/error", coding)
			want := coding
			if name == "outside" {
				want = ""
			}
			if err != nil || resp.StatusCode != 403 || resp.Header.Get("Content-Encoding") != want || !strings.HasPrefix(uncompressed(t, want, b), `{"status":"xxx`) {
				t.Errorf("%s: %v %q %v", name, resp, b, err)
			}
			// Text that is written after the end of the stream is compressed as a second stream.
			resp, b, err = ask("GET", "/late", coding)
			if err != nil || resp.StatusCode != 200 || !strings.HasPrefix(uncompressed(t, coding, b), `begun{"status":"xxx`) {
				t.Errorf("%s, late: %v %q %v", name, resp, b, err)
			}
		}
	}
}

// TestPanic panics in a handler, with and without the middleware Recover. Without it the connection
// ends. The next request must not be affected.
func TestPanic(t *testing.T) {
	for _, recovered := range []bool{true, false} {
		e := quiet()
		if recovered {
			e.Use(middleware.Recover())
		}
		e.Use(honecompress.Compress())
		handlers(e)
		e.GET("/panic", func(c *web.Context) error { panic("at once") })
		e.GET("/panic/late", func(c *web.Context) error {
			_, _ = io.WriteString(c.Response(), big)
			panic("late")
		})
		ask := start(t, e)
		for _, coding := range []string{"gzip", "zstd"} {
			for range 2 {
				resp, b, err := ask("GET", "/panic", coding)
				if recovered != (err == nil) || recovered && (resp.StatusCode != 500 || resp.Header.Get("Content-Encoding") != "") {
					t.Errorf("%s: %v %q %v", coding, resp, b, err)
				}
				if _, _, err := ask("GET", "/panic/late", coding); err == nil { // Recover ends the connection if the response has begun
					t.Errorf("%s, late: no error", coding)
				}
				if _, b, err := ask("GET", "/big", coding); err != nil || uncompressed(t, coding, b) != big {
					t.Errorf("%s, afterwards: %d bytes, %v", coding, len(b), err)
				}
			}
		}
	}
}

// TestFlush checks that a client can read the text before a flush immediately.
func TestFlush(t *testing.T) {
	proceed := make(chan struct{})
	e := quiet()
	e.Use(honecompress.CompressWithConfig(honecompress.CompressConfig{MinLength: 1000}))
	e.GET("/", func(c *web.Context) error {
		_, _ = io.WriteString(c.Response(), "first")
		if err := http.NewResponseController(c.Response()).Flush(); err != nil {
			return err
		}
		<-proceed
		_, err := io.WriteString(c.Response(), "second")
		return err
	})
	s := httptest.NewServer(e)
	defer s.Close()
	for _, coding := range []string{"gzip", "zstd"} {
		r, _ := http.NewRequest("GET", s.URL, nil)
		r.Header.Set("Accept-Encoding", coding)
		resp, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var body io.Reader
		if coding == "gzip" {
			body, err = gzip.NewReader(resp.Body)
		} else {
			body, err = zstd.NewReader(resp.Body, zstd.WithDecoderConcurrency(1))
		}
		if err != nil {
			t.Fatal(err)
		}
		first := make([]byte, 5)
		if _, err := io.ReadFull(body, first); err != nil || string(first) != "first" {
			t.Fatalf("%s: %q %v", coding, first, err)
		}
		proceed <- struct{}{}
		if rest, err := io.ReadAll(body); err != nil || string(rest) != "second" {
			t.Errorf("%s: %q %v", coding, rest, err)
		}
		resp.Body.Close()
	}
}

// TestConcurrent checks that each of many concurrent requests gets its own response.
func TestConcurrent(t *testing.T) {
	e := quiet()
	e.Use(honecompress.Compress(), honecompress.Decompress())
	e.GET("/:id", func(c *web.Context) error { return c.String(200, strings.Repeat(c.Param("id")+" ", 500)) })
	ask := start(t, e)
	var all sync.WaitGroup
	for g := range 16 {
		all.Go(func() {
			for i := range 50 {
				id, coding := fmt.Sprintf("%d-%d", g, i), []string{"gzip", "zstd", ""}[i%3]
				_, b, err := ask("GET", "/"+id, coding)
				if err != nil || uncompressed(t, coding, b) != strings.Repeat(id+" ", 500) {
					t.Errorf("%s %s: %d bytes, %v", id, coding, len(b), err)
				}
			}
		})
	}
	all.Wait()
}

func TestHandler(t *testing.T) {
	h, err := honecompress.CompressConfig{}.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, big)
	}))
	if err != nil {
		t.Fatal(err)
	}
	ask := start(t, h)
	for _, coding := range []string{"gzip", "zstd", ""} {
		resp, b, err := ask("GET", "/", coding)
		if err != nil || resp.Header.Get("Content-Encoding") != coding || uncompressed(t, coding, b) != big {
			t.Errorf("%s: %v %d bytes, %v", coding, resp, len(b), err)
		}
	}
}

func TestHijack(t *testing.T) {
	e := quiet()
	e.Use(honecompress.Compress())
	e.GET("/", func(c *web.Context) error {
		conn, _, err := http.NewResponseController(c.Response()).Hijack()
		if err != nil {
			return err
		}
		defer conn.Close()
		_, err = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain")
		return err
	})
	resp, b, err := start(t, e)("GET", "/", "gzip, zstd")
	if err != nil || string(b) != "plain" || resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("%v %q %v", resp, b, err)
	}
}

func TestConfig(t *testing.T) {
	for name, c := range map[string]honecompress.CompressConfig{
		"gzip's level": {Level: 10}, "zstd's level": {ZstdLevel: 99}, "a coding": {Codings: []string{"br"}},
		"a coding twice": {Codings: []string{"gzip", "gzip"}}, "no coding": {Codings: []string{}},
	} {
		if _, err := c.ToMiddleware(); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := c.Handler(http.NotFoundHandler()); err == nil {
			t.Errorf("%s: Handler returned no error", name)
		}
	}
	for level := -2; level <= 9; level++ {
		e := quiet()
		e.Use(honecompress.CompressWithConfig(honecompress.CompressConfig{Level: level, ZstdLevel: zstd.EncoderLevel(max(level, 0) / 2), Codings: []string{"gzip", "zstd"}}))
		handlers(e)
		for _, coding := range []string{"gzip", "zstd"} {
			w := httptest.NewRecorder()
			r := httptest.NewRequest("GET", "/big", nil)
			r.Header.Set("Accept-Encoding", coding)
			e.ServeHTTP(w, r)
			if uncompressed(t, coding, w.Body.Bytes()) != big {
				t.Errorf("%s has no error for level %d", coding, level)
			}
		}
	}
	if _, err := (honecompress.DecompressConfig{MaxWindow: 1}).ToMiddleware(); err == nil {
		t.Error("no error for a window of one byte")
	}
}

func compressed(t *testing.T, coding, text string, options ...zstd.EOption) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if coding == "zstd" {
		var err error
		if w, err = zstd.NewWriter(&b, options...); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDecompress(t *testing.T) {
	e := quiet()
	e.Use(honecompress.DecompressWithConfig(honecompress.DecompressConfig{MaxDecompressedSize: 2 << 20}))
	var kept io.Reader
	e.POST("/", func(c *web.Context) error {
		kept = c.Request().Body
		n, err := io.Copy(io.Discard, c.Request().Body)
		if err != nil {
			if web.StatusCode(err) == 0 {
				return web.ErrBadRequest.Wrap(err)
			}
			return err
		}
		return c.String(200, fmt.Sprint(n, c.Request().Header.Get("Content-Encoding")))
	})
	bomb := strings.Repeat("\x00", 16<<20)
	huge := zstd.WithWindowSize(16 << 20)
	for range 2 { // decoders are reused, also after an error
		for name, tt := range map[string]struct {
			coding, body string
			code         int
			want         string
		}{
			"gzip":             {"gzip", compressed(t, "gzip", big), 200, "1048576"},
			"zstd":             {"zstd", compressed(t, "zstd", big), 200, "1048576"},
			"two frames":       {"ZSTD", compressed(t, "zstd", "ab") + compressed(t, "zstd", "c"), 200, "3"},
			"a gzip bomb":      {"gzip", compressed(t, "gzip", bomb), 413, ""},
			"a zstd bomb":      {"zstd", compressed(t, "zstd", bomb), 413, ""},
			"too large window": {"zstd", compressed(t, "zstd", big+strings.Repeat(big, 20), huge), 400, ""},
			"no zstd":          {"zstd", "not zstd at all", 400, ""},
			"cut off":          {"zstd", compressed(t, "zstd", big)[:100_000], 400, ""},
			"cut off at once":  {"zstd", compressed(t, "zstd", big)[:3], 400, ""},
			"no gzip":          {"gzip", "not gzip at all", 400, ""},
			"empty":            {"zstd", "", 200, "0zstd"},
			"empty frame":      {"zstd", compressed(t, "zstd", "", zstd.WithZeroFrames(true)), 200, "0"},
			"another coding":   {"br", "hello", 200, "5br"},
			"none":             {"", "hello", 200, "5"},
		} {
			r := httptest.NewRequest("POST", "/", strings.NewReader(tt.body))
			if tt.coding != "" {
				r.Header.Set("Content-Encoding", tt.coding)
			}
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			if w.Code != tt.code || tt.code == 200 && w.Body.String() != tt.want {
				t.Errorf("%s: %d %.100q", name, w.Code, w.Body)
			}
		}
	}
	r := httptest.NewRequest("POST", "/", strings.NewReader(compressed(t, "zstd", big)))
	r.Header.Set("Content-Encoding", "zstd")
	e.ServeHTTP(httptest.NewRecorder(), r)
	if _, err := kept.Read(make([]byte, 1)); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("the body can be read after the handler returned: %v", err)
	}
}
