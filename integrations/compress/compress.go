// Package compress compresses responses of package web and of net/http, and decompresses request
// bodies. It uses github.com/klauspost/compress, which has zstd, and a gzip that is faster than
// compress/gzip.
//
//	e := web.New()
//	e.Use(honecompress.Compress())
//
// This package provides content codings for middleware.CompressWithConfig, which decides which
// responses are compressed. If a client gives two codings the same weight in Accept-Encoding, zstd is
// preferred. Without Accept-Encoding the body is not compressed.
//
// # Memory
//
// Compressors and decoders are pooled. Each response that is being written uses a compressor, and each
// request that is being read uses a decoder. A compressor for gzip takes about a megabyte. A
// compressor for zstd has a window of at most 256 KiB, and takes about 2 MB at zstd.SpeedDefault, 5 MB
// at zstd.SpeedBetterCompression and 37 MB at zstd.SpeedBestCompression. A decoder for zstd refuses
// frames with a window of more than 8 MiB, the maximum for clients (RFC 9659). Decoding takes no more
// memory than the window, regardless of the length of the body. For a body over its limit the response
// has status 413.
//
// If a response contains a secret and text that an attacker chooses, the compressed length reveals
// the secret. Skip such responses.
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

// These are the names of the content codings.
const (
	GzipName = "gzip"
	ZstdName = "zstd"
)

// window is the window of a compressor for zstd, in bytes. It is small because each concurrent response
// needs its own window. Few responses are longer.
const window = 256 << 10

// A CompressConfig configures CompressWithConfig. The zero value is the default.
type CompressConfig struct {
	Skipper middleware.Skipper
	// Level is the level of gzip, from gzip.HuffmanOnly to gzip.BestCompression; 0 means the
	// default, which compresses about as well as the default of compress/gzip.
	Level int
	// ZstdLevel is the level of zstd; 0 means zstd.SpeedFastest, which compresses most responses
	// better than gzip does.
	ZstdLevel zstd.EncoderLevel
	// MinLength is the minimum length of a body that is compressed. A body that is flushed before
	// it reaches MinLength is compressed too.
	MinLength int
	// Codings are the names of the codings to use, the preferred one first; nil means zstd and
	// gzip.
	Codings []string
}

// Compress compresses the response for clients that accept it. It does not change responses that
// are already encoded, have no body, or are a part of a body (206).
func Compress() web.MiddlewareFunc { return CompressWithConfig(CompressConfig{}) }

// CompressWithConfig is like Compress, with a configuration. It panics if ToMiddleware returns an
// error.
func CompressWithConfig(config CompressConfig) web.MiddlewareFunc {
	m, err := config.ToMiddleware()
	if err != nil {
		panic(err)
	}
	return m
}

// ToMiddleware returns the middleware. The error reports an invalid level, or a coding that is
// unknown or repeated.
func (config CompressConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	c, err := config.core()
	if err != nil {
		return nil, err
	}
	return c.ToMiddleware()
}

// Handler returns next wrapped in the middleware. It returns the errors of ToMiddleware, and an error
// if Skipper is set, because a Skipper needs a web.Context.
func (config CompressConfig) Handler(next http.Handler) (http.Handler, error) {
	c, err := config.core()
	if err != nil {
		return nil, err
	}
	return c.Handler(next)
}

// core returns the configuration of package middleware. It returns an error for an invalid level or
// an unknown coding.
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
			err = fmt.Errorf("compress: unknown content coding %q", name)
		}
		if err != nil {
			return c, err
		}
		c.Codings = append(c.Codings, coding)
	}
	return c, nil
}

// Gzip returns the coding gzip for middleware.CompressConfig. Level is a level of package gzip; 0 means
// the default. It returns an error if level is invalid.
func Gzip(level int) (middleware.Coding, error) {
	if level < gzip.HuffmanOnly || level > gzip.BestCompression {
		return middleware.Coding{}, fmt.Errorf("compress: invalid gzip level %d", level)
	}
	level = cmp.Or(level, gzip.DefaultCompression)
	return middleware.Coding{Name: GzipName, New: func() middleware.Compressor {
		w, _ := gzip.NewWriterLevel(nil, level) // the level is valid
		return w
	}}, nil
}

// Zstd returns the coding zstd for middleware.CompressConfig. Level 0 means zstd.SpeedFastest. It
// returns an error if level is invalid.
func Zstd(level zstd.EncoderLevel) (middleware.Coding, error) {
	options := []zstd.EOption{
		zstd.WithEncoderLevel(cmp.Or(level, zstd.SpeedFastest)),
		zstd.WithEncoderConcurrency(1), // no goroutines that outlive a compressor
		zstd.WithWindowSize(window),
		zstd.WithLowerEncoderMem(true),
		zstd.WithEncoderCRC(false), // the connection has checksums
		zstd.WithZeroFrames(true),  // also write a frame for an empty body
	}
	if _, err := zstd.NewWriter(nil, options...); err != nil {
		return middleware.Coding{}, fmt.Errorf("compress: zstd level %d: %w", level, err)
	}
	return middleware.Coding{Name: ZstdName, New: func() middleware.Compressor {
		w, _ := zstd.NewWriter(nil, options...) // the options are valid
		return w
	}}, nil
}
