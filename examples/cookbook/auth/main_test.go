package main

import (
	"crypto/sha256"
	"net/http/httptest"
	"strings"
	"testing"
)

func Test(t *testing.T) {
	h, _ := handler(tokens{
		sha256.Sum256([]byte("r")): {"ann", []string{"read"}},
		sha256.Sum256([]byte("w")): {"bob", []string{"read", "write"}},
	})
	for _, test := range []struct {
		request, field, body string
		status               int
		want                 string
	}{
		{"GET /v1/health", "", "", 204, ""},
		{"GET /v1/me", "", "", 401, ""},
		{"GET /v1/me", "Bearer x", "", 401, ""},
		{"GET /v1/me", "Basic r", "", 401, ""},
		{"GET /v1/me", "Bearer r", "", 200, `{"name":"ann","rights":["read"]}`},
		{"POST /v1/secrets", "Bearer r", `{"text":"a"}`, 403, "needs the right to write"},
		{"POST /v1/secrets", "Bearer w", `{"text":"a"}`, 201, `{"text":"a","by":"bob"}`},
		{"POST /v1/secrets", "", `{"text":""}`, 401, ""}, // the body is not read
		{"GET /openapi.json", "", "", 200, `"scheme": "bearer"`},
	} {
		method, path, _ := strings.Cut(test.request, " ")
		r := httptest.NewRequest(method, path, strings.NewReader(test.body))
		r.Header.Set("Content-Type", "application/json")
		if test.field != "" {
			r.Header.Set("Authorization", test.field)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s with %q: %d %.200s, want %d %s", test.request, test.field, w.Code, w.Body, test.status, test.want)
		}
		if challenge := w.Header().Get("WWW-Authenticate"); (w.Code == 401) != strings.HasPrefix(challenge, "Bearer") {
			t.Errorf("%s with %q: %d with WWW-Authenticate %q", test.request, test.field, w.Code, challenge)
		}
	}
}
