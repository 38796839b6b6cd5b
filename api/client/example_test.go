package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/client"
)

func ExampleCall() {
	type HostIn struct {
		Host string `path:"host"`
	}
	type HostOut struct {
		Load float64 `json:"load"`
	}
	mux := http.NewServeMux()
	api.Handle(api.Mux(mux), "GET /v1/hosts/{host}", func(_ context.Context, in *HostIn) (*HostOut, error) {
		if in.Host != "a/b" {
			return nil, api.NewProblem(http.StatusNotFound, "")
		}
		return &HostOut{Load: 0.5}, nil
	})
	server := httptest.NewServer(mux)
	defer server.Close()

	c, err := client.New(server.URL, client.Options{Header: http.Header{"Authorization": {"Bearer …"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	getHost := client.Call[HostIn, HostOut](c, "GET /v1/hosts/{host}")

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for _, name := range []string{"a/b", "c"} {
		host, err := getHost(ctx, &HostIn{Host: name})
		var problem *api.Problem
		switch {
		case errors.As(err, &problem) && problem.Status == http.StatusNotFound:
			fmt.Println("not found")
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Println(host.Load)
		}
	}
	// Output:
	// 0.5
	// not found
}
