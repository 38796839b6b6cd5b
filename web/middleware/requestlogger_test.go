package middleware

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/web"
)

func TestRequestLoggerWithConfig(t *testing.T) {
	e, _ := logged()
	var got RequestLoggerValues
	e.Use(RequestLoggerWithConfig(RequestLoggerConfig{
		LogValuesFunc: func(_ *web.Context, v RequestLoggerValues) error { got = v; return nil },
		HandleError:   true, LogLatency: true, LogProtocol: true, LogRemoteIP: true, LogHost: true, LogMethod: true, LogURI: true,
		LogURIPath: true, LogRoutePath: true, LogRequestID: true, LogReferer: true, LogUserAgent: true, LogStatus: true,
		LogContentLength: true, LogResponseSize: true, LogHeaders: []string{"x-a"}, LogQueryParams: []string{"q"}, LogFormValues: []string{"f"},
	}))
	e.GET("/a/:x", func(c *web.Context) error {
		c.Response().Header().Set("X-Request-Id", "chosen")
		return web.ErrForbidden
	})
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

// lines is a log that can be read while it is written.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// wait waits for the line that contains a text, and returns it. There should be exactly one.
func (l *lines) wait(t *testing.T, text string) string {
	t.Helper()
	for range 200 {
		l.mu.Lock()
		all := l.text.String()
		l.mu.Unlock()
		var found []string
		for line := range strings.Lines(all) {
			if strings.Contains(line, text) {
				found = append(found, line)
			}
		}
		if len(found) > 0 {
			if len(found) > 1 {
				t.Errorf("%d lines with %s: %s", len(found), text, found)
			}
			return found[0]
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("no line with %s", text)
	return ""
}

// Each request has a line in the log, however it ends.
func TestRequestLoggerOfEveryRequest(t *testing.T) {
	log := &lines{}
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.NewTextHandler(log, nil))})
	values := &lines{}
	e.Use(RequestLogger(), RequestLoggerWithConfig(RequestLoggerConfig{
		LogURIPath: true, LogStatus: true, LogResponseSize: true,
		LogValuesFunc: func(_ *web.Context, v RequestLoggerValues) error {
			slog.New(slog.NewTextHandler(values, nil)).Info("values", "path", v.URIPath, "status", v.Status, "size", v.ResponseSize, "error", v.Error)
			return nil
		},
	}))
	e.GET("/panic", func(*web.Context) error { panic("boom") })
	e.GET("/panic/recovered", func(*web.Context) error { panic("boom") }, Recover())
	e.GET("/panic/begun", func(c *web.Context) error { _ = c.String(http.StatusAccepted, "begun"); panic("boom") }, Recover())
	e.GET("/abort", func(*web.Context) error { panic(http.ErrAbortHandler) })
	api.Handle(e, "GET /content", func(context.Context, *struct{}) (*api.Content, error) {
		return &api.Content{Write: func(w io.Writer) error {
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return err
				}
			}
		}}, nil
	})
	api.Handle(e, "GET /elements", func(context.Context, *struct{}) (*api.Elements[string], error) {
		return api.ValuesOf(func(yield func(string) bool) {
			for yield(strings.Repeat("x", 1<<16)) {
			}
		}), nil
	})
	api.Handle(e, "GET /failed", func(context.Context, *struct{}) (*api.Elements[int], error) {
		return api.ElementsOf(func(yield func(int, error) bool) { _ = yield(1, nil) && yield(0, errors.New("then it failed")) }), nil
	})
	srv := httptest.NewServer(e)
	defer srv.Close()
	srv.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	for _, test := range []struct{ path, level, status string }{
		{path: "/panic", level: "ERROR", status: "500"}, {path: "/panic/recovered", level: "ERROR", status: "500"},
		{path: "/panic/begun", level: "ERROR", status: "202"}, {path: "/abort", level: "ERROR", status: "500"},
		{path: "/content", level: "INFO", status: "200"}, {path: "/elements", level: "INFO", status: "200"},
		{path: "/failed", level: "ERROR", status: "200"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+test.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Close = true // on a connection that was used before, the client would retry the request
		if resp, err := srv.Client().Do(r); err == nil {
			_, _ = io.CopyN(io.Discard, resp.Body, 1<<20) // part of an endless stream, before the client disconnects
			cancel()
			resp.Body.Close()
		}
		cancel()
		line := log.wait(t, "uri="+test.path+" ")
		if !strings.Contains(line, "level="+test.level) || !strings.Contains(line, "status="+test.status) || test.level == "INFO" && strings.Contains(line, "bytes_out=0") {
			t.Errorf("%s: %s", test.path, line)
		}
		if line := values.wait(t, "path="+test.path+" "); !strings.Contains(line, "status="+test.status) {
			t.Errorf("%s: %s", test.path, line)
		}
	}
}

// Values that may be a client's secrets are not logged, and the client's own claims are not
// logged as the server's.
func TestRequestLoggerSecrets(t *testing.T) {
	for _, test := range []struct{ name, target, requestURI string }{
		{name: "query", target: "/path?token=secret"},
		{name: "query of no route", target: "/none?token=secret"},
		{name: "bad parameter", target: "/bind?n=secret"},
		{name: "user", target: "/path", requestURI: "http://user:secret@example.com/path"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, log := logged()
			e.Use(RequestLogger(), RequestID())
			e.GET("/path", func(c *web.Context) error { return c.NoContent(http.StatusNoContent) })
			e.GET("/bind", func(c *web.Context) error {
				return c.Bind(&struct {
					N int `query:"n"`
				}{})
			})
			r := httptest.NewRequest(http.MethodGet, test.target, nil)
			if test.requestURI != "" {
				r.RequestURI = test.requestURI
			}
			r.Header.Set("X-Api-Key", "secret")
			r.Header.Set("Authorization", "Bearer secret")
			r.Header.Set("X-Request-Id", "secret and not taken")
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			id := w.Header().Get("X-Request-Id")
			if s := log.String(); strings.Contains(s, "secret") || !strings.Contains(s, "request_id="+id) || !strings.Contains(s, "uri="+r.URL.Path+" ") {
				t.Errorf("log: %s", s)
			}
		})
	}
}

func TestRequestLoggerAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler)})
	e.Use(RequestLogger())
	e.GET("/", func(c *web.Context) error { return c.NoContent(http.StatusNoContent) })
	w, r := &discard{header: http.Header{}}, httptest.NewRequest(http.MethodGet, "/?a=b", nil)
	if n := testing.AllocsPerRun(100, func() { e.ServeHTTP(w, r) }); n > 0 {
		t.Errorf("%v allocs, budget 0", n)
	}
}

// TestLogRequestID: LogRequestID takes the ID that the client has sent if it is fit for a log, as the ID of a proxy is.
func TestLogRequestID(t *testing.T) {
	for _, test := range []struct{ sent, set, want string }{
		{"client", "server", "client"}, {"client", "", "client"}, {"", "server", "server"},
		{"not fit", "server", "server"}, {strings.Repeat("x", 129), "", ""},
	} {
		got := "none"
		e, _ := logged()
		e.Use(RequestLoggerWithConfig(RequestLoggerConfig{LogRequestID: true, LogValuesFunc: func(_ *web.Context, v RequestLoggerValues) error {
			got = v.RequestID
			return nil
		}}))
		e.GET("/", func(c *web.Context) error {
			c.Response().Header().Set("X-Request-Id", test.set)
			return c.NoContent(204)
		})
		serve(e, "GET", "/", "", "X-Request-Id", test.sent)
		if got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}
