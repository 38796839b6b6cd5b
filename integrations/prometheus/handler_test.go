package prometheus_test

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	honeprometheus "github.com/hone-go/hone/integrations/prometheus"
	"github.com/hone-go/hone/web"
)

func routers() map[string]http.Handler {
	e := web.New()
	e.GET("/hosts/:id", func(c *web.Context) error { return c.String(http.StatusOK, c.Param("id")) })
	e.GET("/broken", func(*web.Context) error { return web.NewHTTPError(http.StatusBadGateway, "broken") })
	e.GET("/panic", func(*web.Context) error { panic(http.ErrAbortHandler) })
	e.GET("/stream", func(c *web.Context) error {
		for range 3 {
			fmt.Fprintln(c.Response(), "x")
			if err := http.NewResponseController(c.Response()).Flush(); err != nil {
				return err
			}
			time.Sleep(20 * time.Millisecond)
		}
		return nil
	})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hosts/{id}", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	mux.HandleFunc("GET /panic", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("GET /stream", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		for range 3 {
			fmt.Fprintln(w, "x")
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	})
	return map[string]http.Handler{"web": e, "ServeMux": mux}
}

func raw(t *testing.T, s *httptest.Server, request string) {
	t.Helper()
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, request+" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
	if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

// TestConnect sends CONNECT requests for arbitrary paths. A ServeMux that redirects such a request sets
// the Pattern to the path, which must not become a label.
func TestConnect(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/hosts/{id}/", func(http.ResponseWriter, *http.Request) {})
	registry := prometheus.NewRegistry()
	h, err := honeprometheus.Handler(mux, honeprometheus.Config{Registerer: registry})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	for _, target := range []string{"/hosts/1", "/hosts//2", "/hosts/%ff", "/hosts/3/", "/hosts/./4/"} {
		raw(t, s, "CONNECT "+target)
		raw(t, s, "GET "+target)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				if l.GetName() == "http_route" && l.GetValue() != "" && l.GetValue() != "/hosts/{id}/" {
					t.Errorf("route %q", l.GetValue())
				}
				if l.GetName() == "error_type" && l.GetValue() != "" {
					t.Errorf("error %q", l.GetValue())
				}
			}
		}
	}
}

func TestHandler(t *testing.T) {
	for name, router := range routers() {
		t.Run(name, func(t *testing.T) {
			registry := prometheus.NewRegistry()
			h, err := honeprometheus.Handler(router, honeprometheus.Config{Registerer: registry, Skip: func(r *http.Request) bool { return r.URL.Path == "/skip" }})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := honeprometheus.Handler(router, honeprometheus.Config{Registerer: registry}); err != nil {
				t.Errorf("a second handler: %v", err)
			}
			s := httptest.NewUnstartedServer(h)
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			s.Start()
			defer s.Close()
			for i := range 100 {
				raw(t, s, fmt.Sprintf("GET /hosts/%d?q=%d", i, i))
				raw(t, s, fmt.Sprintf("M%d /x%d", i, i))
			}
			for _, request := range []string{"GET /broken", "GET /panic", "GET /stream", "GET /nowhere", "GET /skip"} {
				raw(t, s, request)
			}
			hosts := "/hosts/{id}"
			if name == "web" { // this is the pattern of web
				hosts = "/hosts/:id"
			}
			want := []string{
				"GET 200 " + hosts + " = 100", "GET 200 /stream = 1", "GET 404 = 1", "GET 500 /panic panic = 1", "GET 502 /broken 502 = 1", "_OTHER 404 = 100",
			}
			var got []string
			for range 200 { // a panic is recorded after its connection has ended
				if got = series(t, registry); len(got) == len(want) {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			sort.Strings(want)
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%q; want %q", got, want)
			}
			w := httptest.NewRecorder()
			promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
			if text := w.Body.String(); !strings.Contains(text, `http_server_active_requests{http_request_method="GET"} 0`) {
				t.Errorf("active requests: %s", text)
			}
		})
	}
}

// series lists the labels and counts of durations.
func series(t *testing.T, registry *prometheus.Registry) (all []string) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if m.GetHistogram() == nil {
				continue
			}
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			line := strings.Join(strings.Fields(labels["http_request_method"]+" "+labels["http_response_status_code"]+" "+labels["http_route"]+" "+labels["error_type"]), " ")
			if labels["http_route"] == "/stream" && m.GetHistogram().GetSampleSum() < 0.06 {
				t.Errorf("the recorded duration of a stream is only %v seconds", m.GetHistogram().GetSampleSum())
			}
			all = append(all, fmt.Sprint(line, " = ", m.GetHistogram().GetSampleCount()))
		}
	}
	sort.Strings(all)
	return all
}

func TestTaken(t *testing.T) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(prometheus.NewCounter(prometheus.CounterOpts{Name: "http_server_active_requests", Help: "Number of active HTTP server requests."}))
	if _, err := honeprometheus.Handler(http.NotFoundHandler(), honeprometheus.Config{Registerer: registry}); err == nil {
		t.Error("no error for a metric whose name is already registered")
	}
}

func Example() {
	registry := prometheus.NewRegistry()
	e := web.New()
	e.GET("/hosts/:id", func(c *web.Context) error { return c.String(http.StatusOK, "hello") })
	h, err := honeprometheus.Handler(e, honeprometheus.Config{Registerer: registry})
	if err != nil {
		panic(err)
	}
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/hosts/7", nil))

	families, _ := registry.Gather()
	for _, f := range families {
		fmt.Println(f.GetName(), len(f.GetMetric()))
	}
	// Output:
	// http_server_active_requests 1
	// http_server_request_duration_seconds 1
}
