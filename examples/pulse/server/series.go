package server

import (
	"context"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/store"
)

type seriesInput struct {
	Host   string    `query:"host" required:"true"`
	From   time.Time `query:"from" required:"true" doc:"The start of the range. A step that began before it and ends after it is included."`
	To     time.Time `query:"to" required:"true" doc:"The end of the range, which is not included."`
	Points int       `query:"points" min:"1" max:"2000" default:"600" doc:"The approximate maximum number of steps."`
}

// series returns the values of a host between two times, from the tier that [store.LoadSeries]
// selects.
func (h *handlers) series(ctx context.Context, in *seriesInput) (*store.Series, error) {
	if !in.From.Before(in.To) {
		return nil, refuse(api.FieldProblem{In: "query", Name: "to", Detail: "is not after from"})
	}
	if in.To.Sub(in.From) > 10*366*24*time.Hour {
		return nil, refuse(api.FieldProblem{In: "query", Name: "from", Detail: "is more than ten years before to"})
	}
	if err := hostInQuery(in.Host); err != nil {
		return nil, err
	}
	return store.LoadSeries(ctx, h.Store, h.Keep, store.Span{Host: in.Host, From: in.From, To: in.To, Points: in.Points})
}
