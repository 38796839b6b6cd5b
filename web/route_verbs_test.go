package web

import (
	"net/http/httptest"
	"strings"
	"testing"
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
		// a verb is literal text up to the end of the segment
		{`/o/:id\:x\:y`, map[string]string{"/o/1:x:y": `POST /o/:id\:x\:y ["1"]`, "/o/1:x:x:y": `POST /o/:id\:x\:y ["1:x"]`, "/o/1:x": "404"}},
		{`/o/:id\:x:y`, map[string]string{"/o/1:x2": `POST /o/:id\:x:y ["1:x2"]`, "/o/1": `POST /o/:id\:x:y ["1"]`}},
		{`/o/:id\:x*`, map[string]string{"/o/1:x2": `POST /o/:id\:x* ["1:x2"]`}},
		{`/o/:a:b\:x`, map[string]string{"/o/1:x": `POST /o/:a:b\:x ["1:x"]`}},
		{`/o/:a\:x:b\:y/:c\:z`, map[string]string{"/o/1/2:z": `POST /o/:a\:x:b\:y/:c\:z ["1" "2"]`}},
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

// TestInlineVerbsTime sends paths with thousands of colons in each of several segments. A search that tried
// their combinations would not end.
func TestInlineVerbsTime(t *testing.T) {
	e := quiet()
	verbs := []string{`:p\:a`, `:p\:a\:a`, `:p\:b`, `:p\:ab`}
	patterns := []string{""}
	for range 3 {
		var longer []string
		for _, p := range patterns {
			for _, v := range verbs {
				longer = append(longer, p+"/"+v)
			}
		}
		patterns = longer
	}
	for _, p := range patterns {
		e.GET(p+"/end", echoRoute)
	}
	colons := "/x" + strings.Repeat(":", 4000) + strings.Repeat(":a", 4000)
	for path, want := range map[string]int{strings.Repeat(colons, 3) + "/none": 404, strings.Repeat(colons, 3) + "/end": 200, strings.Repeat(colons+"b", 3) + "/end": 200} {
		w := httptest.NewRecorder()
		if e.ServeHTTP(w, httptest.NewRequest("GET", path, nil)); w.Code != want {
			t.Errorf("%s…%s: %d, want %d", path[:10], path[len(path)-5:], w.Code, want)
		}
	}
}

// TestReverseInlineVerbs builds paths of routes with a literal colon after a parameter.
func TestReverseInlineVerbs(t *testing.T) {
	for pattern, want := range map[string]string{
		`/orders/:id\:cancel/:part\:x`: "/orders/7:cancel/a:x", `/:a\:x:b\:y/:c`: "/7/a", `/:a:b\:y/:c\:d`: "/7/a:d", `/:a\:x*/:c`: "/7/a",
	} {
		if got := (RouteInfo{Path: pattern}).Reverse(7, "a"); got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
	if got := (RouteInfo{Path: `/:a\:x:b\:y`}).Reverse(); got != "/:a:x:b:y" {
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
