package web

import (
	"net/http"
	"net/url"
	"testing"
)

func TestQueryParamAfterQueryParams(t *testing.T) {
	c := NewContext(&http.Request{URL: &url.URL{RawQuery: "a=1&b=%32"}}, nil)
	c.QueryParams().Set("a", "changed")
	if got := c.QueryParam("a"); got != "changed" {
		t.Errorf("QueryParam after a change to QueryParams: %q", got)
	}
	if got := c.QueryParamOr("c", "default"); got != "default" {
		t.Errorf("QueryParamOr: %q", got)
	}
}
