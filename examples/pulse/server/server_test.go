package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/examples/pulse/watch"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// A service is the whole server on a new database.
type service struct {
	*httptest.Server
	t       *testing.T
	live    *Live
	options Options
}

func serve(t *testing.T, options queue.Options) *service {
	t.Helper()
	live, keep := NewLive(), store.Options{Retention: 24 * time.Hour}
	if options.Stored == nil {
		options.Stored = live.Publish
	}
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pulse.db"), keep)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	batches := queue.NewLocal(db, options)
	t.Cleanup(func() { batches.Close() })
	agents := NewAgents(db, slog.New(slog.DiscardHandler))
	background, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { agents.Run(background) })
	t.Cleanup(func() { stop(); running.Wait() })
	s := &service{t: t, live: live, options: Options{Store: db, Queue: batches, Live: live, Agents: agents, Keep: keep, Log: slog.New(slog.DiscardHandler), Rules: watch.FixedRules(watch.Set{Rules: watch.Defaults})}}
	s.Server = httptest.NewServer(New(s.options))
	t.Cleanup(s.Server.Close)
	t.Cleanup(s.CloseClientConnections) // streams too
	return s
}

type answer struct {
	*http.Response
	body []byte
}

func (s *service) do(method, path, contentType, accept string, body []byte) answer {
	s.t.Helper()
	request, err := http.NewRequest(method, s.URL+path, bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	response, err := s.Client().Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{response, text}
}

func (s *service) get(path string) answer { s.t.Helper(); return s.do("GET", path, "", "", nil) }

func (s *service) post(readings ...telemetry.Reading) answer {
	s.t.Helper()
	return s.do("POST", "/v1/readings", "application/json", "", jsonOf(s.t, telemetry.Batch{Readings: readings}))
}

func jsonOf(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func reading(host string, ago time.Duration) telemetry.Reading {
	return telemetry.Reading{Host: host, At: time.Now().Add(-ago).UTC().Truncate(time.Millisecond), CPU: mo.Some(50.0), Cores: []float64{0, 100}}
}

// TestBothFormats posts a batch in each format, and requests it in each format.
func TestBothFormats(t *testing.T) {
	s := serve(t, queue.Options{})
	batch := telemetry.Batch{Readings: []telemetry.Reading{reading("a", time.Minute), {Host: "b", At: reading("b", 0).At}}}
	binary, err := wire.Marshal(&batch)
	if err != nil {
		t.Fatal(err)
	}
	posts := []struct {
		contentType string
		body        []byte
		want        string
	}{
		{api.MediaTypeWire, binary, `{"stored":2,"repeated":0}`},
		{"application/json", jsonOf(t, batch), `{"stored":0,"repeated":2}`},
		{api.MediaTypeWire, binary, `{"stored":0,"repeated":2}`},
	}
	for i, p := range posts {
		if a := s.do("POST", "/v2/readings", p.contentType, "", p.body); a.StatusCode != 200 || strings.TrimSpace(string(a.body)) != p.want {
			t.Errorf("post %d: %s %s, want %s", i, a.Status, a.body, p.want)
		}
	}

	var fromJSON, fromWire readingsOutput
	if a := s.do("GET", "/v1/readings", "", "application/json", nil); a.StatusCode != 200 || json.Unmarshal(a.body, &fromJSON) != nil {
		t.Errorf("JSON: %s %s", a.Status, a.body)
	}
	a := s.do("GET", "/v1/readings", "", api.MediaTypeWire, nil)
	if err := wire.Unmarshal(a.body, &fromWire); err != nil || a.Header.Get("Content-Type") != api.MediaTypeWire {
		t.Errorf("binary: %s of %s: %v", a.Status, a.Header.Get("Content-Type"), err)
	}
	if !reflect.DeepEqual(fromJSON.Readings, batch.Readings) || !reflect.DeepEqual(fromWire.Readings, batch.Readings) {
		t.Errorf("posted %+v\nJSON   %+v\nbinary %+v", batch.Readings, fromJSON.Readings, fromWire.Readings)
	}
}

// TestLittle posts the smallest valid batch, which the API document must allow.
func TestLittle(t *testing.T) {
	s := serve(t, queue.Options{})
	post := func(body string) answer {
		return s.do("POST", "/v1/readings", "application/json", "", []byte(`{"readings":[`+body+`]}`))
	}
	at := `"at":"` + time.Now().UTC().Format(time.RFC3339) + `"`
	for i, rest := range []string{``, `,"temperatures":[{"sensor":"oven","celsius":180}]`, `,"cores":null,"disks":[],"cpu":null`} {
		body := fmt.Sprintf(`{"host":"kitchen%d",%s%s}`, i, at, rest)
		if a := post(body); a.StatusCode != 200 {
			t.Errorf("%s: %s %s", body, a.Status, a.body)
		}
	}
	for _, body := range []string{`{"host":"a"}`, `{` + at + `}`, `{"host":"a",` + at + `,"temperatures":[{"sensor":"oven"}]}`} {
		if a := post(body); a.StatusCode != 422 || !strings.Contains(string(a.body), "is required") {
			t.Errorf("%s: %s %s", body, a.Status, a.body)
		}
	}
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Required []string `json:"required"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(s.get("/openapi.json").body, &document); err != nil {
		t.Fatal(err)
	}
	if got := document.Components.Schemas["Reading"].Required; !slices.Equal(got, []string{"host", "at"}) {
		t.Errorf("the document requires %q", got)
	}
}

func TestBadRequests(t *testing.T) {
	s := serve(t, queue.Options{})
	ahead := reading("a", -time.Hour)
	manyReadings := make([]telemetry.Reading, telemetry.MaxBatch+1)
	for i := range manyReadings {
		manyReadings[i] = reading("a", time.Duration(i)*time.Second)
	}
	const asJSON = "application/json"
	for _, test := range []struct {
		name, method, path, contentType string
		body                            []byte
		status                          int
		want                            string
	}{
		{"limit 0", "GET", "/v1/readings?limit=0", "", nil, 422, "must be at least 1"},
		{"limit too high", "GET", "/v1/readings?limit=1001", "", nil, 422, "must be at most 1000"},
		{"limit in words", "GET", "/v1/readings?limit=ten", "", nil, 400, `"limit"`},
		{"time in words", "GET", "/v1/readings?from=yesterday", "", nil, 400, `"from"`},
		{"backwards", "GET", "/v1/readings?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "", nil, 422, "before from"},
		{"metric", "GET", "/v1/readings?metric=humour", "", nil, 422, "one of cpu, load, memory"},
		{"cursor", "GET", "/v1/readings?cursor=%21", "", nil, 422, "is not a cursor of this server"},
		{"host", "GET", "/v1/hosts/nobody", "", nil, 404, "nobody"},
		{"host that is no name", "GET", "/v1/hosts/a%00", "", nil, 404, "are stored"},
		{"readings of no name", "GET", "/v1/readings?host=a%00", "", nil, 422, "cannot be printed"},
		{"series of no name", "GET", "/v1/series?host=a%00&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z", "", nil, 422, "cannot be printed"},
		{"series of nobody", "GET", "/v1/series?host=&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z", "", nil, 422, "1 to 255"},
		{"path", "GET", "/v2/hosts", "", nil, 404, ""},
		{"method", "DELETE", "/v1/hosts", "", nil, 405, ""},
		{"not acceptable", "GET", "/v1/hosts", "image/png", nil, 406, ""},
		{"no JSON", "POST", "/v1/readings", asJSON, []byte("{"), 400, "body"},
		{"other JSON", "POST", "/v1/readings", asJSON, []byte(`{"readings":[{"host":7}]}`), 400, "host"},
		{"empty batch", "POST", "/v1/readings", asJSON, []byte(`{"readings":[]}`), 422, "1 to 1000 elements"},
		{"large batch", "POST", "/v1/readings", asJSON, jsonOf(t, telemetry.Batch{Readings: manyReadings}), 422, "1 to 1000 elements"},
		{"future", "POST", "/v1/readings", asJSON, jsonOf(t, telemetry.Batch{Readings: []telemetry.Reading{ahead}}), 409, ".readings[0].at"},
		{"all refused", "POST", "/v1/readings", asJSON, []byte(`{"readings":[{"host":"a","at":"2020-01-01T00:00:00Z"},{"host":"a/b","at":"2020-01-01T00:00:00Z"}]}`), 422, ".readings[1].host"},
		{"past", "POST", "/v1/readings", asJSON, jsonOf(t, telemetry.Batch{Readings: []telemetry.Reading{reading("a", 25*time.Hour)}}), 422, "older than"},
		{"truncated", "POST", "/v2/readings", api.MediaTypeWire, []byte{9, 9, 9}, 400, "body"},
		{"a web form", "POST", "/v1/readings", "text/plain", []byte(`{}`), 415, ""},
		{"huge", "POST", "/v1/readings", asJSON, bytes.Repeat([]byte(" "), maxBody+1), 413, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			accept := ""
			if test.contentType == "image/png" {
				accept, test.contentType = test.contentType, ""
			}
			a := s.do(test.method, test.path, test.contentType, accept, test.body)
			var problem api.Problem
			if err := json.Unmarshal(a.body, &problem); err != nil || a.StatusCode != test.status || problem.Status != test.status ||
				a.Header.Get("Content-Type") != "application/problem+json" || !strings.Contains(string(a.body), test.want) {
				t.Errorf("%s %s: %s (%v)\nwant %d and %q", a.Status, a.Header.Get("Content-Type"), a.body, err, test.status, test.want)
			}
		})
	}
	if a := s.get("/v1/hosts"); !strings.Contains(string(a.body), `"hosts":[]`) {
		t.Errorf("readings of refused batches are stored: %s", a.body)
	}
}

// TestGoodReadingsOfABadBatch posts batches with some readings that break limits. The server stores the
// valid readings, and its answer lists the refused ones.
func TestGoodReadingsOfABadBatch(t *testing.T) {
	s := serve(t, queue.Options{})
	var batch telemetry.Batch
	want := map[int]telemetry.Refusal{}
	for i := range telemetry.MaxBatch {
		r := reading("a", time.Duration(i)*time.Second)
		switch {
		case i%5 == 1:
			r.Disks = []telemetry.Disk{{Mount: "/", Device: "a"}, {Mount: "a\u200db", Device: "a"}}
			want[i] = telemetry.Refusal{Field: ".disks[1].mount", Reason: "must match"}
		case i%5 == 2:
			r.CPU = mo.Some(101.0)
			want[i] = telemetry.Refusal{Field: ".cpu", Reason: "at most 100"}
		case i%5 == 3:
			r.At = time.Now().Add(time.Hour + time.Duration(i)*time.Second)
			want[i] = telemetry.Refusal{Field: ".at", Reason: "ahead of this server's clock", Later: true}
		}
		batch.Readings = append(batch.Readings, r)
	}
	good := len(batch.Readings) - len(want)
	binary, err := wire.Marshal(&batch)
	if err != nil {
		t.Fatal(err)
	}
	for contentType, body := range map[string][]byte{"application/json": jsonOf(t, batch), api.MediaTypeWire: binary} {
		a := s.do("POST", "/v2/readings", contentType, "", body)
		var got telemetry.Receipt
		if err := json.Unmarshal(a.body, &got); err != nil || a.StatusCode != 200 || got.Stored+got.Repeated != good || len(got.Refused) != len(want) {
			t.Fatalf("%s: %s, %d stored, %d repeated, %d refused (%v), want %d and %d", contentType, a.Status, got.Stored, got.Repeated, len(got.Refused), err, good, len(want))
		}
		for _, r := range got.Refused {
			if w := want[r.Index]; r.Field != w.Field || r.Later != w.Later || !strings.Contains(r.Reason, w.Reason) {
				t.Errorf("%s: %+v, want %+v", contentType, r, w)
			}
		}
	}
	if n := strings.Count(string(s.get("/v1/readings?limit=1000").body), `"at":`); n != good {
		t.Errorf("%d readings are stored, want %d", n, good)
	}
}

// TestPages requests all pages as a client does, with the cursor of each answer, while readings keep
// coming.
func TestPages(t *testing.T) {
	s := serve(t, queue.Options{})
	var batch []telemetry.Reading
	for i := range 25 {
		batch = append(batch, reading("a", time.Hour-time.Duration(i)*time.Second))
	}
	s.post(batch...)
	var got []time.Time
	query := "limit=4&host=a&metric=cpu"
	for pages := 1; ; pages++ {
		var page readingsOutput
		if a := s.get("/v1/readings?" + query); a.StatusCode != 200 || json.Unmarshal(a.body, &page) != nil {
			t.Fatalf("page %d: %s %s", pages, a.Status, a.body)
		}
		for _, r := range page.Readings {
			got = append(got, r.At)
		}
		s.post(reading("a", 2*time.Hour+time.Duration(pages)*time.Second)) // its time is after the cursor, so it is on a later page
		cursor, more := page.Next.Get()
		if !more {
			break
		}
		query = "limit=4&host=a&metric=cpu&cursor=" + cursor
	}
	if len(got) != len(batch) {
		t.Fatalf("%d readings on all pages, want %d", len(got), len(batch))
	}
	for i, at := range got {
		if !at.Equal(batch[i].At) {
			t.Errorf("reading %d is from %v, want %v", i, at, batch[i].At)
		}
	}
}

func TestFullQueueAsksToComeBack(t *testing.T) {
	entered, release := make(chan struct{}, 100), make(chan struct{})
	defer sync.OnceFunc(func() { close(release) })()
	s := serve(t, queue.Options{Waiting: 1, Stored: func([]telemetry.Reading) {
		entered <- struct{}{}
		<-release
	}})
	ctx, giveUp := context.WithCancel(t.Context())
	defer giveUp()
	post := func(i int) {
		body := jsonOf(t, telemetry.Batch{Readings: []telemetry.Reading{reading(fmt.Sprint(i), 0)}})
		request, _ := http.NewRequestWithContext(ctx, "POST", s.URL+"/v1/readings", bytes.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		if response, err := s.Client().Do(request); err == nil {
			response.Body.Close()
		}
	}
	go post(0)
	<-entered // the writer is busy with this batch; one more may wait
	go post(1)
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("never turned away")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		body := jsonOf(t, telemetry.Batch{Readings: []telemetry.Reading{reading("y", 0)}})
		request, _ := http.NewRequestWithContext(ctx, "POST", s.URL+"/v1/readings", bytes.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		response, err := s.Client().Do(request)
		cancel()
		if err != nil {
			continue // this batch is the one that waits in the queue
		}
		response.Body.Close()
		if response.StatusCode == 503 && response.Header.Get("Retry-After") == "1" {
			break
		}
	}
	if a := s.post(reading("z", 0)); a.StatusCode != 503 || a.Header.Get("Retry-After") != "1" || !strings.Contains(string(a.body), "Send this one again") {
		t.Errorf("with a full queue: %s %v %s", a.Status, a.Header, a.body)
	}
}

// events opens a live stream and returns the data of its events.
func (s *service) events(query string) <-chan string {
	s.t.Helper()
	response, err := s.Client().Get(s.URL + "/v1/live" + query)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { response.Body.Close() })
	events := make(chan string, 100)
	go func() {
		defer close(events)
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				events <- data
			}
		}
	}()
	return events
}

func TestLive(t *testing.T) {
	s := serve(t, queue.Options{})
	all, onlyB := s.events(""), s.events("?host=b")
	a, b := reading("a", 2*time.Second), reading("b", time.Second)
	s.post(a)
	s.post(b, b)
	s.post(a) // a repeat is not announced
	expect := func(events <-chan string, want telemetry.Reading) {
		t.Helper()
		select {
		case data := <-events:
			var got telemetry.Reading
			if err := json.Unmarshal([]byte(data), &got); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("event %s (%v), want %+v", data, err, want)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("no event for %+v", want)
		}
	}
	expect(all, a)
	expect(all, b)
	expect(onlyB, b)
	last := reading("b", 0)
	s.post(last)
	expect(all, last)
	expect(onlyB, last)
}

func TestSlowFollowerIsLetGo(t *testing.T) {
	l := NewLive()
	slow, other := l.add(""), l.add("elsewhere")
	for i := range liveBuffer + 1 {
		l.Publish([]telemetry.Reading{reading("a", time.Duration(i)*time.Second)}) // must not block
	}
	if _, open := <-slow.events; open {
		t.Error("events of a slow client are kept")
	}
	if _, there := l.clients[other]; !there || len(l.clients) != 1 {
		t.Errorf("%d clients left, want one", len(l.clients))
	}
}

// TestLargeEvents: the events that wait for a client are bounded in bytes. A client that keeps
// reading gets every event.
func TestLargeEvents(t *testing.T) {
	l := NewLive()
	slow, reads := l.add(""), l.add("")
	large := reading("a", 0)
	for range 500 {
		name := strings.Repeat("<", 255)
		large.Disks = append(large.Disks, telemetry.Disk{Mount: name, Device: name})
	}
	event, err := encodeEvent(&large)
	if err != nil {
		t.Fatal(err)
	}
	most := liveBytes / len(event.Data)
	if most < 2 || most > liveBuffer/2 {
		t.Fatalf("%d events have %d bytes", most, liveBytes)
	}
	for n := 1; n <= 2*most; n++ {
		l.Publish([]telemetry.Reading{large})
		got := <-reads.events
		reads.bytes.Add(-int64(len(got.Data)))
		if _, open := l.clients[slow]; open != (n <= most) {
			t.Fatalf("after %d events of %d bytes the client is there: %v", n, len(event.Data), open)
		}
	}
	if _, open := <-slow.events; open {
		t.Error("events of a slow client are kept")
	}
}

func TestFollowersThatLeaveAreForgotten(t *testing.T) {
	s := serve(t, queue.Options{})
	ctx, leave := context.WithCancel(t.Context())
	request, _ := http.NewRequestWithContext(ctx, "GET", s.URL+"/v1/live", nil)
	response, err := s.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	count := func() int {
		s.live.mu.Lock()
		defer s.live.mu.Unlock()
		return len(s.live.clients)
	}
	if n := count(); n != 1 {
		t.Errorf("%d clients, want 1", n)
	}
	leave()
	for deadline := time.Now().Add(10 * time.Second); count() > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("still there")
		}
	}
}

func TestPageAndHealth(t *testing.T) {
	s := serve(t, queue.Options{})
	for path, want := range map[string]string{
		"/":                        "text/html; charset=utf-8",
		"/app.js":                  "text/javascript; charset=utf-8",
		"/style.css":               "text/css; charset=utf-8",
		"/favicon.svg":             "image/svg+xml",
		"/uplot/uPlot.iife.min.js": "text/javascript; charset=utf-8",
		"/uplot/LICENSE":           "text/plain; charset=utf-8",
		"/healthz":                 "application/json",
	} {
		a := s.get(path)
		if got := a.Header.Get("Content-Type"); a.StatusCode != 200 || got != want || len(a.body) == 0 {
			t.Errorf("%s: %s %s, want %s", path, a.Status, got, want)
		}
		if csp := a.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s has the policy %q", path, csp)
		}
	}
	for name, test := range map[string]struct {
		value  string
		status int
	}{
		"If-None-Match": {s.get("/").Header.Get("Etag"), http.StatusNotModified},
		"Range":         {"bytes=0-9", http.StatusOK}, // the response is compressed, so the range is ignored
	} {
		request, _ := http.NewRequest("GET", s.URL+"/", nil)
		request.Header.Set(name, test.value)
		response, err := s.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != test.status {
			t.Errorf("the page with %s: %s, want %d", name, response.Status, test.status)
		}
	}
}
