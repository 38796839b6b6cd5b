// Command webhook sends signed events to a URL, and receives them. A delivery is repeated until the receiver
// accepts it. The receiver recognizes a repeated delivery by its ID.
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log"
	"net/http"
	"sync"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/web"
)

type Event struct {
	ID   string    `json:"id"`
	Kind string    `json:"kind"`
	At   time.Time `json:"at"`
}

const field = "X-Signature"

func sign(secret, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

type hookIn struct {
	Body Event `body:""`
}

// sender returns a function that delivers events to the URL. It signs each attempt.
func sender(url string, secret []byte, retry client.Retry) (func(context.Context, Event) error, error) {
	c, err := client.New(url, client.Options{Retry: retry, Prepare: func(r *http.Request) error {
		if r.GetBody == nil {
			return errors.New("a body that can be read only once cannot be signed")
		}
		body, err := r.GetBody()
		if err != nil {
			return err
		}
		data, err := io.ReadAll(body)
		r.Header.Set(field, sign(secret, data))
		return err
	}})
	if err != nil {
		return nil, err
	}
	post := client.Call[hookIn, struct{}](c, "POST /hook", client.CallOptions{Repeatable: true})
	return func(ctx context.Context, e Event) error {
		_, err := post(ctx, &hookIn{e})
		return err
	}, nil
}

// receiver handles each event once. It reads the body itself, since the signature is over its bytes.
func receiver(secret []byte, handle func(Event) error) *web.Echo {
	var mu sync.Mutex
	seen := map[string]bool{} // in a service of several servers: a table with a unique ID
	e := web.New()
	e.POST("/hook", func(c *web.Context) error {
		body, err := io.ReadAll(c.Request().Body) // limited to 4 MiB by Start
		if err != nil {
			return err
		}
		if !hmac.Equal([]byte(sign(secret, body)), []byte(c.Request().Header.Get(field))) {
			return api.NewProblem(http.StatusForbidden, "the signature is wrong")
		}
		var event Event
		if err := json.NewDecoder(bytes.NewReader(body)).Decode(&event); err != nil || event.ID == "" {
			return api.NewProblem(http.StatusBadRequest, "not an event")
		}
		mu.Lock()
		defer mu.Unlock()
		if !seen[event.ID] {
			if err := handle(event); err != nil {
				return api.NewProblem(http.StatusServiceUnavailable, "try again").Wrap(err)
			}
			seen[event.ID] = true
		}
		return c.NoContent(http.StatusNoContent)
	})
	return e
}

func main() {
	secret := []byte("change-me")
	go func() {
		log.Fatal(receiver(secret, func(e Event) error { log.Print("received ", e); return nil }).Start("127.0.0.1:8080"))
	}()
	send, err := sender("http://127.0.0.1:8080", secret, client.Retry{Attempts: 8})
	if err != nil {
		log.Fatal(err)
	}
	if err := send(context.Background(), Event{"1", "order.paid", time.Now()}); err != nil {
		log.Fatal(err)
	}
}
