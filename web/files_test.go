package web_test

import (
	"context"
	"errors"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// TestFilesAreRemoved uploads a file to handlers that end in every possible way,
// and checks that the file is removed from the disk.
func TestFilesAreRemoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("TMPDIR does not set the directory for uploaded files")
	}
	parse := func(c *web.Context) error {
		file, err := c.FormFile("f")
		if err != nil || file.Size != 4 {
			t.Errorf("file %v, %v", file, err)
		}
		return err
	}
	timeout := web.WrapMiddleware(func(next http.Handler) http.Handler {
		return http.TimeoutHandler(next, 20*time.Millisecond, "too slow")
	})
	type key struct{}
	copied := web.WrapMiddleware(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, 1)))
		})
	})
	putBack := func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			outer := c.Request()
			defer c.SetRequest(outer)
			c.SetRequest(outer.WithContext(outer.Context()))
			return next(c)
		}
	}
	after := func(then func(c *web.Context) error) web.HandlerFunc {
		return func(c *web.Context) error {
			if err := parse(c); err != nil {
				return err
			}
			return then(c)
		}
	}
	panics := func(*web.Context) error { panic(http.ErrAbortHandler) }
	hijack := func(c *web.Context) error {
		conn, _, err := http.NewResponseController(c.Response()).Hijack()
		if err != nil {
			return err
		}
		return conn.Close()
	}
	for _, test := range []struct {
		name    string
		around  []web.MiddlewareFunc
		handler web.HandlerFunc
	}{
		{name: "return", handler: after(func(c *web.Context) error { return c.NoContent(200) })},
		{name: "error", handler: after(func(*web.Context) error { return errors.New("x") })},
		{name: "committed", handler: after(func(c *web.Context) error { _ = c.NoContent(200); return errors.New("x") })},
		{name: "panic", handler: after(panics)},
		{name: "panic recovered", around: []web.MiddlewareFunc{middleware.Recover()}, handler: after(func(*web.Context) error { panic("x") })},
		{name: "panic after the response began", around: []web.MiddlewareFunc{middleware.Recover()}, handler: after(func(c *web.Context) error {
			_ = c.String(200, "begun")
			panic("x")
		})},
		{name: "hijack", handler: after(hijack)},
		{name: "another request", around: []web.MiddlewareFunc{copied}, handler: after(func(c *web.Context) error { return c.NoContent(200) })},
		{name: "another request, panic", around: []web.MiddlewareFunc{copied}, handler: after(panics)},
		{name: "another request, put back", around: []web.MiddlewareFunc{putBack}, handler: after(func(c *web.Context) error { return c.NoContent(200) })},
		{name: "another request, put back, panic", around: []web.MiddlewareFunc{putBack}, handler: after(panics)},
		{name: "parsed by the request", around: []web.MiddlewareFunc{putBack}, handler: func(c *web.Context) error {
			return c.Request().ParseMultipartForm(1)
		}},
		{name: "given up on", around: []web.MiddlewareFunc{timeout}, handler: after(func(*web.Context) error {
			time.Sleep(100 * time.Millisecond)
			return nil
		})},
		{name: "given up on, panic", around: []web.MiddlewareFunc{timeout}, handler: after(func(*web.Context) error {
			time.Sleep(100 * time.Millisecond)
			panic("x")
		})},
		{name: "given up on before the form", around: []web.MiddlewareFunc{timeout}, handler: func(c *web.Context) error {
			time.Sleep(100 * time.Millisecond)
			_, _ = c.FormFile("f")
			return nil
		}},
		{name: "CSRF in front", around: []web.MiddlewareFunc{middleware.CSRFWithConfig(middleware.CSRFConfig{TokenLookup: "form:t"})}, handler: panics},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("TMPDIR", dir)
			e := web.NewWithConfig(web.Config{FormParseMaxMemory: 1, Logger: slog.New(slog.DiscardHandler)})
			done := make(chan struct{})
			e.POST("/", func(c *web.Context) error { defer close(done); return test.handler(c) }, test.around...)
			upload(t, e, "/")
			select {
			case <-done: // an abandoned handler still runs for a while
			case <-time.After(time.Second): // CSRF refuses the request before it reaches the handler
			}
			noFiles(t, dir)
		})
	}
	t.Run("typed handler", func(t *testing.T) {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		e := web.NewWithConfig(web.Config{FormParseMaxMemory: 1, Logger: slog.New(slog.DiscardHandler)})
		e.Use(putBack)
		api.Handle(e, "POST /f", func(_ context.Context, in *struct {
			F *multipart.FileHeader `form:"f"`
		}) (*struct{}, error) {
			panic(http.ErrAbortHandler)
		})
		upload(t, e, "/f")
		noFiles(t, dir)
	})
}

// TestFormMemory uploads files of two sizes, and checks where they are stored.
func TestFormMemory(t *testing.T) {
	for _, test := range []struct {
		name   string
		memory int64
		size   int
		onDisk bool
	}{
		{name: "small", size: 1 << 19}, {name: "large", size: 1<<20 + 1<<19, onDisk: true},
		{name: "small, less allowed", memory: 1 << 10, size: 1 << 19, onDisk: true}, {name: "large, more allowed", memory: 1 << 22, size: 1 << 21},
	} {
		t.Run(test.name, func(t *testing.T) {
			look := func(header *multipart.FileHeader) error {
				f, err := header.Open()
				if err != nil {
					return err
				}
				defer f.Close()
				if _, onDisk := f.(*os.File); onDisk != test.onDisk {
					t.Errorf("on disk: %v", onDisk)
				}
				return nil
			}
			e := web.NewWithConfig(web.Config{FormParseMaxMemory: test.memory})
			e.POST("/plain", func(c *web.Context) error {
				file, err := c.FormFile("f")
				if err != nil {
					return err
				}
				return look(file)
			})
			api.Handle(e, "POST /typed", func(_ context.Context, in *struct {
				F *multipart.FileHeader `form:"f"`
			}) (*struct{}, error) {
				return nil, look(in.F)
			})
			for _, path := range []string{"/plain", "/typed"} {
				body := "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\n" + strings.Repeat("x", test.size) + "\r\n--B--\r\n"
				r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
				r.Header.Set("Content-Type", "multipart/form-data; boundary=B")
				w := httptest.NewRecorder()
				if e.ServeHTTP(w, r); w.Code >= 300 {
					t.Errorf("%s: %d %s", path, w.Code, w.Body)
				}
			}
		})
	}
}

// upload posts a file. The answer may be anything.
func upload(t *testing.T, e *web.Echo, path string) {
	t.Helper()
	srv := httptest.NewServer(e)
	defer srv.Close()
	srv.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	const body = "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\nfile\r\n--B--\r\n"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "multipart/form-data; boundary=B")
	resp, err := srv.Client().Do(r)
	if err == nil {
		resp.Body.Close()
	}
}

// noFiles waits for a directory to be empty.
func noFiles(t *testing.T, dir string) {
	t.Helper()
	var left []os.DirEntry
	for range 100 {
		var err error
		if left, err = os.ReadDir(dir); err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("files are left: %v", left)
}
