// Package compress compresses responses of package web and of net/http, and undoes the
// compression of request bodies, by github.com/klauspost/compress: gzip in less time than by
// compress/gzip, and zstd.
//
//	e := web.New()
//	e.Use(honecompress.Compress())
//
// middleware.CompressWithConfig decides which answers are compressed, as for
// middleware.Gzip; this package has the codings. If a client gives two codings
// the same weight in Accept-Encoding, zstd is preferred. Without Accept-Encoding the body is sent as it is.
//
// # Memory
//
// Compressors and decoders are kept in pools, one for each response or request that is being
// written or read. A compressor for gzip takes about a megabyte. A compressor for zstd has a window
// of 256 KiB and takes some two megabytes at zstd.SpeedDefault, 5 at zstd.SpeedBetterCompression
// and 37 at zstd.SpeedBestCompression. A decoder for zstd refuses frames that ask for a larger
// window than 8 MiB, the largest that clients may ask for (RFC 9659); a body, however long it
// becomes, takes no more than that, and ends with status 413 at its limit.
//
// If a response has a secret and text that an attacker chooses, its compressed length reveals the
// secret. Skip such responses.
package compress

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// Names of the content codings.
const (
	GzipName = "gzip"
	ZstdName = "zstd"
)

// window is the window size of a zstd compressor. Responses are seldom longer, and each response
// that is being written has a window of its own.
const window = 256 << 10

// A CompressConfig configures CompressWithConfig. The zero value is the default.
type CompressConfig struct {
	Skipper middleware.Skipper
	// Level is the level of gzip, from gzip.HuffmanOnly to gzip.BestCompression; 0 means the
	// default, which compresses about as well as the default of compress/gzip.
	Level int
	// ZstdLevel is the level of zstd; 0 means zstd.SpeedFastest, which makes most answers smaller
	// than gzip does.
	ZstdLevel zstd.EncoderLevel
	// MinLength is the minimum length of a body that is compressed. A body that is flushed before
	// it has this length is compressed too.
	MinLength int
	// Codings are the names of the allowed content codings, in order of preference; nil means zstd
	// and gzip.
	Codings []string
}

// Compress compresses responses for clients that accept a coding. It does not change responses that
// are already encoded, have no body, or are partial (206).
func Compress() web.MiddlewareFunc { return CompressWithConfig(CompressConfig{}) }

// CompressWithConfig is Compress with a configuration. It panics if ToMiddleware returns an error.
func CompressWithConfig(config CompressConfig) web.MiddlewareFunc {
	m, err := config.ToMiddleware()
	if err != nil {
		panic(err)
	}
	return m
}

// ToMiddleware returns the middleware, or an error if a level is invalid, or a coding is unknown or
// a duplicate.
func (config CompressConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	c, err := config.core()
	if err != nil {
		return nil, err
	}
	return c.ToMiddleware()
}

// Handler wraps an http.Handler. It returns the errors of ToMiddleware, and an error if Skipper is
// set, since a Skipper needs a web.Context.
func (config CompressConfig) Handler(next http.Handler) (http.Handler, error) {
	c, err := config.core()
	if err != nil {
		return nil, err
	}
	return c.Handler(next)
}

func (config CompressConfig) core() (middleware.CompressConfig, error) {
	c := middleware.CompressConfig{Skipper: config.Skipper, MinLength: config.MinLength}
	names := config.Codings
	if names == nil {
		names = []string{ZstdName, GzipName}
	}
	for _, name := range names {
		var coding middleware.Coding
		var err error
		switch name {
		case GzipName:
			coding, err = Gzip(config.Level)
		case ZstdName:
			coding, err = Zstd(config.ZstdLevel)
		default:
			err = fmt.Errorf("compress: no content coding %q", name)
		}
		if err != nil {
			return c, err
		}
		c.Codings = append(c.Codings, coding)
	}
	return c, nil
}

// Gzip returns gzip at a level of package gzip for middleware.CompressConfig, to combine it with
// other codings; 0 means the default level. An invalid level is an error.
func Gzip(level int) (middleware.Coding, error) {
	if level < gzip.HuffmanOnly || level > gzip.BestCompression {
		return middleware.Coding{}, fmt.Errorf("compress: no gzip level %d", level)
	}
	level = cmp.Or(level, gzip.DefaultCompression)
	return middleware.Coding{Name: GzipName, New: func() middleware.Compressor {
		w, _ := gzip.NewWriterLevel(nil, level) // the level is valid
		return w
	}}, nil
}

// Zstd returns zstd at a level for middleware.CompressConfig, to combine it with other codings; 0
// means zstd.SpeedFastest. An invalid level is an error.
func Zstd(level zstd.EncoderLevel) (middleware.Coding, error) {
	options := []zstd.EOption{
		zstd.WithEncoderLevel(cmp.Or(level, zstd.SpeedFastest)),
		zstd.WithEncoderConcurrency(1), // no goroutines that outlive a compressor
		zstd.WithWindowSize(window),
		zstd.WithLowerEncoderMem(true),
		zstd.WithEncoderCRC(false), // TCP and TLS have checksums
		zstd.WithZeroFrames(true),  // an empty body is written as a frame
	}
	if _, err := zstd.NewWriter(nil, options...); err != nil {
		return middleware.Coding{}, fmt.Errorf("compress: zstd level %d: %w", level, err)
	}
	return middleware.Coding{Name: ZstdName, New: func() middleware.Compressor {
		w, _ := zstd.NewWriter(nil, options...) // the options are valid
		return w
	}}, nil
}
