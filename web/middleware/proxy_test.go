package middleware

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestProxy(t *testing.T) {
	var seen http.Header
	var host, path string
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen, host, path = r.Header.Clone(), r.Host, r.URL.Path
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write(body)
	}))
	defer target.Close()
	dead := httptest.NewServer(http.NotFoundHandler())
	deadURL, _ := url.Parse(dead.URL)
	dead.Close()
	liveURL, _ := url.Parse(target.URL)
	e, _ := logged()
	e.Use(ProxyWithConfig(ProxyConfig{
		Balancer:   NewRoundRobinBalancer([]*ProxyTarget{{Name: "dead", URL: deadURL}, {Name: "live", URL: liveURL}}),
		RetryCount: 1, Rewrite: map[string]string{"/api/*": "/$1"},
	}))
	for peer, want := range map[string][3]string{
		"192.0.2.1:1": {"192.0.2.1", "192.0.2.1", "http"}, // what it says itself is not passed on
		"10.0.0.1:1":  {"6.6.6.6", "6.6.6.6, 10.0.0.1", "https"},
	} {
		for range 2 {
			r := httptest.NewRequest("POST", "http://site.example/api/x", strings.NewReader("body"))
			r.RequestURI = "/api/x"
			r.RemoteAddr = peer
			for name, value := range map[string]string{"X-Real-Ip": "6.6.6.6", "X-Forwarded-For": "6.6.6.6", "X-Forwarded-Proto": "https"} {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			got := [3]string{seen.Get("X-Real-Ip"), seen.Get("X-Forwarded-For"), seen.Get("X-Forwarded-Proto")}
			if w.Code != http.StatusAccepted || w.Body.String() != "body" || got != want || host != "site.example" || path != "/x" {
				t.Errorf("from %s: %d %q %q %s %s", peer, w.Code, w.Body, got, host, path)
			}
		}
	}
	b := NewRandomBalancer(nil)
	none, _ := logged()
	none.Use(Proxy(b))
	if w := serve(none, "GET", "/", ""); w.Code != 502 {
		t.Errorf("no target: %d", w.Code)
	}
	if !b.AddTarget(&ProxyTarget{Name: "dead", URL: deadURL}) || b.AddTarget(&ProxyTarget{Name: "dead"}) {
		t.Error("AddTarget")
	}
	if w := serve(none, "GET", "/", ""); w.Code != 502 {
		t.Errorf("a dead target: %d", w.Code)
	}
	if !b.RemoveTarget("dead") || b.RemoveTarget("dead") {
		t.Error("RemoveTarget")
	}
}
