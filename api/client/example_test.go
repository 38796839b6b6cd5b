package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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
	c, err := client.New("https://example.org", client.Options{Header: http.Header{"Authorization": {"Bearer …"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	getHost := client.Call[HostIn, HostOut](c, "GET /v1/hosts/{host}")

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	host, err := getHost(ctx, &HostIn{Host: "a/b"})
	var problem *api.Problem
	switch {
	case errors.As(err, &problem) && problem.Status == http.StatusNotFound:
		fmt.Println("there is no such host")
	case err != nil:
		fmt.Println(err)
	default:
		fmt.Println(host.Load)
	}
}
