package middleware

import (
	"cmp"
	"net/http"

	"github.com/hone-go/hone/web"
)

// A RequestIDConfig configures RequestID.
type RequestIDConfig struct {
	Skipper Skipper
	// Generator creates an ID; by default 32 random letters.
	Generator func() string
	// RequestIDHandler is called with the ID of each request.
	RequestIDHandler func(c *web.Context, requestID string)
	// TargetHeader is the header of the ID; by default X-Request-Id.
	TargetHeader string
}

// RequestID gives each request an ID, and sets it on the response. It uses the client's
// ID if that has at most 128 characters, all of them printable ASCII, since IDs end up in
// logs. Otherwise it generates an ID.
func RequestID() web.MiddlewareFunc { return RequestIDWithConfig(RequestIDConfig{}) }

// RequestIDWithConfig is RequestID with a configuration.
func RequestIDWithConfig(config RequestIDConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config RequestIDConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.Generator == nil {
		config.Generator = func() string { return randomString(32) }
	}
	config.TargetHeader = cmp.Or(config.TargetHeader, web.HeaderXRequestID)
	name := http.CanonicalHeaderKey(config.TargetHeader)
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		id := ""
		if sent := c.Request().Header[name]; len(sent) > 0 {
			id = sent[0]
		}
		if !acceptableID(id) {
			id = config.Generator()
		}
		c.Response().Header()[name] = []string{id}
		if config.RequestIDHandler != nil {
			config.RequestIDHandler(c, id)
		}
		return next(c)
	}), nil
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
