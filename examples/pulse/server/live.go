package server

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
)

const (
	// liveBuffer is the maximum number of events that wait for one client: a full batch and some
	// more. A slower client is disconnected. It reconnects automatically, and fetches the missed
	// readings.
	liveBuffer = telemetry.MaxBatch + 24

	// liveBytes is the maximum size of the events that wait for one client, in bytes. The largest
	// event is smaller.
	liveBytes = 8 << 20

	// liveClients limits the memory and connections of all streams together.
	liveClients = 1000
)

// Live sends readings to the browsers that follow them (server-sent events). Publishing never waits
// for a client. A Live also knows whether somebody looks at readings.
type Live struct {
	// Tell tells the other servers that somebody looks at readings, see [Live.LookedElsewhere]. It may
	// be nil, and must be set before the Live is used.
	Tell func()

	mu           sync.Mutex
	clients      map[*client]struct{}
	looked, told time.Time // the last look, and the last call of Tell
}

// A client is one open stream. Its channel is closed to end it.
type client struct {
	host   string // "" for every host
	events chan api.Event
	bytes  atomic.Int64 // the size of the events that wait or are being sent
}

// NewLive returns a Live without clients.
func NewLive() *Live { return &Live{clients: map[*client]struct{}{}} }

// Publish sends each reading to the clients that follow the host of the reading. Each reading is encoded once
// for all clients.
func (l *Live) Publish(readings []telemetry.Reading) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.clients) == 0 {
		return
	}
	for i := range readings {
		event, err := encodeEvent(&readings[i])
		if err != nil {
			continue // not reached: every valid reading can be encoded
		}
		for c := range l.clients {
			if c.host == "" || c.host == readings[i].Host {
				l.send(c, event)
			}
		}
	}
}

// count returns the number of open streams.
func (l *Live) count() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return float64(len(l.clients))
}

// send adds an event to the events that wait for c. If there are too many, or if they are too large,
// it drops all of them and ends the stream. l.mu must be held.
func (l *Live) send(c *client, event api.Event) {
	size := int64(len(event.Data))
	if c.bytes.Add(size) <= liveBytes {
		select {
		case c.events <- event:
			return
		default:
		}
	}
	l.remove(c)
	for range c.events { // drop the events: otherwise they would stay in memory until the client reads
	}
}

func encodeEvent(r *telemetry.Reading) (api.Event, error) {
	data, err := json.Marshal(r)
	return api.Event{ID: strconv.FormatInt(r.At.UnixMilli(), 10), Data: data}, err
}

// add returns a new client, or nil if there are too many.
func (l *Live) add(host string) *client {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.clients) >= liveClients {
		return nil
	}
	c := &client{host: host, events: make(chan api.Event, liveBuffer)}
	l.clients[c] = struct{}{}
	return c
}

// remove ends c's stream unless it has already ended. l.mu must be held.
func (l *Live) remove(c *client) {
	if _, ok := l.clients[c]; ok {
		delete(l.clients, c)
		close(c.events)
	}
}

type liveInput struct {
	Host mo.Option[string] `query:"host" doc:"Only this machine's readings."`
}

// stream handles GET /v1/live. It returns when the client has disconnected or is too slow. It also
// returns when the server shuts down, since the shutdown waits for all handlers.
func (l *Live) stream(ctx context.Context, in *liveInput, events *api.Events) error {
	client := l.add(in.Host.OrEmpty())
	if client == nil {
		return api.NewProblem(http.StatusServiceUnavailable, "There are too many open streams. Try again later.")
	}
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.remove(client)
	}()
	if err := events.Send(api.Event{Retry: time.Second}); err != nil {
		return err
	}
	looks := time.NewTicker(tellEvery)
	defer looks.Stop()
	for {
		l.Look()
		select {
		case <-looks.C:
		case event, open := <-client.events:
			if !open {
				return nil
			}
			if err := events.Send(event); err != nil {
				return err
			}
			client.bytes.Add(-int64(len(event.Data)))
		case <-ctx.Done():
			return nil
		}
	}
}
