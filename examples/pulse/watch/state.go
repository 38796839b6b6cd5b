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
	Rules []*Rule                    // the rules that have an alert
	CPU   [sparks]mo.Option[float32] // the mean of each of the last minutes, the oldest first
}

// history is the time before now from which data is read. It is more than Window, because the clock of
// a host may be slow, and a rule needs data from before its duration.
const history = Window + 2*telemetry.MaxAhead

const sparks = int(Window / time.Minute)

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

// Value returns the value of the last reading that a rule is about, and the name of the disk, the
// interface or the sensor, or "".
func (s *State) Value(r *Rule) (value mo.Option[float64], name string) {
	if r.IsSilence() {
		return value, ""
	}
	p := r.worst(&s.Host.Reading)
	return p.value, p.name
}

// A Judge judges hosts by rules.
type Judge struct {
	Rules []Rule

	// Alerts has the texts of the rules that have an alert, by the name of the host. An alert ends by
	// another condition than it begins.
	Alerts map[string]map[string]bool

	// Parts judges rules about parts. If it is nil, their alerts neither begin nor end.
	Parts *Parts
}

// Judge returns the state of each host, in the order of hosts. hosts must be sorted by name.
func (j *Judge) Judge(ctx context.Context, s store.Store, hosts []store.Host, now time.Time) ([]State, error) {
	states := make([]State, len(hosts))
	if len(hosts) == 0 {
		return states, nil
	}
	from := now.Truncate(time.Minute).Add(-time.Duration(sparks-1) * time.Minute)
	// The minutes arrive in the order of the hosts. A host is judged after its last minute.
	of, done := minutes{}, 0
	judge := func() {
		j.judge(&states[done], &hosts[done], of, now)
		for at, b := range of {
			if i := (at - from.UnixMilli()) / time.Minute.Milliseconds(); at >= from.UnixMilli() && i < int64(sparks) {
				if mean, ok := b.Lines[0].Mean(); ok {
					states[done].CPU[i] = mo.Some(mean)
				}
			}
		}
		clear(of)
		done++
	}
	page := store.HostRange{First: hosts[0].Name, Last: hosts[len(hosts)-1].Name}
	err := s.Buckets(ctx, store.Minutes, page, now.Add(-history).Truncate(time.Minute), now.Add(telemetry.MaxAhead+time.Minute), func(host string, at time.Time, b *telemetry.Bucket) error {
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
func (j *Judge) judge(s *State, h *store.Host, recent minutes, now time.Time) {
	s.Host = h
	for i := range j.Rules {
		r := &j.Rules[i]
		if !r.covers(h) {
			continue
		}
		firing := j.Alerts[h.Name][r.text]
		switch {
		case r.IsSilence():
			firing = isSilent(h, now, r.For)
		case !r.isTotal():
			if j.Parts != nil {
				firing = j.Parts.judge(r, h, firing)
			}
		case firing: // the data of a host that has long been silent is not read any more
			firing = isSilent(h, now, 0) && h.Reading.At.Add(-max(r.Over, r.calm())).Before(now.Add(-history)) || !r.ends(h, recent)
		default:
			firing = r.begins(h, recent)
		}
		if firing {
			s.Rules = append(s.Rules, r)
		}
	}
}

// Firing returns the texts of the rules of alerts, by the name of the host.
func Firing(alerts []store.Alert) map[string]map[string]bool {
	firing := map[string]map[string]bool{}
	for _, a := range alerts {
		if firing[a.Host] == nil {
			firing[a.Host] = map[string]bool{}
		}
		firing[a.Host][a.Rule] = true
	}
	return firing
}
