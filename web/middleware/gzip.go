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
	// Level is that of package gzip; 0 means the default.
	Level int
	// MinLength is how long a body must be to be compressed. A body that is
	// flushed before is compressed all the same.
	MinLength int
}

const gzipScheme = "gzip"

// Gzip compresses the response for clients that accept it. It leaves alone what
// is encoded already, what has no body, and parts of a body (206). Other codings,
// and other implementations of gzip, are for CompressWithConfig.
func Gzip() web.MiddlewareFunc { return GzipWithConfig(GzipConfig{}) }

// GzipWithConfig is Gzip as configured.
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
			w, _ := gzip.NewWriterLevel(nil, level) // the level is a valid one
			return w
		},
	}}}.ToMiddleware()
}
