// Package middleware is the middleware for package web, with the API of Echo
// v5's: a function with the default configuration, a WithConfig twin, and a
// Config whose ToMiddleware reports what is wrong with it.
//
//	e.Use(middleware.RequestLogger(), middleware.RequestID(), middleware.Recover(), middleware.Secure())
//
// Whatever a configuration decides, header values above all, is rendered when
// the middleware is made.
package middleware

import "github.com/hone-go/hone/web"

// A Skipper says for which requests a middleware steps aside.
type Skipper func(c *web.Context) bool

// DefaultSkipper skips nothing.
func DefaultSkipper(*web.Context) bool { return false }

func orPanic(m web.MiddlewareFunc, err error) web.MiddlewareFunc {
	if err != nil {
		panic(err)
	}
	return m
}
