package web

import (
	"net/url"

	"github.com/hone-go/hone/bind"
)

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
