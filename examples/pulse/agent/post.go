package agent

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/wire"
)

// A RefusedError is a server's answer other than 2xx.
type RefusedError struct {
	Status     int
	Detail     string        // the start of what the server said
	RetryAfter time.Duration // 0 if the server did not say
}

func (e *RefusedError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("server answered %d %s: %s", e.Status, http.StatusText(e.Status), e.Detail))
}

// A poster sends batches to one server in the binary format.
type poster struct {
	url    string
	client *http.Client
}

func newPoster(server string) (*poster, error) {
	u, err := url.Parse(server)
	if err != nil {
		return nil, fmt.Errorf("server URL: %w", err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("server URL %q: want one like http://monitor.example:8080", server)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &poster{
		url:    u.JoinPath("v1/readings").String(),
		client: &http.Client{Transport: transport, Timeout: 15 * time.Second},
	}, nil
}

// post sends b. Its error is a [*RefusedError] if the server answered. After
// any error the batch may have been stored all the same, and it is safe to send
// it again: the server knows a repeat.
func (p *poster) post(ctx context.Context, b *telemetry.Batch) error {
	// A fresh slice each time: the transport may still read a request's body
	// after Do has returned.
	body, err := wire.Marshal(b)
	if err != nil {
		return fmt.Errorf("encoding a batch: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", api.MediaTypeWire)
	request.Header.Set("Accept", "application/json")
	response, err := p.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	// Read to the end, or the connection cannot be used again.
	answer, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err != nil {
		return err
	}
	if response.StatusCode/100 == 2 {
		return nil
	}
	refused := &RefusedError{Status: response.StatusCode, Detail: string(answer[:min(len(answer), 300)])}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
		refused.RetryAfter = time.Duration(seconds) * time.Second
	}
	return refused
}

func (p *poster) close() { p.client.CloseIdleConnections() }
