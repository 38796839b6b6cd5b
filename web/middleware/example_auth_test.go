package middleware_test

import (
	"crypto/subtle"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// send prints the status and the body of a response.
func send(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)
	return w
}

// equal takes the same time wherever the strings differ.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

func hello(c *web.Context) error { return c.String(http.StatusOK, "hello") }

func ExampleBasicAuth() {
	e := web.New()
	e.Use(middleware.BasicAuth(func(c *web.Context, user, password string) (bool, error) {
		return equal(user, "ada") && equal(password, "secret"), nil
	}))
	e.GET("/", hello)

	r := httptest.NewRequest("GET", "/", nil)
	fmt.Println(send(e, r).Header().Get("WWW-Authenticate"))
	r.SetBasicAuth("ada", "secret")
	send(e, r)
	// Output:
	// 401 {"message":"Unauthorized"}
	//
	// basic realm="Restricted"
	// 200 hello
}

func ExampleKeyAuth() {
	e := web.New()
	e.Use(middleware.KeyAuth(func(c *web.Context, key string, source middleware.ExtractorSource) (bool, error) {
		return equal(key, "k-1"), nil
	}))
	e.GET("/", hello)

	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Authorization", "Bearer k-2")
	send(e, r)
	r.Header.Set("Authorization", "Bearer k-1")
	send(e, r)
	// Output:
	// 401 {"message":"Unauthorized"}
	//
	// 200 hello
}

func ExampleCSRF() {
	e := web.New()
	e.Use(middleware.CSRF())
	e.POST("/", hello)

	for _, site := range []string{"same-origin", "cross-site"} {
		r := httptest.NewRequest("POST", "/", nil)
		r.Header.Set("Sec-Fetch-Site", site)
		send(e, r)
	}
	// Output:
	// 200 hello
	// 403 {"message":"cross-site request blocked by CSRF"}
}

func ExampleCORS() {
	e := web.New()
	e.Use(middleware.CORS("https://app.example.org"))
	e.GET("/", hello)

	for _, origin := range []string{"https://app.example.org", "https://other.example"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Origin", origin)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		fmt.Printf("%q\n", w.Header().Get("Access-Control-Allow-Origin"))
	}
	// Output:
	// "https://app.example.org"
	// ""
}

func ExampleSecure() {
	e := web.New()
	e.Use(middleware.SecureWithConfig(middleware.SecureConfig{ContentTypeNosniff: "nosniff", ReferrerPolicy: "no-referrer"}))
	e.GET("/", hello)

	h := send(e, httptest.NewRequest("GET", "/", nil)).Header()
	fmt.Println(h.Get("X-Content-Type-Options"), h.Get("Referrer-Policy"))
	// Output:
	// 200 hello
	// nosniff no-referrer
}
