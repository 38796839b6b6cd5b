package main

import (
	"net/http/httptest"
	"strings"
	"testing"
)

func Test(t *testing.T) {
	h := handler()
	for _, test := range []struct {
		body   string
		status int
		want   string // part of the answer
	}{
		{`{}`, 200, `{"id":1,"name":"Anna","mail":"anna@example.org","tags":["go"]}`},
		{`{"name":"Ann","mail":null}`, 200, `{"id":1,"name":"Ann","mail":null,"tags":["go"]}`},
		{`{"mail":"ann@example.org","tags":null}`, 200, `{"id":1,"name":"Ann","mail":"ann@example.org","tags":null}`},
		{`{"tags":["a","b"]}`, 200, `"tags":["a","b"]`},
		{`{"name":""}`, 422, `.name`},
		{`{"mail":"nobody"}`, 422, `.mail`},
		{`{"nam":"Ann"}`, 422, `.nam`},
		{`{"name":7}`, 400, `.name`},
	} {
		r := httptest.NewRequest("PATCH", "/v1/people/1", strings.NewReader(test.body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s: %d %s, want %d %s", test.body, w.Code, w.Body, test.status, test.want)
		}
	}
	for path, status := range map[string]int{"/v1/people/1": 200, "/v1/people/2": 404, "/v1/people/x": 400} {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, httptest.NewRequest("GET", path, nil)); w.Code != status {
			t.Errorf("%s: %d %s, want %d", path, w.Code, w.Body, status)
		}
	}
}
