package middleware_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// size answers with the length of the body.
func size(c *web.Context) error {
	b, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return err
	}
	return c.String(http.StatusOK, fmt.Sprint(len(b), " bytes"))
}

func ExampleBodyLimit() {
	e := web.New()
	e.Use(middleware.BodyLimit(10))
	e.POST("/", size)

	send(e, httptest.NewRequest("POST", "/", strings.NewReader("ten bytes.")))
	send(e, httptest.NewRequest("POST", "/", strings.NewReader("eleven bytes")))
	// Output:
	// 200 10 bytes
	// 413 {"message":"Request Entity Too Large"}
}

func ExampleBodyDump() {
	e := web.New()
	e.Use(middleware.BodyDump(func(c *web.Context, request, response []byte, err error) {
		fmt.Printf("%q was answered with %q\n", request, response)
	}))
	e.POST("/", size)

	send(e, httptest.NewRequest("POST", "/", strings.NewReader("hello")))
	// Output:
	// "hello" was answered with "5 bytes"
	// 200 5 bytes
}

func ExampleGzip() {
	e := web.New()
	e.Use(middleware.Gzip())
	e.GET("/", func(c *web.Context) error { return c.String(http.StatusOK, strings.Repeat("hello ", 1000)) })

	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	fmt.Println(w.Header().Get("Content-Encoding"), w.Body.Len() < 100)
	// Output: gzip true
}

func ExampleDecompress() {
	e := web.New()
	e.Use(middleware.Decompress())
	e.POST("/", size)

	var body bytes.Buffer
	w := gzip.NewWriter(&body)
	_, _ = io.WriteString(w, strings.Repeat("hello ", 100))
	_ = w.Close()
	r := httptest.NewRequest("POST", "/", &body)
	r.Header.Set("Content-Encoding", "gzip")
	send(e, r)
	// Output: 200 600 bytes
}
