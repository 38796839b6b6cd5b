// Package server is pulse's HTTP side: it takes readings in, answers queries,
// streams what arrives to browsers, and serves the page.
package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/examples/pulse/page"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
	"github.com/hone-go/hone/wire"
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
	e := web.NewWithConfig(web.Config{Logger: options.Log, HTTPErrorHandler: web.WrapErrorHandler(api.WriteError)})
	e.Use(middleware.RequestID())
	if options.Verbose {
		e.Use(middleware.RequestLogger())
	}
	e.Use(middleware.Recover(), middleware.SecureWithConfig(middleware.SecureConfig{
		ContentTypeNosniff:    "nosniff",
		ContentSecurityPolicy: page.SecurityPolicy,
		ReferrerPolicy:        "no-referrer",
	}), retryAfter)

	a := api.New(e)
	register(a, &handlers{options.Store, options.Retention}, options.Live)
	if err := openapi.Serve(a, description); err != nil {
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

// register adds the handlers to the API.
func register(a *api.API, h *handlers, live *Live) {
	api.Handle(a, "POST /v1/readings", h.post, api.Operation{BodyLimit: maxBody, Summary: "Store a batch of readings"})
	api.Handle(a, "GET /v1/readings", h.readings, api.Operation{
		Summary: "Stored readings, a page at a time", Middlewares: []func(http.Handler) http.Handler{wireSchema[readingsOutput]()},
	})
	api.Handle(a, "GET /v1/hosts", h.hosts, api.Operation{Summary: "The hosts that have readings"})
	api.Handle(a, "GET /v1/hosts/{host}", h.host, api.Operation{Summary: "The newest reading of a host"})
	api.Handle(a, "GET /healthz", h.health, api.Operation{Summary: "Whether the database can be read and written"})
	api.HandleEvents(a, "GET /v1/live", live.stream, api.Operation{
		Summary: "Readings as they are stored", Description: "Server-sent events, each with a reading in JSON.",
		Events: map[string]any{"": telemetry.Reading{}},
	})
}

// Document describes the API without a server, for hone openapi export.
func Document() *openapi.Document {
	a := api.New(web.New())
	register(a, &handlers{}, NewLive())
	return openapi.Describe(a, description)
}

// description is what the document at /openapi.json, which the page at /docs
// shows, says beyond the types of the handlers.
var description = openapi.Config{
	Title:       "Pulse",
	Version:     "1",
	Description: "The telemetry of hosts: posted by their agents, stored, and read back or followed live.",
	Servers:     []string{"/"}, // the one that has sent the document
}

// wireSchema has answers say by what schema an Out is written in wire, whose
// bytes do not: the page may have been loaded from another version of pulse.
func wireSchema[Out any]() func(http.Handler) http.Handler {
	s, err := wire.SchemaOf[Out]()
	if err != nil {
		panic(err) // a type that a handler answers with can be written
	}
	fingerprint := s.Fingerprint().String()
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Wire-Schema", fingerprint)
			next.ServeHTTP(w, r)
		})
	}
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
		return api.NewProblem(http.StatusServiceUnavailable, "Too many batches are waiting to be stored. Send this one again.").Wrap(err)
	case errors.Is(err, store.ErrClosed):
		return api.NewProblem(http.StatusServiceUnavailable, "The server is shutting down. Send this again.").Wrap(err)
	case errors.Is(err, context.DeadlineExceeded):
		return api.NewProblem(http.StatusServiceUnavailable, "That took too long. Ask for a shorter span of time.").Wrap(err)
	}
	return err
}
