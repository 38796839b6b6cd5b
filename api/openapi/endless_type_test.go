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

// An endless type has no value but nil and cycles, so code that follows pointers to the first value
// would not return.
type endless *endless

// TestEndlessTypes sets up handlers whose types contain an endless type. They must be refused or
// work with null.
func TestEndlessTypes(t *testing.T) {
	mux := http.NewServeMux()
	r := api.New(api.Mux(mux))
	type body struct {
		X endless
		L []endless
		M map[string]endless
	}
	api.Handle(r, "POST /body", func(_ context.Context, in *body) (*body, error) { return in, nil })
	api.Handle(r, "POST /root", func(_ context.Context, in *endless) (*endless, error) { return in, nil })
	for name, handle := range map[string]func(){
		"a default": func() {
			api.Handle(r, "POST /default", func(context.Context, *struct {
				X endless `default:"1"`
			}) (*struct{}, error) {
				return nil, nil
			})
		},
		"a header": func() {
			api.Handle(r, "POST /header", func(context.Context, *struct {
				X endless `header:"x"`
			}) (*struct{}, error) {
				return nil, nil
			})
		},
		"a query": func() {
			api.Handle(r, "POST /query", func(context.Context, *struct {
				X endless `query:"x"`
			}) (*struct{}, error) {
				return nil, nil
			})
		},
		"a header of an answer": func() {
			api.Handle(r, "POST /answer", func(context.Context, *struct{}) (*struct {
				X endless `header:"x"`
			}, error) {
				return nil, nil
			})
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of an endless type is accepted", name)
				}
			}()
			handle()
		}()
	}
	for text, status := range map[string]int{`{"X":null,"L":[null],"M":{"a":null}}`: 200, `{"X":1}`: 400, `{"L":[{}]}`: 400} {
		w := httptest.NewRecorder()
		q := httptest.NewRequest("POST", "/body", strings.NewReader(text))
		q.Header.Set("Content-Type", "application/json")
		if mux.ServeHTTP(w, q); w.Code != status {
			t.Errorf("%s: status %d, want %d: %s", text, w.Code, status, w.Body)
		}
	}
	if d, err := openapi.Describe(r, openapi.Config{}).JSON(); err != nil || !strings.Contains(string(d), `"null"`) {
		t.Errorf("the document: %v\n%s", err, d)
	}
}
