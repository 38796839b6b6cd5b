package server

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/store"
)

// TestAPIDocument validates the document against OpenAPI 3.1, and checks that no route of the API is missing.
func TestAPIDocument(t *testing.T) {
	s := serve(t, queue.Options{})
	got := s.do("GET", "/openapi.json", "", "", nil)
	if got.StatusCode != 200 {
		t.Fatal(got.Status)
	}
	document, err := openapi3.NewLoader().LoadFromData(got.body)
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	var paths struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(got.body, &paths); err != nil {
		t.Fatal(err)
	}
	var listed []string
	for path, methods := range paths.Paths {
		for method := range methods {
			listed = append(listed, method+" "+path)
		}
	}
	slices.Sort(listed)
	want := []string{"delete /v1/hosts/{host}", "delete /v1/silences/{id}", "get /healthz", "get /metrics", "get /v1/alerts", "get /v1/hosts", "get /v1/hosts/{host}", "get /v1/live", "get /v1/overview", "get /v1/readings", "get /v1/rules", "get /v1/series", "get /v1/silences", "get /v1/watched", "patch /v1/hosts/{host}", "post /v1/readings", "post /v1/rules", "post /v1/silences", "post /v2/readings"}
	if !slices.Equal(listed, want) {
		t.Errorf("the document has %q, want %q", listed, want)
	}
	// The document has the limits.
	for _, part := range []string{`"maximum": 1000`, `"maxItems": 1024`, `"maxLength": 255`, `"enum": [`} {
		if !strings.Contains(string(got.body), part) {
			t.Errorf("the document has no %s", part)
		}
	}
}

// TestMetrics compares the list of metrics in the struct tag with the columns.
func TestMetrics(t *testing.T) {
	field, _ := reflect.TypeFor[readingsInput]().FieldByName("Metric")
	if got, want := field.Tag.Get("enum"), strings.Join(store.Metrics(), ","); got != want {
		t.Errorf("the tag has %s, want %s", got, want)
	}
}
