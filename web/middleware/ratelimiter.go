package middleware

import (
	"errors"
	"net/http"

	"github.com/hone-go/hone/web"
)

// Response headers set by a RateLimiterStoreContext.
const (
	HeaderXRateLimitLimit     = "X-RateLimit-Limit"
	HeaderXRateLimitRemaining = "X-RateLimit-Remaining"
)

// A RateLimiterStore counts the requests of each visitor. If identifiers are addresses,
// as from web.Context.RealIP, a store should count an IPv6 network as one visitor, as
// [RateLimiterMemoryStore] does: one visitor has 2^64 addresses.
type RateLimiterStore interface {
	// Allow reports whether a visitor may make another request, and counts the request.
	Allow(identifier string) (bool, error)
}

// A RateLimiterStoreContext is a store that sets headers of the response. Its
// AllowContext is called instead of Allow.
type RateLimiterStoreContext interface {
	AllowContext(c *web.Context, identifier string) (bool, error)
}

// An Extractor returns the identifier of the visitor.
type Extractor func(c *web.Context) (string, error)

// A RateLimiterConfig configures RateLimiter.
type RateLimiterConfig struct {
	Skipper    Skipper
	BeforeFunc BeforeFunc
	// IdentifierExtractor is web.Context.RealIP by default.
	IdentifierExtractor Extractor
	// Store must be set.
	Store RateLimiterStore
	// ErrorHandler handles the extractor's error; by default with a 403.
	ErrorHandler func(c *web.Context, err error) error
	// DenyHandler answers a request above the limit; by default with 429.
	DenyHandler func(c *web.Context, identifier string, err error) error
}

// Errors that RateLimiter returns.
var (
	// ErrRateLimitExceeded has the status 429, for a request above the limit.
	ErrRateLimitExceeded = web.NewHTTPError(http.StatusTooManyRequests, "rate limit exceeded")
	// ErrExtractorError has the status 403, for a visitor without an identifier.
	ErrExtractorError = web.NewHTTPError(http.StatusForbidden, "error while extracting identifier")
)

// DefaultRateLimiterConfig is the configuration of RateLimiter.
var DefaultRateLimiterConfig = RateLimiterConfig{
	Skipper:             DefaultSkipper,
	IdentifierExtractor: func(c *web.Context) (string, error) { return c.RealIP(), nil },
	ErrorHandler:        func(_ *web.Context, err error) error { return ErrExtractorError.Wrap(err) },
	DenyHandler:         func(_ *web.Context, _ string, err error) error { return ErrRateLimitExceeded.Wrap(err) },
}

// RateLimiter limits the number of requests of each visitor:
//
//	e.Use(middleware.RateLimiter(middleware.NewRateLimiterMemoryStore(20)))
func RateLimiter(store RateLimiterStore) web.MiddlewareFunc {
	config := DefaultRateLimiterConfig
	config.Store = store
	return RateLimiterWithConfig(config)
}

// RateLimiterWithConfig is RateLimiter with a configuration.
func RateLimiterWithConfig(config RateLimiterConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config RateLimiterConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.IdentifierExtractor == nil {
		config.IdentifierExtractor = DefaultRateLimiterConfig.IdentifierExtractor
	}
	if config.ErrorHandler == nil {
		config.ErrorHandler = DefaultRateLimiterConfig.ErrorHandler
	}
	if config.DenyHandler == nil {
		config.DenyHandler = DefaultRateLimiterConfig.DenyHandler
	}
	if config.Store == nil {
		return nil, errors.New("middleware: RateLimiter: store configuration must be provided")
	}
	allow := func(_ *web.Context, identifier string) (bool, error) { return config.Store.Allow(identifier) }
	if s, ok := config.Store.(RateLimiterStoreContext); ok {
		allow = s.AllowContext
	}
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		if config.BeforeFunc != nil {
			config.BeforeFunc(c)
		}
		identifier, err := config.IdentifierExtractor(c)
		if err != nil {
			return config.ErrorHandler(c, err)
		}
		allowed, err := allow(c, identifier)
		if !allowed {
			return config.DenyHandler(c, identifier, err)
		}
		return next(c)
	}), nil
}
