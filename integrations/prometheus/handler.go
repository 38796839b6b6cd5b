// Package prometheus has metrics for Prometheus of servers that use package web, package api or net/http. The
// metrics have the names of OpenTelemetry's semantic conventions for HTTP.
//
//	e := web.New()
//	h, err := honeprometheus.Handler(e, honeprometheus.Config{})
//	http.ListenAndServe(":8080", h)
//
// This handler must be the outermost one. The route is the request's Pattern, which web and
// http.ServeMux set: "/v1/hosts/:host" and "/v1/hosts/{host}". If a handler between this one and the
// router replaces the request, with WithContext, the route is not recorded.
//
// # Measurements
//
//   - http_server_request_duration_seconds, a histogram with the labels http_request_method,
//     http_response_status_code, http_route and error_type.
//   - http_server_active_requests, with the label http_request_method.
//
// Three events are errors: a status of 500 or more, a panic of a handler, and a client that disconnects
// before the response. The label error_type is the status, "panic" or "client_closed". For a streamed
// response, the duration ends with the stream, and has the status that was sent in the header.
//
// # Untrusted clients
//
// No label contains text that a client chooses: a method that RFC 9110 does not define is "_OTHER", and
// http_route is "" for a request without a route. The number of series is bounded by the number of
// routes, multiplied by the numbers of methods and of response statuses.
package prometheus

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A Config selects the measurements and the registry. The zero value is the default.
type Config struct {
	// Registerer registers the metrics; nil means prometheus.DefaultRegisterer. Several handlers
	// may share a Registerer, and then count together.
	Registerer prometheus.Registerer
	// Buckets are the bounds of the histogram in seconds; nil means the bounds of the conventions,
	// from 5 ms to 10 s.
	Buckets []float64
	// Skip reports whether a request, such as a request of Prometheus itself, is left out of the
	// measurements. Nil means that all requests are measured.
	Skip func(r *http.Request) bool
}

type handler struct {
	next     http.Handler
	skip     func(r *http.Request) bool
	duration *prometheus.HistogramVec
	active   *prometheus.GaugeVec
}

// Handler measures the requests that next handles. It returns an error if the registerer has a
// different metric with the same name.
func Handler(next http.Handler, config Config) (http.Handler, error) {
	if config.Registerer == nil {
		config.Registerer = prometheus.DefaultRegisterer
	}
	if config.Buckets == nil {
		config.Buckets = []float64{0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10}
	}
	duration, err := register(config.Registerer, prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "http_server_request_duration_seconds", Help: "Duration of HTTP server requests.", Buckets: config.Buckets,
	}, []string{"http_request_method", "http_response_status_code", "http_route", "error_type"}))
	if err != nil {
		return nil, err
	}
	active, err := register(config.Registerer, prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "http_server_active_requests", Help: "Number of active HTTP server requests.",
	}, []string{"http_request_method"}))
	if err != nil {
		return nil, err
	}
	return &handler{next, config.Skip, duration, active}, nil
}

// register registers c, or returns the equal collector that is already registered.
func register[C prometheus.Collector](r prometheus.Registerer, c C) (C, error) {
	err := r.Register(c)
	var there prometheus.AlreadyRegisteredError
	if errors.As(err, &there) {
		if other, ok := there.ExistingCollector.(C); ok {
			return other, nil
		}
	}
	return c, err
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.skip != nil && h.skip(r) {
		h.next.ServeHTTP(w, r)
		return
	}
	start := time.Now()
	method := knownMethod(r.Method)
	active := h.active.WithLabelValues(method)
	active.Inc()
	writer := &responseWriter{ResponseWriter: w}
	panicked := true
	defer func() {
		// A panic of a handler is counted and passed on to the server.
		active.Dec()
		var failure string
		switch {
		case panicked:
			failure = "panic"
			if writer.status == 0 {
				writer.status = http.StatusInternalServerError
			}
		case writer.status == 0 && r.Context().Err() != nil:
			failure = "client_closed"
		case writer.status == 0:
			writer.status = http.StatusOK
		case writer.status >= 500:
			failure = strconv.Itoa(writer.status)
		}
		status := ""
		if writer.status != 0 {
			status = strconv.Itoa(writer.status)
		}
		h.duration.WithLabelValues(method, status, routeOf(r), failure).Observe(time.Since(start).Seconds())
	}()
	h.next.ServeHTTP(writer, r)
	panicked = false
}
