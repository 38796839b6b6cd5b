package middleware

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"

	"github.com/hone-go/hone/web"
)

// A KeyAuthValidator reports whether a key is valid. It must compare in constant time
// (crypto/subtle), because the duration of other comparisons leaks keys.
type KeyAuthValidator func(c *web.Context, key string, source ExtractorSource) (bool, error)

// A KeyAuthErrorHandler handles the error of a request without a valid key.
type KeyAuthErrorHandler func(c *web.Context, err error) error

// KeyAuth returns these errors. Both have the status 401.
var (
	ErrKeyMissing = web.NewHTTPError(http.StatusUnauthorized, "missing key")
	ErrInvalidKey = web.NewHTTPError(http.StatusUnauthorized, "invalid key")
)

// A KeyAuthConfig configures KeyAuth.
type KeyAuthConfig struct {
	Skipper Skipper
	// KeyLookup lists the parts of a request that may contain keys, see
	// [CreateExtractors]; by default "header:Authorization:Bearer ".
	KeyLookup string
	// AllowedCheckLimit is the number of keys that are tried from each part of KeyLookup; 0 means 1.
	AllowedCheckLimit uint
	// Validator must be set.
	Validator KeyAuthValidator
	// ErrorHandler is called with the last error if no key was valid.
	ErrorHandler KeyAuthErrorHandler
	// ContinueOnIgnoredError runs the handler if ErrorHandler returns nil, for
	// public pages that show more with a key.
	ContinueOnIgnoredError bool
}

// DefaultKeyAuthConfig is the configuration of KeyAuth.
var DefaultKeyAuthConfig = KeyAuthConfig{
	Skipper:   DefaultSkipper,
	KeyLookup: "header:" + web.HeaderAuthorization + ":Bearer ",
}

// KeyAuth admits requests that have a valid key, and answers other requests with
// 401.
func KeyAuth(fn KeyAuthValidator) web.MiddlewareFunc {
	config := DefaultKeyAuthConfig
	config.Validator = fn
	return KeyAuthWithConfig(config)
}

// KeyAuthWithConfig is KeyAuth with a configuration.
func KeyAuthWithConfig(config KeyAuthConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config KeyAuthConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	config.KeyLookup = cmp.Or(config.KeyLookup, DefaultKeyAuthConfig.KeyLookup)
	if config.Validator == nil {
		return nil, errors.New("echo key-auth middleware requires a validator function")
	}
	extractors, err := CreateExtractors(config.KeyLookup, config.AllowedCheckLimit)
	if err != nil {
		return nil, fmt.Errorf("echo key-auth middleware could not create key extractor: %w", err)
	}
	if len(extractors) == 0 {
		return nil, errors.New("echo key-auth middleware could not create extractors from KeyLookup string")
	}
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		valid, missing, invalid := config.check(c, extractors)
		if valid {
			return next(c)
		}
		err := invalid
		if err == nil {
			err = missing
		}
		if config.ErrorHandler != nil {
			answer := config.ErrorHandler(c, err)
			if answer == nil && config.ContinueOnIgnoredError {
				return next(c)
			}
			return answer
		}
		if invalid == nil {
			return ErrKeyMissing.Wrap(err)
		}
		return web.ErrUnauthorized.Wrap(err)
	}), nil
}

// check tries the keys of a request. If none is valid, it returns the last error about a
// missing key and the last error about an invalid key.
func (config *KeyAuthConfig) check(c *web.Context, extractors []ValuesExtractor) (valid bool, missing, invalid error) {
	for _, extract := range extractors {
		keys, source, err := extract(c)
		if err != nil {
			missing = err
			continue
		}
		for _, key := range keys {
			if key == "" { // a validator with an empty secret would accept it
				missing = ErrKeyMissing
				continue
			}
			switch ok, err := config.Validator(c, key, source); {
			case err != nil:
				invalid = err
			case !ok:
				invalid = ErrInvalidKey
			default:
				return true, nil, nil
			}
		}
	}
	return false, missing, invalid
}
