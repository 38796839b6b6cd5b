package echo4

import (
	"strings"
)

// A helper is a function that the new code of a package calls. It is declared once, at the end of a
// file that calls it. In its text, E. is the qualifier of Echo, and the other qualifiers are
// packages of imports.
type helper struct {
	name    string
	imports []string
	text    string
}

var helperList = []helper{
	{"echoResponse", nil, `// echoResponse returns the response of c. Middleware may have wrapped it in other writers.
func echoResponse(c *E.Context) *E.Response {
	r, _ := E.UnwrapResponse(c.Response())
	return r
}
`},
	{"echoError", []string{"net/http"}, `// echoError returns err as an HTTPError if err is an error such as ErrNotFound, which has another
// type. The status is the same. It returns any other error unchanged.
func echoError(err error) error {
	if code := statusOf(err, E.ErrNotFound); code != 0 {
		return E.NewHTTPError(code, http.StatusText(code))
	}
	return err
}

// statusOf returns the status of err if it has the type of like, or 0.
func statusOf[T E.HTTPStatusCoder](err error, like T) int {
	if e, ok := err.(T); ok {
		return e.StatusCode()
	}
	return 0
}
`},
	{"asHTTPError", []string{"errors", "net/http"}, `// asHTTPError is errors.As for an HTTPError. It also finds errors such as ErrNotFound, which have
// another type.
func asHTTPError(err error, target **E.HTTPError) bool {
	if errors.As(err, target) {
		return true
	}
	code := statusIn(err, E.ErrNotFound)
	if code != 0 {
		*target = E.NewHTTPError(code, http.StatusText(code))
	}
	return code != 0
}

// statusIn returns the status of the first error in err's chain that has the type of like, or 0.
func statusIn[T E.HTTPStatusCoder](err error, like T) int {
	if errors.As(err, &like) {
		return like.StatusCode()
	}
	return 0
}
`},
	{"echoServer", []string{"net/http", "sync"}, `// echoServers holds the server of each Echo.
var echoServers sync.Map

// echoServer returns the server of e.
func echoServer(e *E.Echo) *http.Server {
	s, _ := echoServers.LoadOrStore(e, &http.Server{Handler: e})
	return s.(*http.Server)
}
`},
	{"startEcho", nil, `// startEcho serves e on an address until the server of e is shut down.
func startEcho(e *E.Echo, address string) error {
	s := echoServer(e)
	s.Addr = address
	return s.ListenAndServe()
}
`},
	{"startEchoTLS", nil, `// startEchoTLS is startEcho with TLS.
func startEchoTLS(e *E.Echo, address, certFile, keyFile string) error {
	s := echoServer(e)
	s.Addr = address
	return s.ListenAndServeTLS(certFile, keyFile)
}
`},
	{"serveEcho", []string{"net/http"}, `// serveEcho serves e by a server.
func serveEcho(e *E.Echo, s *http.Server) error {
	s.Handler = e
	if s.TLSConfig != nil {
		return s.ListenAndServeTLS("", "")
	}
	return s.ListenAndServe()
}
`},
	{"echoReverse", nil, `// echoReverse returns the path of a named route, or "" if no route has the name.
func echoReverse(e *E.Echo, name string, values ...any) string {
	path, _ := e.Router().Routes().Reverse(name, values...)
	return path
}
`},
	{"echoParamNames", nil, `// echoParamNames returns the names of the path parameters.
func echoParamNames(c *E.Context) []string {
	var names []string
	for _, p := range c.PathValues() {
		names = append(names, p.Name)
	}
	return names
}
`},
	{"echoParamValues", nil, `// echoParamValues returns the values of the path parameters.
func echoParamValues(c *E.Context) []string {
	var values []string
	for _, p := range c.PathValues() {
		values = append(values, p.Value)
	}
	return values
}
`},
	{"setParamNames", nil, `// setParamNames sets the names of the path parameters, and keeps their values.
func setParamNames(c *E.Context, names ...string) {
	values := make(E.PathValues, len(names))
	copy(values, c.PathValues())
	for i, name := range names {
		values[i].Name = name
	}
	c.SetPathValues(values)
}
`},
	{"setParamValues", nil, `// setParamValues sets the values of the path parameters, and keeps their names.
func setParamValues(c *E.Context, values ...string) {
	params := make(E.PathValues, max(len(values), len(c.PathValues())))
	copy(params, c.PathValues())
	for i, value := range values {
		params[i].Value = value
	}
	c.SetPathValues(params)
}
`},
}

// parts are the helpers that a helper calls.
var parts = map[string]string{"startEcho": "echoServer", "startEchoTLS": "echoServer"}

// help adds a helper to the package, and returns its name.
func (r *rewriter) help(name string) string {
	for n := name; n != ""; n = parts[n] {
		r.wants[n] = true
	}
	return name
}

// placeHelpers declares each helper that the package needs in one of the files that call it. A file
// that is part of every build comes first, and a test file comes last.
func (g *pkgState) placeHelpers() {
	if g.placed {
		return
	}
	g.placed = true
	for _, h := range helperList {
		var best *rewriter
		for _, r := range g.files {
			if r.wants[h.name] && (best == nil || r.rank() < best.rank()) {
				best = r
			}
		}
		if best == nil || g.defined[h.name] {
			continue
		}
		text := strings.ReplaceAll(h.text, "E.", best.echo())
		for _, p := range h.imports {
			base := p[strings.LastIndexByte(p, '/')+1:] + "."
			if q := best.pkg(p); q != base {
				text = strings.ReplaceAll(text, base, q)
			}
		}
		if best.tail != "" {
			best.tail += "\n"
		}
		best.tail += text
	}
}

// rank orders the files by their suitability for helpers.
func (r *rewriter) rank() int {
	n := 0
	if strings.HasSuffix(r.f.Name, "_test.go") {
		n += 2
	}
	if r.f.Constrained {
		n++
	}
	return n
}
