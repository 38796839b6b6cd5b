package middleware

import (
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/hone-go/hone/internal/http/body"
	"github.com/hone-go/hone/web"
)

// GZIPEncoding is the content coding that Decompress decodes.
const GZIPEncoding string = "gzip"

// A Decompressor provides the pool of Decompress's gzip readers.
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
	// MaxDecompressedSize limits the length of the decompressed body; 0 means 100
	// MB and a negative number no limit. A longer body is answered with 413.
	MaxDecompressedSize int64
	// Decodings are additional codings. A Decoding of the name "gzip" replaces
	// GzipDecompressPool.
	Decodings []Decoding
}

// A Decoder decodes a content coding. Readers of compress/gzip are Decoders.
//
// Reset starts reading another stream. It returns io.EOF if the stream is empty, and may return
// an error about its first bytes.
type Decoder interface {
	io.Reader
	Reset(r io.Reader) error
}

// A Decoding is a content coding that Decompress can decode.
type Decoding struct {
	// Name is the name in Content-Encoding, such as "gzip".
	Name string
	// New creates a Decoder. It is reset before it is used, and kept in a pool between two
	// requests. Decompress does not limit the Decoder's memory.
	New func() Decoder
}

// Decompress decompresses request bodies in gzip.
func Decompress() web.MiddlewareFunc { return DecompressWithConfig(DecompressConfig{}) }

// DecompressWithConfig is Decompress with a configuration.
func DecompressWithConfig(config DecompressConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config DecompressConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.GzipDecompressPool == nil {
		config.GzipDecompressPool = &DefaultGzipDecompressPool{}
	}
	config.MaxDecompressedSize = cmp.Or(config.MaxDecompressedSize, 100*MB)
	pools := map[string]*sync.Pool{GZIPEncoding: config.GzipDecompressPool.gzipDecompressPool()}
	for _, d := range config.Decodings {
		if d.Name == "" || d.New == nil {
			return nil, fmt.Errorf("content coding %q is invalid: Name must not be empty, and New must not be nil", d.Name)
		}
		pools[strings.ToLower(d.Name)] = &sync.Pool{New: func() any { return d.New() }}
	}
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		r := c.Request()
		name := field(r.Header, web.HeaderContentEncoding)
		if name == "" || r.Body == nil {
			return next(c)
		}
		pool := pools[name]
		if pool == nil {
			if pool = pools[strings.ToLower(name)]; pool == nil {
				return next(c)
			}
		}
		decoder := pool.Get().(Decoder)
		decoded := &decodedBody{decoder: decoder, compressed: r.Body, left: config.MaxDecompressedSize, bounded: config.MaxDecompressedSize > 0}
		if err := decoder.Reset((*compressedBody)(decoded)); err != nil {
			decoded.compressed = nil
			pool.Put(decoder)
			if err == io.EOF { // there is no body
				return next(c)
			}
			return brokenBody(err)
		}
		compressed := r.Body
		defer func() {
			pool.Put(decoded.giveBack())
			_ = compressed.Close()
		}()
		r.Body = decoded
		r.ContentLength = -1
		// The header describes the body that the rest of the chain reads.
		r.Header.Del(web.HeaderContentEncoding)
		r.Header.Del(web.HeaderContentLength)
		return next(c)
	}), nil
}

// A compressedBody is the input of a decodedBody's decoder. After the handler has
// returned, the compressedBody drops its reference to the request, so that a decoder in
// the pool retains little memory.
type compressedBody decodedBody

func (b *compressedBody) Read(p []byte) (int, error) {
	if b.compressed == nil {
		return 0, errBodyOver
	}
	return b.compressed.Read(p)
}

// A decodedBody reads through a Decoder until the handler has returned. A later read is an
// error, because the Decoder may serve another request.
type decodedBody struct {
	mu         sync.Mutex
	decoder    Decoder
	compressed io.Reader
	left       int64
	bounded    bool
}

var errBodyOver = errors.New("middleware: read of a request body after the handler returned")

func (b *decodedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.decoder == nil {
		return 0, errBodyOver
	}
	if !b.bounded {
		n, err := b.decoder.Read(p)
		return n, brokenBody(err)
	}
	if len(p) == 0 {
		return 0, nil
	}
	if int64(len(p)) > b.left {
		p = p[:max(b.left, 1)] // reading one byte past the limit is enough to detect it
	}
	n, err := b.decoder.Read(p)
	if b.left -= int64(n); b.left < 0 {
		b.left = 0
		return 0, web.ErrStatusRequestEntityTooLarge
	}
	return n, brokenBody(err)
}

// brokenBody returns an error of status 400 if err says that a body cannot be decompressed. An
// error that occurred while reading the compressed bytes, such as a limit or a timeout,
// is returned unchanged.
func brokenBody(err error) error {
	if err == nil || err == io.EOF || err == errBodyOver || errors.As(err, new(web.HTTPStatusCoder)) || body.StatusOf(err) != http.StatusBadRequest {
		return err
	}
	return web.ErrBadRequest.Wrap(err)
}

func (b *decodedBody) Close() error { return nil }

func (b *decodedBody) giveBack() Decoder {
	b.mu.Lock()
	defer b.mu.Unlock()
	decoder := b.decoder
	b.decoder, b.compressed = nil, nil
	return decoder
}
