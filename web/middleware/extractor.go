package middleware

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/hone-go/hone/web"
)

// maxExtracted limits the number of values of one source that are examined.
const maxExtracted = 20

// An ExtractorSource is the part of a request in which an extractor has found a value.
type ExtractorSource string

// The parts of a request that extractors search.
const (
	ExtractorSourceHeader    ExtractorSource = "header"
	ExtractorSourceQuery     ExtractorSource = "query"
	ExtractorSourcePathParam ExtractorSource = "param"
	ExtractorSourceCookie    ExtractorSource = "cookie"
	ExtractorSourceForm      ExtractorSource = "form"
)

// A ValueExtractorError reports a request in which an extractor found no value.
type ValueExtractorError struct{ message string }

func (e *ValueExtractorError) Error() string { return e.message }

var (
	errNoHeader      = &ValueExtractorError{"missing value in request header"}
	errInvalidHeader = &ValueExtractorError{"invalid value in request header"}
	errNoQuery       = &ValueExtractorError{"missing value in the query string"}
	errNoPathParam   = &ValueExtractorError{"missing value in path params"}
	errNoCookie      = &ValueExtractorError{"missing value in cookies"}
	errNoForm        = &ValueExtractorError{"missing value in the form"}
)

// A ValuesExtractor returns the values (keys, tokens) of a request.
type ValuesExtractor func(c *web.Context) ([]string, ExtractorSource, error)

// CreateExtractors makes extractors from a list such as "header:Authorization:Bearer ,query:token".
// Each item has a source (header, query, param, form, cookie) and a name. An item for a header may
// also have a prefix, which is removed from the value. Items with other sources are ignored. An
// extractor returns at most limit values, and never more than 20. A limit of 0 means 1. The error
// reports an item without a name.
func CreateExtractors(lookups string, limit uint) ([]ValuesExtractor, error) {
	if lookups == "" {
		return nil, nil
	}
	n := int(min(max(limit, 1), maxExtracted))
	var all []ValuesExtractor
	for lookup := range strings.SplitSeq(lookups, ",") {
		parts := strings.Split(lookup, ":")
		if len(parts) < 2 {
			return nil, fmt.Errorf("extractor source for lookup could not be split into needed parts: %v", lookup)
		}
		name := parts[1]
		switch ExtractorSource(parts[0]) {
		case ExtractorSourceHeader:
			prefix := ""
			if len(parts) > 2 {
				prefix = parts[2]
			}
			all = append(all, fromHeader(http.CanonicalHeaderKey(name), prefix, n))
		case ExtractorSourceQuery:
			all = append(all, fromQuery(name, n))
		case ExtractorSourcePathParam:
			all = append(all, fromPath(name, n))
		case ExtractorSourceCookie:
			all = append(all, fromCookie(name, n))
		case ExtractorSourceForm:
			all = append(all, fromForm(name, n))
		}
	}
	return all, nil
}

func fromHeader(name, prefix string, limit int) ValuesExtractor {
	return func(c *web.Context) ([]string, ExtractorSource, error) {
		values := c.Request().Header[name]
		if len(values) == 0 {
			return nil, ExtractorSourceHeader, errNoHeader
		}
		if prefix == "" {
			return values[:min(limit, len(values))], ExtractorSourceHeader, nil
		}
		var found []string
		for _, v := range values {
			if len(found) < limit && len(v) > len(prefix) && strings.EqualFold(v[:len(prefix)], prefix) {
				found = append(found, v[len(prefix):])
			}
		}
		if found == nil {
			return nil, ExtractorSourceHeader, errInvalidHeader
		}
		return found, ExtractorSourceHeader, nil
	}
}

func fromQuery(name string, limit int) ValuesExtractor {
	return func(c *web.Context) ([]string, ExtractorSource, error) {
		return limited(c.QueryParams()[name], limit, ExtractorSourceQuery, errNoQuery)
	}
}

func fromPath(name string, limit int) ValuesExtractor {
	return func(c *web.Context) ([]string, ExtractorSource, error) {
		var found []string
		for _, v := range c.PathValues() {
			if v.Name == name {
				found = append(found, v.Value)
			}
		}
		return limited(found, limit, ExtractorSourcePathParam, errNoPathParam)
	}
}

func fromCookie(name string, limit int) ValuesExtractor {
	return func(c *web.Context) ([]string, ExtractorSource, error) {
		var found []string
		for _, cookie := range c.Request().CookiesNamed(name) {
			found = append(found, cookie.Value)
		}
		return limited(found, limit, ExtractorSourceCookie, errNoCookie)
	}
}

func fromForm(name string, limit int) ValuesExtractor {
	return func(c *web.Context) ([]string, ExtractorSource, error) {
		_, _ = c.FormValues() // without a form in the body, the fields are the query's parameters
		return limited(c.Request().Form[name], limit, ExtractorSourceForm, errNoForm)
	}
}

// limited returns at most limit of the values, or the error missing if there are none.
func limited(values []string, limit int, source ExtractorSource, missing error) ([]string, ExtractorSource, error) {
	if len(values) == 0 {
		return nil, source, missing
	}
	return values[:min(limit, len(values))], source, nil
}
