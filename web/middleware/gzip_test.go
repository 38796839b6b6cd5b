package middleware

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/web"
)

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
		if path == "/fails" { // the error handler runs outside of the middleware
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

// A flush sends all bytes written so far, so that the client can read them at once.
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
	resp, err := srv.Client().Get(srv.URL) // the client asks for gzip, and decompresses the answer
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
		{body: zipped(t, "hello"), code: 200, want: "hello"},
		{body: zipped(t, strings.Repeat("x", 1000)), code: 200, want: strings.Repeat("x", 1000)},
		{body: zipped(t, strings.Repeat("x", 1001)), code: 413},
		{body: zipped(t, strings.Repeat("x", 10<<20)), code: 413}, // a small body that decompresses to 10 MiB
		{body: "not gzip at all", code: 400},
		{code: 200},
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
