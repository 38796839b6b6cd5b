package server

import (
	"context"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

type readingsInput struct {
	Host   mo.Option[string]    `query:"host"`
	Metric mo.Option[string]    `query:"metric" enum:"cpu,load,memory,swap,uptime,disks,networks,temperatures" doc:"Only readings that have it."`
	From   mo.Option[time.Time] `query:"from" doc:"At or after."`
	To     mo.Option[time.Time] `query:"to" doc:"Before."`
	Limit  mo.Option[int]       `query:"limit" min:"1" max:"1000" doc:"100 by default."`
	Cursor mo.Option[string]    `query:"cursor" doc:"The next of the page before."`
}

type readingsOutput struct {
	Readings []telemetry.Reading `json:"readings"` // in the order of time, then host
	Next     mo.Option[string]   `json:"next"`     // the cursor of the next page; null on the last one
}

func (h *handlers) readings(ctx context.Context, in *readingsInput) (*readingsOutput, error) {
	if from, ok := in.From.Get(); ok {
		if to, ok := in.To.Get(); ok && to.Before(from) {
			return nil, refuse(api.FieldProblem{In: "query", Name: "to", Detail: "is before from"})
		}
	}
	if host, ok := in.Host.Get(); ok {
		if err := hostInQuery(host); err != nil {
			return nil, err
		}
	}
	readings, next, err := h.Store.Readings(ctx, store.Query{
		Host: in.Host, Metric: in.Metric, From: in.From, To: in.To, Cursor: in.Cursor, Limit: in.Limit.OrElse(defaultLimit),
	})
	return &readingsOutput{readings, next}, err
}
