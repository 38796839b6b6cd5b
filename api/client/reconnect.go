package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/internal/http/header"
)

func (s *eventStream) run() {
	s.wait = s.Wait
	if s.wait <= 0 {
		s.wait = defaultEventWait
	}
	if s.MaxWait <= 0 {
		s.MaxWait = defaultMaxEventWait
	}
	failed := 0
	for {
		s.served = false
		again, err := s.once()
		switch {
		case s.ctx.Err() != nil && again:
			s.yield(api.Event{}, context.Cause(s.ctx))
			return
		case again && s.Once && err == io.EOF, err == nil && !again:
			return
		case !again || s.Once:
			s.yield(api.Event{}, err)
			return
		}
		if s.Lost != nil {
			s.Lost(err)
		}
		if failed++; s.served {
			failed = 1
		}
		pause := s.wait
		if failed > 1 { // the first wait is the time that the server sent, without back-off
			pause = s.backOff(failed)
		}
		if !sleep(s.ctx, max(pause, min(retryAfter(err), time.Hour))) {
			s.yield(api.Event{}, context.Cause(s.ctx))
			return
		}
	}
}

// backOff returns the pause before the next attempt. failed is the number of attempts that have
// failed in sequence, at least 2.
func (s *eventStream) backOff(failed int) time.Duration {
	pause, most := max(s.wait, minEventWait), max(s.wait, s.MaxWait)
	for i := 1; i < failed && pause < most; i++ {
		pause *= 2
	}
	return jitter(min(pause, most))
}

// once reads the events of one connection, and reports whether to connect again. It returns
// false and nil if the server or the caller has ended the sequence.
func (s *eventStream) once() (again bool, err error) {
	r, err := s.connect()
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	r = r.WithContext(ctx)
	if s.lastID != "" {
		r.Header["Last-Event-Id"] = []string{s.lastID}
	}
	if r.Header["Cache-Control"] == nil {
		r.Header["Cache-Control"] = []string{"no-store"}
	}
	watch := s.watch(cancel)
	defer watch.stop()
	resp, err := s.client.once(r, s.pattern)
	if err != nil {
		if cause := context.Cause(ctx); cause == errQuiet {
			err = cause
		}
		return mayReconnect(err), err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNoContent {
		return false, nil
	}
	if mediaType := header.MediaType(resp.Header.Get("Content-Type")); !strings.EqualFold(mediaType, api.MediaTypeEvents) {
		return false, &AnswerError{Pattern: s.pattern, Status: resp.StatusCode, Header: resp.Header, Err: unexpectedType(resp)}
	}
	again, err = s.read(watch.reader(resp.Body))
	if cause := context.Cause(ctx); err != nil && cause == errQuiet {
		err = cause
	}
	return again, err
}

// mayReconnect reports whether a later attempt may succeed after err.
func mayReconnect(err error) bool {
	if errors.As(err, new(*prepareError)) || err == ErrNotModified {
		return false
	}
	var p *api.Problem
	if !errors.As(err, &p) {
		return true
	}
	return p.Status >= 500 || p.Status == http.StatusTooManyRequests || p.Status == http.StatusRequestTimeout
}
