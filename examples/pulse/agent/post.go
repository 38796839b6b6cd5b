package agent

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// A poster sends batches to one server in the binary format.
type poster struct {
	http *http.Client
	// post sends a batch. After any error the batch may have been stored all the
	// same, and it is safe to send it again: the server knows a repeat.
	post func(context.Context, *telemetry.Batch) (*struct{}, error)
}

func newPoster(server string) (*poster, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	p := &poster{http: &http.Client{Transport: transport, Timeout: 15 * time.Second}}
	client, err := api.NewClient(server, api.ClientOptions{HTTP: p.http, Wire: true})
	if err != nil {
		return nil, fmt.Errorf("server URL: %w", err)
	}
	// What the server did with each reading is not asked for.
	p.post = api.Call[telemetry.Batch, struct{}](client, "POST /v1/readings")
	return p, nil
}

func (p *poster) close() { p.http.CloseIdleConnections() }

// permanent reports whether trying again is useless.
func permanent(err error) bool {
	var refused *api.Problem
	if !errors.As(err, &refused) {
		return false
	}
	// Any other status may come from a proxy, or from a server that is not up yet.
	switch refused.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge:
		return true
	}
	return false
}

// retryAfter is how long the server asked to wait; 0 if it did not.
func retryAfter(err error) time.Duration {
	var answer *api.AnswerError
	if errors.As(err, &answer) {
		return answer.RetryAfter()
	}
	return 0
}
