package middleware

import (
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/hone-go/hone/web"
)

// TestNoSharing runs ten thousand concurrent requests through all middleware that wraps a body or
// a response. Outer middleware writes after Gzip has ended, and reads a body that BodyLimit and
// Decompress wrapped. No request may see a byte of another.
func TestNoSharing(t *testing.T) {
	e, _ := logged()
	// At other levels, resetting a writer clears two thirds of a megabyte. Under the race detector,
	// this takes minutes for ten thousand requests.
	fast := GzipWithConfig(GzipConfig{Level: gzip.BestSpeed})
	e.Use(func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			id := c.QueryParam("id")
			if err := next(c); err != nil {
				return err
			}
			body := c.Request().Body // the body that inner middleware has wrapped
			if late, err := io.ReadAll(body); err == nil && len(late) > 0 && !strings.Contains(string(late), id) {
				t.Errorf("request %s reads %q", id, late)
			}
			_, err := io.WriteString(c.Response(), "|late "+id)
			return err
		}
	}, fast, BodyDump(func(c *web.Context, request, response []byte, _ error) {
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
