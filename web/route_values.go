package web

import "net/url"

// A PathValue is one path parameter of a request.
type PathValue struct {
	Name  string
	Value string
}

// PathValues are the path parameters of a request, in the order of the path.
type PathValues []PathValue

// Get returns the value of a parameter and whether the route has it.
func (p PathValues) Get(name string) (string, bool) {
	for i := range p {
		if p[i].Name == name {
			return p[i].Value, true
		}
	}
	return "", false
}

// GetOr returns the value of a parameter, or defaultValue without one.
func (p PathValues) GetOr(name string, defaultValue string) string {
	if v, ok := p.Get(name); ok {
		return v
	}
	return defaultValue
}

// requestPath is the path that routes are matched against: as the client sent
// it if decoding it would lose something (an escaped slash), else decoded. A target
// such as "x:http://host/admin" has none, and no route: a client of net/http would
// send it on as it is, whatever path is beside it.
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
