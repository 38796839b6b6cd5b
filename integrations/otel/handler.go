// Package otel records traces and metrics of servers that use package web, package api or net/http. It
// follows version 1.43 of OpenTelemetry's semantic conventions for HTTP.
//
//	e := web.New()
//	http.ListenAndServe(":8080", honeotel.Handler(e))
//
// This handler must be the outermost one. The route is the request's Pattern, which web and
// http.ServeMux set: "/v1/hosts/:host" and "/v1/hosts/{host}". If a handler between this one and the
// router replaces the request, with WithContext, the route is not recorded.
//
// # Records
//
//   - A span for each request, named "GET /v1/hosts/{host}", or "GET" without a route. Its
//     parent is the span in the traceparent header. A sampler sees it before the route is known.
//   - http.server.request.duration, in seconds, and http.server.active_requests.
//
// Three events are errors: a status of 500 or more, a panic of a handler, and a client that disconnects
// before the response. The attribute error.type is the status, "panic" or "client_closed". A status 4xx
// is not an error. For a streamed response, the span and the duration end with the stream, and have the
// status that was sent in the header.
//
// # Untrusted clients
//
// The number of attribute values of metrics is bounded. A method that RFC 9110 does not define is
// recorded as "_OTHER". A request without a route has no route attribute. The host of a request is
// recorded only in spans. Text from requests is cut to 256 bytes of UTF-8. Queries are not recorded,
// because they may be secret. Baggage is not read. [Config.Public] prevents clients from deciding which
// requests are sampled.
package otel

import (
	"net/http"
	"strconv"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// A Config has the destinations of traces and metrics. The zero value uses OpenTelemetry's globals.
type Config struct {
	TracerProvider trace.TracerProvider
	MeterProvider  metric.MeterProvider
	// Propagator reads the parent of a span; nil means propagation.TraceContext, which is
	// W3C's traceparent and tracestate.
	Propagator propagation.TextMapPropagator
	// Public makes each span the root of a new trace. The span has a link to the parent that the
	// client sends.
	Public bool
	// Skip reports whether a request, such as a health check, is left out of the records. Nil means
	// that all requests are recorded.
	Skip func(r *http.Request) bool
}

const name = "github.com/hone-go/hone/integrations/otel"

type handler struct {
	next     http.Handler
	config   Config
	tracer   trace.Tracer
	duration metric.Float64Histogram
	active   metric.Int64UpDownCounter
}

// Handler records the requests that next handles. If an instrument cannot be created, the error is
// passed to otel.Handle, and the instrument records nothing.
func Handler(next http.Handler, config ...Config) http.Handler {
	h := &handler{next: next}
	if len(config) > 1 {
		panic("otel: more than one Config")
	}
	if len(config) == 1 {
		h.config = config[0]
	}
	if h.config.TracerProvider == nil {
		h.config.TracerProvider = otel.GetTracerProvider()
	}
	if h.config.MeterProvider == nil {
		h.config.MeterProvider = otel.GetMeterProvider()
	}
	if h.config.Propagator == nil {
		h.config.Propagator = propagation.TraceContext{}
	}
	h.tracer = h.config.TracerProvider.Tracer(name, trace.WithSchemaURL(semconv.SchemaURL))
	meter := h.config.MeterProvider.Meter(name, metric.WithSchemaURL(semconv.SchemaURL))
	var err error
	h.duration, err = meter.Float64Histogram("http.server.request.duration", metric.WithUnit("s"),
		metric.WithDescription("Duration of HTTP server requests."),
		metric.WithExplicitBucketBoundaries(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10))
	if err != nil {
		otel.Handle(err)
	}
	h.active, err = meter.Int64UpDownCounter("http.server.active_requests", metric.WithUnit("{request}"),
		metric.WithDescription("Number of active HTTP server requests."))
	if err != nil {
		otel.Handle(err)
	}
	return h
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.config.Skip != nil && h.config.Skip(r) {
		h.next.ServeHTTP(w, r)
		return
	}
	start := time.Now()
	method := knownMethod(r.Method)
	scheme := semconv.URLScheme("http")
	if r.TLS != nil {
		scheme = semconv.URLScheme("https")
	}
	common := []attribute.KeyValue{semconv.HTTPRequestMethodKey.String(method), scheme}
	ctx := h.config.Propagator.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(start), trace.WithAttributes(h.request(r, common)...)}
	if h.config.Public {
		options = append(options, trace.WithNewRoot())
		if remote := trace.SpanContextFromContext(ctx); remote.IsValid() && remote.IsRemote() {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: remote}))
		}
	}
	spanMethod := method
	if method == "_OTHER" {
		spanMethod = "HTTP"
	}
	ctx, span := h.tracer.Start(ctx, spanMethod, options...)
	active := metric.WithAttributeSet(attribute.NewSet(common...))
	h.active.Add(ctx, 1, active)

	r = r.WithContext(ctx)
	writer := &responseWriter{ResponseWriter: w}
	panicked := true
	defer func() {
		// A panic of a handler is recorded and passed on to the server.
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
		var found []attribute.KeyValue
		if writer.status != 0 {
			found = append(found, semconv.HTTPResponseStatusCode(writer.status))
		}
		if failure != "" {
			found = append(found, semconv.ErrorTypeKey.String(failure))
			span.SetStatus(codes.Error, "")
		}
		if route := routeOf(r); route != "" {
			found = append(found, semconv.HTTPRoute(route))
			span.SetName(spanMethod + " " + route)
		}
		span.SetAttributes(found...)
		span.End()
		h.active.Add(ctx, -1, active)
		found = append(found, common...)
		found = append(found, semconv.NetworkProtocolVersion(protocol(r)))
		h.duration.Record(ctx, time.Since(start).Seconds(), metric.WithAttributes(found...))
	}()
	h.next.ServeHTTP(writer, r)
	panicked = false
}
