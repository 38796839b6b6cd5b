package server

import (
	"context"
	"time"

	"github.com/hone-go/hone/examples/pulse/watch"
	"github.com/hone-go/hone/mo"
)

type overviewOutput struct {
	Now   time.Time         `json:"now"`   // the time by the server's clock
	Hosts []hostNow         `json:"hosts"` // in the order of their names
	Next  mo.Option[string] `json:"next"`  // the cursor of the next page; null on the last one
}

// A hostNow is a row of the overview. CPU, Memory, Disk and Spark are in percent.
type hostNow struct {
	Host   string             `json:"host"`
	First  time.Time          `json:"first"` // the time of its oldest reading
	Last   time.Time          `json:"last"`  // the time of its newest reading, by its own clock
	Heard  time.Time          `json:"heard"` // the time at which a reading was last stored, by the server's clock
	CPU    mo.Option[float64] `json:"cpu"`
	Memory mo.Option[float64] `json:"memory"`
	Disk   mo.Option[float64] `json:"disk"` // usage of the fullest disk
	Load   mo.Option[float64] `json:"load"` // load average of one minute
	Cores  int                `json:"cores"`

	Network     mo.Option[float64] `json:"network"`     // bytes a second, received and sent
	Temperature mo.Option[float64] `json:"temperature"` // the temperature of the hottest sensor, in degrees Celsius

	Spark []mo.Option[float32] `json:"spark"` // the mean CPU of each minute of the last hour

	Levels      map[string]watch.Level `json:"levels"` // the level (bad or warn) of each metric for which a rule holds
	Rules       []string               `json:"rules"`  // the texts of the rules whose conditions are true now
	SilentAfter float64                `json:"silent_after" doc:"Seconds without a reading after which the host is silent."`
	Ahead       float64                `json:"ahead" doc:"Seconds of its clock before the server's; negative if it is behind."`
	Agents      int                    `json:"agents"` // the number of agents that post under this name at the same time
	Tags        []string               `json:"tags"`
}

// overview returns each host's last reading, and its use of the processor in the last hour.
func (h *handlers) overview(ctx context.Context, in *hostsInput) (*overviewOutput, error) {
	h.Live.Look()
	hosts, next, err := h.Store.Hosts(ctx, in.query())
	if err != nil {
		return nil, err
	}
	out := &overviewOutput{Now: time.Now().UTC(), Hosts: make([]hostNow, len(hosts)), Next: next}
	alerts, err := h.Store.Alerts(ctx)
	if err != nil {
		return nil, err
	}
	judge := watch.Judge{Rules: h.Rules.List(), Alerts: watch.Firing(alerts)}
	states, err := judge.Judge(ctx, h.Store, hosts, out.Now)
	if err != nil {
		return nil, err
	}
	for i := range states {
		host, r := states[i].Host, &states[i].Host.Reading
		row := hostNow{
			Host: host.Name, First: host.First, Last: host.Last, Heard: host.Heard,
			CPU: r.CPU, Memory: r.MemoryShare(), Disk: r.FullestDisk(), Load: r.Load1, Cores: len(r.Cores), Network: r.Traffic(), Temperature: r.Warmest(),
			Spark: states[i].CPU[:], Levels: map[string]watch.Level{}, SilentAfter: host.SilentAfter().Seconds(),
			Ahead: host.Agent.Ahead.Seconds(), Agents: host.Agents, Tags: host.Agent.Tags,
		}
		for _, rule := range states[i].Rules {
			row.Levels[rule.Metric] = states[i].Level(rule.Metric)
			row.Rules = append(row.Rules, rule.String())
		}
		out.Hosts[i] = row
	}
	return out, nil
}
