// Package server is pulse's HTTP API: it accepts readings, answers queries, streams new readings to
// browsers, and serves the page.
package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/examples/pulse/page"
	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
	"github.com/hone-go/hone/wire"
)

// Options configure [New].
type Options struct {
	Store   store.Store   // required
	Queue   queue.Queue   // required
	Live    *Live         // required
	Keep    store.Options // the options of the store; readings that are too old are refused
	Log     *slog.Logger  // nil means slog.Default()
	Verbose bool          // log each request
	Access  Access
	Metrics *Metrics // nil means new ones
}

// New returns the service's routes.
func New(options Options) *web.Echo {
	if options.Log == nil {
		options.Log = slog.Default()
	}
	if options.Metrics == nil {
		options.Metrics = NewMetrics()
	}
	options.Metrics.Gauge("pulse_live_clients", "Open streams of live readings.", options.Live.count)
	e := web.NewWithConfig(web.Config{Logger: options.Log, HTTPErrorHandler: web.WrapErrorHandler(api.WriteError)})
	e.Use(middleware.RequestID())
	if options.Verbose {
		e.Use(middleware.RequestLogger())
	}
	e.Use(middleware.Recover(), middleware.SecureWithConfig(middleware.SecureConfig{
		ContentTypeNosniff:    "nosniff",
		ContentSecurityPolicy: page.SecurityPolicy,
		ReferrerPolicy:        "no-referrer",
	}), options.Metrics.count, options.Access.known, middleware.GzipWithConfig(middleware.GzipConfig{
		MinLength: 1024,
		Skipper:   func(c *web.Context) bool { return c.Path() == "/v1/live" }, // its events are small, and must not wait for each other
	}), retryAfter)

	a := api.New(e)
	register(a, &handlers{
		store: options.Store, queue: options.Queue, keep: options.Keep, metrics: options.Metrics,
		full: rarely{log: options.Log}, away: rarely{log: options.Log},
	}, options.Live, options.Access)
	e.GET("/metrics", options.Metrics.handler(), options.Access.mayRead)
	if err := openapi.Serve(a, description); err != nil {
		panic(err) // two routes with the same path
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
func register(a *api.API, h *handlers, live *Live, access Access) {
	a.Defaults.Security = bearer("read", "The token for reading, -read-token.", access.ReadToken)
	write := bearer("write", "The token for posting, -write-token.", access.WriteToken)
	api.Handle(a, "POST /v1/readings", h.post, api.Operation{Security: write, BodyLimit: maxBody, Summary: "Store a batch of readings"})
	api.Handle(a, "GET /v1/readings", h.readings, api.Operation{
		Summary: "Stored readings, a page at a time", Middlewares: []func(http.Handler) http.Handler{wireSchema[readingsOutput]()},
	})
	api.Handle(a, "GET /v1/hosts", h.hosts, api.Operation{Summary: "The hosts that have readings"})
	api.Handle(a, "GET /v1/overview", h.overview, api.Operation{Summary: "What every host is doing"})
	api.Handle(a, "GET /v1/series", h.series, api.Operation{
		Summary: "How a host went over a span of time", Middlewares: []func(http.Handler) http.Handler{wireSchema[store.Series]()},
		Description: "In steps of equal length, each with the lowest, mean and highest value. Steps without readings are left out.",
	})
	api.Handle(a, "GET /v1/hosts/{host}", h.host, api.Operation{Summary: "The newest reading of a host"})
	api.Handle(a, "GET /healthz", h.checkHealth, api.Operation{
		Security: []security.Requirement{}, Summary: "Whether the database can be read and written, and the broker answers",
	})
	api.HandleEvents(a, "GET /v1/live", live.stream, api.Operation{
		Summary: "Readings as they are stored", Description: "Server-sent events, each with a reading in JSON.",
		Events: map[string]any{"": telemetry.Reading{}},
	})
}

// Document describes the API without a server, for hone openapi export.
func Document() *openapi.Document {
	a := api.New(web.New())
	register(a, &handlers{}, NewLive(), Access{})
	return openapi.Describe(a, description)
}

// description has the texts of the document at /openapi.json that do not come from the types of
// the handlers. The page at /docs shows the document.
var description = openapi.Config{
	Title:       "Pulse",
	Version:     "1",
	Description: "The telemetry of hosts: posted by their agents, stored, and read back or followed live.",
	Servers:     []string{"/"}, // the one that has sent the document
}

// wireSchema adds the schema of Out to responses in the wire format, whose bytes do not contain it:
// the page may come from another version of pulse.
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

// retryAfter adds the header Retry-After to responses that refuse a request for now.
func retryAfter(next web.HandlerFunc) web.HandlerFunc {
	return func(c *web.Context) error {
		err := next(c)
		switch web.StatusCode(err) {
		case http.StatusServiceUnavailable:
			c.Response().Header().Set("Retry-After", "1")
		case http.StatusInsufficientStorage:
			c.Response().Header().Set("Retry-After", "30") // until somebody has made room
		}
		return err
	}
}

// rarely logs an error at most once a minute.
type rarely struct {
	log  *slog.Logger
	mu   sync.Mutex
	last time.Time
	left int // the number of errors since the last log entry
}

func (r *rarely) error(text string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.last.IsZero() && time.Since(r.last) < time.Minute {
		r.left++
		return
	}
	r.log.Error(text, "error", err, "times since the last such line", r.left)
	r.last, r.left = time.Now(), 0
}

// problem converts an error of the store or the queue to the problem document for the client.
func (h *handlers) problem(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrFull):
		// Every agent gets this response every second. It does not contain the error, which would
		// be logged each time.
		h.full.error("the disk is full: readings are refused", err)
		return api.NewProblem(http.StatusInsufficientStorage, "There is no room on the server's disk. Send this again later.")
	case errors.Is(err, store.ErrUnavailable):
		h.away.error("the database cannot be reached", err)
		return api.NewProblem(http.StatusServiceUnavailable, "The server cannot reach its database. Send this again.")
	case errors.Is(err, queue.ErrUnavailable):
		h.away.error("the broker cannot be reached: readings are refused", err)
		return api.NewProblem(http.StatusServiceUnavailable, "The server cannot reach its broker. Send this again.")
	case errors.Is(err, queue.ErrTooLarge):
		return api.NewProblem(http.StatusRequestEntityTooLarge, "A reading is larger than the broker carries.").Wrap(err)
	case errors.Is(err, queue.ErrBusy):
		return api.NewProblem(http.StatusServiceUnavailable, "Too many batches are waiting to be stored. Send this one again.").Wrap(err)
	case errors.Is(err, queue.ErrClosed):
		return api.NewProblem(http.StatusServiceUnavailable, "The server is shutting down. Send this again.").Wrap(err)
	case errors.Is(err, context.DeadlineExceeded):
		return api.NewProblem(http.StatusServiceUnavailable, "That took too long. Ask for a shorter span of time.").Wrap(err)
	}
	return err
}
