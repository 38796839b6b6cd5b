// Package echotest creates Contexts for tests of handlers, with the API of Echo's
// package echotest.
//
//	rec := echotest.ContextConfig{
//		PathValues: web.PathValues{{Name: "id", Value: "7"}},
//		JSONBody:   []byte(`{"name":"x"}`),
//	}.ServeWithHandler(t, handler)
package echotest

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/hone-go/hone/web"
)

// A ContextConfig describes a Context. At most one of FormValues, MultipartForm and
// JSONBody is the body. The body sets the Content-Type, unless Headers has one, and
// makes the request a POST, unless Request is set.
type ContextConfig struct {
	// Request is GET / by default. The other fields modify it.
	Request *http.Request
	// Response is a new recorder by default.
	Response *httptest.ResponseRecorder
	// QueryValues become the query.
	QueryValues url.Values
	// Headers become the header.
	Headers http.Header
	// PathValues become the path parameters.
	PathValues web.PathValues
	// RouteInfo becomes the route; by default a route of the path "/test" with
	// PathValues.
	RouteInfo *web.RouteInfo
	// FormValues become an URL-encoded body.
	FormValues url.Values
	// MultipartForm becomes a multipart body.
	MultipartForm *MultipartForm
	// JSONBody becomes the body.
	JSONBody []byte
}

// A MultipartForm is the content of a multipart form.
type MultipartForm struct {
	Fields map[string]string
	Files  []MultipartFormFile
}

// A MultipartFormFile is one file of a multipart form.
type MultipartFormFile struct {
	Fieldname string
	Filename  string
	Content   []byte
}

// ToContext returns the Context.
func (conf ContextConfig) ToContext(t *testing.T) *web.Context {
	c, _ := conf.ToContextRecorder(t)
	return c
}

// ToContextRecorder returns the Context and the recorder of its response.
func (conf ContextConfig) ToContextRecorder(t *testing.T) (*web.Context, *httptest.ResponseRecorder) {
	t.Helper()
	if conf.Response == nil {
		conf.Response = httptest.NewRecorder()
	}
	ownRequest := conf.Request == nil
	if ownRequest {
		conf.Request = httptest.NewRequest(http.MethodGet, "/", nil)
	}
	r := conf.Request
	if len(conf.QueryValues) > 0 {
		r.URL.RawQuery = conf.QueryValues.Encode()
	}
	if len(conf.Headers) > 0 {
		r.Header = conf.Headers
	}
	if body, contentType := conf.body(t); contentType != "" {
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.ContentLength = int64(len(body))
		if r.Header.Get(web.HeaderContentType) == "" {
			r.Header.Set(web.HeaderContentType, contentType)
		}
		if ownRequest {
			r.Method = http.MethodPost
		}
	}
	c := web.NewContext(r, conf.Response, web.New())
	route := conf.RouteInfo
	if route == nil {
		route = &web.RouteInfo{Method: r.Method, Path: "/test", Parameters: []string{}}
		for _, v := range conf.PathValues {
			route.Parameters = append(route.Parameters, v.Name)
		}
	}
	c.InitializeRoute(route, &conf.PathValues)
	return c, conf.Response
}

func (conf ContextConfig) body(t *testing.T) (body []byte, contentType string) {
	t.Helper()
	switch {
	case len(conf.FormValues) > 0:
		return []byte(conf.FormValues.Encode()), web.MIMEApplicationForm
	case conf.MultipartForm != nil:
		return conf.MultipartForm.encode(t)
	case conf.JSONBody != nil:
		return conf.JSONBody, web.MIMEApplicationJSON
	}
	return nil, ""
}

func (f *MultipartForm) encode(t *testing.T) (body []byte, contentType string) {
	t.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range f.Fields {
		check(w.WriteField(name, value))
	}
	for _, file := range f.Files {
		part, err := w.CreateFormFile(file.Fieldname, file.Filename)
		check(err)
		_, err = part.Write(file.Content)
		check(err)
	}
	check(w.Close())
	return out.Bytes(), w.FormDataContentType()
}

// ServeWithHandler runs a handler and returns the recorded response. An error of the
// handler is answered by the web.HTTPErrorHandler among the options, or by the
// default one.
func (conf ContextConfig) ServeWithHandler(t *testing.T, handler web.HandlerFunc, opts ...any) *httptest.ResponseRecorder {
	t.Helper()
	c, rec := conf.ToContextRecorder(t)
	onError := web.DefaultHTTPErrorHandler(false)
	for _, o := range opts {
		if h, ok := o.(web.HTTPErrorHandler); ok {
			onError = h
		}
	}
	if err := handler(c); err != nil {
		onError(c, err)
	}
	return rec
}
