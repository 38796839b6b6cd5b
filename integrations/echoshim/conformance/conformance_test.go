package conformance

import (
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"crypto/tls"

	"github.com/danielgtaylor/huma/v2"
	"github.com/golang-jwt/jwt/v5"
	"github.com/gorilla/sessions"
	"github.com/labstack/echo-contrib/v5/echoprometheus"
	"github.com/labstack/echo-contrib/v5/session"
	echojwt "github.com/labstack/echo-jwt/v5"
	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/echotest"
	"github.com/labstack/echo/v5/middleware"

	"github.com/hone-go/hone/web"
)

// call sends a request, and returns the status, the body and the header of the response.
func call(h http.Handler, r *http.Request) (int, string, http.Header) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String(), w.Header()
}

// TestAliases checks that package echo of the shim has the types of package web.
func TestAliases(t *testing.T) {
	var e *web.Echo = echo.New()
	e.Use(middleware.RequestID())
	e.GET("/:id", func(c *echo.Context) error {
		n, err := echo.PathParam[int](c, "id")
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, n)
	})
	code, body, h := call(e, httptest.NewRequest("GET", "/7", nil))
	if code != 200 || body != "7\n" || h.Get(echo.HeaderXRequestID) == "" {
		t.Errorf("%d %q %v", code, body, h)
	}
	if code, _, _ := call(e, httptest.NewRequest("GET", "/x", nil)); code != 400 {
		t.Errorf("status %d for a path parameter that is not a number", code)
	}
	c := echotest.ContextConfig{JSONBody: []byte(`{"a":1}`)}.ToContext(t)
	var got struct{ A int }
	if err := c.Bind(&got); err != nil || got.A != 1 {
		t.Errorf("echotest: %+v %v", got, err)
	}
}

func TestPrometheus(t *testing.T) {
	e := echo.New()
	e.Use(echoprometheus.NewMiddleware("service"))
	e.GET("/metrics", echoprometheus.NewHandler())
	e.GET("/hosts/:host", func(c *echo.Context) error { return c.String(http.StatusAccepted, c.Param("host")) })
	for range 3 {
		call(e, httptest.NewRequest("GET", "/hosts/a", nil))
	}
	call(e, httptest.NewRequest("GET", "/none", nil))
	_, body, _ := call(e, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{
		`service_requests_total{code="202",host="example.com",method="GET",url="/hosts/:host"} 3`,
		`service_requests_total{code="404",host="example.com",method="GET"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the metrics have no %s", want)
		}
	}
}

func TestSession(t *testing.T) {
	e := echo.New()
	e.Use(session.Middleware(sessions.NewCookieStore([]byte("secret"))))
	e.GET("/", func(c *echo.Context) error {
		s, err := session.Get("visits", c)
		if err != nil {
			return err
		}
		n, _ := s.Values["n"].(int)
		s.Values["n"] = n + 1
		if err := s.Save(c.Request(), c.Response()); err != nil {
			return err
		}
		return c.JSON(http.StatusOK, n)
	})
	r := httptest.NewRequest("GET", "/", nil)
	for _, want := range []string{"0\n", "1\n", "2\n"} {
		code, body, h := call(e, r)
		if code != 200 || body != want {
			t.Fatalf("%d %q, want %q", code, body, want)
		}
		r = httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Cookie", strings.Split(h.Get("Set-Cookie"), ";")[0])
	}
}

func TestJWT(t *testing.T) {
	e := echo.New()
	e.Use(echojwt.JWT([]byte("secret")))
	e.GET("/", func(c *echo.Context) error {
		token, err := echo.ContextGet[*jwt.Token](c, "user")
		if err != nil {
			return err
		}
		who, _ := token.Claims.GetSubject()
		return c.String(http.StatusOK, who)
	})
	signed, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"sub": "someone"}).SignedString([]byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	for auth, want := range map[string]int{"": 401, "Bearer x": 401, "Bearer " + signed: 200} {
		r := httptest.NewRequest("GET", "/", nil)
		if auth != "" {
			r.Header.Set("Authorization", auth)
		}
		if code, body, _ := call(e, r); code != want || code == 200 && body != "someone" {
			t.Errorf("%q: %d %q, want %d", auth, code, body, want)
		}
	}
}

// An adapter runs huma on Echo v5. Huma's own adapter is for Echo v4, whose type Context differs.
type adapter struct{ e *echo.Echo }

func (a adapter) Handle(op *huma.Operation, handler func(huma.Context)) {
	path := strings.NewReplacer("{", ":", "}", "").Replace(op.Path)
	a.e.Add(op.Method, path, func(c *echo.Context) error {
		handler(&humaContext{op: op, c: c})
		return nil
	})
}

func (a adapter) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.e.ServeHTTP(w, r) }

type humaContext struct {
	op     *huma.Operation
	c      *echo.Context
	status int
}

func (h *humaContext) Operation() *huma.Operation { return h.op }
func (h *humaContext) Context() context.Context   { return h.c.Request().Context() }
func (h *humaContext) TLS() *tls.ConnectionState  { return h.c.Request().TLS }
func (h *humaContext) Method() string             { return h.c.Request().Method }
func (h *humaContext) Host() string               { return h.c.Request().Host }
func (h *humaContext) RemoteAddr() string         { return h.c.Request().RemoteAddr }
func (h *humaContext) URL() url.URL               { return *h.c.Request().URL }
func (h *humaContext) Param(name string) string   { return h.c.Param(name) }
func (h *humaContext) Query(name string) string   { return h.c.QueryParam(name) }
func (h *humaContext) Header(name string) string  { return h.c.Request().Header.Get(name) }
func (h *humaContext) BodyReader() io.Reader      { return h.c.Request().Body }
func (h *humaContext) BodyWriter() io.Writer      { return h.c.Response() }
func (h *humaContext) Status() int                { return h.status }
func (h *humaContext) SetHeader(name, v string)   { h.c.Response().Header().Set(name, v) }
func (h *humaContext) AppendHeader(name, v string) {
	h.c.Response().Header().Add(name, v)
}
func (h *humaContext) EachHeader(f func(name, value string)) {
	for name, values := range h.c.Request().Header {
		for _, v := range values {
			f(name, v)
		}
	}
}
func (h *humaContext) GetMultipartForm() (*multipart.Form, error) { return h.c.MultipartForm() }
func (h *humaContext) SetReadDeadline(t time.Time) error {
	return http.NewResponseController(h.c.Response()).SetReadDeadline(t)
}
func (h *humaContext) SetStatus(code int) {
	h.status = code
	h.c.Response().WriteHeader(code)
}
func (h *humaContext) Version() huma.ProtoVersion {
	r := h.c.Request()
	return huma.ProtoVersion{Proto: r.Proto, ProtoMajor: r.ProtoMajor, ProtoMinor: r.ProtoMinor}
}

func TestHuma(t *testing.T) {
	e := echo.New()
	e.Use(middleware.Recover())
	api := huma.NewAPI(huma.DefaultConfig("Service", "1.0.0"), adapter{e})
	type out struct {
		Body struct {
			Text string `json:"text"`
		}
	}
	huma.Get(api, "/greet/{name}", func(_ context.Context, in *struct {
		Name  string `path:"name" maxLength:"8"`
		Times int    `query:"times" default:"1" maximum:"3"`
	}) (*out, error) {
		o := &out{}
		o.Body.Text = strings.Repeat("hello, "+in.Name, in.Times)
		return o, nil
	})
	code, body, _ := call(e, httptest.NewRequest("GET", "/greet/you?times=2", nil))
	if code != 200 || !strings.Contains(body, `"text":"hello, youhello, you"`) {
		t.Errorf("%d %s", code, body)
	}
	if code, body, _ := call(e, httptest.NewRequest("GET", "/greet/you?times=9", nil)); code != 422 {
		t.Errorf("too many times: %d %s", code, body)
	}
	if code, body, _ := call(e, httptest.NewRequest("GET", "/openapi.json", nil)); code != 200 || !strings.Contains(body, "/greet/{name}") {
		t.Errorf("the document: %d %.200s", code, body)
	}
}
