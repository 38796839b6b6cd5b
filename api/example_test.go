package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
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

func ExampleHandleEvents() {
	mux := http.NewServeMux()
	api.HandleEvents(api.Mux(mux), "GET /v1/count/{n}", func(_ context.Context, in *struct {
		N int `path:"n" max:"10"`
	}, events *api.Events) error {
		for i := range in.N {
			if err := events.SendJSON("", i); err != nil {
				return err
			}
		}
		return nil
	})
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", "/v1/count/2", nil))
	fmt.Println(w.Header().Get("Content-Type"))
	fmt.Print(w.Body)
	// Output:
	// text/event-stream
	// data: 0
	//
	// data: 1
}

// An API records a description of each handler that is registered with it. It works with any router.
func ExampleNew() {
	e := web.New()
	a := api.New(e)
	v1 := a.Group("/v1", e.Group("/v1"))
	api.Handle(v1, "GET /hosts/{host}", func(context.Context, *struct {
		Host string `path:"host"`
	}) (*struct{}, error) {
		return nil, nil
	}, api.Operation{Summary: "One host"})
	for _, d := range a.Descriptions() {
		fmt.Println(d.Method, d.Path, d.Summary)
	}
	// Output: GET /v1/hosts/{host} One host
}
