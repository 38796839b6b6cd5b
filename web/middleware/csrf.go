package middleware

import (
	"cmp"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hone-go/hone/web"
)

// CSRFUsingSecFetchSite is stored in the Context instead of a token, if the browser has
// reported the origin of the request (Sec-Fetch-Site). A token is then not needed, but
// a page may still have a field for it.
const CSRFUsingSecFetchSite = "_echo_csrf_using_sec_fetch_site_"

// ErrCSRFInvalid is the error, of status 403, for a request with a wrong token.
var ErrCSRFInvalid = &web.HTTPError{Code: http.StatusForbidden, Message: "invalid csrf token"}

// A CSRFConfig configures CSRF.
type CSRFConfig struct {
	Skipper Skipper
	// TrustedOrigins are other origins, such as "https://example.com", whose
	// requests are admitted if the browser sends Sec-Fetch-Site.
	TrustedOrigins []string
	// AllowSecFetchSiteFunc decides whether to admit a request that would be refused because of Sec-Fetch-Site.
	AllowSecFetchSiteFunc func(c *web.Context) (bool, error)
	// TokenLength is the number of letters of a token; 0 means 32.
	TokenLength uint8
	// TokenLookup lists the parts of a request that may contain the token, see
	// [CreateExtractors]; by default "header:X-CSRF-Token".
	TokenLookup string `yaml:"token_lookup"`
	// Generator creates tokens; by default TokenLength random letters.
	Generator func() string
	// ContextKey is the Context's key of the token, for handlers; by default "csrf".
	ContextKey string
	// CookieName is the name of the cookie that holds the token; by default "_csrf".
	CookieName string
	// CookieDomain to CookieSameSite are the other attributes of the cookie. CookiePath is "/" by default, and
	// CookieMaxAge, in seconds, is a day. CookieSameSite is Lax by default. http.SameSiteDefaultMode leaves the
	// attribute to the browser, and with http.SameSiteNoneMode the cookie is secure. The cookie is also secure if
	// the request came by https, and always if CookieSecure is set. CookieHTTPOnly hides the cookie from scripts,
	// which otherwise can read the token in order to send it back.
	CookieDomain   string
	CookiePath     string
	CookieMaxAge   int
	CookieSecure   bool
	CookieHTTPOnly bool
	CookieSameSite http.SameSite
	// ErrorHandler answers a request with a wrong or missing token.
	ErrorHandler func(c *web.Context, err error) error
}

// DefaultCSRFConfig is the configuration of CSRF.
var DefaultCSRFConfig = CSRFConfig{
	Skipper:        DefaultSkipper,
	TokenLength:    32,
	TokenLookup:    "header:" + web.HeaderXCSRFToken,
	ContextKey:     "csrf",
	CookieName:     "_csrf",
	CookiePath:     "/",
	CookieMaxAge:   86400,
	CookieSameSite: http.SameSiteLaxMode,
}

// CSRF refuses a request with an unsafe method if another site may have made the browser send the
// request. If the browser sends Sec-Fetch-Site, that header decides. Otherwise the request must
// contain the token that is in the cookie.
func CSRF() web.MiddlewareFunc { return CSRFWithConfig(DefaultCSRFConfig) }

// CSRFWithConfig is CSRF with a configuration.
func CSRFWithConfig(config CSRFConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

var varyCookie = render(web.HeaderVary, web.HeaderCookie)

// ToMiddleware makes the middleware.
func (config CSRFConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	d := DefaultCSRFConfig
	config.TokenLength = cmp.Or(config.TokenLength, d.TokenLength)
	if config.Generator == nil {
		n := int(config.TokenLength)
		config.Generator = func() string { return randomString(n) }
	}
	config.TokenLookup = cmp.Or(config.TokenLookup, d.TokenLookup)
	config.ContextKey = cmp.Or(config.ContextKey, d.ContextKey)
	config.CookieName = cmp.Or(config.CookieName, d.CookieName)
	config.CookieMaxAge = cmp.Or(config.CookieMaxAge, d.CookieMaxAge)
	config.CookiePath = cmp.Or(config.CookiePath, d.CookiePath)
	config.CookieSameSite = cmp.Or(config.CookieSameSite, d.CookieSameSite)
	if config.CookieSameSite == http.SameSiteNoneMode {
		config.CookieSecure = true
	}
	for _, o := range config.TrustedOrigins {
		if err := checkOrigin(o, "trusted origin"); err != nil {
			return nil, err
		}
	}
	extractors, err := CreateExtractors(config.TokenLookup, 1)
	if err != nil {
		return nil, err
	}
	if len(extractors) == 0 {
		return nil, errors.New("echo csrf middleware could not create extractors from TokenLookup string")
	}
	cookies := &csrfCookie{config: &config}
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		if allowed, err := config.bySecFetchSite(c); err != nil {
			return err
		} else if allowed {
			return next(c)
		}
		token := ""
		if len(c.Request().Header[web.HeaderCookie]) > 0 {
			if cookie, err := c.Cookie(config.CookieName); err == nil {
				token = cookie.Value
			}
		}
		if token == "" { // an empty cookie is not a secret
			token = config.Generator()
		}
		if !safeMethod(c.Request().Method) {
			if err := checkToken(c, extractors, token); err != nil {
				if config.ErrorHandler != nil {
					return config.ErrorHandler(c, err)
				}
				return err
			}
		}
		cookies.set(c, token)
		c.Set(config.ContextKey, token)
		varyCookie.addTo(c.Response().Header())
		return next(c)
	}), nil
}

func safeMethod(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}

// bySecFetchSite decides by the header field Sec-Fetch-Site, in which the browser reports the relation
// between the request's origin and this site. It returns false and nil, so that the token decides, if
// the field is absent or if AllowSecFetchSiteFunc returns false and no error.
func (config *CSRFConfig) bySecFetchSite(c *web.Context) (allowed bool, err error) {
	h := c.Request().Header
	site := field(h, web.HeaderSecFetchSite)
	if site == "" {
		return false, nil
	}
	if origin := h.Get(web.HeaderOrigin); origin != "" {
		for _, trusted := range config.TrustedOrigins {
			if sameOrigin(origin, trusted) {
				return true, nil
			}
		}
	}
	if site == "same-origin" || site == "none" || safeMethod(c.Request().Method) {
		c.Set(config.ContextKey, CSRFUsingSecFetchSite)
		return true, nil
	}
	if config.AllowSecFetchSiteFunc != nil {
		return config.AllowSecFetchSiteFunc(c)
	}
	if site == "same-site" {
		return false, web.NewHTTPError(http.StatusForbidden, "same-site request blocked by CSRF")
	}
	return false, web.NewHTTPError(http.StatusForbidden, "cross-site request blocked by CSRF")
}

// checkToken returns nil if a value that an extractor finds in the request is the token.
// Otherwise the error is ErrCSRFInvalid if there are values, and has the status 400 if
// there are none.
func checkToken(c *web.Context, extractors []ValuesExtractor, token string) error {
	var failure error
	for _, extract := range extractors {
		sent, _, err := extract(c)
		if err != nil {
			if failure != ErrCSRFInvalid {
				failure = web.ErrBadRequest.Wrap(err)
			}
			continue
		}
		for _, s := range sent {
			if subtle.ConstantTimeCompare([]byte(token), []byte(s)) == 1 {
				return nil
			}
			failure = ErrCSRFInvalid
		}
	}
	return failure
}

// A csrfCookie renders the cookie. Everything except the token changes only once a second.
type csrfCookie struct {
	config *CSRFConfig
	plain  atomic.Pointer[csrfAttributes]
	secure atomic.Pointer[csrfAttributes]
}

type csrfAttributes struct {
	second int64
	text   string // the attributes that follow the value
}

func (k *csrfCookie) set(c *web.Context, token string) {
	now := time.Now()
	rendered, secure := &k.plain, k.config.CookieSecure || c.Scheme() == "https"
	if secure {
		rendered = &k.secure
	}
	a := rendered.Load()
	if a == nil || a.second != now.Unix() {
		cookie := k.cookie("v", now, secure).String()
		a = &csrfAttributes{now.Unix(), strings.TrimPrefix(cookie, k.config.CookieName+"=v")}
		rendered.Store(a)
	}
	if !plainToken(token) || a.text == "" {
		c.SetCookie(k.cookie(token, now, secure))
		return
	}
	h := c.Response().Header()
	h[web.HeaderSetCookie] = append(h[web.HeaderSetCookie], k.config.CookieName+"="+token+a.text)
}

func (k *csrfCookie) cookie(token string, now time.Time, secure bool) *http.Cookie {
	return &http.Cookie{
		Name: k.config.CookieName, Value: token,
		Path: k.config.CookiePath, Domain: k.config.CookieDomain,
		Expires: now.Add(time.Duration(k.config.CookieMaxAge) * time.Second),
		Secure:  secure, HttpOnly: k.config.CookieHTTPOnly, SameSite: k.config.CookieSameSite,
	}
}

// plainToken reports whether a token needs no quotes in a cookie.
func plainToken(token string) bool {
	for i := range len(token) {
		switch c := token[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}
