// Package web has the contests of HTTP: routing, responses, binding, middleware,
// typed handlers and whole requests over TCP.
package web

import (
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/valyala/fasthttp"

	"github.com/hone-go/hone/bench/suite/contest"
)

// A request is sent to each server.
type request struct {
	method, target string
	header         map[string]string
	body           string
}

// An answer is a server's response, as the checks see it.
type answer struct {
	status int
	header http.Header
	body   string
}

// A server is one peer's server.
type Server struct {
	Name  string
	notes []string
	// make returns an http.Handler, or for fiber a fasthttp.RequestHandler.
	make func() any
}

// serving returns the contest of answering a request. It checks the answers before the contest is
// timed.
func serving(name string, r request, check func(a answer) error, servers ...Server) contest.Contest {
	c := contest.Contest{Name: name}
	for _, s := range servers {
		c.Contestants = append(c.Contestants, contest.Contestant{Name: s.Name, Notes: s.notes, New: func() (func(int), error) {
			switch h := s.make().(type) {
			case http.Handler:
				return serveHTTP(h, r, check)
			case fasthttp.RequestHandler:
				return serveFast(h, r, check)
			default:
				return nil, fmt.Errorf("a %T is not a handler", h)
			}
		}})
	}
	return c
}

func serveHTTP(h http.Handler, r request, check func(a answer) error) (func(int), error) {
	asked, body := r.http()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, asked)
	if err := check(answer{w.Code, w.Header(), w.Body.String()}); err != nil {
		return nil, err
	}
	discard := NewNothing()
	return contest.Loop(func() {
		clear(discard.header)
		body.Reset(r.body)
		asked.Body = body // restore the body, because handlers and middleware replace it
		h.ServeHTTP(discard, asked)
	}), nil
}

func serveFast(h fasthttp.RequestHandler, r request, check func(a answer) error) (func(int), error) {
	c := r.fast()
	h(c)
	if err := check(fastAnswer(c)); err != nil {
		return nil, err
	}
	return contest.Loop(func() {
		c.Response.Reset()
		h(c)
	}), nil
}

// fastAnswer returns the answer of a server of fasthttp.
func fastAnswer(c *fasthttp.RequestCtx) answer {
	header := http.Header{}
	for k, v := range c.Response.Header.All() {
		header.Add(string(k), string(v))
	}
	return answer{c.Response.StatusCode(), header, string(c.Response.Body())}
}

// A replay is a body that can be read repeatedly.
type replay struct{ strings.Reader }

func (*replay) Close() error { return nil }

// http returns the request for net/http, and its body.
func (r request) http() (*http.Request, *replay) {
	body := new(replay)
	body.Reset(r.body)
	asked := httptest.NewRequest(r.method, r.target, nil)
	if r.body != "" {
		asked.Body, asked.ContentLength = body, int64(len(r.body))
	}
	for k, v := range r.header {
		asked.Header.Set(k, v)
	}
	return asked, body
}

func (r request) fast() *fasthttp.RequestCtx {
	c := fastRequest(r.method, r.target)
	for k, v := range r.header {
		c.Request.Header.Set(k, v)
	}
	if r.body != "" {
		c.Request.SetBodyString(r.body)
	}
	return c
}

// hasAnswer checks the status, the media type and the body. Some frameworks end JSON with a new
// line, and some set a charset.
func hasAnswer(status int, media, body string) func(a answer) error {
	return func(a answer) error {
		got, _, err := mime.ParseMediaType(a.header.Get("Content-Type"))
		if media == "" {
			got, err = "", nil
		}
		if a.status != status || err != nil || got != media || strings.TrimSpace(a.body) != body {
			return fmt.Errorf("the response is %d, %q, %q; want %d, %q, %q", a.status, a.header.Get("Content-Type"), a.body, status, media, body)
		}
		return nil
	}
}

// hasStatus checks for a status only.
func hasStatus(status int) func(a answer) error {
	return func(a answer) error {
		if a.status != status {
			return fmt.Errorf("the response is %d, %q; want the status %d", a.status, a.body, status)
		}
		return nil
	}
}

// stdlib wraps a handler of net/http.
func stdlib(h http.HandlerFunc) func() any { return func() any { return http.Handler(h) } }

// quiet is a log that is discarded.
var quiet = slog.New(slog.DiscardHandler)
