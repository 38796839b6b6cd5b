package server

import (
	"context"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

type seriesInput struct {
	Host   string    `query:"host" required:"true"`
	From   time.Time `query:"from" required:"true" doc:"At or after, but for what a step began before."`
	To     time.Time `query:"to" required:"true" doc:"Before."`
	Points int       `query:"points" min:"1" max:"2000" default:"600" doc:"How many steps there may be, and a few more."`
}

// series returns a range from the finest tier that still has its beginning.
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
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	series, err := store.LoadSeries(ctx, h.store, h.keep, store.Span{Host: in.Host, From: in.From, To: in.To, Points: in.Points}, time.Now())
	if err != nil {
		return nil, h.problem(err)
	}
	return series, nil
}

type overviewOutput struct {
	Now   time.Time `json:"now"` // by the server's clock
	Hosts []hostNow `json:"hosts"`
}

// A hostNow is a row of the overview. Shares are in percent.
type hostNow struct {
	Host   string               `json:"host"`
	First  time.Time            `json:"first"` // its oldest reading
	Last   time.Time            `json:"last"`  // its newest, by its own clock
	Heard  time.Time            `json:"heard"` // when a reading was last stored, by the server's
	CPU    mo.Option[float64]   `json:"cpu"`
	Memory mo.Option[float64]   `json:"memory"`
	Disk   mo.Option[float64]   `json:"disk"` // the fullest
	Load   mo.Option[float64]   `json:"load"` // of one minute
	Cores  int                  `json:"cores"`
	Spark  []mo.Option[float32] `json:"spark"` // the mean CPU of each minute of the last hour
}

const sparkMinutes = 60

// overview returns each host's last reading, and its use of the processor in the last hour.
func (h *handlers) overview(ctx context.Context, _ *struct{}) (*overviewOutput, error) {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	hosts, err := h.store.Hosts(ctx)
	if err != nil {
		return nil, h.problem(err)
	}
	out := &overviewOutput{Now: time.Now().UTC(), Hosts: make([]hostNow, len(hosts))}
	rows := map[string]*hostNow{}
	for i := range hosts {
		r := &hosts[i].Reading
		out.Hosts[i] = hostNow{
			Host: hosts[i].Name, First: hosts[i].First, Last: hosts[i].Last, Heard: hosts[i].Heard,
			CPU: r.CPU, Memory: r.MemoryShare(), Disk: r.FullestDisk(), Load: r.Load1, Cores: len(r.Cores),
			Spark: make([]mo.Option[float32], sparkMinutes),
		}
		rows[hosts[i].Name] = &out.Hosts[i]
	}
	from := out.Now.Truncate(time.Minute).Add(-(sparkMinutes - 1) * time.Minute)
	err = h.store.Buckets(ctx, store.Minutes, "", from, from.Add(sparkMinutes*time.Minute), func(host string, at time.Time, b *telemetry.Bucket) error {
		if row := rows[host]; row != nil { // one may have come meanwhile
			if mean, ok := b.Lines[0].Mean(); ok {
				row.Spark[at.Sub(from)/time.Minute] = mo.Some(mean)
			}
		}
		return nil
	})
	if err != nil {
		return nil, h.problem(err)
	}
	return out, nil
}
