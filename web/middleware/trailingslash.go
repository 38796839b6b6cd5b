package middleware

import (
	"errors"
	"net/http"
	"strings"

	"github.com/hone-go/hone/internal/http/urlpath"
	"github.com/hone-go/hone/web"
)

// An AddTrailingSlashConfig configures AddTrailingSlash.
type AddTrailingSlashConfig struct {
	Skipper Skipper
	// RedirectCode, in 300..308, redirects the client. By default the request
	// continues with its new path.
	RedirectCode int
}

// AddTrailingSlash adds a slash to a path that does not end in one. It belongs in
// Echo.Pre.
func AddTrailingSlash() web.MiddlewareFunc {
	return AddTrailingSlashWithConfig(AddTrailingSlashConfig{})
}

// AddTrailingSlashWithConfig is AddTrailingSlash with a configuration.
func AddTrailingSlashWithConfig(config AddTrailingSlashConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config AddTrailingSlashConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	return slashMiddleware(config, func(path string) string {
		if strings.HasSuffix(path, "/") {
			return path
		}
		return path + "/"
	})
}

// A RemoveTrailingSlashConfig configures RemoveTrailingSlash.
type RemoveTrailingSlashConfig AddTrailingSlashConfig

// RemoveTrailingSlash removes a slash from the end of a path. It belongs in Echo.Pre.
func RemoveTrailingSlash() web.MiddlewareFunc {
	return RemoveTrailingSlashWithConfig(RemoveTrailingSlashConfig{})
}

// RemoveTrailingSlashWithConfig is RemoveTrailingSlash with a configuration.
func RemoveTrailingSlashWithConfig(config RemoveTrailingSlashConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config RemoveTrailingSlashConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	return slashMiddleware(AddTrailingSlashConfig(config), func(path string) string {
		if len(path) < 2 {
			return path
		}
		return strings.TrimSuffix(path, "/")
	})
}

// slashMiddleware changes the path by change, which adds or removes one slash at the end. It decides
// by the escaped path: an escaped slash is a part of a segment.
func slashMiddleware(config AddTrailingSlashConfig, change func(path string) string) (web.MiddlewareFunc, error) {
	code := config.RedirectCode
	if code != 0 && (code < http.StatusMultipleChoices || code > http.StatusPermanentRedirect) {
		return nil, errors.New("invalid redirect code for trailing slash middleware")
	}
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		r := c.Request()
		raw := r.URL.EscapedPath()
		changed := change(raw)
		if changed == raw {
			return next(c)
		}
		uri := changed
		if r.URL.RawQuery != "" {
			uri += "?" + r.URL.RawQuery
		}
		if code != 0 {
			return c.Redirect(code, urlpath.Local(uri))
		}
		if len(changed) > len(raw) {
			r.URL.Path += "/"
		} else {
			r.URL.Path = strings.TrimSuffix(r.URL.Path, "/")
		}
		if r.URL.RawPath != "" {
			r.URL.RawPath = changed
		}
		r.RequestURI = uri
		return next(c)
	}), nil
}
