// Package server is pulse's HTTP API: it accepts readings, answers queries, streams new readings to
// browsers, and serves the page.
package server

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/examples/pulse/page"
	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/examples/pulse/watch"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
	"github.com/hone-go/hone/wire"
)

// Options configure [New].
type Options struct {
	Store   store.Store   // required
	Queue   queue.Queue   // required
	Live    *Live         // required
	Agents  *Agents       // nil means that no agents are stored
	Keep    store.Options // the options of the store; readings that are too old are refused
	Log     *slog.Logger  // nil means slog.Default()
	Verbose bool          // log each request
	Access  Access
	Metrics *Metrics     // nil means new ones
	Rules   *watch.Rules // the rules of the overview; nil means none
	Targets []string     // the names of the targets of alerts
}

// heartbeat is the time after which a stream without readings sends a comment, so that the page
// notices a dead connection.
const heartbeat = 5 * time.Second

// compressFrom is the length in bytes from which responses are compressed.
const compressFrom = 1024

// New returns the service's routes.
func New(options Options) *web.Echo {
	if options.Log == nil {
		options.Log = slog.Default()
	}
	if options.Metrics == nil {
		options.Metrics = NewMetrics()
	}
	options.Metrics.targets(options.Targets)
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
	}), options.Metrics.count, options.Access.allowHosts, middleware.GzipWithConfig(middleware.GzipConfig{
		MinLength: compressFrom,
		Skipper:   func(c *web.Context) bool { return c.Path() == "/v1/live" }, // its events are small, and must be sent at once
	}), retryAfter, acceptLayout1)

	a := api.New(e)
	register(a, &handlers{
		Options: options,
		full:    throttledLog{log: options.Log, every: time.Minute}, away: throttledLog{log: options.Log, every: time.Minute}, busy: throttledLog{log: options.Log, every: time.Second},
	})
	if err := openapi.Serve(a, description); err != nil {
		panic(err) // two routes with the same path
	}

	for path, file := range page.Files() {
		e.Match([]string{http.MethodGet, http.MethodHead}, path, web.WrapHandler(file))
	}
	return e
}

// register adds the handlers to the API.
func register(a *api.API, h *handlers) {
	read := bearer("read", "A token for reading: -read-token, or one of pulse token add -right read.", h.Store, h.Access.StoredRead, []store.Right{store.MayRead, store.MayAdmin}, h.Access.ReadToken)
	write := bearer("write", "A token for posting: -write-token, or one of pulse token add.", h.Store, h.Access.StoredPost, []store.Right{store.MayPost}, h.Access.WriteTokens...)
	admin := bearer("admin", "A token of pulse token add -right admin.", h.Store, true, []store.Right{store.MayAdmin})
	if len(write) > 0 {
		h.writer = write[0][0].Scheme
	}
	h.admin = admin[0][0].Scheme
	a.Defaults.Security = read
	post := api.Operation{
		Security: write, BodyLimit: maxBody, Summary: "Store a batch of readings", Unchecked: true,
		Errors: []error{api.NewProblem(http.StatusForbidden, tooManyHosts), api.NewProblem(http.StatusConflict, clockAhead)},
	}
	api.Handle(a, "POST /v2/readings", h.post, post)
	post.Description = "The same as POST /v2/readings, except that batches in the binary format have layout 1, in which older agents post."
	api.Handle(a, "POST /v1/readings", h.post, post)
	api.Handle(a, "GET /v1/watched", h.Live.watched, api.Operation{
		Security: write, Summary: "Whether somebody looks at readings", Description: "Agents then post each reading at once. Otherwise they post several together.",
	})
	api.Handle(a, "GET /v1/readings", query(h, h.readings), api.Operation{
		Summary: "Stored readings, a page at a time", Middlewares: []func(http.Handler) http.Handler{limitPages(maxPages, pageWait, pageSend), wireSchema[readingsOutput]()},
	})
	shared := []func(http.Handler) http.Handler{newSharing(read).middleware}
	const pages = "All of them in one answer, unless limit is set or their readings are very large. The answer may be a second old."
	api.Handle(a, "GET /v1/hosts", query(h, h.hosts), api.Operation{Summary: "The hosts that have readings", Description: pages, Middlewares: shared})
	api.Handle(a, "GET /v1/overview", query(h, h.overview), api.Operation{Summary: "The current state of every host", Description: pages, Middlewares: shared})
	api.Handle(a, "GET /v1/alerts", query(h, h.alerts), api.Operation{Summary: "The alerts, the incidents that they are part of, their last hundred changes, and the deliveries to the targets", Middlewares: shared})
	api.Handle(a, "GET /v1/silences", query(h, h.silences), api.Operation{Summary: "The silences of alerts"})
	api.Handle(a, "POST /v1/silences", query(h, h.addSilence), api.Operation{
		Security: admin, Summary: "Silence alerts for a time", Description: "The alerts are shown, but not reported. An alert that still holds at the end is reported then.",
	})
	api.Handle(a, "DELETE /v1/silences/{id}", query(h, h.endSilence), api.Operation{Security: admin, Summary: "End a silence"})
	api.Handle(a, "GET /v1/rules", h.rules, api.Operation{Summary: "The rules by which this server judges hosts"})
	api.Handle(a, "POST /v1/rules", h.reloadRules, api.Operation{
		Security: admin, Summary: "Read the rules again", Description: "The server reads the file of its flag -rules again. If the file has a mistake or no rules, the rules stay as they are. Other servers of the database do not read theirs.",
		Errors: []error{api.NewProblem(http.StatusUnprocessableEntity, "The rules stay as they are")},
	})
	api.Handle(a, "GET /v1/series", query(h, h.series), api.Operation{
		Summary: "The values of a host over a span of time", Middlewares: []func(http.Handler) http.Handler{wireSchema[store.Series]()},
		Description: "In steps of equal length, each with the lowest, mean and highest value. Steps without readings are left out.",
	})
	api.Handle(a, "GET /v1/hosts/{host}", query(h, h.host), api.Operation{Summary: "The newest reading of a host"})
	api.Handle(a, "PATCH /v1/hosts/{host}", query(h, h.rename), api.Operation{
		Security: admin, Summary: "Rename a host", Description: "Readings that are posted under the old name later get the new one.",
		Errors: []error{api.NewProblem(http.StatusConflict, hostExists)},
	})
	api.Handle(a, "DELETE /v1/hosts/{host}", query(h, h.remove), api.Operation{Security: admin, Summary: "Remove a host and its readings", Description: "A host that reports again is back."})
	api.Handle(a, "GET /metrics", h.Metrics.content, api.Operation{Summary: "The metrics of the server, for Prometheus", ContentType: "text/plain"})
	api.Handle(a, "GET /healthz", h.checkHealth, api.Operation{
		Security: []security.Requirement{}, Summary: "Whether the database can be read and written, and the broker answers",
	})
	api.HandleEvents(a, "GET /v1/live", h.Live.stream, api.Operation{
		Summary: "New readings as soon as they are stored", Heartbeat: heartbeat, Description: "Server-sent events, each with a reading in JSON.",
		Events: map[string]any{"": telemetry.Reading{}},
	})
}

// Document describes the API without a server, for hone openapi export.
func Document() *openapi.Document {
	a := api.New(web.New())
	register(a, &handlers{Options: Options{Live: NewLive()}})
	return openapi.Describe(a, description)
}

// description has the texts of the document at /openapi.json that do not come from the types of
// the handlers. The page at /docs shows the document.
var description = openapi.Config{
	Title:       "Pulse",
	Version:     "1",
	Description: "The telemetry of hosts. Agents post it. Clients query the stored readings, or follow new readings live.",
	Servers:     []string{"/"}, // the server that sent the document
}

// wireSchema returns middleware that sets the header Wire-Schema of responses to the fingerprint of
// Out's schema. The bytes of the wire format do not contain the schema, and the page may be from
// another version of pulse, so the page compares the fingerprint with its own before it decodes.
func wireSchema[Out any]() func(http.Handler) http.Handler {
	s, err := wire.SchemaOf[Out]()
	if err != nil {
		panic(err) // not reached: handlers return only types that the wire format supports
	}
	fingerprint := s.Fingerprint().String()
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Wire-Schema", fingerprint)
			next.ServeHTTP(w, r)
		})
	}
}
