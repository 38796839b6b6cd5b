package web

import "net/url"

// A PathValue is one path parameter of a request.
type PathValue struct {
	Name  string
	Value string
}

// PathValues are the path parameters of a request, in the order of the path.
type PathValues []PathValue

// Get returns the value of a parameter, and whether the route has the parameter.
func (p PathValues) Get(name string) (string, bool) {
	for i := range p {
		if p[i].Name == name {
			return p[i].Value, true
		}
	}
	return "", false
}

// GetOr returns the value of a parameter, or defaultValue if there is no such parameter.
func (p PathValues) GetOr(name string, defaultValue string) string {
	if v, ok := p.Get(name); ok {
		return v
	}
	return defaultValue
}

// requestPath returns the path that routes are matched against. It is the escaped path,
// as sent, if decoding it would lose information (an escaped slash), and else the
// decoded path. An opaque target such as "x:http://host/admin" has no path and matches
// no route: a proxy that uses net/http's client would forward the target unchanged,
// with any path that the client wrote.
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
