package echo_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hone-go/hone/web"
	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/echotest"
	"github.com/labstack/echo/v5/middleware"
)

// hello is written for Echo. It takes a Context of Hone, since the types are the same.
func hello(c *echo.Context) error { return c.String(http.StatusOK, "hello, "+c.Param("name")) }

// An Echo of Hone runs handlers and middleware that are written for Echo.
func Example() {
	var e *web.Echo = echo.New()
	e.Use(middleware.Secure())
	e.GET("/hello/:name", hello)

	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest("GET", "/hello/ann", nil))
	fmt.Println(w.Code, w.Body, w.Header().Get("X-Frame-Options"))

	rec := echotest.ContextConfig{PathValues: echo.PathValues{{Name: "name", Value: "bob"}}}.ServeWithHandler(new(testing.T), hello)
	fmt.Println(rec.Code, rec.Body)
	// Output:
	// 200 hello, ann SAMEORIGIN
	// 200 hello, bob
}
