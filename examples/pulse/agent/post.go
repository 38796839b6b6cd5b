package agent

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// A poster sends batches in the binary format to one of several servers. It stays with one server
// as long as that accepts them.
type poster struct {
	http    *http.Client
	servers []server // in random order, to distribute agents over the servers
	now     int      // the index of the current server
	failed  int      // the number of successive servers that did not accept a batch
}

type server struct {
	url string
	// post sends a batch. Even after an error the batch may have been stored. It is safe to send it
	// again to any server, since servers detect repeated batches.
	post func(context.Context, *telemetry.Batch) (*struct{}, error)
}

func newPoster(urls []string, token string, trust *tls.Config) (*poster, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = trust
	p := &poster{http: &http.Client{Transport: transport, Timeout: 15 * time.Second}}
	options := client.Options{HTTP: p.http, Wire: true}
	if token != "" {
		options.Header = http.Header{"Authorization": {"Bearer " + token}}
	}
	if len(urls) == 0 {
		urls = []string{""}
	}
	for _, url := range urls {
		c, err := client.New(url, options)
		if err != nil {
			return nil, fmt.Errorf("server URL: %w", err)
		}
		// The post does not ask for the outcome of each reading.
		p.servers = append(p.servers, server{url, client.Call[telemetry.Batch, struct{}](c, "POST /v1/readings")})
	}
	rand.Shuffle(len(p.servers), func(i, j int) { p.servers[i], p.servers[j] = p.servers[j], p.servers[i] })
	return p, nil
}

func (p *poster) server() string { return p.servers[p.now].url }

func (p *poster) post(ctx context.Context, batch *telemetry.Batch) error {
	_, err := p.servers[p.now].post(ctx, batch)
	if err == nil {
		p.failed = 0
	}
	return err
}

// next moves on to the next server. It returns false when all servers have failed and the agent
// should pause.
func (p *poster) next() bool {
	p.now = (p.now + 1) % len(p.servers)
	p.failed++
	return p.failed%len(p.servers) != 0
}

func (p *poster) close() { p.http.CloseIdleConnections() }

// permanent reports whether repeating the post is useless.
func permanent(err error) bool {
	var refused *api.Problem
	if !errors.As(err, &refused) {
		return false
	}
	// Any other status may come from a proxy, or from a server that is starting.
	switch refused.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge:
		return true
	}
	return false
}

// retryAfter returns the time for which the server asked to wait, or 0.
func retryAfter(err error) time.Duration {
	var answer *client.AnswerError
	if errors.As(err, &answer) {
		return answer.RetryAfter()
	}
	return 0
}
