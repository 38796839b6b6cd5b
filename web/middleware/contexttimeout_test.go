package middleware

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/hone-go/hone/web"
)

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
