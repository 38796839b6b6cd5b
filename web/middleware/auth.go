package middleware

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/hone-go/hone/web"
)

// A BasicAuthValidator reports whether a user's password is correct. It must compare in
// constant time (crypto/subtle), because the duration of other comparisons leaks secrets.
type BasicAuthValidator func(c *web.Context, user string, password string) (bool, error)

// A BasicAuthConfig configures BasicAuth.
type BasicAuthConfig struct {
	Skipper Skipper
	// Validator is called once for each Authorization header of scheme Basic,
	// up to AllowedCheckLimit. It must be set.
	Validator BasicAuthValidator
	// Realm is the name that the browser shows; by default "Restricted".
	Realm string
	// AllowedCheckLimit is the number of headers that are tried; 0 means 1.
	AllowedCheckLimit uint
}

// BasicAuth admits requests with valid credentials (RFC 7617), and answers other
// requests with 401.
func BasicAuth(fn BasicAuthValidator) web.MiddlewareFunc {
	return BasicAuthWithConfig(BasicAuthConfig{Validator: fn})
}

// BasicAuthWithConfig is BasicAuth with a configuration.
func BasicAuthWithConfig(config BasicAuthConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

const basicScheme = "basic"

// ToMiddleware makes the middleware.
func (config BasicAuthConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.Validator == nil {
		return nil, errors.New("echo basic-auth middleware requires a validator function")
	}
	config.Realm = cmp.Or(config.Realm, "Restricted")
	limit := max(config.AllowedCheckLimit, 1)
	challenge := render(web.HeaderWWWAuthenticate, basicScheme+" realm="+strconv.Quote(config.Realm))
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		var failure error
		tried := uint(0)
		for _, auth := range c.Request().Header[web.HeaderAuthorization] {
			if tried >= limit {
				break
			}
			scheme, encoded, ok := strings.Cut(auth, " ")
			if !ok || encoded == "" || !strings.EqualFold(scheme, basicScheme) {
				continue
			}
			tried++
			credentials, err := base64.StdEncoding.DecodeString(encoded)
			if err != nil {
				failure = web.ErrBadRequest.Wrap(err)
				continue
			}
			user, password, ok := bytes.Cut(credentials, []byte(":"))
			if !ok {
				continue
			}
			valid, err := config.Validator(c, string(user), string(password))
			if err != nil {
				failure = err
			} else if valid {
				return next(c)
			}
		}
		if failure != nil {
			return failure
		}
		c.Response().Header()[challenge.name] = challenge.value
		return web.ErrUnauthorized
	}), nil
}

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
