package watch

import (
	"context"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// A State is the state of a host at a time of the server's clock.
type State struct {
	Host  *store.Host
	Rules []*Rule                    // the rules whose conditions are true now
	CPU   [window]mo.Option[float32] // the mean of each of the last minutes, the oldest first
}

const window = int(Window / time.Minute)

// Level returns the worst level of the rules about a metric. Rules about silence do not count.
func (s *State) Level(metric string) Level {
	worst := Fine
	for _, r := range s.Rules {
		if metric == r.Metric && !r.IsSilence() && (worst == Fine || r.Level == Critical) {
			worst = r.Level
		}
	}
	return worst
}

// Judge returns the state of each host, in the order of hosts. hosts must be sorted by name.
func Judge(ctx context.Context, s store.Store, rules []Rule, hosts []store.Host, now time.Time) ([]State, error) {
	states := make([]State, len(hosts))
	if len(hosts) == 0 {
		return states, nil
	}
	from := now.Truncate(time.Minute).Add(-time.Duration(window-1) * time.Minute)
	// The minutes arrive in the order of the hosts. A host is judged after its last minute.
	of, done := minutes{}, 0
	judge := func() {
		states[done].judge(rules, &hosts[done], of, now)
		for at, b := range of {
			if i := (at - from.UnixMilli()) / time.Minute.Milliseconds(); at >= from.UnixMilli() && i < int64(window) {
				if mean, ok := b.Lines[0].Mean(); ok {
					states[done].CPU[i] = mo.Some(mean)
				}
			}
		}
		clear(of)
		done++
	}
	page := store.HostRange{First: hosts[0].Name, Last: hosts[len(hosts)-1].Name}
	err := s.Buckets(ctx, store.Minutes, page, from.Add(-telemetry.MaxAhead), now.Add(telemetry.MaxAhead+time.Minute), func(host string, at time.Time, b *telemetry.Bucket) error {
		for done < len(hosts) && hosts[done].Name < host {
			judge()
		}
		if done < len(hosts) && hosts[done].Name == host && len(b.Lines) > 0 { // a new host may have no row yet
			of[at.UnixMilli()] = b
		}
		return nil
	})
	for err == nil && done < len(hosts) {
		judge()
	}
	return states, err
}

// judge sets the state of h. recent has the minutes of h.
func (s *State) judge(rules []Rule, h *store.Host, recent minutes, now time.Time) {
	s.Host = h
	for i := range rules {
		if rules[i].holds(h, recent, now) {
			s.Rules = append(s.Rules, &rules[i])
		}
	}
}
