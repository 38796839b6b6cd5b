package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
)

type login struct {
	Name   string `json:"name"`
	Secret string `json:"secret" writeOnly:"true"`
}

// TestOmitWriteOnly sends a secret by each kind of answer, and searches the response for it.
func TestOmitWriteOnly(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		l := login{"ada", "s3cret"}
		api.Handle(a, "GET /one", func(context.Context, *struct{}) (*login, error) { return &l, nil })
		api.Handle(a, "GET /v2", func(context.Context, *struct{}) (*login, error) { return &l, nil }, api.Operation{JSON: []jsonv2.Options{jsonv2.Deterministic(true)}})
		api.Handle(a, "GET /many", func(context.Context, *struct{}) (*api.Elements[login], error) {
			var many api.Elements[login] = func(yield func(login, error) bool) { yield(l, nil) }
			return &many, nil
		})
		paths := []string{"/one", "/v2", "/many"}
		if json.EngineByDefault() != json.StdEngine { // encoding/json sends write-only members inside interfaces
			api.Handle(a, "GET /held", func(context.Context, *struct{}) (*struct {
				Held any `json:"held"`
			}, error) {
				return &struct {
					Held any `json:"held"`
				}{&l}, nil
			})
			paths = append(paths, "/held")
		}
		for _, path := range paths {
			for _, accept := range []string{"*/*", "application/x-ndjson", "application/vnd.hone.wire"} {
				w := send(h, sent{method: "GET", target: path, header: []string{"Accept", accept}})
				if body := w.Body.String(); strings.Contains(body, "s3cret") || accept == "*/*" && w.Code != http.StatusOK || w.Code == http.StatusOK && !strings.Contains(body, "ada") {
					t.Errorf("%s, %s: %d %s", path, accept, w.Code, body)
				}
			}
		}
	})
}
