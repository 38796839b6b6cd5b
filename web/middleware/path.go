package middleware

import (
	"cmp"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/http/urlpath"
	"github.com/hone-go/hone/web"
)

// A RewriteConfig configures Rewrite.
type RewriteConfig struct {
	Skipper Skipper
	// Rules map paths to new paths. In the new path, $1, $2 and so on stand for
	// the text that each "*" matched:
	//
	//	"/old":              "/new",
	//	"/api/*":            "/$1",
	//	"/users/*/orders/*": "/user/$1/order/$2",
	//
	// Of the rules that match the whole path, the longest is applied. The path is
	// compared as the client sent it, unless middleware has changed it, and without
	// its query. The query is kept, and appended to the query of the new path.
	//
	// If the text that a "*" matches leads above its own beginning, such as "/api/../x"
	// for "/api/*", the request is answered with 404.
	Rules map[string]string
	// RegexRules are rules whose paths are regular expressions. They are tried after Rules. An expression that does
	// not begin with "^" matches anywhere in the path. If the text that a group matches leads above its own
	// beginning, the request is answered with 404 too.
	RegexRules map[*regexp.Regexp]string
}

// Rewrite changes the path of a request. It belongs in Echo.Pre.
func Rewrite(rules map[string]string) web.MiddlewareFunc {
	return RewriteWithConfig(RewriteConfig{Rules: rules})
}

// RewriteWithConfig is Rewrite with a configuration.
func RewriteWithConfig(config RewriteConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config RewriteConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.Rules == nil && config.RegexRules == nil {
		return nil, errors.New("echo rewrite middleware requires url path rewrite rules or regex rules")
	}
	rules := rewriteRules(config.Rules, config.RegexRules)
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		if err := rules.apply(c.Request()); err != nil {
			return err
		}
		return next(c)
	}), nil
}

type rewriteRule struct {
	from *regexp.Regexp
	to   string
}

// A rewriter is a list of rules in the order in which they are tried.
type rewriter []rewriteRule

func rewriteRules(plain map[string]string, regex map[*regexp.Regexp]string) rewriter {
	var rules rewriter
	paths := make([]string, 0, len(plain))
	for path := range plain {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	for _, path := range paths {
		expr := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimPrefix(path, "^")), `\*`, "(.*?)")
		rules = append(rules, rewriteRule{regexp.MustCompile("^" + expr + "$"), plain[path]})
	}
	first := len(rules)
	for from, to := range regex {
		rules = append(rules, rewriteRule{from, to})
	}
	slices.SortFunc(rules[first:], func(a, b rewriteRule) int {
		return cmp.Or(cmp.Compare(len(b.from.String()), len(a.from.String())), cmp.Compare(a.from.String(), b.from.String()))
	})
	return rules
}

// apply rewrites the request by the first rule that matches. The error has the status 404
// if a matched text leads above its own beginning, and 400 if the new path is not valid.
func (rules rewriter) apply(r *http.Request) error {
	if len(rules) == 0 {
		return nil
	}
	path, base := r.URL.EscapedPath(), *r.URL
	base.RawQuery = ""
	for _, rule := range rules {
		found := rule.from.FindStringSubmatch(path)
		if found == nil {
			continue
		}
		var replace []string
		for i := len(found) - 1; i > 0; i-- { // replace $10 before $1
			if urlpath.Climbs(found[i]) {
				return web.ErrNotFound
			}
			replace = append(replace, "$"+strconv.Itoa(i), found[i])
		}
		to := strings.NewReplacer(replace...).Replace(rule.to)
		if strings.HasPrefix(to, "/") {
			to = urlpath.Local(to) // the client's part of the path must not name a host
		}
		u, err := base.Parse(to)
		if err != nil {
			return web.ErrBadRequest.Wrap(err)
		}
		if query := r.URL.RawQuery; u.RawQuery != "" && query != "" {
			u.RawQuery += "&" + query
		} else {
			u.RawQuery += query
		}
		r.URL = u
		return nil
	}
	return nil
}

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
