// Command events streams messages to browsers as they are posted.
//
//	curl -N http://127.0.0.1:8080/v1/rooms/go/live
//	curl http://127.0.0.1:8080/v1/rooms/go -H 'Content-Type: application/json' -d '{"text":"hello"}'
package main

import (
	"context"
	"log"
	"strconv"
	"sync"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/web"
)

type Message struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

// A room keeps its last messages. A new message wakes the requests that wait for it.
type room struct {
	mu       sync.Mutex
	messages []Message
	first    int           // the number of removed messages
	changed  chan struct{} // closed by the next message
}

const kept = 100

func (r *room) add(text string) Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := Message{r.first + len(r.messages) + 1, text}
	r.messages = append(r.messages, m)
	if len(r.messages) > kept {
		r.messages, r.first = r.messages[1:], r.first+1
	}
	close(r.changed)
	r.changed = make(chan struct{})
	return m
}

// after returns the messages with a larger ID, and a channel that the next message closes.
func (r *room) after(id int) ([]Message, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	skip := min(max(0, id-r.first), len(r.messages))
	return append([]Message(nil), r.messages[skip:]...), r.changed
}

type rooms struct{ all sync.Map }

func (r *rooms) of(name string) *room {
	v, _ := r.all.LoadOrStore(name, &room{changed: make(chan struct{})})
	return v.(*room)
}

type postIn struct {
	Room string `path:"room" length:"..32"`
	Body struct {
		Text string `json:"text" length:"1..500"`
	} `body:""`
}

type liveIn struct {
	Room string `path:"room" length:"..32"`
	Last int    `header:"Last-Event-ID" min:"0"` // sent by a browser that connects again
}

func handler() *web.Echo {
	all := &rooms{}
	e := web.New()
	api.Handle(e, "POST /v1/rooms/{room}", func(_ context.Context, in *postIn) (*Message, error) {
		m := all.of(in.Room).add(in.Body.Text)
		return &m, nil
	})
	api.HandleEvents(e, "GET /v1/rooms/{room}/live", func(ctx context.Context, in *liveIn, events *api.Events) error {
		for last := in.Last; ; {
			messages, changed := all.of(in.Room).after(last)
			for _, m := range messages {
				if err := events.SendJSON(strconv.Itoa(m.ID), m); err != nil {
					return err
				}
				last = m.ID
			}
			select {
			case <-changed:
			case <-ctx.Done(): // the client has gone, or the server shuts down
				return nil
			}
		}
	}, api.Operation{Events: map[string]any{"": Message{}}})
	return e
}

func main() {
	if err := handler().Start(":8080"); err != nil {
		log.Fatal(err)
	}
}
