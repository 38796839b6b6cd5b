package client

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
)

// redirectsKey is the key, in the context of a request, of the redirect statuses that are
// answers of the operation.
type redirectsKey struct{}

func isAnswer(r *http.Request, status int) bool {
	list, _ := r.Context().Value(redirectsKey{}).([]int)
	return slices.Contains(list, status)
}

// confined returns a copy of an http.Client that protects header fields. When it follows a redirect to another host
// or scheme, it drops all fields except the harmless ones. net/http itself drops only Authorization, Cookie and a
// few more fields, because it does not know which other fields are secret.
func confined(from *http.Client) *http.Client {
	if from == nil {
		from = http.DefaultClient
	}
	c := *from
	next := c.CheckRedirect
	c.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if r.Response != nil && isAnswer(via[0], r.Response.StatusCode) {
			return http.ErrUseLastResponse
		}
		elsewhere := func(u *url.URL) bool { return u.Host != via[0].URL.Host || u.Scheme != via[0].URL.Scheme }
		if elsewhere(r.URL) || slices.ContainsFunc(via, func(v *http.Request) bool { return elsewhere(v.URL) }) {
			for name := range r.Header {
				if !harmless[name] {
					delete(r.Header, name)
				}
			}
		}
		switch {
		case next != nil:
			return next(r, via)
		case len(via) >= 10:
			return errors.New("api: stopped after 10 redirects")
		}
		return nil
	}
	return &c
}

// harmless are the header fields of a request that another host may see.
var harmless = map[string]bool{
	"Accept": true, "Accept-Charset": true, "Accept-Encoding": true, "Accept-Language": true, "Content-Type": true,
	"If-Match": true, "If-None-Match": true, "If-Modified-Since": true, "If-Unmodified-Since": true, "Range": true,
	"Last-Event-Id": true, "User-Agent": true,
}
