package middleware

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"sync"

	"github.com/hone-go/hone/web"
)

// A ProxyTarget is a server that requests are forwarded to.
type ProxyTarget struct {
	Name string
	URL  *url.URL
	Meta map[string]any
}

// A ProxyBalancer chooses the target of a request.
type ProxyBalancer interface {
	// AddTarget returns false if a target of that name exists.
	AddTarget(target *ProxyTarget) bool
	// RemoveTarget returns false if no such target exists.
	RemoveTarget(targetName string) bool
	// Next returns the target of a request, or nil if there is none. It is called
	// again for each retry.
	Next(c *web.Context) (*ProxyTarget, error)
}

// targets are the targets of a balancer.
type targets struct {
	mu  sync.Mutex
	all []*ProxyTarget
}

// AddTarget implements ProxyBalancer.
func (t *targets) AddTarget(target *ProxyTarget) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.index(target.Name) >= 0 {
		return false
	}
	t.all = append(t.all, target)
	return true
}

// RemoveTarget implements ProxyBalancer.
func (t *targets) RemoveTarget(name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := t.index(name)
	if i < 0 {
		return false
	}
	t.all = slices.Delete(t.all, i, i+1)
	return true
}

func (t *targets) index(name string) int {
	return slices.IndexFunc(t.all, func(p *ProxyTarget) bool { return p.Name == name })
}

type randomBalancer struct{ targets }

// NewRandomBalancer returns a balancer that chooses at random.
func NewRandomBalancer(targets []*ProxyTarget) ProxyBalancer {
	b := &randomBalancer{}
	b.all = slices.Clone(targets)
	return b
}

// Next implements ProxyBalancer.
func (b *randomBalancer) Next(*web.Context) (*ProxyTarget, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.all) == 0 {
		return nil, nil
	}
	return b.all[rand.IntN(len(b.all))], nil
}

type roundRobinBalancer struct {
	targets
	next int
}

// NewRoundRobinBalancer returns a balancer that chooses the targets in turn. If a request fails,
// its retry is sent to the next target.
func NewRoundRobinBalancer(targets []*ProxyTarget) ProxyBalancer {
	b := &roundRobinBalancer{}
	b.all = slices.Clone(targets)
	return b
}

const roundRobinKey = "_round_robin_last_index"

// Next implements ProxyBalancer.
func (b *roundRobinBalancer) Next(c *web.Context) (*ProxyTarget, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch len(b.all) {
	case 0:
		return nil, nil
	case 1:
		return b.all[0], nil
	}
	i, again := c.Get(roundRobinKey).(int)
	if again {
		i++
	} else {
		i = b.next
		b.next = (b.next + 1) % len(b.all)
	}
	i %= len(b.all)
	c.Set(roundRobinKey, i)
	return b.all[i], nil
}
