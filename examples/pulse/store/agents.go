package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hone-go/hone/json"
)

// An Agent is a program that posts the readings of a host.
type Agent struct {
	Host  string        `json:"-"`
	ID    string        `json:"id"`    // the id of the running program; may be ""
	Every time.Duration `json:"every"` // the longest time between two posts; 0 if it is not known
	Ahead time.Duration `json:"ahead"` // the time by which the host's clock is ahead of the server's; negative if it is behind
	Tags  []string      `json:"tags"`
	Since time.Time     `json:"since"` // the time of its first post
	Seen  time.Time     `json:"seen"`  // the time of a recent post, see SeenEvery
}

const (
	// SeenEvery is the interval at which a server stores that an agent is still posting.
	SeenEvery = 30 * time.Second

	// minSilence is the minimum time without a reading after which a host is silent.
	minSilence = 10 * time.Second

	// maxAgents is the number of agents that are kept for each host.
	maxAgents = 8

	// describeSize is the number of agents that are stored in one transaction. Batches of readings
	// wait for this transaction, since SQLite has one connection for writing.
	describeSize = 100

	// agentKept is the time for which an agent is kept after its last post.
	agentKept = 24 * time.Hour
)

// Describe stores agents of admitted hosts. If an agent is stored already, its Since does not change.
// If the database refuses an agent, the other agents are stored nevertheless.
func (b *base) Describe(ctx context.Context, agents []Agent) (err error) {
	agents = slices.Clone(agents)
	slices.SortFunc(agents, func(x, y Agent) int { return cmp.Or(cmp.Compare(x.Host, y.Host), cmp.Compare(x.ID, y.ID)) }) // a fixed order avoids deadlocks between transactions
	for chunk := range slices.Chunk(agents, describeSize) {
		failed := b.describe(ctx, chunk)
		if failed != nil && len(chunk) > 1 && !Temporary(failed) {
			failed = nil
			for one := range slices.Chunk(chunk, 1) {
				failed = errors.Join(failed, b.describe(ctx, one))
			}
		}
		if err = errors.Join(err, failed); Temporary(failed) {
			break
		}
	}
	return err
}

// describe stores agents in one transaction.
func (b *base) describe(ctx context.Context, agents []Agent) error {
	return b.transact(ctx, b.control, "", func(tx session) error {
		for i := range agents {
			a := &agents[i]
			tags, err := json.Marshal(a.Tags)
			if err != nil {
				return err
			}
			if _, err := tx.exec(ctx, `INSERT INTO agents (host, agent, every, ahead, tags, since, seen)
				SELECT host, CAST(? AS text), CAST(? AS bigint), CAST(? AS bigint), CAST(? AS text), CAST(? AS bigint), CAST(? AS bigint) FROM admitted WHERE host = coalesce((SELECT new FROM renames WHERE old = ?), ?)
				ON CONFLICT (host, agent) DO UPDATE SET every = excluded.every, ahead = excluded.ahead, tags = excluded.tags, seen = excluded.seen`,
				a.ID, a.Every.Milliseconds(), a.Ahead.Milliseconds(), string(tags), a.Since.UnixMilli(), a.Seen.UnixMilli(), a.Host, a.Host); err != nil {
				return err
			}
			if _, err := tx.exec(ctx, `DELETE FROM agents WHERE host = ? AND (seen < ? OR agent NOT IN
				(SELECT agent FROM agents WHERE host = ? ORDER BY seen DESC LIMIT ?))`, a.Host, a.Seen.Add(-agentKept).UnixMilli(), a.Host, maxAgents); err != nil {
				return err
			}
		}
		return nil
	})
}

// addAgents sets Agent and Agents of each host. hosts must be sorted by name.
func (b *base) addAgents(ctx context.Context, hosts []Host) error {
	if len(hosts) == 0 {
		return nil
	}
	columns := func(a *Agent) []any {
		return []any{&a.Host, &a.ID, durationMillis{&a.Every}, durationMillis{&a.Ahead}, asJSON{&a.Tags, new(int)}, millis{&a.Since}, millis{&a.Seen}}
	}
	byHost := map[string][]Agent{}
	for a, err := range rows(ctx, b.reading(), columns, "SELECT host, agent, every, ahead, tags, since, seen FROM agents WHERE host >= ? AND host <= ? ORDER BY host, seen DESC",
		hosts[0].Name, hosts[len(hosts)-1].Name) {
		if err != nil {
			return err
		}
		byHost[a.Host] = append(byHost[a.Host], a)
	}
	for i := range hosts {
		if agents := byHost[hosts[i].Name]; agents != nil {
			hosts[i].Agent, hosts[i].Agents = agents[0], concurrentAgents(agents)
		}
	}
	return nil
}

// concurrentAgents returns the number of agents that post under one host name at the same time. It is
// more than one if two machines have the same name. agents[0] is the agent that was seen last. An
// agent that ended before agents[0] began does not count: the agent was restarted.
func concurrentAgents(agents []Agent) int {
	n, current := 1, &agents[0]
	for i := range agents[1:] {
		a := &agents[1+i]
		both := min(a.Seen.Sub(a.Since), a.Seen.Sub(current.Since))
		if both > SeenEvery/2 && current.Seen.Sub(a.Seen) < 3*max(SeenEvery, a.Every) {
			n++
		}
	}
	return n
}

// SilentAfter returns the time without a reading after which the host is silent: three missed
// reports, but at least 10 seconds.
func (h *Host) SilentAfter() time.Duration { return max(minSilence, 3*h.Agent.Every) }
