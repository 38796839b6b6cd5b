package middleware

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hone-go/hone/web"
)

// A SecureConfig configures Secure. An empty value omits its header.
type SecureConfig struct {
	Skipper Skipper

	XSSProtection         string // X-XSS-Protection
	ContentTypeNosniff    string // X-Content-Type-Options
	XFrameOptions         string // X-Frame-Options
	HSTSMaxAge            int    // Strict-Transport-Security, in seconds; only sent over https
	HSTSExcludeSubdomains bool   // omits includeSubdomains
	ContentSecurityPolicy string // Content-Security-Policy
	CSPReportOnly         bool   // Content-Security-Policy-Report-Only instead
	HSTSPreloadEnabled    bool   // adds preload to Strict-Transport-Security
	ReferrerPolicy        string // Referrer-Policy
}

// DefaultSecureConfig is the configuration of Secure.
var DefaultSecureConfig = SecureConfig{
	Skipper:            DefaultSkipper,
	XSSProtection:      "1; mode=block",
	ContentTypeNosniff: "nosniff",
	XFrameOptions:      "SAMEORIGIN",
}

// Secure sets response headers that protect against content sniffing, framing
// and other attacks on browsers.
func Secure() web.MiddlewareFunc { return SecureWithConfig(DefaultSecureConfig) }

// SecureWithConfig is Secure with a configuration.
func SecureWithConfig(config SecureConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware. A value that is not valid in a header is an
// error.
func (config SecureConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	var always []rendered
	var bad error
	add := func(name, value string) {
		if strings.ContainsAny(value, "\r\n\x00") {
			bad = fmt.Errorf("middleware: Secure: %s holds a line break or a NUL", name)
		}
		if value != "" {
			always = append(always, render(name, value))
		}
	}
	add(web.HeaderXXSSProtection, config.XSSProtection)
	add(web.HeaderXContentTypeOptions, config.ContentTypeNosniff)
	add(web.HeaderXFrameOptions, config.XFrameOptions)
	add(web.HeaderReferrerPolicy, config.ReferrerPolicy)
	if config.CSPReportOnly {
		add(web.HeaderContentSecurityPolicyReportOnly, config.ContentSecurityPolicy)
	} else {
		add(web.HeaderContentSecurityPolicy, config.ContentSecurityPolicy)
	}
	if bad != nil {
		return nil, bad
	}
	var hsts []string
	if config.HSTSMaxAge != 0 {
		v := "max-age=" + strconv.Itoa(config.HSTSMaxAge)
		if !config.HSTSExcludeSubdomains {
			v += "; includeSubdomains"
		}
		if config.HSTSPreloadEnabled {
			v += "; preload"
		}
		hsts = []string{v}
	}
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		header := c.Response().Header()
		for i := range always {
			header[always[i].name] = always[i].value
		}
		if hsts != nil && c.Scheme() == "https" {
			header[web.HeaderStrictTransportSecurity] = hsts
		}
		return next(c)
	}), nil
}
