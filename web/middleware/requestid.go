package middleware

import (
	"crypto/rand"

	"github.com/hone-go/hone/web"
)

// A RequestIDConfig configures RequestID.
type RequestIDConfig struct {
	Skipper Skipper
	// Generator makes an ID; by default 26 random characters (crypto/rand.Text).
	Generator func() string
	// RequestIDHandler is given the ID of each request.
	RequestIDHandler func(c *web.Context, requestID string)
	// TargetHeader carries the ID; by default X-Request-Id.
	TargetHeader string
}

// RequestID gives each request an ID: the one that it came with, or a new one.
// The ID is set on the response. One that came is taken only if it is at most
// 128 printable ASCII characters, since it ends up in logs.
func RequestID() web.MiddlewareFunc { return RequestIDWithConfig(RequestIDConfig{}) }

// RequestIDWithConfig is RequestID as configured.
func RequestIDWithConfig(config RequestIDConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config RequestIDConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.Skipper == nil {
		config.Skipper = DefaultSkipper
	}
	if config.Generator == nil {
		config.Generator = rand.Text
	}
	if config.TargetHeader == "" {
		config.TargetHeader = web.HeaderXRequestID
	}
	return func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			if config.Skipper(c) {
				return next(c)
			}
			id := c.Request().Header.Get(config.TargetHeader)
			if !acceptableID(id) {
				id = config.Generator()
			}
			c.Response().Header().Set(config.TargetHeader, id)
			if config.RequestIDHandler != nil {
				config.RequestIDHandler(c, id)
			}
			return next(c)
		}
	}, nil
}

func acceptableID(id string) bool {
	if id == "" || len(id) > 128 {
		return false
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return false
		}
	}
	return true
}
