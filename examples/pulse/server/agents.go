package server

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const (
	// describeAfter is the interval at which the collected agents are stored together.
	describeAfter = time.Second

	// describeTimeout bounds the time of storing all collected agents.
	describeTimeout = time.Minute

	// lastDescribeTimeout bounds this time when the server stops.
	lastDescribeTimeout = 5 * time.Second

	// If the difference between a host's clock and the server's clock changes by at least
	// aheadStep, the change is stored without waiting for [store.SeenEvery].
	aheadStep = 2 * time.Second

	// maxDescribed is the maximum number of times that agents of one host are stored in a minute. A
	// client that always changes its id cannot keep the database busy.
	maxDescribed = 16

	// maxAgentsList is the maximum size of each list of [Agents] in bytes.
	maxAgentsList = 8 << 20

	// agentSize is the approximate memory of an agent in [Agents], in bytes, without its texts.
	agentSize = 256
)

// Agents stores which agents post the readings of hosts, a little later than the readings. It stores
// an agent again at once if the agent's data has changed, and otherwise every [store.SeenEvery].
type Agents struct {
	store store.Store
	log   throttledLog

	mu      sync.Mutex
	stored  map[agentKey]store.Agent
	pending map[string]store.Agent // at most one agent for each host; another agent of the host becomes pending at a later post
	counts  map[string]int         // how often agents of a host became pending in the minute after since
	since   time.Time

	storedSize, pendingSize, countsSize int // the approximate sizes of the lists, in bytes
}

// NewAgents returns a list of agents. [Agents.Run] stores them in db.
func NewAgents(db store.Store, log *slog.Logger) *Agents {
	return &Agents{store: db, log: throttledLog{log: log, every: time.Minute}}
}

// Run stores the agents of the last posts every second until ctx is done, and then once more.
func (d *Agents) Run(ctx context.Context) {
	storing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastDescribeTimeout, cancel) })()
	ticks := time.NewTicker(describeAfter)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			d.flush(storing)
		case <-ctx.Done():
			d.flush(storing)
			return
		}
	}
}

type agentKey struct{ host, id string }

// note records the agent of a post, and flush stores it later. readings are the readings of the post
// whose hosts are valid and covered by the token. note ignores a post without a description of its
// agent. d may be nil.
func (d *Agents) note(readings []telemetry.Reading, p *telemetry.Post) {
	if d == nil || p.Agent == "" && p.Every == 0 && p.Tags == nil {
		return
	}
	// Copies do not keep the request in memory.
	now, host := time.Now(), ""
	agent := store.Agent{ID: strings.Clone(p.Agent), Every: p.Every, Since: now, Seen: now}
	for _, tag := range p.Tags {
		agent.Tags = append(agent.Tags, strings.Clone(tag))
	}
	if clock, ok := p.Clock.Get(); ok {
		agent.Ahead = clock.Sub(now)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if now.Sub(d.since) > time.Minute || d.countsSize > maxAgentsList {
		d.counts, d.since, d.countsSize = map[string]int{}, now, 0
	}
	for i := range readings {
		if host == readings[i].Host || d.pendingSize > maxAgentsList {
			continue
		}
		host = strings.Clone(readings[i].Host)
		if _, waits := d.pending[host]; waits || d.counts[host] >= maxDescribed {
			continue
		}
		key := agentKey{host, agent.ID}
		last, known := d.stored[key]
		if known && agent.Every == last.Every && (agent.Ahead-last.Ahead).Abs() < aheadStep && slices.Equal(agent.Tags, last.Tags) && now.Sub(last.Seen) < store.SeenEvery {
			continue
		}
		a := agent
		a.Host = host
		if d.stored == nil || d.storedSize > maxAgentsList {
			d.stored, d.storedSize = map[agentKey]store.Agent{}, 0
		}
		d.forget(key)
		d.stored[key] = a
		d.storedSize += size(&a)
		if d.pending == nil {
			d.pending = map[string]store.Agent{}
		}
		d.pending[host] = a
		d.pendingSize += size(&a)
		if d.counts[host]++; d.counts[host] == 1 {
			d.countsSize += agentSize + len(host)
		}
	}
}

// forget removes an agent from the list of stored agents. d.mu must be held.
func (d *Agents) forget(key agentKey) {
	if a, known := d.stored[key]; known {
		d.storedSize -= size(&a)
		delete(d.stored, key)
	}
}

// size returns the approximate size of an agent in a list, in bytes.
func size(a *store.Agent) int {
	n := agentSize + len(a.Host) + len(a.ID)
	for _, tag := range a.Tags {
		n += len(tag)
	}
	return n
}

// flush stores the pending agents. If this fails, each agent is stored after its next post.
func (d *Agents) flush(ctx context.Context) {
	d.mu.Lock()
	var agents []store.Agent
	for _, a := range d.pending {
		agents = append(agents, a)
	}
	d.pending, d.pendingSize = nil, 0
	d.mu.Unlock()
	if len(agents) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	err := d.store.Describe(ctx, agents)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		d.log.error("the agents of hosts cannot be stored", err)
		for _, a := range agents {
			d.forget(agentKey{a.Host, a.ID})
		}
		if store.Temporary(err) {
			d.counts, d.countsSize = map[string]int{}, 0
		}
	}
}
