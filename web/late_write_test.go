package web_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// In TestKeptResponses goroutines write to the Context and the Response of their request
// while the handler returns and long after. The test uses real connections, which net/http
// reuses together with their buffers. With NoReuse no other response contains a byte of these
// writes, with or without Gzip.
func TestKeptResponses(t *testing.T) {
	testkit.SkipIfInstrumented(t) // under the race detector these handlers would panic
	for _, test := range []struct {
		name   string
		around []web.MiddlewareFunc
	}{{name: "plain"}, {name: "gzip", around: []web.MiddlewareFunc{middleware.GzipWithConfig(middleware.GzipConfig{Level: 1})}}} {
		t.Run(test.name, func(t *testing.T) {
			e := web.NewWithConfig(web.Config{NoReuse: true, Logger: slog.New(slog.DiscardHandler)})
			e.Use(test.around...)
			var late sync.WaitGroup
			e.GET("/keeps", func(c *web.Context) error {
				if err := c.String(http.StatusOK, "begun "); err != nil {
					return err
				}
				w := c.Response()
				late.Go(func() {
					for end := time.Now().Add(3 * time.Millisecond); time.Now().Before(end); {
						_, _ = io.WriteString(w, "stranger")
						_ = c.String(http.StatusOK, "stranger")
					}
				})
				if c.QueryParam("then") == "panic" {
					panic(http.ErrAbortHandler)
				}
				return nil
			})
			e.GET("/plain", func(c *web.Context) error {
				for range 10 {
					if err := c.String(http.StatusOK, "mine"); err != nil {
						return err
					}
				}
				return nil
			})
			srv := httptest.NewServer(e)
			defer srv.Close()
			defer late.Wait()
			n := 100
			if testing.Short() {
				n = 20
			}
			var clients sync.WaitGroup
			for k := range 4 {
				clients.Go(func() {
					for i := range n {
						path, want := "/plain", strings.Repeat("mine", 10)
						switch (i + k) % 4 {
						case 0:
							path, want = "/keeps", "begun "
						case 2:
							path = "/keeps?then=panic"
						}
						body, err := ask(srv, path)
						if strings.HasSuffix(path, "panic") {
							continue // the server has closed the connection
						}
						if err != nil || path == "/plain" && body != want || !strings.HasPrefix(body, want) {
							t.Errorf("%s: %q, %v", path, body, err)
						}
					}
				})
			}
			clients.Wait()
		})
	}
}

func ask(srv *httptest.Server, path string) (string, error) {
	resp, err := srv.Client().Get(srv.URL + path)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d", resp.StatusCode)
	}
	return string(body), err
}
