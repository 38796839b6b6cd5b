package web

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestInlineVerbs sends requests to routes with a literal colon after a parameter, and expects the
// routes and values of Echo 5.4.
func TestInlineVerbs(t *testing.T) {
	for _, test := range []struct {
		routes string
		want   map[string]string // the expected answers, by the path of a POST request
	}{
		{`/orders/:id\:cancel`, map[string]string{
			"/orders/7:cancel": `POST /orders/:id\:cancel ["7"]`, "/orders/a:b:cancel": `POST /orders/:id\:cancel ["a:b"]`,
			"/orders/7": "404", "/orders/7:delete": "404", "/orders/:cancel": "404", "/orders/7:cancel/x": "404", "/orders/7:cancelled": "404", "/orders/": "404",
		}},
		{`/orders/:id\:cancel /orders/:id\:close /orders/:id`, map[string]string{
			"/orders/7:cancel": `POST /orders/:id\:cancel ["7"]`, "/orders/7:close": `POST /orders/:id\:close ["7"]`,
			"/orders/7": `POST /orders/:id ["7"]`, "/orders/7:other": `POST /orders/:id ["7:other"]`, "/orders/:cancel": `POST /orders/:id [":cancel"]`,
			"/orders/7/x": `POST /orders/:id ["7/x"]`,
		}},
		{`/o/:id\:x/parts /o/:id/parts`, map[string]string{
			"/o/7:x/parts": `POST /o/:id\:x/parts ["7"]`, "/o/7:y/parts": `POST /o/:id/parts ["7:y"]`, "/o/7:x": "404",
		}},
		{`/o/:id\:x:y`, map[string]string{"/o/1:x2": `POST /o/:id\:x:y ["1" "2"]`, "/o/1:x2:x3": `POST /o/:id\:x:y ["1" "2:x3"]`, "/o/1:x": "404"}},
		{`/v1\:batch`, map[string]string{"/v1:batch": `POST /v1\:batch []`, "/v1": "404"}},
	} {
		e := quiet()
		for _, path := range strings.Fields(test.routes) {
			e.POST(path, echoRoute)
		}
		for path, want := range test.want {
			w := httptest.NewRecorder()
			e.ServeHTTP(w, httptest.NewRequest("POST", path, nil))
			got := w.Body.String()
			if w.Code != 200 {
				got = "404"
			}
			if got != want || w.Code != 200 && w.Code != 404 {
				t.Errorf("%s: %s: got %d %s, want %s", test.routes, path, w.Code, got, want)
			}
		}
	}
}

// TestInlineVerbsTime sends a path of colons to a pattern that could split it in very many ways.
// The answer arrives within a second.
func TestInlineVerbsTime(t *testing.T) {
	e := quiet()
	e.GET("/"+strings.Repeat(`:p\:`, 12)+"/end", echoRoute)
	start := time.Now()
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest("GET", "/"+strings.Repeat("a:", 4000)+"b", nil))
	if took := time.Since(start); took > time.Second || w.Code != 404 {
		t.Errorf("%d after %v", w.Code, took)
	}
}

// TestReverseInlineVerbs builds paths of routes with a literal colon after a parameter.
func TestReverseInlineVerbs(t *testing.T) {
	if got := (RouteInfo{Path: `/orders/:id\:cancel/:part\:x`}).Reverse(7, "a"); got != "/orders/7:cancel/a:x" {
		t.Error(got)
	}
}

// TestRemoveOtherNames: Remove finds a route only if the parameters have the names in the
// registered path.
func TestRemoveOtherNames(t *testing.T) {
	e := quiet()
	e.GET("/u/:id", echoRoute)
	for path, found := range map[string]bool{"/u/:uid": false, "/u/:": false, "/u": false} {
		if err := e.Router().Remove("GET", path); (err == nil) != found {
			t.Errorf("%s: %v", path, err)
		}
	}
	if status, body, _ := ask(e, "GET", "/u/7", "", ""); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	if err := e.Router().Remove("GET", "u/:id"); err != nil {
		t.Error(err)
	}
	if status, _, _ := ask(e, "GET", "/u/7", "", ""); status != 404 {
		t.Error(status)
	}
}
