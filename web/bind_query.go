package web

import (
	"net/url"
	"strings"
)

// maxQueryParams is how many parameters net/url accepts in one query; of a
// longer one it, and so QueryParam, knows none.
const maxQueryParams = 10_000

// QueryParams returns the parsed query. It is parsed once for a request, and
// QueryParam then answers from it.
func (c *Context) QueryParams() url.Values {
	if c.query == nil {
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
	if c.query != nil {
		values, ok := c.query[name]
		return first(values), ok
	}
	return queryParam(c.request.URL.RawQuery, name)
}

// QueryParamOr returns the first value of a query parameter, or defaultValue
// if that is missing or empty.
func (c *Context) QueryParamOr(name, defaultValue string) string {
	if v := c.QueryParam(name); v != "" {
		return v
	}
	return defaultValue
}

func queryParam(query, name string) (value string, ok bool) {
	if len(query) >= maxQueryParams && strings.Count(query, "&")+1 > maxQueryParams {
		return "", false
	}
	for query != "" {
		pair, end, escaped := query, 0, false
		for ; end < len(query) && query[end] != '=' && query[end] != '&'; end++ {
			escaped = escaped || query[end] == '%' || query[end] == '+'
		}
		key, value := query[:end], ""
		if next := strings.IndexByte(query[end:], '&'); next >= 0 {
			pair, query = query[:end+next], query[end+next+1:]
		} else {
			query = ""
		}
		if !escaped && key != name || pair == "" {
			continue
		}
		if end < len(pair) {
			value = pair[end+1:]
		}
		if strings.IndexByte(pair, ';') >= 0 {
			continue
		}
		if key, err := unescapeQuery(key); err != nil || key != name {
			continue
		}
		if value, err := unescapeQuery(value); err == nil {
			return value, true
		}
	}
	return "", false
}

// unescapeQuery is url.QueryUnescape with a quick way out for what most queries
// are made of: nothing to decode.
func unescapeQuery(s string) (string, error) {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s, nil
	}
	return url.QueryUnescape(s)
}
