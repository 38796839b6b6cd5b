package web

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hone-go/hone/api"
)

func TestContextRequest(t *testing.T) {
	r := httptest.NewRequest("GET", "https://example.com/a?x=1&y=", nil)
	r.RemoteAddr = "192.0.2.1:1234"
	r.Header.Set("X-Forwarded-For", "10.0.0.1")
	r.Header.Set("Upgrade", "WebSocket")
	r.Header.Set("Connection", "keep-alive, Upgrade")
	r.AddCookie(&http.Cookie{Name: "c", Value: "v"})
	w := httptest.NewRecorder()
	c := quiet().NewContext(r, w)
	if got := c.RealIP(); got != "192.0.2.1" {
		t.Errorf("RealIP: %s", got)
	}
	c.Echo().IPExtractor = func(r *http.Request) string { return r.Header.Get("X-Forwarded-For") }
	if got := c.RealIP(); got != "10.0.0.1" {
		t.Errorf("RealIP by an extractor: %s", got)
	}
	if !c.IsTLS() || !c.IsWebSocket() || c.QueryString() != "x=1&y=" {
		t.Errorf("IsTLS %v, IsWebSocket %v, QueryString %q", c.IsTLS(), c.IsWebSocket(), c.QueryString())
	}
	if cookie, err := c.Cookie("c"); err != nil || cookie.Value != "v" || len(c.Cookies()) != 1 {
		t.Errorf("Cookie: %v %v", cookie, err)
	}
	c.SetCookie(&http.Cookie{Name: "s", Value: "1"})
	if got := w.Header().Get("Set-Cookie"); got != "s=1" {
		t.Errorf("Set-Cookie: %q", got)
	}
	if err := c.Validate(nil); !errors.Is(err, ErrValidatorNotRegistered) {
		t.Errorf("Validate: %v", err)
	}
}

func TestContextRoute(t *testing.T) {
	c := NewContext(httptest.NewRequest("GET", "/?q=1", nil), httptest.NewRecorder(), quiet())
	if c.Path() != "" || c.RouteInfo().Name != "" {
		t.Errorf("before routing: %q %+v", c.Path(), c.RouteInfo())
	}
	values := PathValues{{Name: "id", Value: "7"}}
	c.InitializeRoute(&RouteInfo{Name: "n", Path: "/:id", Parameters: []string{"id"}}, &values)
	if c.Path() != "/:id" || c.RouteInfo().Name != "n" || c.Param("id") != "7" || c.Param("x") != "" ||
		c.ParamOr("x", "d") != "d" || c.ParamOr("id", "d") != "7" {
		t.Errorf("after routing: %q %+v %v", c.Path(), c.RouteInfo(), c.PathValues())
	}
	c.SetPath("/other")
	if c.Path() != "/other" {
		t.Errorf("SetPath: %q", c.Path())
	}
	c.QueryParams()
	c.SetRequest(httptest.NewRequest("GET", "/?q=2", nil))
	if got := c.QueryParam("q"); got != "2" {
		t.Errorf("QueryParam after SetRequest: %q", got)
	}
	logger := slog.New(slog.DiscardHandler)
	c.SetLogger(logger)
	if c.Logger() != logger {
		t.Error("SetLogger had no effect")
	}
}

func TestRouteInfoReverse(t *testing.T) {
	e := quiet()
	e.GET("/users/:id/files/*", echoRoute)
	if _, err := e.AddRoute(Route{Method: "GET", Path: `/a\:b/:x`, Name: "colon", Handler: echoRoute}); err != nil {
		t.Fatal(err)
	}
	routes := e.Router().Routes()
	for _, tt := range []struct {
		name   string
		values []any
		want   string
	}{
		{name: "GET:/users/:id/files/*", values: []any{7, "a/b"}, want: "/users/7/files/a/b"},
		{name: "GET:/users/:id/files/*", values: []any{7}, want: "/users/7/files/*"},
		{name: "colon", values: []any{"y"}, want: "/a:b/y"},
	} {
		if got, err := routes.Reverse(tt.name, tt.values...); err != nil || got != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.name, got, err, tt.want)
		}
	}
	if _, err := routes.Reverse("none"); err == nil {
		t.Error("Reverse of no route: no error")
	}
	if r, err := routes.FilterByName("colon"); err != nil || len(r) != 1 {
		t.Errorf("FilterByName: %v %v", r, err)
	}
	if r, err := routes.FilterByMethod("GET"); err != nil || len(r) != 2 {
		t.Errorf("FilterByMethod: %v %v", r, err)
	}
	if r, err := routes.FilterByPath("/none"); err == nil {
		t.Errorf("FilterByPath: %v", r)
	}
	if r, err := routes.FindByMethodPath("GET", "/users/:id/files/*"); err != nil || !slices.Equal(r.Parameters, []string{"id", "*"}) {
		t.Errorf("FindByMethodPath: %+v %v", r, err)
	}
}

// Each method that registers a route registers it for its own HTTP method, on an
// Echo and on a Group.
func TestRegister(t *testing.T) {
	type register func(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo
	e := quiet()
	g := e.Group("/g")
	for method, fs := range map[string][2]register{
		"GET": {e.GET, g.GET}, "POST": {e.POST, g.POST}, "PUT": {e.PUT, g.PUT}, "PATCH": {e.PATCH, g.PATCH},
		"DELETE": {e.DELETE, g.DELETE}, "HEAD": {e.HEAD, g.HEAD}, "OPTIONS": {e.OPTIONS, g.OPTIONS},
		"CONNECT": {e.CONNECT, g.CONNECT}, "TRACE": {e.TRACE, g.TRACE}, "QUERY": {e.QUERY, g.QUERY},
		"PURGE": {e.Any, g.Any},
	} {
		for i, prefix := range []string{"", "/g"} {
			path := "/" + strings.ToLower(method)
			fs[i](path, func(c *Context) error { return c.NoContent(http.StatusTeapot) })
			if w := get(e, method, prefix+path); w.Code != http.StatusTeapot {
				t.Errorf("%s %s%s: %d", method, prefix, path, w.Code)
			}
		}
	}
	e.RouteNotFound("/nf/*", func(c *Context) error { return c.NoContent(http.StatusTeapot) })
	g.RouteNotFound("/nf/*", func(c *Context) error { return c.NoContent(http.StatusTeapot) })
	e.Match([]string{"GET", "PUT"}, "/m", func(c *Context) error { return c.NoContent(http.StatusTeapot) })
	g.Match([]string{"GET", "PUT"}, "/m", func(c *Context) error { return c.NoContent(http.StatusTeapot) })
	for _, target := range []string{"/nf/x", "/g/nf/x", "/m", "/g/m"} {
		if w := get(e, "PUT", target); w.Code != http.StatusTeapot {
			t.Errorf("PUT %s: %d", target, w.Code)
		}
	}
	refuse := errors.New("refuse")
	e.OnAddRoute = func(Route) error { return refuse }
	if _, err := e.AddRoute(Route{Method: "GET", Path: "/x", Handler: echoRoute}); !errors.Is(err, refuse) {
		t.Errorf("OnAddRoute: %v", err)
	}
}

func TestFiles(t *testing.T) {
	e := NewWithConfig(Config{Filesystem: fstest.MapFS{
		"a.txt":   {Data: []byte("hello")},
		"dir/b.x": {Data: []byte("b")},
	}})
	e.GET("/file", func(c *Context) error { return c.File("a.txt") })
	e.GET("/attachment", func(c *Context) error { return c.Attachment("a.txt", "na\"me\r\nX: y.txt") })
	e.GET("/inline", func(c *Context) error { return c.Inline("a.txt", "n.txt") })
	e.GET("/dir", func(c *Context) error { return c.File("dir") })
	e.GET("/up", func(c *Context) error { return c.File("../a.txt") })
	e.GET("/none", func(c *Context) error { return c.File("none") })
	for _, tt := range []struct {
		target      string
		status      int
		disposition string
	}{
		{target: "/file", status: 200},
		{target: "/attachment", status: 200, disposition: `attachment; filename="na\"me%0D%0AX: y.txt"`},
		{target: "/inline", status: 200, disposition: `inline; filename="n.txt"`},
		{target: "/dir", status: 404}, {target: "/up", status: 404}, {target: "/none", status: 404},
	} {
		w := get(e, "GET", tt.target)
		if w.Code != tt.status || w.Code == 200 && w.Body.String() != "hello" || w.Header().Get(HeaderContentDisposition) != tt.disposition {
			t.Errorf("%s: %d %q %q", tt.target, w.Code, w.Body, w.Header().Get(HeaderContentDisposition))
		}
	}
}

func TestResponse(t *testing.T) {
	var log bytes.Buffer
	rec := httptest.NewRecorder()
	r := NewResponse(rec, slog.New(slog.NewTextHandler(&log, nil)))
	var order []string
	r.Before(func() { order = append(order, "before"); r.Header().Set("X-Late", "1") })
	r.After(func() { order = append(order, "after") })
	if _, err := io.WriteString(r, "héllo"); err != nil {
		t.Fatal(err)
	}
	r.Flush()
	r.WriteHeader(500)
	if !slices.Equal(order, []string{"before", "after"}) || r.Status != 200 || r.Size != 6 || !r.Committed || !rec.Flushed {
		t.Errorf("order %q, %+v", order, r)
	}
	if !strings.Contains(log.String(), "again=500") || rec.Header().Get("X-Late") != "1" {
		t.Errorf("log %q, header %v", &log, rec.Header())
	}
	if got, err := UnwrapResponse(&lateHeader{ResponseWriter: r}); got != r || err != nil {
		t.Errorf("UnwrapResponse: %v %v", got, err)
	}
	if _, err := UnwrapResponse(rec); err == nil {
		t.Error("UnwrapResponse of another writer: no error")
	}
}

func TestResponseInformational(t *testing.T) {
	r := NewResponse(&discard{header: http.Header{}}, nil)
	for range 2 {
		if r.WriteHeader(http.StatusEarlyHints); r.Committed {
			t.Error("an informational status began the response")
		}
	}
	if r.WriteHeader(http.StatusOK); !r.Committed || r.Status != http.StatusOK {
		t.Errorf("after the final status: %+v", r)
	}
}

func TestResolveResponseStatus(t *testing.T) {
	tests := []struct {
		status    int
		committed bool
		err       error
		want      int
	}{
		{want: 200}, {status: 202, want: 202}, {err: errors.New("x"), want: 500},
		{status: 202, err: ErrForbidden, want: 403}, {status: 202, committed: true, err: ErrForbidden, want: 202},
	}
	for _, tt := range tests {
		r := &Response{Status: tt.status, Committed: tt.committed}
		if _, got := ResolveResponseStatus(r, tt.err); got != tt.want {
			t.Errorf("%+v: got %d", tt, got)
		}
	}
}

func TestHijack(t *testing.T) {
	e := quiet()
	e.GET("/", func(c *Context) error {
		conn, rw, err := http.NewResponseController(c.Response()).Hijack()
		if err != nil {
			return err
		}
		defer conn.Close()
		_, _ = rw.WriteString("HTTP/1.1 418 Teapot\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		return rw.Flush()
	})
	srv := httptest.NewServer(e)
	defer srv.Close()
	resp, err := srv.Client().Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 418 {
		t.Errorf("status %d", resp.StatusCode)
	}
}

func TestWrap(t *testing.T) {
	e := quiet()
	e.Use(WrapMiddleware(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("stop") {
				w.WriteHeader(http.StatusTeapot)
				return
			}
			w.Header().Set("X-Wrapped", "1")
			next.ServeHTTP(w, r)
		})
	}))
	e.GET("/std/:id", WrapHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.PathValue("id")+" "+r.Pattern)
	})))
	e.GET("/error", func(*Context) error { return ErrForbidden })
	if w := get(e, "GET", "/std/7"); w.Body.String() != "7 /std/:id" || w.Header().Get("X-Wrapped") != "1" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	if w := get(e, "GET", "/std/7?stop"); w.Code != http.StatusTeapot {
		t.Errorf("middleware that answers: %d", w.Code)
	}
	if w := get(e, "GET", "/error"); w.Code != http.StatusForbidden {
		t.Errorf("an error through wrapped middleware: %d", w.Code)
	}
}

// TestWrapTimeout: middleware returns while the handler still runs. No later request gets the
// Context of that handler.
func TestWrapTimeout(t *testing.T) {
	e := quiet()
	began, release, done := make(chan *Context, 1), make(chan struct{}), make(chan error)
	e.GET("/slow", func(c *Context) error {
		began <- c
		<-release
		err := c.String(http.StatusOK, "late")
		done <- err
		return err
	}, WrapMiddleware(func(next http.Handler) http.Handler {
		return http.TimeoutHandler(next, 50*time.Millisecond, "too slow")
	}))
	var stuck *Context
	e.GET("/fast", func(c *Context) error {
		if c == stuck {
			t.Error("a Context that is still in use was given to another request")
		}
		return c.NoContent(http.StatusNoContent)
	})
	if w := get(e, "GET", "/slow"); w.Code != http.StatusServiceUnavailable || w.Body.String() != "too slow" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	stuck = <-began
	for range 10 {
		get(e, "GET", "/fast")
	}
	close(release)
	if err := <-done; !errors.Is(err, http.ErrHandlerTimeout) {
		t.Errorf("the write after the request: %v", err)
	}
}

func TestWrapErrorHandler(t *testing.T) {
	var log bytes.Buffer
	e := NewWithConfig(Config{
		HTTPErrorHandler: WrapErrorHandler(api.WriteError),
		Logger:           slog.New(slog.NewTextHandler(&log, nil)),
	})
	e.GET("/x", func(*Context) error { return errors.New("secret") })
	e.GET("/begun", func(c *Context) error { _ = c.NoContent(202); return errors.New("late") })
	for _, tt := range []struct{ method, target, want string }{
		{method: "GET", target: "/none", want: `{"title":"Not Found","status":404}` + "\n"},
		{method: "POST", target: "/x", want: `{"title":"Method Not Allowed","status":405}` + "\n"},
		{method: "GET", target: "/x", want: `{"title":"Internal Server Error","status":500}` + "\n"},
		{method: "HEAD", target: "/none"},
	} {
		w := get(e, tt.method, tt.target)
		if w.Body.String() != tt.want {
			t.Errorf("%s %s: %d %s", tt.method, tt.target, w.Code, w.Body)
		}
		if tt.method != "HEAD" && w.Header().Get(HeaderContentType) != "application/problem+json" {
			t.Errorf("%s %s: %s", tt.method, tt.target, w.Header().Get(HeaderContentType))
		}
	}
	if w := get(e, "GET", "/begun"); w.Code != 202 {
		t.Errorf("error after the response began: %d", w.Code)
	}
	if s := log.String(); strings.Count(s, "secret") != 1 || !strings.Contains(s, "late") {
		t.Errorf("log: %s", s)
	}
}

// A request line is sent over a real connection and routed by its escaped path.
func TestRawRequestLine(t *testing.T) {
	e := quiet()
	e.GET("/x/:id", echoRoute)
	srv := httptest.NewServer(e)
	defer srv.Close()
	for line, want := range map[string]string{
		"GET /x/a%2Fb HTTP/1.1":  "HTTP/1.1 200",
		"GET /x/a%zz HTTP/1.1":   "HTTP/1.1 400",
		"GET //x/a HTTP/1.1":     "HTTP/1.1 404",
		"OPTIONS * HTTP/1.1":     "HTTP/1.1 200", // net/http answers this request itself
		"GET /x/../x/1 HTTP/1.1": "HTTP/1.1 200", // the parameter is "../x/1"
	} {
		conn, err := net.Dial("tcp", srv.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, line+"\r\nHost: x\r\nConnection: close\r\n\r\n")
		got, err := bufio.NewReader(conn).ReadString('\n')
		conn.Close()
		if err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}
