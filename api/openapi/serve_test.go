package openapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
)

// TestServeYAML serves the document of a group as JSON and as YAML.
func TestServeYAML(t *testing.T) {
	mux := http.NewServeMux()
	v2 := api.New(api.Mux(mux)).Group("/v2", nil)
	api.Handle(v2, "GET /x", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
	edited := func(d *openapi.Document) { d.Info.License = &openapi.License{Name: "MIT"} }
	if err := openapi.Serve(v2, openapi.Config{Title: "T", Edit: edited}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"/v2/openapi.json": {"application/json", `"/v2/x"`, `"name": "MIT"`}, "/v2/openapi.yaml": {"application/yaml", "/v2/x:", "name: MIT"},
		"/v2/docs": {"text/html; charset=UTF-8", `"/v2/openapi.json"`, `"/v2/docs/page.js"`}, "/v2/docs/page.js": {"text/javascript; charset=utf-8", "fetch", "resolve"},
	} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != 200 || w.Header().Get("Content-Type") != want[0] || !strings.Contains(w.Body.String(), want[1]) || !strings.Contains(w.Body.String(), want[2]) {
			t.Errorf("%s: %d %v %.300s", path, w.Code, w.Header(), w.Body)
		}
	}
}
