package server

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/web"
)

const (
	// liveBuffer is how many events may wait for one client: a full batch and
	// some. Past that it is disconnected; it comes back by itself and fetches
	// what it missed.
	liveBuffer = telemetry.MaxBatch + 24

	// liveClients bounds the memory and connections of all streams together.
	liveClients = 1000

	// heartbeat keeps proxies from closing a quiet stream, and finds out about
	// clients that have gone without saying so.
	heartbeat = 15 * time.Second

	// liveWrite is how long one write to a client may take.
	liveWrite = 10 * time.Second
)

// Live hands readings to the browsers that follow them (server-sent events).
// Publishing never waits for a client.
type Live struct {
	mu      sync.Mutex
	clients map[*client]struct{}
}

// A client is one open stream. Its channel is closed to end it.
type client struct {
	host   string // "" for every host
	events chan []byte
}

// NewLive returns a Live without clients.
func NewLive() *Live { return &Live{clients: map[*client]struct{}{}} }

// Publish sends readings to the clients that asked for their host. Each is
// encoded once, however many follow it.
func (l *Live) Publish(readings []telemetry.Reading) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.clients) == 0 {
		return
	}
	for i := range readings {
		event, err := encodeEvent(&readings[i])
		if err != nil {
			continue // validated readings have an encoding
		}
		for c := range l.clients {
			if c.host == "" || c.host == readings[i].Host {
				l.send(c, event)
			}
		}
	}
}

func (l *Live) send(c *client, event []byte) {
	select {
	case c.events <- event:
	default:
		l.remove(c)
	}
}

func encodeEvent(r *telemetry.Reading) ([]byte, error) {
	event := append([]byte("id: "), strconv.FormatInt(r.At.UnixMilli(), 10)...)
	event = append(event, "\ndata: "...)
	event, err := json.Append(event, r) // JSON as it is written here has no line breaks
	return append(event, "\n\n"...), err
}

// add returns a new client, or nil if there are too many.
func (l *Live) add(host string) *client {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.clients) >= liveClients {
		return nil
	}
	c := &client{host, make(chan []byte, liveBuffer)}
	l.clients[c] = struct{}{}
	return c
}

// remove ends c's stream, if it has not been ended yet. l.mu must be held.
func (l *Live) remove(c *client) {
	if _, ok := l.clients[c]; ok {
		delete(l.clients, c)
		close(c.events)
	}
}

// stream answers GET /v1/live. It returns when the client has gone or is too
// slow, and when the server shuts down, which would wait for it otherwise.
func (l *Live) stream(c *web.Context) error {
	client := l.add(c.QueryParam("host"))
	if client == nil {
		return web.NewProblem(http.StatusServiceUnavailable, "No more streams are taken now.")
	}
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.remove(client)
	}()

	w := c.Response()
	connection := http.NewResponseController(w)
	_ = web.ClearDeadlines(w) // they are for requests that end
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // tells nginx not to collect events

	// write sends all of event or fails. A client that is gone is no error.
	write := func(event []byte) bool {
		_ = connection.SetWriteDeadline(time.Now().Add(liveWrite))
		_, err := w.Write(event)
		return err == nil && connection.Flush() == nil
	}
	if !write([]byte("retry: 1000\n\n")) {
		return nil
	}
	ctx := c.Request().Context()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case event, open := <-client.events:
			if !open || !write(event) {
				return nil
			}
		case <-beat.C:
			if !write([]byte(": still here\n\n")) {
				return nil
			}
		case <-ctx.Done():
			return nil
		case <-web.Draining(ctx):
			return nil
		}
	}
}
