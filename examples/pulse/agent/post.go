package agent

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// A poster sends batches in the binary format to one of several servers. It stays with one server
// as long as that server accepts the batches.
type poster struct {
	http    *http.Client
	servers []server     // in random order, to distribute agents over the servers
	now     atomic.Int64 // the index of the current server
	failed  int          // the number of successive servers that did not accept a batch
	about   telemetry.Post
}

type server struct {
	url string
	// post sends a batch in the binary format, and postJSON sends it in JSON to a server of an older
	// version. Even after an error the batch may have been stored. It is safe to send it again to any
	// server, since servers detect repeated batches.
	post, postJSON func(context.Context, *telemetry.Post) (*telemetry.Receipt, error)

	// watched asks whether somebody looks at readings.
	watched func(context.Context, *struct{}) (*telemetry.Look, error)

	older time.Time // the time at which the server turned out to have an older version
}

// olderFor is the time after which an agent tries again whether a server has the present version.
const olderFor = 10 * time.Minute

// send posts a batch in the format that the server can read. An older server has no route for the
// present binary format.
func (s *server) send(ctx context.Context, request *telemetry.Post) (*telemetry.Receipt, error) {
	if time.Since(s.older) > olderFor {
		receipt, err := s.post(ctx, request)
		var problem *api.Problem
		if !errors.As(err, &problem) || problem.Status != http.StatusNotFound {
			return receipt, err
		}
	}
	receipt, err := s.postJSON(ctx, request)
	if err == nil && time.Since(s.older) > olderFor {
		s.older = time.Now()
	}
	return receipt, err
}

// newPoster returns a poster that posts to urls. The argument about determines the header fields of
// its posts.
func newPoster(urls []string, token string, trust *tls.Config, about telemetry.Post) (*poster, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = trust
	p := &poster{about: about, http: &http.Client{Transport: transport, Timeout: 15 * time.Second}}
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
		inJSON, err := client.New(url, client.Options{HTTP: p.http, Header: options.Header})
		if err != nil {
			return nil, fmt.Errorf("server URL: %w", err)
		}
		p.servers = append(p.servers, server{
			url:      url,
			post:     client.Call[telemetry.Post, telemetry.Receipt](c, "POST /v2/readings"),
			postJSON: client.Call[telemetry.Post, telemetry.Receipt](inJSON, "POST /v1/readings"),
			watched:  client.Call[struct{}, telemetry.Look](inJSON, "GET /v1/watched"),
		})
	}
	rand.Shuffle(len(p.servers), func(i, j int) { p.servers[i], p.servers[j] = p.servers[j], p.servers[i] })
	return p, nil
}

func (p *poster) server() string { return p.current().url }

func (p *poster) current() *server { return &p.servers[p.now.Load()] }

// post sends readings. After a nil error the server has all of them, except the refused ones. The
// argument watched is called with the member of the receipt.
func (p *poster) post(ctx context.Context, readings []telemetry.Reading, watched func(bool)) (refused []telemetry.Refusal, err error) {
	request := p.about
	request.Clock, request.Batch.Readings = mo.Some(time.Now()), readings
	receipt, err := p.current().send(ctx, &request)
	switch {
	case err == nil && receipt == nil: // the answer has no body
	case err == nil:
		refused = receipt.Refused
		watched(receipt.Watched)
	case errors.As(err, new(*api.Problem)):
		if refused = refusals(err, len(readings)); refused == nil {
			return nil, err
		}
	default:
		return nil, err
	}
	p.failed = 0
	return refused, nil
}

// refusals returns the refusal of each of n readings, if the server has refused all of them and says
// why. It returns nil for any other error.
func refusals(err error, n int) (refused []telemetry.Refusal) {
	var problem *api.Problem
	if !errors.As(err, &problem) || problem.Status != http.StatusUnprocessableEntity && problem.Status != http.StatusConflict {
		return nil
	}
	for _, fault := range problem.Errors {
		r := telemetry.Refusal{Reason: fault.Detail, Later: problem.Status == http.StatusConflict}
		if _, err := fmt.Sscanf(fault.Name, ".readings[%d]%s", &r.Index, &r.Field); err != nil || r.Index != len(refused) {
			return nil
		}
		refused = append(refused, r)
	}
	if len(refused) < n { // the list was too long
		return nil
	}
	return refused
}

// next moves on to the next server. It returns false when all servers have failed and the agent
// should pause.
func (p *poster) next() bool {
	p.now.Store((p.now.Load() + 1) % int64(len(p.servers)))
	p.failed++
	return p.failed%len(p.servers) != 0
}

func (p *poster) close() { p.http.CloseIdleConnections() }

// permanent reports whether a server that refused a post with err would refuse it again.
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
