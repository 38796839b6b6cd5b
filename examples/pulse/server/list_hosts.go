package server

import (
	"context"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/mo"
)

type hostsInput struct {
	Limit  int               `query:"limit" min:"1" max:"10000" default:"10000"`
	Cursor mo.Option[string] `query:"cursor" doc:"The next of the page before."`
}

func (in *hostsInput) query() store.HostQuery {
	return store.HostQuery{Cursor: in.Cursor, Limit: in.Limit}
}

type hostsOutput struct {
	Hosts []store.Host      `json:"hosts"` // in the order of their names
	Next  mo.Option[string] `json:"next"`  // the cursor of the next page; null on the last one
}

func (h *handlers) hosts(ctx context.Context, in *hostsInput) (*hostsOutput, error) {
	hosts, next, err := h.Store.Hosts(ctx, in.query())
	return &hostsOutput{hosts, next}, err
}
