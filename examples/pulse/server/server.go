// Package server is pulse's HTTP side: it takes readings in, answers queries,
// streams what arrives to browsers, and serves the page.
package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/hone-go/hone/examples/pulse/page"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
	"github.com/hone-go/hone/web/openapi"
)

// Options configure [New].
type Options struct {
	Store     *store.Store  // required
	Live      *Live         // required
	Retention time.Duration // older readings are refused; 0 means never
	Log       *slog.Logger  // nil means slog.Default()
	Verbose   bool          // log each request
}

// New returns the service's routes.
func New(options Options) *web.Echo {
	if options.Log == nil {
		options.Log = slog.Default()
	}
	e := web.NewWithConfig(web.Config{Logger: options.Log, HTTPErrorHandler: web.ProblemErrorHandler()})
	e.Use(middleware.RequestID())
	if options.Verbose {
		e.Use(middleware.RequestLogger())
	}
	e.Use(middleware.Recover(), middleware.SecureWithConfig(middleware.SecureConfig{
		ContentTypeNosniff:    "nosniff",
		ContentSecurityPolicy: page.SecurityPolicy,
		ReferrerPolicy:        "no-referrer",
	}), retryAfter)

	api := &api{options.Store, options.Retention}
	web.Handle(e, "POST /v1/readings", api.post, web.Operation{BodyLimit: maxBody, Summary: "Store a batch of readings"})
	web.Handle(e, "GET /v1/readings", api.readings, web.Operation{Summary: "Stored readings, a page at a time"})
	web.Handle(e, "GET /v1/hosts", api.hosts, web.Operation{Summary: "The hosts that have readings"})
	web.Handle(e, "GET /v1/hosts/:host", api.host, web.Operation{Summary: "The newest reading of a host"})
	web.Handle(e, "GET /healthz", api.health, web.Operation{Summary: "Whether the database can be read and written"})
	web.HandleEvents(e, "GET /v1/live", options.Live.stream, web.Operation{
		Summary: "Readings as they are stored", Description: "Server-sent events, each with a reading in JSON.",
	})
	if err := openapi.Serve(e, description); err != nil {
		panic(err) // two routes of one path
	}

	for path, file := range page.Files() {
		serve := func(c *web.Context) error {
			file.ServeHTTP(c.Response(), c.Request())
			return nil
		}
		e.GET(path, serve)
		e.HEAD(path, serve)
	}
	return e
}

// description is what the document at /openapi.json, which the page at /docs
// shows, says beyond the types of the handlers. The files of the page are not in
// it.
var description = openapi.Config{
	Title:       "Pulse",
	Version:     "1",
	Description: "The telemetry of hosts: posted by their agents, stored, and read back or followed live.",
	Hidden: func(r web.RouteInfo) bool {
		_, typed := r.Typed()
		return !typed
	},
}

// retryAfter tells a client that was turned away when to come back.
func retryAfter(next web.HandlerFunc) web.HandlerFunc {
	return func(c *web.Context) error {
		err := next(c)
		if web.StatusCode(err) == http.StatusServiceUnavailable {
			c.Response().Header().Set("Retry-After", "1")
		}
		return err
	}
}

// problem turns an error of the store into the document that a client gets.
func problem(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrBusy):
		return web.NewProblem(http.StatusServiceUnavailable, "Too many batches are waiting to be stored. Send this one again.").Wrap(err)
	case errors.Is(err, store.ErrClosed):
		return web.NewProblem(http.StatusServiceUnavailable, "The server is shutting down. Send this again.").Wrap(err)
	case errors.Is(err, context.DeadlineExceeded):
		return web.NewProblem(http.StatusServiceUnavailable, "That took too long. Ask for a shorter span of time.").Wrap(err)
	}
	return err
}
