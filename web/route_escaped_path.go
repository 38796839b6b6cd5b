package web

import "net/url"

// requestPath returns the path that routes are matched against, and whether it is escaped. It is
// usually the decoded path. It is the path as the client sent it if an escape would be lost by
// decoding: an escaped slash, or another escape that is not needed. An opaque target such as
// "x:http://host/admin" has no path and matches no route: a proxy that uses net/http's client would
// forward the target unchanged, with any path that the client wrote.
func requestPath(u *url.URL) (path string, raw bool) {
	if u.Opaque != "" {
		return "", false
	}
	if u.RawPath != "" {
		return u.RawPath, true
	}
	if u.Path == "" {
		return "/", false
	}
	return u.Path, false
}

// escaped decodes the path values if UnescapePathParamValues is set. Otherwise it records that they
// are still escaped.
func (r *DefaultRouter) escaped(c *Context) {
	if !r.config.UnescapePathParamValues {
		c.rawPath = true
		return
	}
	for i, value := range c.pathValues {
		if v, err := url.PathUnescape(value.Value); err == nil {
			c.pathValues[i].Value = v
		}
	}
}
