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
	// Decodings are further codings. One of the name "gzip" takes the place of
	// GzipDecompressPool.
	Decodings []Decoding
}

// A Decoder undoes a content coding. Readers of compress/gzip are Decoders.
//
// Reset makes it read another stream. It returns io.EOF if that is empty, and may return what
// is wrong with its beginning.
type Decoder interface {
	io.Reader
	Reset(r io.Reader) error
}

// A Decoding is a content coding that Decompress can undo.
type Decoding struct {
	// Name is that in Content-Encoding, such as "gzip".
	Name string
	// New makes a Decoder, which is reset before it is used. It is kept in a pool between two
	// requests. How much memory it takes, whatever it reads, is its own affair.
	New func() Decoder
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
	pools := map[string]*sync.Pool{GZIPEncoding: config.GzipDecompressPool.gzipDecompressPool()}
	for _, d := range config.Decodings {
		if d.Name == "" || d.New == nil {
			return nil, errors.New("invalid content coding " + d.Name)
		}
		pools[strings.ToLower(d.Name)] = &sync.Pool{New: func() any { return d.New() }}
	}
	return unless(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
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
		body := &decodedBody{decoder: decoder, compressed: r.Body, left: config.MaxDecompressedSize, bounded: config.MaxDecompressedSize > 0}
		if err := decoder.Reset((*compressedBody)(body)); err != nil {
			body.compressed = nil
			pool.Put(decoder)
			if err == io.EOF { // there is no body
				return next(c)
			}
			return web.ErrBadRequest.Wrap(err)
		}
		compressed := r.Body
		defer func() {
			pool.Put(body.giveBack())
			_ = compressed.Close()
		}()
		r.Body = body
		r.ContentLength = -1
		// The header describes the body as it is read from here on.
		r.Header.Del(web.HeaderContentEncoding)
		r.Header.Del(web.HeaderContentLength)
		return next(c)
	}), nil
}

// A compressedBody is what the decoder of a decodedBody reads. Once the handler has returned it
// does not lead to the request, so that a decoder in the pool keeps little memory.
type compressedBody decodedBody

func (b *compressedBody) Read(p []byte) (int, error) {
	if b.compressed == nil {
		return 0, errBodyOver
	}
	return b.compressed.Read(p)
}

// A decodedBody reads through a Decoder until the handler has returned. A later read
// is an error: the reader may serve another request.
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
		return b.decoder.Read(p)
	}
	if len(p) == 0 {
		return 0, nil
	}
	if int64(len(p)) > b.left {
		p = p[:max(b.left, 1)] // one byte too many is enough to know
	}
	n, err := b.decoder.Read(p)
	if b.left -= int64(n); b.left < 0 {
		b.left = 0
		return 0, web.ErrStatusRequestEntityTooLarge
	}
	return n, err
}

func (b *decodedBody) Close() error { return nil }

func (b *decodedBody) giveBack() Decoder {
	b.mu.Lock()
	defer b.mu.Unlock()
	decoder := b.decoder
	b.decoder, b.compressed = nil, nil
	return decoder
}
