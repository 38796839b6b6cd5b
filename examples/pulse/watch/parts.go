package watch

import (
	"maps"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
)

// Parts judges rules about single disks, interfaces and sensors. The stored sums of minutes do not
// have their values, so Parts remembers since when the last readings have been beyond a threshold.
// After a restart of the server it counts anew, and alerts begin later. Only one goroutine may use it.
type Parts struct {
	states map[partKey]partState
	round  int
}

type partKey struct{ host, rule string }

type partState struct {
	round    int           // the last round that has judged the part
	last     time.Time     // the time of the last reading, by the clock of the host
	distance time.Duration // between the last two readings that were judged
	beyond   time.Time     // the time since which each reading was beyond the threshold; zero if the last one was not
	calm     time.Time     // the time since which each reading was within Clear
}

// NewParts returns a Parts that has seen no readings.
func NewParts() *Parts { return &Parts{states: map[partKey]partState{}} }

// EndRound ends a round in which each host was judged. Parts forgets hosts and rules that the round
// did not have. It is not called for a round that an error has ended early.
func (p *Parts) EndRound() {
	maps.DeleteFunc(p.states, func(_ partKey, s partState) bool { return s.round != p.round })
	p.round++
}

// judge returns whether an alert about a part is firing, after the last reading of the host.
func (p *Parts) judge(r *Rule, h *store.Host, firing bool) bool {
	at, value := h.Reading.At, r.worst(&h.Reading).value
	key := partKey{h.Name, r.text}
	s := p.states[key]
	distance := at.Sub(s.last)
	if distance < 0 || distance > max(time.Minute, h.SilentAfter(), 3*s.distance) { // the clock was set back, or readings are missing
		s.beyond, s.calm = time.Time{}, time.Time{}
	}
	if distance != 0 && !s.last.IsZero() {
		s.distance = max(distance, 0)
	}
	s.round, s.last = p.round, at
	s.beyond = since(s.beyond, at, r.beyond(value))
	s.calm = since(s.calm, at, !r.isBeyondClear(value))
	p.states[key] = s
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
