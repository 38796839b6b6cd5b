package apitest_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/apitest"
	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/api/openapi"
)

type squareIn struct {
	N int `path:"n" max:"1000"`
}

type squareOut struct {
	Square int `json:"square"`
}

func squares() (http.Handler, *api.API) {
	mux := http.NewServeMux()
	a := api.New(api.Mux(mux))
	api.Handle(a, "GET /squares/{n}", func(_ context.Context, in *squareIn) (*squareOut, error) {
		return &squareOut{in.N * in.N}, nil
	})
	return mux, a
}

// A client calls the handler in memory, with the handler's types.
func ExampleNewClient() {
	handler, _ := squares()
	square := client.Call[squareIn, squareOut](apitest.NewClient(handler), "GET /squares/{n}")
	for _, n := range []int{12, 2000} {
		out, err := square(context.Background(), &squareIn{N: n})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(out.Square)
	}
	// Output:
	// 144
	// Unprocessable Entity: the request has values that are not allowed; path n: must be at most 1000
}

// Run sends requests that the document allows and requests that it forbids. In a test, pass the
// test's own t.
func ExampleRun() {
	handler, a := squares()
	_ = func(t *testing.T) { // the test of the service
		apitest.Run(t, handler, openapi.Describe(a, openapi.Config{Title: "Squares"}))
	}
}
