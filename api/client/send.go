package client

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/hone-go/hone/api"
)

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

// once sends a copy of a request once: Prepare changes the copy, so each attempt starts with the
// same request. once returns the answer if its status is a success, and otherwise the error from
// problemFrom.
func (c *Client) once(r *http.Request, pattern string) (*http.Response, error) {
	sent := r.Clone(r.Context())
	if r.GetBody != nil {
		var err error
		if sent.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
	}
	if c.options.Prepare != nil {
		if err := c.options.Prepare(sent); err != nil {
			if sent.Body != nil {
				_ = sent.Body.Close()
			}
			return nil, &prepareError{err}
		}
	}
	resp, err := c.http.Do(sent)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 == 2 || isAnswer(r, resp.StatusCode) {
		return resp, nil
	}
	defer drainBody(resp.Body)
	return nil, problemFrom(resp, pattern)
}

// redirectsKey is the key, in the context of a request, of the redirect statuses that are
// answers of the operation.
type redirectsKey struct{}

func isAnswer(r *http.Request, status int) bool {
	list, _ := r.Context().Value(redirectsKey{}).([]int)
	return slices.Contains(list, status)
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

// drainBody reads up to 64 KiB of the rest of a body and closes it. The connection of a body
// that was read to its end can be reused for another request.
func drainBody(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, 64<<10)
	_ = body.Close()
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

// confined returns a copy of an http.Client that protects header fields. When it follows a redirect to another host
// or scheme, it drops all fields except the harmless ones. net/http itself drops only Authorization, Cookie and a
// few more fields, because it does not know which other fields are secret.
func confined(from *http.Client) *http.Client {
	if from == nil {
		from = http.DefaultClient
	}
	c := *from
	next := c.CheckRedirect
	c.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if r.Response != nil && isAnswer(via[0], r.Response.StatusCode) {
			return http.ErrUseLastResponse
		}
		elsewhere := func(u *url.URL) bool { return u.Host != via[0].URL.Host || u.Scheme != via[0].URL.Scheme }
		if elsewhere(r.URL) || slices.ContainsFunc(via, func(v *http.Request) bool { return elsewhere(v.URL) }) {
			for name := range r.Header {
				if !harmless[name] {
					delete(r.Header, name)
				}
			}
		}
		switch {
		case next != nil:
			return next(r, via)
		case len(via) >= 10:
			return errors.New("api: stopped after 10 redirects")
		}
		return nil
	}
	return &c
}

// harmless are the header fields of a request that another host may see.
var harmless = map[string]bool{
	"Accept": true, "Accept-Charset": true, "Accept-Encoding": true, "Accept-Language": true, "Content-Type": true,
	"If-Match": true, "If-None-Match": true, "If-Modified-Since": true, "If-Unmodified-Since": true, "Range": true,
	"Last-Event-Id": true, "User-Agent": true,
}
