package middleware

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
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
