package web

import (
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/http/header"
)

// PathParam parses a path parameter as [ParseValue] does. If the route has no
// such parameter, the error is [ErrNonExistentKey]. If the value is not a valid
// T, the error is a [*BindingError].
func PathParam[T any](c *Context, paramName string, opts ...any) (T, error) {
	value, ok := c.pathValues.Get(paramName)
	var zero T
	return single(paramName, value, ok, zero, ErrNonExistentKey, "path value", opts)
}

// PathParamOr is PathParam with a default for a parameter that is missing or
// empty.
func PathParamOr[T any](c *Context, paramName string, defaultValue T, opts ...any) (T, error) {
	value, ok := c.pathValues.Get(paramName)
	return single(paramName, value, ok, defaultValue, nil, "path value", opts)
}

// QueryParam parses the first value of a query parameter as [ParseValue] does.
// If the query has no such parameter, the error is [ErrNonExistentKey]. If the
// value is not a valid T, the error is a [*BindingError].
//
// QueryParam finds the parameter as [Context.QueryParam] does. It allocates nothing
// beyond the allocations of Context.QueryParam and ParseValue.
func QueryParam[T any](c *Context, key string, opts ...any) (T, error) {
	value, ok := c.lookupQuery(key)
	var zero T
	return single(key, value, ok, zero, ErrNonExistentKey, "query param", opts)
}

// QueryParamOr is QueryParam with a default for a parameter that is missing or
// empty.
func QueryParamOr[T any](c *Context, key string, defaultValue T, opts ...any) (T, error) {
	value, ok := c.lookupQuery(key)
	return single(key, value, ok, defaultValue, nil, "query param", opts)
}

// QueryParams parses all values of a query parameter; see [QueryParam].
func QueryParams[T any](c *Context, key string, opts ...any) ([]T, error) {
	values, ok := c.QueryParams()[key]
	return multiple[T](key, values, ok, nil, ErrNonExistentKey, "query params", opts)
}

// QueryParamsOr is QueryParams with a default for a parameter that is missing.
func QueryParamsOr[T any](c *Context, key string, defaultValue []T, opts ...any) ([]T, error) {
	values, ok := c.QueryParams()[key]
	return multiple(key, values, ok, defaultValue, nil, "query params", opts)
}

// FormValue parses the first value of a form field, as [QueryParam] does for a
// query parameter. The fields come from [Context.FormValues].
func FormValue[T any](c *Context, key string, opts ...any) (T, error) {
	var zero T
	values, ok, err := formField(c, key, "value")
	if err != nil {
		return zero, err
	}
	return single(key, first(values), ok, zero, ErrNonExistentKey, "form value", opts)
}

// FormValueOr is FormValue with a default for a field that is missing or empty.
func FormValueOr[T any](c *Context, key string, defaultValue T, opts ...any) (T, error) {
	values, ok, err := formField(c, key, "value")
	if err != nil {
		var zero T
		return zero, err
	}
	return single(key, first(values), ok, defaultValue, nil, "form value", opts)
}

// FormValues parses all values of a form field; see [FormValue].
func FormValues[T any](c *Context, key string, opts ...any) ([]T, error) {
	values, ok, err := formField(c, key, "values")
	if err != nil {
		return nil, err
	}
	return multiple[T](key, values, ok, nil, ErrNonExistentKey, "form values", opts)
}

// FormValuesOr is FormValues with a default for a field that is missing.
func FormValuesOr[T any](c *Context, key string, defaultValue []T, opts ...any) ([]T, error) {
	values, ok, err := formField(c, key, "values")
	if err != nil {
		return nil, err
	}
	return multiple(key, values, ok, defaultValue, nil, "form values", opts)
}

func formField(c *Context, key, what string) (values []string, ok bool, err error) {
	form, err := c.FormValues()
	if err != nil {
		return nil, false, fmt.Errorf("failed to parse form %s, key: %s, err: %w", what, key, err)
	}
	values, ok = form[key]
	return values, ok, nil
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// single parses value, or returns orElse and the error missing if ok is false. source
// names the kind of the parameter in errors.
func single[T any](name, value string, ok bool, orElse T, missing error, source string, opts []any) (T, error) {
	if !ok {
		return orElse, missing
	}
	v, err := ParseValueOr(value, orElse, opts...)
	if err != nil {
		return v, NewBindingError(name, []string{value}, source, err)
	}
	return v, nil
}

// multiple is single for all values of a parameter.
func multiple[T any](name string, values []string, ok bool, orElse []T, missing error, source string, opts []any) ([]T, error) {
	if !ok {
		return orElse, missing
	}
	v, err := ParseValuesOr(values, orElse, opts...)
	if err != nil {
		return nil, NewBindingError(name, values, source, err)
	}
	return v, nil
}

// QueryParams returns the parsed query. It is parsed once for a request, and
// QueryParam then looks parameters up in the result.
func (c *Context) QueryParams() url.Values {
	if c.live().query == nil {
		c.query = c.request.URL.Query()
	}
	return c.query
}

// QueryParam returns the first value of a query parameter, or "". The result
// equals QueryParams().Get(name), which skips malformed parameters, but the other
// parameters are not parsed. It allocates only to decode an escaped value.
func (c *Context) QueryParam(name string) string {
	value, _ := c.lookupQuery(name)
	return value
}

// lookupQuery returns the first value of a query parameter, and whether the
// query has the parameter.
func (c *Context) lookupQuery(name string) (value string, ok bool) {
	if c.live().query != nil {
		values, ok := c.query[name]
		return first(values), ok
	}
	return bind.QueryValue(c.request.URL.RawQuery, name)
}

// QueryParamOr returns the first value of a query parameter, or defaultValue
// if the parameter is missing or empty.
func (c *Context) QueryParamOr(name, defaultValue string) string {
	if v := c.QueryParam(name); v != "" {
		return v
	}
	return defaultValue
}

// FormValue returns the first value of a form field, or "". It finds the field in the body, or in the
// query if the body is not a form.
func (c *Context) FormValue(name string) string {
	_, _ = c.FormValues() // without a form in the body, the fields are the query's parameters
	return first(c.request.Form[name])
}

// FormValueOr returns the first value of a form field, or defaultValue if the
// field is missing or empty.
func (c *Context) FormValueOr(name, defaultValue string) string {
	if v := c.FormValue(name); v != "" {
		return v
	}
	return defaultValue
}

// FormValues returns the form fields of the body, followed by the parameters of
// the query. The body is parsed once for a request.
func (c *Context) FormValues() (url.Values, error) {
	if isMultipart(c.live().request.Header) {
		if _, err := c.MultipartForm(); err != nil {
			return nil, err
		}
		return c.request.Form, nil
	}
	if c.request.Form == nil {
		c.limitBody(DefaultBodyLimit)
		if err := c.request.ParseForm(); err != nil {
			return nil, tooLarge(err)
		}
	}
	return c.request.Form, nil
}

// FormFile returns the first file of a multipart form field. The error is
// http.ErrMissingFile if there is none.
func (c *Context) FormFile(name string) (*multipart.FileHeader, error) {
	form, err := c.MultipartForm()
	if err != nil {
		return nil, err
	}
	if files := form.File[name]; len(files) > 0 {
		return files[0], nil
	}
	return nil, http.ErrMissingFile
}

// MultipartForm returns the fields and files of a multipart form. Files beyond
// [Config.FormParseMaxMemory] are on disk, until the request has been answered.
func (c *Context) MultipartForm() (*multipart.Form, error) {
	if c.live().request.MultipartForm == nil {
		c.limitBody(DefaultMultipartLimit)
	}
	err := c.request.ParseMultipartForm(c.echo.formMemory)
	return c.request.MultipartForm, tooLarge(err)
}

func isMultipart(h http.Header) bool {
	return strings.EqualFold(header.MediaType(h.Get(HeaderContentType)), MIMEMultipartForm)
}

// noteFiles records the request's multipart form, so that removeFiles removes its files.
func (c *Context) noteFiles() {
	if c.request != nil && c.request.MultipartForm != nil && !slices.Contains(c.files, c.request.MultipartForm) {
		c.files = append(c.files, c.request.MultipartForm)
	}
}

// removeFiles removes the files of multipart forms. net/http removes only the
// files of the request that it created, and only if the handler returns.
func (c *Context) removeFiles() {
	c.noteFiles()
	for _, form := range c.files {
		_ = form.RemoveAll()
	}
	c.files = nil
}
