package web

import (
	"net/url"

	"github.com/hone-go/hone/bind"
)

// QueryParams returns the parsed query. It is parsed once for a request, and
// QueryParam then answers from it.
func (c *Context) QueryParams() url.Values {
	if c.live().query == nil {
		c.query = c.request.URL.Query()
	}
	return c.query
}

// QueryParam returns the first value of a query parameter, or "". It is what
// QueryParams().Get would return, malformed parameters passed over, found
// without parsing the others. It allocates only to decode an escaped value.
func (c *Context) QueryParam(name string) string {
	value, _ := c.lookupQuery(name)
	return value
}

// lookupQuery returns the first value of a query parameter and whether the
// query has it.
func (c *Context) lookupQuery(name string) (value string, ok bool) {
	if c.live().query != nil {
		values, ok := c.query[name]
		return first(values), ok
	}
	return bind.QueryValue(c.request.URL.RawQuery, name)
}

// QueryParamOr returns the first value of a query parameter, or defaultValue
// if that is missing or empty.
func (c *Context) QueryParamOr(name, defaultValue string) string {
	if v := c.QueryParam(name); v != "" {
		return v
	}
	return defaultValue
}
