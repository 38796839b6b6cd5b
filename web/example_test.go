package web_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"

	"github.com/hone-go/hone/mo"
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

func ExampleHandle() {
	type In struct {
		Host  string         `path:"host"`
		Limit mo.Option[int] `query:"limit"`
	}
	type Out struct {
		Host  string `json:"host"`
		Limit int    `json:"limit"`
	}
	e := web.New()
	web.Handle(e, "GET /v1/hosts/{host}", func(ctx context.Context, in *In) (*Out, error) {
		if in.Host == "unknown" {
			return nil, web.NewProblem(http.StatusNotFound, "no such host")
		}
		return &Out{in.Host, in.Limit.OrElse(100)}, nil
	})
	for _, target := range []string{"/v1/hosts/web-1", "/v1/hosts/unknown", "/v1/hosts/web-1?limit=ten"} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		fmt.Print(w.Code, " ", w.Body)
	}
	// Output:
	// 200 {"host":"web-1","limit":100}
	// 404 {"title":"Not Found","status":404,"detail":"no such host"}
	// 400 {"title":"Bad Request","status":400,"detail":"the request has parameters that cannot be read","errors":[{"in":"query","name":"limit","detail":"not a whole number"}]}
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
