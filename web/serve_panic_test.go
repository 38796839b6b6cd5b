package web_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// panics is a serializer that writes half of the value and panics.
type panics struct{ web.DefaultJSONSerializer }

func (panics) Serialize(c *web.Context, v any, _ string) error {
	text := fmt.Sprint(v)
	_, _ = c.Response().Write([]byte(text[:len(text)/2]))
	if strings.HasPrefix(text, "panic") {
		panic("half written")
	}
	_, err := c.Response().Write([]byte(text[len(text)/2:]))
	return err
}

// In TestPanicPutsResponseBack handlers panic while middleware has replaced the response writer. The
// client gets the answer to the panic, and no other client gets the half-written value.
func TestPanicPutsResponseBack(t *testing.T) {
	recovered := func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) (err error) {
			defer func() {
				if v := recover(); v != nil {
					err = errors.New("caught")
				}
			}()
			return next(c)
		}
	}
	e := web.NewWithConfig(web.Config{Router: web.NewRouter(web.RouterConfig{AutoHandleHEAD: true})})
	e.JSONSerializer = panics{}
	e.Use(recovered)
	e.GET("/jsonp/:text", func(c *web.Context) error { return c.JSONP(http.StatusOK, "f", c.Param("text")) })
	e.GET("/json/:text", func(c *web.Context) error { return c.JSON(http.StatusOK, c.Param("text")) })
	dumped := e.Group("/dump", middleware.BodyDump(func(*web.Context, []byte, []byte, error) {}))
	dumped.GET("/:text", func(c *web.Context) error { panic(c.Param("text")) })
	wrapped := e.Group("/wrapped", web.WrapMiddleware(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(httptest.NewRecorder(), r) })
	}))
	wrapped.GET("/:text", func(c *web.Context) error { panic(c.Param("text")) })
	e.GET("/head", func(*web.Context) error { panic("x") })

	for _, path := range []string{"/head", "/dump/panic", "/wrapped/panic", "/jsonp/panic"} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := httptest.NewRecorder()
			if e.ServeHTTP(w, httptest.NewRequest(method, path, nil)); w.Code != http.StatusInternalServerError {
				t.Errorf("%s %s: got %d %s", method, path, w.Code, w.Body)
			}
		}
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for k := range 200 {
				mine := fmt.Sprintf("mine-%d-%d", i, k)
				path, want := "/jsonp/"+mine, "f("+mine+");"
				if k%2 == 0 {
					path, want = fmt.Sprintf("/jsonp/panic-%d-%d-secret", i, k), ""
				}
				w := httptest.NewRecorder()
				e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
				if got := w.Body.String(); want != "" && got != want || want == "" && w.Code != http.StatusInternalServerError {
					t.Errorf("%s: got %d %q, want %q", path, w.Code, got, want)
				}
			}
		})
	}
	wg.Wait()
}
