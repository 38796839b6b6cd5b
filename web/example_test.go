package web_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

func Example() {
	e := web.New()
	e.Use(middleware.Recover())
	e.GET("/hello/:name", func(c *web.Context) error {
		return c.String(http.StatusOK, "hello, "+c.Param("name"))
	})
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest("GET", "/hello/gopher", nil))
	fmt.Println(w.Code, w.Body)
	// Output: 200 hello, gopher
}

func ExampleGroup() {
	authorized := func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			if c.Request().Header.Get(web.HeaderAuthorization) == "" {
				return web.ErrUnauthorized
			}
			return next(c)
		}
	}
	e := web.New()
	admin := e.Group("/admin", authorized)
	admin.GET("/users", func(c *web.Context) error { return c.JSON(http.StatusOK, []string{}) })
	for _, target := range []string{"/admin/users", "/admin/no-such-thing"} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		fmt.Println(target, w.Code)
	}
	// Output:
	// /admin/users 401
	// /admin/no-such-thing 401
}

func ExampleStartConfig() {
	e := web.New()
	e.GET("/", func(c *web.Context) error { return c.NoContent(http.StatusNoContent) })

	// In a program, the context comes from signal.NotifyContext.
	ctx, stop := context.WithCancel(context.Background())
	sc := web.StartConfig{
		Address:  "127.0.0.1:0",
		HidePort: true,
		ListenerAddrFunc: func(addr net.Addr) {
			go func() {
				if resp, err := http.Get("http://" + addr.String()); err == nil {
					fmt.Println(resp.Status)
					resp.Body.Close()
				}
				stop()
			}()
		},
	}
	fmt.Println(sc.Start(ctx, e))
	// Output:
	// 204 No Content
	// <nil>
}
