package api

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
)

// do sends a request, again if it may be, and returns a successful answer. The error
// is what [Call] says.
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

// once sends a copy of a request, so that nothing of one attempt is in the next.
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

// redirectsKey is that of the statuses of redirection, in the context of a request, that
// are answers of the operation.
type redirectsKey struct{}

func isAnswer(r *http.Request, status int) bool {
	list, _ := r.Context().Value(redirectsKey{}).([]int)
	return slices.Contains(list, status)
}

// A prepareError is one of ClientOptions.Prepare, which trying again does not help.
type prepareError struct{ error }

func (e *prepareError) Unwrap() error { return e.error }

// mayPass reports whether another attempt may do better.
func mayPass(ctx context.Context, err error) bool {
	if ctx.Err() != nil || errors.As(err, new(*prepareError)) {
		return false
	}
	var p *Problem
	if !errors.As(err, &p) {
		return !errors.Is(err, ErrNotModified)
	}
	switch p.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// retryAfter returns how long the answer behind an error asks to wait.
func retryAfter(err error) time.Duration {
	var a *AnswerError
	if errors.As(err, &a) {
		return a.RetryAfter()
	}
	return 0
}

// jitter keeps clients that failed together from coming back together.
func jitter(wait time.Duration) time.Duration { return wait/2 + rand.N(wait/2+1) }

// sleep reports whether the time has passed before the context ended.
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

// drainBody closes a body. What is read to its end leaves the connection for the next
// request.
func drainBody(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, 64<<10)
	_ = body.Close()
}

// parseRetryAfter reads the field Retry-After: seconds, or a date (RFC 9110, 10.2.3).
func parseRetryAfter(s string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseInt(s, 10, 32); err == nil {
		return time.Duration(max(seconds, 0)) * time.Second
	}
	if at, err := http.ParseTime(s); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// confined returns a copy of a http.Client that follows redirects to another host with
// nothing in the header but what says how the answer is to look: net/http leaves out
// Authorization and cookies, and knows no others that are secret.
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

// harmless are the fields of a request that another host may see.
var harmless = map[string]bool{
	"Accept": true, "Accept-Charset": true, "Accept-Encoding": true, "Accept-Language": true, "Content-Type": true,
	"If-Match": true, "If-None-Match": true, "If-Modified-Since": true, "If-Unmodified-Since": true, "Range": true,
	"Last-Event-Id": true, "User-Agent": true,
}
