package middleware_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing/fstest"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

func ExampleAddTrailingSlash() {
	e := web.New()
	e.Pre(middleware.AddTrailingSlash())
	e.GET("/users/", hello)

	send(e, httptest.NewRequest("GET", "/users", nil))
	// Output: 200 hello
}

func ExampleRemoveTrailingSlash() {
	e := web.New()
	e.Pre(middleware.RemoveTrailingSlash())
	e.GET("/users", hello)

	send(e, httptest.NewRequest("GET", "/users/", nil))
	// Output: 200 hello
}

func ExampleHTTPSRedirect() {
	e := web.New()
	e.Pre(middleware.HTTPSRedirect())

	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest("GET", "http://example.org/a?b=c", nil))
	fmt.Println(w.Code, w.Header().Get("Location"))
	// Output: 301 https://example.org/a?b=c
}

func ExampleRewrite() {
	e := web.New()
	e.Pre(middleware.Rewrite(map[string]string{"/old/*": "/new/$1"}))
	e.GET("/new/:name", func(c *web.Context) error { return c.String(http.StatusOK, c.Param("name")) })

	send(e, httptest.NewRequest("GET", "/old/page", nil))
	// Output: 200 page
}

func ExampleMethodOverride() {
	e := web.New()
	e.Pre(middleware.MethodOverride())
	e.DELETE("/", func(c *web.Context) error { return c.String(http.StatusOK, "deleted") })

	r := httptest.NewRequest("POST", "/", nil)
	r.Header.Set("X-HTTP-Method-Override", "DELETE")
	send(e, r)
	// Output: 200 deleted
}

func ExampleStatic() {
	e := web.New()
	e.Use(middleware.StaticWithConfig(middleware.StaticConfig{
		Filesystem: fstest.MapFS{"app.css": {Data: []byte("body{}")}},
	}))

	send(e, httptest.NewRequest("GET", "/app.css", nil))
	// Output: 200 body{}
}

func ExampleProxy() {
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "from behind: ", r.URL.Path)
	}))
	defer behind.Close()
	target, err := url.Parse(behind.URL)
	if err != nil {
		panic(err)
	}
	e := web.New()
	e.Use(middleware.Proxy(middleware.NewRoundRobinBalancer([]*middleware.ProxyTarget{{URL: target}})))

	front := httptest.NewServer(e)
	defer front.Close()
	resp, err := http.Get(front.URL + "/a")
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	var text [50]byte
	n, _ := resp.Body.Read(text[:])
	fmt.Println(resp.StatusCode, string(text[:n]))
	// Output: 200 from behind: /a
}
