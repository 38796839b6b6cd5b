package middleware

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/hone-go/hone/internal/http/urlpath"
	"github.com/hone-go/hone/web"
)

// A StaticConfig configures Static.
type StaticConfig struct {
	Skipper Skipper
	// Root is the directory of the Filesystem that is served; by default all of it.
	Root string
	// Filesystem is web.Echo.Filesystem by default.
	Filesystem fs.FS
	// Index is the file that is served for a directory; by default index.html.
	Index string
	// HTML5 serves the Index of Root for paths that are not found. It is meant for applications that
	// route in the browser.
	HTML5 bool
	// Browse lists directories that have no Index.
	Browse bool
	// IgnoreBase serves no file for a requested path whose last element equals the last element of the
	// route's path. A "*" at the end of the route's path is ignored. For a route "/docs" a request for
	// "/docs" then runs the route, also if Root has a file or a directory docs.
	IgnoreBase bool
	// DisablePathUnescaping is ignored; see EnablePathUnescaping.
	//
	// Deprecated: there is nothing to disable.
	DisablePathUnescaping bool
	// EnablePathUnescaping decodes the path once more. "/admin%2fkey" then reads
	// admin/key, and bypasses a route for "/admin/*" that guards it.
	EnablePathUnescaping bool
	// DotFiles serves and lists files and directories whose name begins with a dot. By default
	// ".well-known" is the only such name that is served.
	DotFiles bool
	// DirectoryListTemplate is the page of a listing: a template of html/template.
	// Its data is a struct with Name and Files, and each file has a Name, Link, Dir and
	// Size.
	DirectoryListTemplate string
}

// DefaultStaticConfig is the configuration of Static.
var DefaultStaticConfig = StaticConfig{Skipper: DefaultSkipper, Index: "index.html"}

const directoryList = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{{.Name}}</title>
<h1>{{.Name}}</h1>
<ul>
{{- range .Files}}
<li>{{if .Dir}}<a class="dir" href="{{.Link}}/">{{.Name}}/</a>{{else}}<a class="file" href="{{.Link}}">{{.Name}}</a> {{.Size}}{{end}}
{{- end}}
</ul>
</html>
`

// Static serves the files of a directory. If no file matches a request, the rest of the chain answers
// it. A name that leaves the directory, or that contains a backslash or a NUL, matches no file. A
// path with escapes that net/url would not write, such as "/admin%2Fkey", matches no file either.
//
// In Echo.Use, Static runs before the middleware of groups and routes, so that middleware does not
// guard the files.
func Static(root string) web.MiddlewareFunc {
	config := DefaultStaticConfig
	config.Root = root
	return StaticWithConfig(config)
}

// StaticWithConfig is Static with a configuration.
func StaticWithConfig(config StaticConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config StaticConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	config.Root = path.Clean(config.Root) // an empty Root becomes "."
	config.Index = cmp.Or(config.Index, DefaultStaticConfig.Index)
	config.DirectoryListTemplate = cmp.Or(config.DirectoryListTemplate, directoryList)
	list, err := template.New("index").Parse(config.DirectoryListTemplate)
	if err != nil {
		return nil, fmt.Errorf("middleware: Static: cannot parse DirectoryListTemplate: %w", err)
	}
	s := &staticFiles{config: config, list: list}
	if config.Filesystem != nil {
		if s.files = config.Filesystem; config.Root != "." {
			if s.files, err = fs.Sub(config.Filesystem, path.Join(".", config.Root)); err != nil {
				return nil, fmt.Errorf("middleware: Static: invalid Root: %w", err)
			}
		}
		s.found.Do(func() {})
	}
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		return s.serve(c, next)
	}), nil
}

type staticFiles struct {
	config StaticConfig
	list   *template.Template
	found  sync.Once // sets files from the Echo's Filesystem
	files  fs.FS
}

func (s *staticFiles) serve(c *web.Context, next web.HandlerFunc) error {
	s.found.Do(func() { s.files = web.MustSubFS(c.Echo().Filesystem, s.config.Root) })
	name, err := s.name(c)
	if err != nil {
		return err
	}
	file, info, err := s.open(name)
	if err != nil {
		return s.fallback(c, next)
	}
	defer file.Close()
	if !info.IsDir() {
		return urlpath.Serve(c.Response(), c.Request(), file, info)
	}
	index, info, err := s.open(path.Join(name, s.config.Index))
	switch {
	case err == nil:
		defer index.Close()
		return urlpath.Serve(c.Response(), c.Request(), index, info)
	case s.config.Browse:
		return s.browse(c, name)
	}
	return next(c)
}

// name returns the name of the requested file. It returns "" if the path cannot name a file, has an
// element such as "..", or has escapes that net/url would not write.
func (s *staticFiles) name(c *web.Context) (string, error) {
	// The path is read as the client sent it, because the router matches that path. "/admin%2Fkey"
	// was not routed to "/admin/*" and its middleware, so it must not name admin/key.
	p, fileName := c.Request().URL.Path, urlpath.FileName
	if raw := c.Request().URL.RawPath; raw != "" {
		p, fileName = raw, urlpath.EscapedFileName
	}
	p = strings.TrimPrefix(p, "/")
	route := c.Path()
	if strings.HasSuffix(route, "*") {
		p = c.Param("*")
	}
	if s.config.EnablePathUnescaping {
		var err error
		if p, err = url.PathUnescape(p); err != nil {
			return "", web.ErrBadRequest.Wrap(err)
		}
		fileName = urlpath.FileName
	}
	name, ok := fileName(p, s.config.DotFiles)
	if !ok {
		return "", nil
	}
	if base := path.Base(p); s.config.IgnoreBase && base != "." && base == path.Base(strings.TrimRight(route, "/*")) {
		return "", nil
	}
	return cmp.Or(name, "."), nil
}

func (s *staticFiles) open(name string) (fs.File, fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, nil, fs.ErrInvalid
	}
	return urlpath.Open(s.files, name)
}

// fallback passes the request to the rest of the chain, and serves the index if the
// chain does not find a route.
func (s *staticFiles) fallback(c *web.Context, next web.HandlerFunc) error {
	err := next(c)
	if err == nil || !s.config.HTML5 || web.StatusCode(err) != http.StatusNotFound {
		return err
	}
	if c.Path() != "" && c.RouteInfo().Method != web.RouteNotFound {
		return err // a route has matched, and its handler returned the 404
	}
	file, info, openErr := s.open(s.config.Index)
	if openErr != nil {
		return openErr // the mistake is in the configuration, not in the request
	}
	defer file.Close()
	return urlpath.Serve(c.Response(), c.Request(), file, info)
}

// A listed file is one line of a listing.
type listedFile struct {
	Name string
	Link string // a relative URL
	Dir  bool
	Size string
}

func (s *staticFiles) browse(c *web.Context, name string) error {
	entries, err := fs.ReadDir(s.files, name)
	if err != nil {
		return fmt.Errorf("middleware: Static: cannot list a directory: %w", err)
	}
	page := struct {
		Name  string
		Files []listedFile
	}{Name: name}
	for _, e := range entries {
		if !s.config.DotFiles && urlpath.Hidden(e.Name()) {
			continue
		}
		f := listedFile{Name: e.Name(), Link: e.Name(), Dir: e.IsDir()}
		if strings.Contains(f.Name, ":") {
			f.Link = "./" + f.Name // the part before the colon is not a scheme
		}
		if info, err := e.Info(); err == nil && !f.Dir {
			f.Size = size(info.Size())
		}
		page.Files = append(page.Files, f)
	}
	var out bytes.Buffer
	if err := s.list.Execute(&out, page); err != nil {
		return err
	}
	return c.HTMLBlob(http.StatusOK, out.Bytes())
}

// size formats a number of bytes for a reader.
func size(n int64) string {
	units := []struct {
		of   int64
		name string
	}{{EB, "EB"}, {PB, "PB"}, {TB, "TB"}, {GB, "GB"}, {MB, "MB"}, {KB, "KB"}}
	for _, u := range units {
		if n >= u.of {
			return strconv.FormatFloat(float64(n)/float64(u.of), 'f', 2, 64) + u.name
		}
	}
	if n == 0 {
		return "0"
	}
	return strconv.FormatInt(n, 10) + "B"
}
