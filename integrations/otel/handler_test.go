package otel_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/hone-go/hone/api"
	honeotel "github.com/hone-go/hone/integrations/otel"
	"github.com/hone-go/hone/web"
)

type hostIn struct {
	Host string `path:"host"`
}

type hostOut struct{ Host, Trace string }

func host(ctx context.Context, in *hostIn) (*hostOut, error) {
	switch in.Host {
	case "missing":
		return nil, api.NewProblem(404, "no such host")
	case "broken":
		return nil, errors.New("broken")
	}
	return &hostOut{in.Host, oteltrace.SpanContextFromContext(ctx).TraceID().String()}, nil
}

func stream(w http.ResponseWriter, _ *http.Request) {
	for i := range 3 {
		fmt.Fprintln(w, i)
		w.(http.Flusher).Flush()
		time.Sleep(20 * time.Millisecond)
	}
}

// routers returns the routers whose routes are recorded, by name.
func routers() map[string]http.Handler {
	e := web.New()
	api.Handle(e, "GET /v1/hosts/{host}", host)
	e.GET("/stream", web.WrapHandler(http.HandlerFunc(stream)))
	e.GET("/panic", func(*web.Context) error { panic(http.ErrAbortHandler) })
	e.GET("/wait", func(c *web.Context) error { <-c.Request().Context().Done(); return nil })
	e.GET("/native/:id", func(c *web.Context) error { return c.String(http.StatusTeapot, c.Param("id")) })
	mux := http.NewServeMux()
	api.Handle(api.Mux(mux), "GET /v1/hosts/{host}", host)
	mux.HandleFunc("GET /stream", stream)
	mux.HandleFunc("GET /panic", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("GET /wait", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("GET /native/{id}", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) })
	return map[string]http.Handler{"web": e, "ServeMux": mux}
}

type recorder struct {
	spans   *tracetest.InMemoryExporter
	metrics *metric.ManualReader
	*httptest.Server
}

func record(t *testing.T, h http.Handler, config honeotel.Config) recorder {
	r := recorder{spans: tracetest.NewInMemoryExporter(), metrics: metric.NewManualReader()}
	config.TracerProvider = trace.NewTracerProvider(trace.WithSyncer(r.spans))
	config.MeterProvider = metric.NewMeterProvider(metric.WithReader(r.metrics))
	r.Server = httptest.NewUnstartedServer(honeotel.Handler(h, config))
	r.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.Start()
	t.Cleanup(r.Close)
	return r
}

// raw sends the bytes of a request, and waits for the end of the response.
func (r recorder) raw(t *testing.T, request string) {
	t.Helper()
	c, err := net.Dial("tcp", r.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, request)
	if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

// span waits for the next span, removes it from the recorder and returns it.
func (r recorder) span(t *testing.T) tracetest.SpanStub {
	t.Helper()
	for range 300 {
		if all := r.spans.GetSpans(); len(all) > 0 {
			r.spans.Reset()
			return all[0]
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("no span was recorded")
	return tracetest.SpanStub{}
}

// TestConnect sends CONNECT requests for arbitrary paths. A ServeMux that redirects such a request sets
// the Pattern to the path, which must not be recorded as the route.
func TestConnect(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/hosts/{id}/", func(http.ResponseWriter, *http.Request) {})
	r := record(t, mux, honeotel.Config{})
	for _, target := range []string{"/hosts/1", "/hosts//2", "/hosts/%ff", "/hosts/3/"} {
		r.raw(t, "CONNECT "+target+" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
		if s := r.span(t); s.Name != "CONNECT" && s.Name != "CONNECT /hosts/{id}/" {
			t.Errorf("%s: span %q", target, s.Name)
		}
	}
	durations, _ := r.points(t)
	for _, d := range durations {
		if route := find(d.Attributes.ToSlice(), "http.route"); route != "" && route != "/hosts/{id}/" {
			t.Errorf("route %q", route)
		}
	}
}

// find returns attributes as text.
func find(list []attribute.KeyValue, keys ...string) string {
	var all []string
	for _, key := range keys {
		for _, a := range list {
			if string(a.Key) == key {
				all = append(all, a.Value.String())
			}
		}
	}
	return strings.Join(all, " ")
}

func (r recorder) points(t *testing.T) (durations []metricdata.HistogramDataPoint[float64], active int64) {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := r.metrics.Collect(t.Context(), &data); err != nil {
		t.Fatal(err)
	}
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch d := m.Data.(type) {
			case metricdata.Histogram[float64]:
				durations = append(durations, d.DataPoints...)
			case metricdata.Sum[int64]:
				for _, p := range d.DataPoints {
					active += p.Value
				}
			}
		}
	}
	return durations, active
}

func TestHandler(t *testing.T) {
	for name, router := range routers() {
		t.Run(name, func(t *testing.T) {
			r := record(t, router, honeotel.Config{Skip: func(r *http.Request) bool { return r.URL.Path == "/health" }})
			id, hosts := "/native/{id}", "/v1/hosts/{host}"
			if name == "web" { // these are the patterns of web
				id, hosts = "/native/:id", "/v1/hosts/:host"
			}
			for _, c := range []struct {
				request, span, attributes string // method, status, route, error.type
				status                    codes.Code
			}{
				{"GET /v1/hosts/a?secret=1", "GET " + hosts, "GET 200 " + hosts, codes.Unset},
				{"HEAD /v1/hosts/a", "HEAD " + hosts, "HEAD 200 " + hosts, codes.Unset},
				{"GET /v1/hosts/missing", "GET " + hosts, "GET 404 " + hosts, codes.Unset},
				{"GET /v1/hosts/broken", "GET " + hosts, "GET 500 " + hosts + " 500", codes.Error},
				{"GET /native/1", "GET " + id, "GET 418 " + id, codes.Unset},
				{"GET /stream", "GET /stream", "GET 200 /stream", codes.Unset},
				{"GET /panic", "GET /panic", "GET 500 /panic panic", codes.Error},
				{"GET /nowhere", "GET", "GET 404", codes.Unset},
				{"POST /stream", "POST", "POST 405", codes.Unset},
				{"BREW /stream", "HTTP", "_OTHER 405", codes.Unset},
				{"get /stream", "HTTP", "_OTHER 405", codes.Unset},
			} {
				r.raw(t, c.request+" HTTP/1.1\r\nHost: example.org:81\r\nUser-Agent: \xff\r\nConnection: close\r\n\r\n")
				s := r.span(t)
				got := find(s.Attributes, "http.request.method", "http.response.status_code", "http.route", "error.type")
				if s.Name != c.span || got != c.attributes || s.Status.Code != c.status || s.SpanKind != oteltrace.SpanKindServer {
					t.Errorf("%s: span %q, %s, %v", c.request, s.Name, got, s.Status)
				}
				if got := find(s.Attributes, "server.address", "server.port", "user_agent.original", "network.protocol.version", "url.scheme"); got != "example.org 81 \uFFFD 1.1 http" {
					t.Errorf("%s: %s", c.request, got)
				}
				if strings.Contains(fmt.Sprint(s.Attributes), "secret") {
					t.Errorf("%s: the query was recorded", c.request)
				}
			}
			r.raw(t, "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			request, _ := http.NewRequestWithContext(ctx, "GET", r.URL+"/wait", nil)
			if resp, err := r.Client().Do(request); err == nil {
				resp.Body.Close()
				t.Error("the request succeeded although its context ended")
			}
			if s := r.span(t); find(s.Attributes, "http.route", "error.type", "http.response.status_code") != "/wait client_closed" {
				t.Errorf("the attributes for a client that has disconnected: %v", s.Attributes)
			}
			durations, active := r.points(t)
			count := uint64(0)
			for _, p := range durations {
				count += p.Count
				if route, _ := p.Attributes.Value("http.route"); route.AsString() == "/stream" && p.Sum < 0.06 {
					t.Errorf("the recorded duration of a stream is only %v seconds", p.Sum)
				}
			}
			if count != 12 || active != 0 {
				t.Errorf("%d durations, %d active requests", count, active)
			}
		})
	}
}

// TestCardinality sends requests that differ in everything that a client can choose. The number of series and the
// length of attributes stay bounded.
func TestCardinality(t *testing.T) {
	for name, router := range routers() {
		r := record(t, router, honeotel.Config{})
		for i := range 200 {
			r.raw(t, fmt.Sprintf("M%d /x%d/%%ff%s?q=%d HTTP/1.%d\r\nHost: h%d\r\nUser-Agent: %d\r\nConnection: close\r\n\r\n", i, i, strings.Repeat("y", 1000), i, i%2, i, i))
			r.raw(t, fmt.Sprintf("GET /v1/hosts/%d HTTP/1.1\r\nHost: h%d\r\nConnection: close\r\n\r\n", i, i))
		}
		if durations, _ := r.points(t); len(durations) != 3 { // requests without a route have a series for each version of HTTP; requests with a route have one
			t.Errorf("%s: %d series", name, len(durations))
		}
		for _, s := range r.spans.GetSpans() {
			for _, a := range s.Attributes {
				if len(a.Value.String()) > 256 {
					t.Errorf("%s has %d bytes", a.Key, len(a.Value.String()))
				}
			}
		}
	}
}

func TestPropagation(t *testing.T) {
	const id = "0af7651916cd43dd8448eb211c80319c"
	for _, public := range []bool{false, true} {
		r := record(t, routers()["web"], honeotel.Config{Public: public})
		for _, parent := range []string{"00-" + id + "-b7ad6b7169203331-01", "", "00-zz-b7ad6b7169203331-01", strings.Repeat("0", 10_000)} {
			request, _ := http.NewRequestWithContext(t.Context(), "GET", r.URL+"/v1/hosts/a", nil)
			request.Header.Set("traceparent", parent)
			resp, err := r.Client().Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			s := r.span(t)
			gotID := s.SpanContext.TraceID().String()
			if !strings.Contains(string(body), gotID) {
				t.Errorf("the handler has another trace: %s", body)
			}
			valid := strings.Contains(parent, id)
			if (gotID == id) != (valid && !public) {
				t.Errorf("public %v, parent %.60q: trace %s", public, parent, gotID)
			}
			if linked := slices.ContainsFunc(s.Links, func(l trace.Link) bool { return l.SpanContext.TraceID().String() == id }); linked != (valid && public) {
				t.Errorf("public %v, parent %.60q: links %v", public, parent, s.Links)
			}
		}
	}
}

func Example() {
	exporter := tracetest.NewInMemoryExporter()
	provider := trace.NewTracerProvider(trace.WithSyncer(exporter))

	e := web.New()
	e.GET("/hosts/:id", func(c *web.Context) error { return c.String(http.StatusOK, "hello") })
	h := honeotel.Handler(e, honeotel.Config{TracerProvider: provider})

	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/hosts/7", nil))
	fmt.Println(exporter.GetSpans()[0].Name)
	// Output: GET /hosts/:id
}
