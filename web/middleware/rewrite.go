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
