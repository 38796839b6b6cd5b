package middleware

import (
	"cmp"
	"compress/gzip"
	"errors"

	"github.com/hone-go/hone/web"
)

// A GzipConfig configures Gzip.
type GzipConfig struct {
	Skipper Skipper
	// Level is a level of package gzip; 0 means the default.
	Level int
	// MinLength is the minimum length of a body that is compressed. A body that is
	// flushed before it reaches MinLength is compressed too.
	MinLength int
}

const gzipScheme = "gzip"

// Gzip compresses the response for clients that accept gzip. A response that already
// has a content coding, that has no body, or that is part of a body (206) is not
// compressed. For other codings, or another implementation of gzip, use
// CompressWithConfig.
func Gzip() web.MiddlewareFunc { return GzipWithConfig(GzipConfig{}) }

// GzipWithConfig is Gzip with a configuration.
func GzipWithConfig(config GzipConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config GzipConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.Level < gzip.HuffmanOnly || config.Level > gzip.BestCompression {
		return nil, errors.New("invalid gzip level")
	}
	level := cmp.Or(config.Level, gzip.DefaultCompression)
	return CompressConfig{Skipper: config.Skipper, MinLength: config.MinLength, Codings: []Coding{{
		Name: gzipScheme,
		New: func() Compressor {
			w, _ := gzip.NewWriterLevel(nil, level) // the level is valid
			return w
		},
	}}}.ToMiddleware()
}
