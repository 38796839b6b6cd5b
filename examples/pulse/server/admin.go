package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"

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
	return nil, h.administer(ctx, in.Host, func(ctx context.Context, who string) error {
		return h.store.RenameHost(ctx, in.Host, in.Body.Host, who)
	})
}

// remove deletes a host.
func (h *handlers) remove(ctx context.Context, in *hostInput) (*struct{}, error) {
	return nil, h.administer(ctx, in.Host, func(ctx context.Context, who string) error { return h.store.RemoveHost(ctx, in.Host, who) })
}

// administer makes a change, and records the name of the request's token with it.
func (h *handlers) administer(ctx context.Context, host string, change func(ctx context.Context, who string) error) error {
	token, _ := api.Value[store.Token](ctx, h.admin)
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	err := store.ErrUnknownHost
	if telemetry.HostFault(host) == "" { // a database may not accept other strings
		err = change(ctx, "token "+token.Name)
	}
	switch {
	case errors.Is(err, store.ErrUnknownHost):
		return api.NewProblem(http.StatusNotFound, fmt.Sprintf("No readings of a host named %q are stored.", host))
	case errors.Is(err, store.ErrHostExists):
		return api.NewProblem(http.StatusConflict, "A host with the new name exists.")
	}
	return h.problem(err)
}
