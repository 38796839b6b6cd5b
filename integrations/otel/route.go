package otel

import (
	"net/http"
	"path"
	"strings"
)

// routeOf returns the pattern that a router has set, without method and host, or "" if there is none. It
// also returns "" for a CONNECT request that a ServeMux redirects to a path with a slash at its end,
// because the Pattern is then the path that the client chose.
func routeOf(r *http.Request) string {
	pattern := r.Pattern
	if pattern != "" && pattern == path.Clean("/"+r.URL.Path)+"/" {
		return ""
	}
	if i := strings.IndexByte(pattern, '/'); i > 0 {
		return pattern[i:]
	}
	return pattern
}
