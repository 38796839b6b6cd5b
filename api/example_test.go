package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/mo"
)

func ExampleHandle() {
	type In struct {
		Host  string         `path:"host"`
		Limit mo.Option[int] `query:"limit" min:"1"`
	}
	type Out struct {
		Host  string `json:"host"`
		Limit int    `json:"limit"`
	}
	mux := http.NewServeMux()
	api.Handle(api.Mux(mux), "GET /v1/hosts/{host}", func(ctx context.Context, in *In) (*Out, error) {
		if in.Host == "unknown" {
			return nil, api.NewProblem(http.StatusNotFound, "no such host")
		}
		return &Out{in.Host, in.Limit.OrElse(100)}, nil
	})
	for _, target := range []string{"/v1/hosts/web-1", "/v1/hosts/unknown", "/v1/hosts/web-1?limit=ten"} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		fmt.Print(w.Code, " ", w.Body)
	}
	// Output:
	// 200 {"host":"web-1","limit":100}
	// 404 {"title":"Not Found","status":404,"detail":"no such host"}
	// 400 {"title":"Bad Request","status":400,"detail":"the request has parameters that cannot be read","errors":[{"in":"query","name":"limit","detail":"not a whole number"}]}
}
