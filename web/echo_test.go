package web

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

func quiet() *Echo {
	return NewWithConfig(Config{Logger: slog.New(slog.DiscardHandler)})
}

func get(h http.Handler, method, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, target, nil))
	return w
}

// ask sends a request to e, and returns the status and the body.
func ask(e *Echo, method, target, contentType, body string) (int, string, http.Header) {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w.Code, strings.TrimSpace(w.Body.String()), w.Header()
}

// trace is middleware that writes its name before and after the handler.
func trace(log *[]string, name string) MiddlewareFunc {
	return func(next HandlerFunc) HandlerFunc {
		*log = append(*log, "compile "+name)
		return func(c *Context) error {
			*log = append(*log, "enter "+name)
			err := next(c)
			*log = append(*log, "leave "+name)
			return err
		}
	}
}

func TestMiddlewareOrder(t *testing.T) {
	var log []string
	e := quiet()
	e.Pre(trace(&log, "pre"))
	e.Use(trace(&log, "use1"), trace(&log, "use2"))
	g := e.Group("/g", trace(&log, "group"))
	g.GET("/a/:x", func(*Context) error { log = append(log, "handler"); return nil }, trace(&log, "route"))
	sub := g.Group("/sub", trace(&log, "sub"))
	sub.GET("", func(*Context) error { log = append(log, "handler"); return nil })

	in := func(names ...string) string {
		var s []string
		for _, n := range names {
			s = append(s, "enter "+n)
		}
		return strings.Join(s, " ")
	}
	tests := []struct {
		target, want string
		status       int
	}{
		{target: "/g/a/1", want: in("pre", "use1", "use2", "group", "route") + " handler", status: 200},
		{target: "/g/sub", want: in("pre", "use1", "use2", "group", "sub") + " handler", status: 200},
		{target: "/g/sub/none", want: in("pre", "use1", "use2", "group", "sub"), status: 404},
		{target: "/g/none", want: in("pre", "use1", "use2", "group"), status: 404},
		{target: "/none", want: in("pre", "use1", "use2"), status: 404},
	}
	get(e, "GET", "/g/a/1") // compiles the chain
	for _, tt := range tests {
		log = nil
		w := get(e, "GET", tt.target)
		got, _, _ := strings.Cut(strings.Join(log, " "), " leave")
		if got != tt.want || w.Code != tt.status {
			t.Errorf("%s: %d %s, want %d %s", tt.target, w.Code, got, tt.status, tt.want)
		}
	}
}

func TestMiddlewareCompiledOnce(t *testing.T) {
	var log []string
	e := quiet()
	compiled := func() (n int) {
		for _, l := range log {
			if strings.HasPrefix(l, "compile ") {
				n++
			}
		}
		log = nil
		return n
	}
	e.Use(trace(&log, "a"), trace(&log, "b"))
	e.GET("/x", func(*Context) error { return nil }, trace(&log, "r"))
	for range 3 {
		get(e, "GET", "/x")
	}
	if n := compiled(); n != 3 {
		t.Errorf("three middleware and three requests: compiled %d times", n)
	}
	e.Use(trace(&log, "c"))
	get(e, "GET", "/x")
	if n := compiled(); n != 3 {
		t.Errorf("after Use: compiled %d times, want the global chain of 3", n)
	}
	if len(e.Middlewares()) != 3 || len(e.PreMiddlewares()) != 0 {
		t.Errorf("Middlewares %d, PreMiddlewares %d", len(e.Middlewares()), len(e.PreMiddlewares()))
	}
}

func TestDefaultErrors(t *testing.T) {
	e := quiet()
	tests := []struct {
		err  error
		code int
		body string
	}{
		{err: errors.New("inner"), code: 500, body: `{"message":"Internal Server Error"}`},
		{err: NewHTTPError(418, "tea"), code: 418, body: `{"message":"tea"}`},
		{err: NewHTTPError(404, ""), code: 404, body: `{"message":"Not Found"}`},
		{err: NewHTTPError(418, "tea").Wrap(errors.New("cause")), code: 418, body: `{"message":"tea"}`},
		{err: ErrForbidden, code: 403, body: `{"message":"Forbidden"}`},
		{err: ErrForbidden.Wrap(errors.New("secret")), code: 403, body: `{"message":"Forbidden"}`},
		{err: fmt.Errorf("context: %w", ErrForbidden), code: 403, body: `{"message":"Forbidden"}`},
	}
	for i, tt := range tests {
		path := fmt.Sprintf("/%d", i)
		e.Any(path, func(*Context) error { return tt.err })
		if w := get(e, "GET", path); w.Code != tt.code || w.Body.String() != tt.body+"\n" {
			t.Errorf("%v: %d %s, want %d %s", tt.err, w.Code, w.Body, tt.code, tt.body)
		}
		if w := get(e, "HEAD", path); w.Code != tt.code || w.Body.Len() != 0 {
			t.Errorf("HEAD, %v: %d %q", tt.err, w.Code, w.Body)
		}
	}
	e.GET("/begun", func(c *Context) error {
		_ = c.String(http.StatusAccepted, "x")
		return ErrForbidden
	})
	if w := get(e, "GET", "/begun"); w.Code != http.StatusAccepted || w.Body.String() != "x" {
		t.Errorf("error after the response began: %d %q", w.Code, w.Body)
	}
	e.HTTPErrorHandler = DefaultHTTPErrorHandler(true)
	if w := get(e, "GET", "/0"); w.Body.String() != `{"error":"inner","message":"Internal Server Error"}`+"\n" {
		t.Errorf("exposed: %s", w.Body)
	}
}

func TestContextAnswers(t *testing.T) {
	e := quiet()
	tests := []struct {
		name    string
		handler HandlerFunc
		code    int
		ctype   string
		body    string
	}{
		{name: "String", handler: func(c *Context) error { return c.String(201, "hé") }, code: 201, ctype: "text/plain; charset=UTF-8", body: "hé"},
		{name: "HTML", handler: func(c *Context) error { return c.HTML(200, "<p>") }, code: 200, ctype: "text/html; charset=UTF-8", body: "<p>"},
		{name: "JSON", handler: func(c *Context) error { return c.JSON(200, map[string]string{"a": "<b>"}) }, code: 200, ctype: "application/json", body: "{\"a\":\"\\u003cb\\u003e\"}\n"},
		{name: "JSONPretty", handler: func(c *Context) error { return c.JSONPretty(200, []int{1}, " ") }, code: 200, ctype: "application/json", body: "[\n 1\n]\n"},
		{name: "JSONBlob", handler: func(c *Context) error { return c.JSONBlob(200, []byte("1")) }, code: 200, ctype: "application/json", body: "1"},
		{name: "Blob of JSON", handler: func(c *Context) error { return c.Blob(200, MIMEApplicationJSONCharsetUTF8, []byte("1")) }, code: 200, ctype: "application/json; charset=UTF-8", body: "1"},
		{name: "JSONP", handler: func(c *Context) error { return c.JSONP(200, "f", 1) }, code: 200, ctype: "application/javascript; charset=UTF-8", body: "f(1\n);"},
		{name: "Blob", handler: func(c *Context) error { return c.Blob(200, "image/x", []byte("b")) }, code: 200, ctype: "image/x", body: "b"},
		{name: "Stream", handler: func(c *Context) error { return c.Stream(200, "text/x", strings.NewReader("s")) }, code: 200, ctype: "text/x", body: "s"},
		{name: "NoContent", handler: func(c *Context) error { return c.NoContent(204) }, code: 204},
		{name: "Redirect", handler: func(c *Context) error { return c.Redirect(302, "/x") }, code: 302},
		{name: "Redirect with a bad status", handler: func(c *Context) error { return c.Redirect(200, "/x") }, code: 500, ctype: "application/json", body: "{\"message\":\"Internal Server Error\"}\n"},
		{name: "unencodable", handler: func(c *Context) error { return c.JSON(200, func() {}) }, code: 500, ctype: "application/json", body: "{\"message\":\"Internal Server Error\"}\n"},
	}
	for i, tt := range tests {
		path := fmt.Sprintf("/%d", i)
		e.GET(path, tt.handler)
		w := get(e, "GET", path)
		if sniffed := w.Header().Get(HeaderXContentTypeOptions) != "nosniff"; sniffed == strings.Contains(tt.ctype, "application/j") {
			t.Errorf("%s: a browser may guess the type of %s: %v", tt.name, tt.ctype, sniffed)
		}
		if w.Code != tt.code || w.Header().Get(HeaderContentType) != tt.ctype || w.Body.String() != tt.body {
			t.Errorf("%s: %d %q %q", tt.name, w.Code, w.Header().Get(HeaderContentType), w.Body)
		}
	}
}

func TestContextStore(t *testing.T) {
	c := NewContext(nil, nil)
	c.Set("a", 1)
	c.Set("b", []byte(nil))
	c.Set("a", 2)
	if c.Get("a") != 2 || c.Get("none") != nil || c.Get("b") == nil {
		t.Errorf("Get: %v %v %v", c.Get("a"), c.Get("none"), c.Get("b"))
	}
	if v, err := ContextGet[int](c, "a"); v != 2 || err != nil {
		t.Errorf("ContextGet: %v %v", v, err)
	}
	if _, err := ContextGet[string](c, "a"); !errors.Is(err, ErrInvalidKeyType) {
		t.Errorf("ContextGet of another type: %v", err)
	}
	if v, err := ContextGetOr(c, "none", 7); v != 7 || err != nil {
		t.Errorf("ContextGetOr: %v %v", v, err)
	}
	c.Reset(nil, nil)
	if c.Get("a") != nil {
		t.Error("the store outlived its request")
	}
}

// customSerializer writes in two pieces, as a streaming encoder does.
type customSerializer struct{ DefaultJSONSerializer }

func (customSerializer) Serialize(c *Context, target any, _ string) error {
	if target == nil {
		return errors.New("nothing to encode")
	}
	_, err := io.WriteString(c.Response(), "custom ")
	if err == nil {
		_, err = fmt.Fprint(c.Response(), target)
	}
	return err
}

func TestCustomSerializer(t *testing.T) {
	e := quiet()
	e.JSONSerializer = &customSerializer{}
	e.GET("/ok", func(c *Context) error { return c.JSON(http.StatusCreated, 1) })
	e.GET("/fails", func(c *Context) error {
		err := c.JSON(http.StatusCreated, nil)
		return c.String(http.StatusTeapot, err.Error())
	})
	if w := get(e, "GET", "/ok"); w.Code != 201 || w.Body.String() != "custom 1" || w.Header().Get(HeaderContentType) != "application/json" {
		t.Errorf("%d %q %v", w.Code, w.Body, w.Header())
	} else if w.Header().Get(HeaderXContentTypeOptions) != "nosniff" {
		t.Errorf("a browser may guess the type: %v", w.Header())
	}
	if w := get(e, "GET", "/fails"); w.Code != 418 {
		t.Errorf("a serializer that failed before writing began the response: %d", w.Code)
	}
}

// A writer that middleware keeps after its request writes to no other response.
func TestResponseAfterTheRequest(t *testing.T) {
	e := quiet()
	var kept http.ResponseWriter
	e.GET("/", func(c *Context) error {
		kept = c.Response()
		return c.NoContent(http.StatusOK)
	})
	get(e, "GET", "/")
	if err := late(func() error { _, err := kept.Write([]byte("late")); return err }); err == nil {
		t.Error("a write after the request: no error")
	}
}

// Concurrent requests see only their own path values, store and response.
func TestConcurrentRequests(t *testing.T) {
	for _, reuse := range []bool{true, false} {
		t.Run(fmt.Sprintf("reuse %v", reuse), func(t *testing.T) { testConcurrentRequests(t, reuse) })
	}
}

func testConcurrentRequests(t *testing.T, reuse bool) {
	e := quiet()
	e.reuse = reuse // test the pool under the race detector too
	e.Use(func(next HandlerFunc) HandlerFunc {
		return func(c *Context) error {
			c.Set("id", c.Param("id"))
			err := next(c)
			if _, werr := io.WriteString(c.Response(), " after "+c.Param("id")); werr != nil {
				return werr
			}
			return err
		}
	})
	e.GET("/x/:id", func(c *Context) error {
		return c.String(http.StatusOK, c.Param("id")+" "+c.Get("id").(string))
	})
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 250 {
				id := fmt.Sprintf("%d-%d", worker, i)
				if w := get(e, "GET", "/x/"+id); w.Body.String() != id+" "+id+" after "+id {
					t.Errorf("%s: got %q", id, w.Body)
				}
			}
		})
	}
	wg.Wait()
}

// discard is a ResponseWriter that does not allocate, so that only the package's
// own allocations are counted.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header               { return d.header }
func (d *discard) WriteHeader(int)                   {}
func (d *discard) Write(b []byte) (int, error)       { return len(b), nil }
func (d *discard) WriteString(s string) (int, error) { return len(s), nil }

func TestDispatchAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	pass := func(next HandlerFunc) HandlerFunc {
		return func(c *Context) error { return next(c) }
	}
	e := quiet()
	e.Use(pass, pass, pass, pass, pass)
	e.GET("/users/:id/files/*", func(c *Context) error {
		if c.Param("id") != "42" || c.QueryParam("q") != "x" {
			return ErrBadRequest
		}
		return c.NoContent(http.StatusOK)
	})
	e.GET("/text/:id", func(c *Context) error { return c.String(http.StatusOK, "hello") })
	blob := []byte("hello")
	e.GET("/blob", func(c *Context) error { return c.Blob(http.StatusOK, MIMEApplicationJSON, blob) })
	message := &struct{ Message string }{"Hello World"}
	e.GET("/json", func(c *Context) error { return c.JSON(http.StatusOK, message) })
	e.GET("/set", func(c *Context) error {
		c.Set("key", message)
		if c.Get("key") != message {
			return ErrBadRequest
		}
		return c.NoContent(http.StatusOK)
	})
	g := e.Group("/g", pass, pass)
	g.GET("/:a/:b", func(c *Context) error { return c.NoContent(http.StatusOK) }, pass)

	w := &discard{header: http.Header{}}
	for _, target := range []string{"/users/42/files/a/b?q=x", "/text/1", "/blob", "/json", "/set", "/g/1/2", "/none"} {
		r := httptest.NewRequest("GET", target, nil)
		if n := testing.AllocsPerRun(200, func() { e.ServeHTTP(w, r) }); n > 0 {
			t.Errorf("GET %s: %v allocs, budget 0", target, n)
		}
	}
}
