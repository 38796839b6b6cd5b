package web

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hone-go/hone/internal/http/header"
	"github.com/hone-go/hone/internal/http/urlpath"
)

const indexPage = "index.html"

// StaticDirectoryHandler serves the files of a file system. The name of the file
// is the "*" parameter of the route. A request for a directory is answered with
// its index.html, or with 404: there are no listings. Unless
// disablePathUnescaping is set, the parameter is decoded first, and can then name
// files that another route guards; see [Config.EnablePathUnescapingStaticFiles].
//
// The answer is 404 for a name that leaves the file system, or that contains a backslash or a NUL,
// and for a name with an element that begins with a dot; see [Config.ServeDotFiles].
func StaticDirectoryHandler(fileSystem fs.FS, disablePathUnescaping bool) HandlerFunc {
	return func(c *Context) error {
		name, fileName := c.Param("*"), urlpath.FileName
		if c.rawPath {
			fileName = urlpath.EscapedFileName
		}
		if !disablePathUnescaping {
			decoded, err := url.PathUnescape(name)
			if err != nil {
				return ErrBadRequest.Wrap(err)
			}
			name, fileName = decoded, urlpath.FileName
		}
		if !strings.HasSuffix(c.Path(), "/*") { // the slash after the prefix is part of the route
			name = strings.TrimPrefix(name, "/")
		}
		name, ok := fileName(name, c.echo.dotFiles)
		if !ok {
			return ErrNotFound
		}
		info, err := fs.Stat(fileSystem, name)
		if err != nil {
			return ErrNotFound
		}
		if p := c.request.URL.Path; info.IsDir() && p != "" && p[len(p)-1] != '/' {
			return c.Redirect(http.StatusMovedPermanently, urlpath.Local(c.request.URL.EscapedPath()+"/"))
		}
		return c.serveFile(name, fileSystem)
	}
}

// StaticFileHandler serves one file.
func StaticFileHandler(file string, filesystem fs.FS) HandlerFunc {
	return func(c *Context) error { return c.serveFile(path.Clean(file), filesystem) }
}

// File serves a file of the Echo's Filesystem; see [Context.FileFS].
func (c *Context) File(file string) error { return c.FileFS(file, c.live().echo.Filesystem) }

// FileFS serves a file of a file system, or the index.html of a directory. It
// supports conditional and range requests. If the name does not exist, or is
// neither a file nor a directory, the answer is 404.
func (c *Context) FileFS(file string, filesystem fs.FS) error {
	return c.live().serveFile(path.Clean(file), filesystem)
}

func (c *Context) serveFile(name string, filesystem fs.FS) error {
	f, info, err := urlpath.Open(filesystem, name)
	if err != nil {
		return ErrNotFound
	}
	defer f.Close()
	if info.IsDir() {
		index, indexInfo, err := urlpath.Open(filesystem, path.Join(filepath.ToSlash(name), indexPage))
		if err != nil {
			return ErrNotFound
		}
		defer index.Close()
		f, info = index, indexInfo
	}
	if !info.Mode().IsRegular() {
		return ErrNotFound
	}
	return urlpath.Serve(c.response, c.request, f, info)
}

// Static serves the files of a directory of the Echo's Filesystem under a path
// prefix; see [StaticDirectoryHandler].
func (r *routeMethods) Static(pathPrefix, fsRoot string, middleware ...MiddlewareFunc) RouteInfo {
	return r.StaticFS(pathPrefix, MustSubFS(r.echo.Filesystem, fsRoot), middleware...)
}

// StaticFS serves the files of a file system under a path prefix; see
// [StaticDirectoryHandler].
func (r *routeMethods) StaticFS(pathPrefix string, filesystem fs.FS, middleware ...MiddlewareFunc) RouteInfo {
	return r.GET(pathPrefix+"*", StaticDirectoryHandler(filesystem, !r.echo.unescapeStatic), middleware...)
}

// File serves one file of the Echo's Filesystem.
func (r *routeMethods) File(path, file string, middleware ...MiddlewareFunc) RouteInfo {
	return r.GET(path, func(c *Context) error { return c.File(file) }, middleware...)
}

// FileFS serves one file of a file system.
func (r *routeMethods) FileFS(path, file string, filesystem fs.FS, m ...MiddlewareFunc) RouteInfo {
	return r.GET(path, StaticFileHandler(file, filesystem), m...)
}

// NewDefaultFS returns the files of a directory. Absolute names inside the
// directory are allowed. Unlike os.DirFS, it does not follow a symbolic link that
// leaves the directory.
func NewDefaultFS(dir string) fs.FS { return &defaultFS{dir} }

type defaultFS struct{ dir string }

// local returns an absolute name relative to the directory.
func (d *defaultFS) local(name string) string {
	if filepath.IsAbs(name) {
		if rel, err := filepath.Rel(d.dir, name); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return name
}

// Open implements fs.FS. It opens the directory anew on each call, so the
// directory may be created or replaced later.
func (d *defaultFS) Open(name string) (fs.File, error) {
	name = d.local(name)
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return os.OpenInRoot(d.dir, filepath.FromSlash(name))
}

// Stat implements fs.StatFS.
func (d *defaultFS) Stat(name string) (fs.FileInfo, error) {
	name = d.local(name)
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	root, err := os.OpenRoot(d.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Stat(filepath.FromSlash(name))
}

// MustSubFS returns the part of a file system below a directory. It panics if
// the directory's name is not valid. In a [NewDefaultFS] the directory may be any
// name, absolute or relative.
func MustSubFS(currentFs fs.FS, fsRoot string) fs.FS {
	if d, ok := currentFs.(*defaultFS); ok {
		dir := filepath.Clean(fsRoot)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(d.dir, dir)
		}
		return NewDefaultFS(dir)
	}
	sub, err := fs.Sub(currentFs, filepath.ToSlash(filepath.Clean(fsRoot)))
	if err != nil {
		panic(fmt.Errorf("web: MustSubFS: invalid directory: %w", err))
	}
	return sub
}

// Attachment sends a file that the client saves under the given name.
func (c *Context) Attachment(file, name string) error {
	return c.disposition(file, name, "attachment")
}

// Inline sends a file that the client displays, under the given name.
func (c *Context) Inline(file, name string) error {
	return c.disposition(file, name, "inline")
}

func (c *Context) disposition(file, name, kind string) error {
	c.live().response.Header().Set(HeaderContentDisposition, header.Disposition(kind, name))
	return c.File(file)
}
