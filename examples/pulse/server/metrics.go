package server

import (
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/web"
)

// Metrics are the server's own metrics for Prometheus, at GET /metrics.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	readings *prometheus.CounterVec
	writes   *prometheus.HistogramVec
	waiting  prometheus.Gauge
	reports  *prometheus.CounterVec
}

// NewMetrics returns Metrics whose counts are 0.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pulse_http_requests_total", Help: "Requests that have been answered, by the pattern of their route.",
		}, []string{"route", "status"}),
		readings: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pulse_readings_total", Help: "Readings that were posted to this server, by result.",
		}, []string{"result"}),
		writes: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "pulse_write_seconds", Help: "Time to write a group of batches to the database.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 14),
		}, []string{"result"}),
		reports: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pulse_alert_deliveries_total", Help: "Attempts of this server to deliver a report of an alert, by the target and the result.",
		}, []string{"target", "result"}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "pulse_queue_batches", Help: "Batches that wait to be stored, or are being stored.",
		}),
	}
	m.registry.MustRegister(m.requests, m.readings, m.writes, m.waiting, m.reports,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, result := range []string{"stored", "repeated", "queued", "refused"} {
		m.readings.WithLabelValues(result) // creates the metric with the value 0
	}
	return m
}

// Gauge adds a metric. Each scrape calls the function read for its value, so this function
// must not block.
func (m *Metrics) Gauge(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read))
}

// Files adds a metric: the total size of some files in bytes, such as a database and its
// write-ahead log. Files that do not exist count as empty.
func (m *Metrics) Files(name, help string, paths ...string) {
	m.Gauge(name, help, func() (bytes float64) {
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil {
				bytes += float64(info.Size())
			}
		}
		return bytes
	})
}

// Writer returns a Writer that calls w and measures each group of batches.
func (m *Metrics) Writer(w queue.Writer) queue.Writer { return &timedWriter{w, m} }

type timedWriter struct {
	queue.Writer
	metrics *Metrics
}

func (w *timedWriter) Write(ctx context.Context, batches [][]telemetry.Reading) ([][]telemetry.Reading, error) {
	began, result := time.Now(), "ok"
	fresh, err := w.Writer.Write(ctx, batches)
	if err != nil {
		result = "error"
	}
	w.metrics.writes.WithLabelValues(result).Observe(time.Since(began).Seconds())
	return fresh, err
}

// Delivered counts an attempt to deliver a report of an alert.
func (m *Metrics) Delivered(target string, err error) {
	result := "ok"
	if err != nil {
		result = "error"
	}
	m.reports.WithLabelValues(target, result).Inc()
}

// targets creates the counters of the targets of alerts with the value 0, so that the first failure is an increase.
func (m *Metrics) targets(names []string) {
	for _, name := range names {
		for _, result := range []string{"ok", "error"} {
			m.reports.WithLabelValues(name, result)
		}
	}
}

func (m *Metrics) posted(result string, n int) {
	m.readings.WithLabelValues(result).Add(float64(n))
}

// count is the middleware that counts requests. Its label is the route, not the path, so that
// clients cannot create new label values.
func (m *Metrics) count(next web.HandlerFunc) web.HandlerFunc {
	return func(c *web.Context) error {
		err := next(c)
		_, status := web.ResolveResponseStatus(c.Response(), err)
		m.requests.WithLabelValues(c.Path(), strconv.Itoa(status)).Inc()
		return err
	}
}

// content returns all metrics in the text format of Prometheus.
func (m *Metrics) content(context.Context, *struct{}) (*api.Content, error) {
	families, err := m.registry.Gather()
	if err != nil {
		return nil, err
	}
	format := expfmt.NewFormat(expfmt.TypeTextPlain)
	return &api.Content{Type: string(format), Write: func(w io.Writer) (err error) {
		encoder := expfmt.NewEncoder(w, format)
		for _, family := range families {
			err = errors.Join(err, encoder.Encode(family))
		}
		return err
	}}, nil
}
