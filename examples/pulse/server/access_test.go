package server

import (
	"bytes"
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// ask sends a request. headers alternates names and values.
func (s *service) ask(method, path string, body []byte, headers ...string) answer {
	s.t.Helper()
	request, err := http.NewRequest(method, s.URL+path, bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		}
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := s.Client().Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	if response.Header.Get("Content-Type") == "text/event-stream" {
		return answer{response, nil}
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{response, text}
}

func TestTokens(t *testing.T) {
	var log bytes.Buffer
	s := serveWith(t, queue.Options{}, func(o *Options) {
		o.Access = Access{ReadToken: "gaze", WriteTokens: []string{"other", "tell"}}
		o.Log, o.Verbose = slog.New(slog.NewTextHandler(&log, nil)), true
	})
	batch := jsonOf(t, telemetry.Batch{Readings: []telemetry.Reading{reading("a", 0)}})
	for _, test := range []struct {
		method, path, token string
		status              int
	}{
		{"GET", "/", "", 200},
		{"GET", "/app.js", "", 200},
		{"GET", "/healthz", "", 200},
		{"GET", "/openapi.json", "", 200},
		{"GET", "/v1/hosts", "", 401},
		{"GET", "/v1/hosts", "Bearer tell", 401},
		{"GET", "/v1/hosts", "Bearer gaz", 401},
		{"GET", "/v1/hosts", "Basic gaze", 401},
		{"GET", "/v1/hosts", "Bearer gaze", 200},
		{"GET", "/v1/hosts", "bearer gaze", 200},
		{"GET", "/v1/readings", "", 401},
		{"GET", "/v1/readings", "Bearer gaze", 200},
		{"GET", "/v1/live", "", 401},
		{"GET", "/v1/live", "Bearer gaze", 200},
		{"GET", "/metrics", "", 401},
		{"GET", "/metrics", "Bearer tell", 401},
		{"GET", "/metrics", "Bearer gaze", 200},
		{"POST", "/v1/readings", "", 401},
		{"POST", "/v1/readings", "Bearer gaze", 401},
		{"POST", "/v1/readings", "Bearer tell", 200},
	} {
		a := s.ask(test.method, test.path, batch, "Authorization", test.token, "Content-Type", "application/json")
		if a.StatusCode != test.status {
			t.Errorf("%s %s with %q: %s, want %d", test.method, test.path, test.token, a.Status, test.status)
		}
		if challenge := a.Header.Get("WWW-Authenticate"); (challenge != "") != (a.StatusCode == 401) {
			t.Errorf("%s %s with %q has the challenge %q", test.method, test.path, test.token, challenge)
		}
	}
	if document := string(s.get("/openapi.json").body); strings.Count(document, `"scheme": "bearer"`) != 3 || strings.Contains(document, "gaze") {
		t.Error("the document does not show exactly the three schemes")
	}
	// An ID is random letters, which may contain the token.
	logged := regexp.MustCompile(`request_id=\S+`).ReplaceAllString(log.String(), "")
	for _, secret := range []string{"gaze", "tell"} {
		if strings.Contains(logged, secret) {
			t.Errorf("the log has the token %q:\n%s", secret, &log)
		}
	}
}

func TestHostHeader(t *testing.T) {
	s := serveWith(t, queue.Options{}, func(o *Options) { o.Access = Access{Hosts: []string{"Monitor.example."}} })
	for name, status := range map[string]int{
		"localhost": 200, "LOCALHOST:80": 200, "a.localhost": 200, "localhost.": 200, "127.0.0.1:8080": 200, "10.1.2.3": 200,
		"[::1]:8080": 200, "[2001:db8::1]": 200, "monitor.example": 200, "monitor.example.": 200, "Monitor.Example:443": 200,
		"evil.example": 421, "evil.example:8080": 421, "localhost.evil.example": 421, "monitor.example.evil.example": 421, "xlocalhost": 421,
	} {
		for _, path := range []string{"/v1/hosts", "/", "/metrics"} {
			a := s.ask("GET", path, nil, "Host", name)
			if a.StatusCode != status || status == 421 && !bytes.Contains(a.body, []byte("-allow-host")) {
				t.Errorf("%s at %s: %s %s, want %d", path, name, a.Status, a.body, status)
			}
		}
	}
}

func TestPrometheus(t *testing.T) {
	s := serve(t, queue.Options{})
	one := reading("a", time.Second)
	s.post(one)
	s.post(one, reading("b", 0))
	s.post(telemetry.Reading{Host: "a", At: time.Now().Add(time.Hour)})
	s.get("/v1/hosts/a")
	s.get("/v1/hosts/nobody")
	s.get("/anything/at/all")
	text := string(s.get("/metrics").body)
	for _, line := range []string{
		`pulse_readings_total{result="stored"} 2`,
		`pulse_readings_total{result="repeated"} 1`,
		`pulse_readings_total{result="refused"} 1`,
		`pulse_http_requests_total{route="/v1/readings",status="200"} 2`,
		`pulse_http_requests_total{route="/v1/readings",status="409"} 1`,
		`pulse_http_requests_total{route="/v1/hosts/:host",status="404"} 1`,
		`pulse_live_clients 0`,
		`go_goroutines `,
		`process_resident_memory_bytes `,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %s", line)
		}
	}
	if strings.Contains(text, "anything") || strings.Contains(text, "nobody") {
		t.Error("a label has text from a client")
	}
	if t.Failed() {
		t.Log(text)
	}
}

// TestGzip checks the compression of responses, and that a stream is sent without delay to a client
// that accepts gzip.
func TestGzip(t *testing.T) {
	s := serve(t, queue.Options{})
	for i := range 100 {
		s.post(reading("a", time.Duration(i)*time.Second))
	}
	for _, path := range []string{"/v1/readings", "/app.js", "/openapi.json"} {
		a := s.ask("GET", path, nil, "Accept-Encoding", "gzip")
		z, err := gzip.NewReader(bytes.NewReader(a.body))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		whole, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(whole, s.get(path).body) {
			t.Errorf("%s: %v, or the text differs", path, err)
		}
		t.Logf("%s: %d bytes of %d", path, len(a.body), len(whole))
	}
	request, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/v1/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip")
	response, err := s.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if coding := response.Header.Get("Content-Encoding"); coding != "" {
		t.Errorf("the stream is encoded by %q", coding)
	}
}

// serveWith is serve with changed options.
func serveWith(t *testing.T, options queue.Options, change func(*Options)) *service {
	t.Helper()
	s := serve(t, options)
	o := s.options
	o.Metrics = NewMetrics()
	change(&o)
	s.Server = httptest.NewServer(New(o))
	t.Cleanup(s.Server.Close)
	t.Cleanup(s.CloseClientConnections)
	return s
}

// TestFiles adds the sizes of a database and its write-ahead log, which may not exist.
func TestFiles(t *testing.T) {
	s := serveWith(t, queue.Options{}, func(o *Options) {
		o.Metrics = NewMetrics()
		dir := t.TempDir()
		o.Metrics.Files("pulse_test_bytes", "Test.", filepath.Join(dir, "a"), filepath.Join(dir, "a-wal"), filepath.Join(dir, "none"))
		for name, size := range map[string]int{"a": 1000, "a-wal": 234} {
			if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	})
	if text := string(s.get("/metrics").body); !strings.Contains(text, "pulse_test_bytes 1234\n") {
		t.Errorf("no size of the files in\n%s", text)
	}
}
