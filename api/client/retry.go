package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/hone-go/hone/api"
)

// A Retry configures how often a request is sent if it gets no answer, or an answer of status 429,
// 502, 503 or 504. Only idempotent requests are sent again: requests with the method GET, HEAD,
// PUT, DELETE, OPTIONS, TRACE or QUERY, and all requests of a call with CallOptions.Repeatable. If a body
// can be read only once, its request is never sent again.
type Retry struct {
	Attempts int           // including the first; 0 means 1
	Wait     time.Duration // the wait before the second attempt, doubled before each further attempt; 0 means 200 ms
	MaxWait  time.Duration // the maximum of Wait as it grows; 0 means 10 s
}

// withDefaults returns r with the default durations in place of zeros.
func (r Retry) withDefaults() Retry {
	if r.Wait <= 0 {
		r.Wait = 200 * time.Millisecond
	}
	if r.MaxWait <= 0 {
		r.MaxWait = 10 * time.Second
	}
	return r
}

func (t *caller) repeatable() bool { return t.options.Repeatable || idempotent[t.method] }

// idempotent are the methods whose requests may arrive twice without another effect (RFC 9110,
// 9.2.2).
var idempotent = map[string]bool{
	http.MethodGet: true, http.MethodHead: true, http.MethodPut: true, http.MethodDelete: true,
	http.MethodOptions: true, http.MethodTrace: true, "QUERY": true, // http.MethodQuery since Go 1.28
}

// do sends a request and returns a successful answer. If repeatable is true, it retries as Options.Retry says. The
// pause before a retry is a random time between half of the wait and the whole wait, but at least the time in the
// answer's Retry-After. do does not retry if the pause is longer than MaxWait or ends after the context's
// deadline. The comment of [Call] lists the errors.
func (c *Client) do(r *http.Request, repeatable bool, pattern string) (*http.Response, error) {
	if r.Body != nil && r.GetBody == nil {
		repeatable = false
	}
	retry := c.options.Retry
	wait := retry.Wait
	for attempt := 1; ; attempt++ {
		resp, err := c.once(r, pattern)
		if err == nil || !repeatable || attempt >= retry.Attempts || !mayPass(r.Context(), err) {
			return resp, err
		}
		pause := max(jitter(wait), retryAfter(err))
		if deadline, ok := r.Context().Deadline(); pause > retry.MaxWait || ok && time.Until(deadline) < pause {
			return nil, err
		}
		wait = min(2*wait, retry.MaxWait)
		if !sleep(r.Context(), pause) {
			return nil, err
		}
	}
}

// A prepareError is an error of Options.Prepare. It is not retried, because Prepare would
// fail again.
type prepareError struct{ error }

func (e *prepareError) Unwrap() error { return e.error }

// mayPass reports whether another attempt may succeed after an attempt failed with err.
func mayPass(ctx context.Context, err error) bool {
	if ctx.Err() != nil || errors.As(err, new(*prepareError)) {
		return false
	}
	var p *api.Problem
	if !errors.As(err, &p) {
		return !errors.Is(err, ErrNotModified)
	}
	switch p.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// retryAfter returns the time of the field Retry-After of the answer in err's chain, or 0.
func retryAfter(err error) time.Duration {
	var a *AnswerError
	if errors.As(err, &a) {
		return a.RetryAfter()
	}
	return 0
}

// jitter returns a random time from wait/2 to wait, so that clients that failed together do
// not retry together.
func jitter(wait time.Duration) time.Duration { return wait/2 + rand.N(wait/2+1) }

// sleep waits for d. It returns false if the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// parseRetryAfter returns the duration in a field Retry-After: seconds, or the time until a date
// (RFC 9110, 10.2.3). It returns 0 for other text.
func parseRetryAfter(s string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseInt(s, 10, 32); err == nil {
		return time.Duration(max(seconds, 0)) * time.Second
	}
	if at, err := http.ParseTime(s); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
