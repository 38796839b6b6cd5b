package middleware

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/web"
)

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
		r := httptest.NewRequest("POST", "/", struct{ io.Reader }{strings.NewReader(body)}) // hide the length of the body
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

// TestBodyDumpFlush: the writer of a handler whose body is recorded can flush if the writer below can.
func TestBodyDumpFlush(t *testing.T) {
	type onlyWriter struct{ http.ResponseWriter }
	for name, below := range map[string]http.ResponseWriter{"can flush": httptest.NewRecorder(), "cannot flush": onlyWriter{httptest.NewRecorder()}} {
		c := web.New().NewContext(httptest.NewRequest("GET", "/", nil), below)
		err := BodyDump(func(*web.Context, []byte, []byte, error) {})(func(c *web.Context) (err error) {
			defer func() {
				if recover() != nil {
					err = http.ErrNotSupported
				}
			}()
			c.Response().(http.Flusher).Flush()
			return http.NewResponseController(c.Response()).Flush()
		})(c)
		if errors.Is(err, http.ErrNotSupported) != (name == "cannot flush") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
