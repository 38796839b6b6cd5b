package server

import (
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// TestLooksEnd: a look counts for a while, and the other servers are told from time to time.
func TestLooksEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, told := NewLive(), 0
		l.Tell = func() { told++ }
		if l.Watched() {
			t.Error("watched before the first look")
		}
		for range 60 { // a browser at each of the seconds
			l.Look()
			l.Look()
			time.Sleep(time.Second)
			if !l.Watched() {
				t.Error("not watched a second after a look")
			}
		}
		if told != 30 {
			t.Errorf("the other servers were told %d times in a minute", told)
		}
		time.Sleep(watchedFor)
		if l.Watched() {
			t.Error("watched long after the last look")
		}
		if l.LookedElsewhere(); !l.Watched() || told != 30 {
			t.Errorf("watched: %v, told %d times, after a look at another server", l.Watched(), told)
		}
	})
}

// TestWhatCountsAsALook: the overview, which each page requests, and an open stream.
func TestWhatCountsAsALook(t *testing.T) {
	watched := func(s *service) bool {
		t.Helper()
		var look telemetry.Look
		var receipt telemetry.Receipt
		a, b := s.get("/v1/watched"), s.post(reading("a", 0))
		if a.StatusCode != 200 || json.Unmarshal(a.body, &look) != nil || b.StatusCode != 200 || json.Unmarshal(b.body, &receipt) != nil || look.Watched != receipt.Watched {
			t.Fatalf("%s %s, %s %s", a.Status, a.body, b.Status, b.body)
		}
		return look.Watched
	}
	s := serve(t, queue.Options{})
	for _, path := range []string{"/v1/hosts", "/v1/readings", "/metrics", "/healthz", "/"} {
		if s.get(path); watched(s) {
			t.Errorf("%s counts as a look", path)
		}
	}
	if s.get("/v1/overview"); !watched(s) {
		t.Error("the overview does not count as a look")
	}
	s = serve(t, queue.Options{})
	response, err := s.Client().Get(s.URL + "/v1/live")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := response.Body.Read(make([]byte, 1)); err != nil || !watched(s) {
		t.Errorf("a stream does not count as a look (%v)", err)
	}
}

// TestTokenToAsk: only agents may ask.
func TestTokenToAsk(t *testing.T) {
	s := serveWith(t, queue.Options{}, func(o *Options) { o.Access.WriteTokens = []string{"secret"} })
	if a := s.get("/v1/watched"); a.StatusCode != http.StatusUnauthorized {
		t.Error(a.Status)
	}
	request, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/v1/watched", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer secret")
	response, err := s.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 200 {
		t.Error(response.Status)
	}
}
