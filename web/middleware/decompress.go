package middleware

import (
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/hone-go/hone/web"
)

// GZIPEncoding is the content coding that Decompress undoes.
const GZIPEncoding string = "gzip"

// A Decompressor is where Decompress has its gzip readers from.
type Decompressor interface{ gzipDecompressPool() *sync.Pool }

// DefaultGzipDecompressPool is the default Decompressor.
type DefaultGzipDecompressPool struct{}

func (d *DefaultGzipDecompressPool) gzipDecompressPool() *sync.Pool {
	return &sync.Pool{New: func() any { return new(gzip.Reader) }}
}

// A DecompressConfig configures Decompress.
type DecompressConfig struct {
	Skipper Skipper
	// GzipDecompressPool is a DefaultGzipDecompressPool by default.
	GzipDecompressPool Decompressor
	// MaxDecompressedSize bounds what a body may become; 0 means 100 MB and a
	// negative number no bound. What is longer is a 413.
	MaxDecompressedSize int64
}

// Decompress undoes the compression of request bodies in gzip.
func Decompress() web.MiddlewareFunc { return DecompressWithConfig(DecompressConfig{}) }

// DecompressWithConfig is Decompress as configured.
func DecompressWithConfig(config DecompressConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config DecompressConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.GzipDecompressPool == nil {
		config.GzipDecompressPool = &DefaultGzipDecompressPool{}
	}
	config.MaxDecompressedSize = cmp.Or(config.MaxDecompressedSize, 100*MB)
	pool := config.GzipDecompressPool.gzipDecompressPool()
	return unless(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		r := c.Request()
		if !strings.EqualFold(r.Header.Get(web.HeaderContentEncoding), GZIPEncoding) || r.Body == nil {
			return next(c)
		}
		gz := pool.Get().(*gzip.Reader)
		if err := gz.Reset(r.Body); err != nil {
			pool.Put(gz)
			if err == io.EOF { // there is no body
				return next(c)
			}
			return web.ErrBadRequest.Wrap(err)
		}
		body := &gzipBody{gz: gz, compressed: r.Body, left: config.MaxDecompressedSize, bounded: config.MaxDecompressedSize > 0}
		defer func() {
			pool.Put(body.giveBack())
			_ = body.compressed.Close()
		}()
		r.Body = body
		r.ContentLength = -1
		// The header describes the body as it is read from here on.
		r.Header.Del(web.HeaderContentEncoding)
		r.Header.Del(web.HeaderContentLength)
		return next(c)
	}), nil
}

// A gzipBody reads through a gzip.Reader until the handler has returned. A later read
// is an error: the reader may serve another request.
type gzipBody struct {
	mu         sync.Mutex
	gz         *gzip.Reader
	compressed io.ReadCloser
	left       int64
	bounded    bool
}

var errBodyOver = errors.New("middleware: read of a request body after the handler returned")

func (b *gzipBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gz == nil {
		return 0, errBodyOver
	}
	if !b.bounded {
		return b.gz.Read(p)
	}
	if len(p) == 0 {
		return 0, nil
	}
	if int64(len(p)) > b.left {
		p = p[:max(b.left, 1)] // one byte too many is enough to know
	}
	n, err := b.gz.Read(p)
	if b.left -= int64(n); b.left < 0 {
		b.left = 0
		return 0, web.ErrStatusRequestEntityTooLarge
	}
	return n, err
}

func (b *gzipBody) Close() error { return nil }

func (b *gzipBody) giveBack() *gzip.Reader {
	b.mu.Lock()
	defer b.mu.Unlock()
	gz := b.gz
	b.gz = nil
	return gz
}
