package openapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
)

type hostIn struct {
	Host string `path:"host" length:"1..64" doc:"As the machine calls itself."`
}

type hostOut struct {
	Host string `json:"host"`
}

func newAPI() (*api.API, http.Handler) {
	mux := http.NewServeMux()
	a := api.New(api.Mux(mux))
	api.Handle(a, "GET /v1/hosts/{host}", func(_ context.Context, in *hostIn) (*hostOut, error) {
		return &hostOut{in.Host}, nil
	}, api.Operation{Name: "getHost", Summary: "One host"})
	return a, mux
}

func ExampleDescribe() {
	a, _ := newAPI()
	doc := openapi.Describe(a, openapi.Config{Title: "Hosts", Version: "1"})
	op := doc.Paths["/v1/hosts/{host}"]["get"]
	fmt.Println(op.OperationID, op.Summary)
	p := op.Parameters[0]
	fmt.Println(p.In, p.Name, p.Schema.Type, *p.Schema.MaxLength, p.Description)
	// Output:
	// getHost One host
	// path host string 64 As the machine calls itself.
}

func ExampleServe() {
	a, h := newAPI()
	if err := openapi.Serve(a, openapi.Config{Title: "Hosts", Version: "1"}); err != nil {
		panic(err)
	}
	for _, target := range []string{"/openapi.json", "/docs"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		fmt.Println(w.Code, w.Header().Get("Content-Type"))
	}
	// Output:
	// 200 application/json
	// 200 text/html; charset=UTF-8
}
