package compress_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	honecompress "github.com/hone-go/hone/integrations/compress"
	"github.com/hone-go/hone/web"
)

func Example() {
	e := web.New()
	e.Use(honecompress.Compress(), honecompress.Decompress())
	e.GET("/", func(c *web.Context) error { return c.String(http.StatusOK, strings.Repeat("hello ", 1000)) })

	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	fmt.Println(w.Header().Get("Content-Encoding"), w.Body.Len() < 100)
	// Output: zstd true
}

func ExampleCompressConfig_Handler() {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	h, err := honecompress.CompressConfig{MinLength: 1000}.Handler(mux)
	if err != nil {
		panic(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	fmt.Println(w.Body, w.Header())
	// Output: hello map[Content-Type:[text/plain; charset=utf-8] Vary:[Accept-Encoding]]
}
