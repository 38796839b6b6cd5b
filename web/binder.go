package web

import (
	"net/http"
	"reflect"

	"github.com/hone-go/hone/bind"
)

// A Binder fills a value from a request.
type Binder interface {
	Bind(c *Context, target any) error
}

// DefaultBinder fills a struct by package bind and from the body.
type DefaultBinder struct{}

// Bind fills target from the path parameters, the query (of a GET, DELETE or
// HEAD request) and the body, in this order. A target that is not a struct is
// filled from the body alone. The error is an [*HTTPError] with the status 400,
// 413 or 415 and has the cause in its chain.
func (b *DefaultBinder) Bind(c *Context, target any) error {
	if t := reflect.TypeOf(target); t != nil && t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
		in := bind.Input{Path: &c.pathValues}
		switch c.request.Method {
		case http.MethodGet, http.MethodDelete, http.MethodHead:
			in.Query = c.request.URL.RawQuery
		}
		if err := bindParams(in, target); err != nil {
			return err
		}
	}
	return BindBody(c, target)
}

// BindPathValues fills the struct *target from the path parameters.
func BindPathValues(c *Context, target any) error {
	return bindParams(bind.Input{Path: &c.pathValues}, target)
}

// BindQueryParams fills the struct *target from the query.
func BindQueryParams(c *Context, target any) error {
	return bindParams(bind.Input{Query: c.request.URL.RawQuery}, target)
}

// BindHeaders fills the struct *target from the header.
func BindHeaders(c *Context, target any) error {
	return bindParams(bind.Input{Header: c.request.Header}, target)
}

func bindParams(in bind.Input, target any) error {
	err := bind.All(in, target)
	if _, ok := err.(bind.Errors); ok {
		return ErrBadRequest.Wrap(err)
	}
	return err
}

// BindBody fills target from the request body, which is JSON. A request without
// a body leaves it alone. At most [DefaultBodyLimit] bytes are read.
func BindBody(c *Context, target any) error {
	r := c.request
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if requestFormat(r.Header) != formatJSON {
		return ErrUnsupportedMediaType
	}
	return c.echo.JSONSerializer.Deserialize(c, target)
}
