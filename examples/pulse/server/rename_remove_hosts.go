package server

import (
	"context"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

type renameInput struct {
	Host string `path:"host"`
	Body struct {
		Host string `json:"host" doc:"The new name."`
	} `body:""`
}

// rename gives a host another name.
func (h *handlers) rename(ctx context.Context, in *renameInput) (*struct{}, error) {
	if fault := telemetry.HostFault(in.Body.Host); fault != "" {
		return nil, refuse(api.FieldProblem{In: "body", Name: ".host", Detail: fault})
	}
	return nil, onHost(in.Host, func() error { return h.Store.RenameHost(ctx, in.Host, in.Body.Host, h.tokenName(ctx)) })
}

// remove deletes a host.
func (h *handlers) remove(ctx context.Context, in *hostInput) (*struct{}, error) {
	return nil, onHost(in.Host, func() error { return h.Store.RemoveHost(ctx, in.Host, h.tokenName(ctx)) })
}

// tokenName returns the name of the request's token, for the record of a change.
func (h *handlers) tokenName(ctx context.Context) string {
	token, _ := api.Value[store.Token](ctx, h.admin)
	return "token " + token.Name
}
