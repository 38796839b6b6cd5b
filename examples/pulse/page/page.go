// Package page holds Pulse's web page, which shows an overview of the machines, or the charts of
// one machine. It is plain HTML, CSS and JavaScript modules, embedded in the program. There is no
// build step, and the page loads nothing from other sites.
//
// uPlot (assets/uplot, MIT licence) draws the charts. The code that reads the history in wire
// (assets/wire) is the output of hone gen, compiled and committed; a test in package server
// generates it again.
package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed assets
var assets embed.FS

// SecurityPolicy is the Content-Security-Policy to serve the page with. It permits the page to load
// its own files and to send requests to its own server, and nothing else. So text in a host name or
// a disk's label cannot run as code.
const SecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// types are the media types of the files by their extensions. Package mime is not used: it reads
// the table of the system, and some systems have text/plain for JavaScript.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

type file struct {
	body      []byte
	mediaType string
	tag       string
}

// Files returns a handler for each of the page's paths; "/" is the page itself.
func Files() map[string]http.Handler {
	handlers := map[string]http.Handler{}
	err := fs.WalkDir(assets, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := assets.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		f := &file{body, mediaType(name), `"` + hex.EncodeToString(sum[:8]) + `"`}
		url := strings.TrimPrefix(name, "assets")
		handlers[strings.TrimSuffix(url, "index.html")] = f
		return nil
	})
	if err != nil {
		panic(fmt.Sprintf("page: the embedded files cannot be read: %v", err)) // they are part of the program
	}
	return handlers
}

func mediaType(name string) string {
	if t, ok := types[path.Ext(name)]; ok {
		return t
	}
	return "text/plain; charset=utf-8"
}

func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	// Browsers revalidate the files each time, usually with a 304. So a browser never uses the
	// page of an older pulse with a newer one.
	header.Set("Cache-Control", "no-cache")
	header.Set("Etag", f.tag)
	header.Set("Content-Type", f.mediaType)
	r.Header.Del("Range") // a part of a file must not be compressed
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}
