package watch

import (
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
)

// Parts judges rules about single disks, interfaces and sensors. The stored sums of minutes do not
// have their values, so Parts remembers since when the last readings have been beyond a threshold.
// After a restart of the server it counts anew, and alerts begin later. Only one goroutine may use it.
type Parts struct {
	before, now map[partKey]partState
}

type partKey struct{ host, rule string }

type partState struct {
	last   time.Time // the time of the last reading, by the clock of the host
	beyond time.Time // the time since which each reading was beyond the threshold; zero if the last one was not
	calm   time.Time // the time since which each reading was within Clear
}

// NewParts returns a Parts that has seen no readings.
func NewParts() *Parts { return &Parts{now: map[partKey]partState{}} }

// Turn begins a round in which each host is judged once. Parts forgets hosts and rules that the round
// before did not have.
func (p *Parts) Turn() { p.before, p.now = p.now, make(map[partKey]partState, len(p.now)) }

// judge returns whether an alert about a part is firing, after the last reading of the host.
func (p *Parts) judge(r *Rule, h *store.Host, firing bool) bool {
	at, value := h.Reading.At, r.worst(&h.Reading).value
	key := partKey{h.Name, r.text}
	s := p.before[key]
	if at.Before(s.last) || at.Sub(s.last) > max(time.Minute, h.SilentAfter()) { // the clock was set back, or readings are missing
		s = partState{}
	}
	s.last = at
	s.beyond = since(s.beyond, at, r.beyond(value))
	s.calm = since(s.calm, at, !r.isBeyondClear(value))
	p.now[key] = s
	if firing {
		return s.calm.IsZero() || at.Sub(s.calm) < r.calm()
	}
	return !s.beyond.IsZero() && at.Sub(s.beyond) >= r.For
}

// since returns the time since which a condition has been true.
func since(before, at time.Time, isTrue bool) time.Time {
	switch {
	case !isTrue:
		return time.Time{}
	case before.IsZero():
		return at
	}
	return before
}
