// Package prometheus measures servers of package web, of package api and of net/http for
// Prometheus, with the names of OpenTelemetry's semantic conventions for HTTP.
//
//	e := web.New()
//	h, err := honeprometheus.Handler(e, honeprometheus.Config{})
//	http.ListenAndServe(":8080", h)
//
// This handler wraps all others. The route is the request's Pattern, which web and http.ServeMux
// set: "/v1/hosts/:host" and "/v1/hosts/{host}". A handler in between that makes a new request, by
// WithContext, hides it.
//
// # Measurements
//
//   - http_server_request_duration_seconds, a histogram, by http_request_method,
//     http_response_status_code, http_route and error_type.
//   - http_server_active_requests, by http_request_method.
//
// A status of 500 or more is an error, as are a handler that panics and a client that is gone
// before there was an answer; error_type is the status, "panic" or "client_closed". The
// duration of a stream ends with it; its status is that of its header.
//
// # Strangers
//
// No label has text that a client makes up: a method that RFC 9110 does not define is "_OTHER", and
// http_route is "" for a request without a route. There are as many series as there are
// routes, times the methods and statuses that they answer with.
package prometheus

import (
	"errors"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A Config selects the measurements and their registry. The zero value is the default.
type Config struct {
	// Registerer is where metrics are registered; nil means prometheus.DefaultRegisterer. Several
	// handlers may share a registerer; they then share the metrics.
	Registerer prometheus.Registerer
	// Buckets are bounds of durations in seconds; nil means the bounds of the conventions, from 5
	// ms to 10 s.
	Buckets []float64
	// Skip reports requests that are not measured, such as Prometheus's own.
	Skip func(r *http.Request) bool
}

type handler struct {
	next     http.Handler
	skip     func(r *http.Request) bool
	duration *prometheus.HistogramVec
	active   *prometheus.GaugeVec
}

// Handler measures the requests that next answers. It returns the registerer's error if another
// metric has the same name.
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

// register returns c, or the collector that is registered in its place.
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
		// A panic of the handler continues to the server.
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

// knownMethod returns a method of RFC 9110 or RFC 5789, or "_OTHER".
func knownMethod(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE":
		return method
	}
	return "_OTHER"
}

// routeOf returns the path of the pattern that a router has found, without method and host; "" if
// it has found none. If a ServeMux redirects CONNECT to a path with a trailing slash, the request's
// Pattern is this path, which the client has chosen.
func routeOf(r *http.Request) string {
	pattern := r.Pattern
	if pattern != "" && pattern == path.Clean("/"+r.URL.Path)+"/" {
		return ""
	}
	if i := strings.IndexByte(pattern, '/'); i > 0 {
		return pattern[i:]
	}
	return pattern
}
