package server

import (
	"context"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/web"
)

type in struct{}
type out struct{}

// Routes registers the handlers.
func Routes(a *api.API) {
	api.Handle(a, "GET /v1/hosts", func(ctx context.Context, _ *in) (*out, error) { return &out{}, nil })
}

// Document describes them.
func Document() *api.API {
	a := api.New(web.New())
	Routes(a)
	return a
}
