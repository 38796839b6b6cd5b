package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestCallRetries(t *testing.T) {
	var calls atomic.Int32
	type in struct {
		Status int         `query:"status"`
		After  string      `query:"after"`
		Body   *callNumber `body:""`
	}
	type streamIn struct {
		Body io.Reader `body:""`
	}
	answer := func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		if calls.Add(1) < 3 {
			if after := r.URL.Query().Get("after"); after != "" {
				w.Header().Set("Retry-After", after)
			}
			if r.URL.Query().Get("status") == "" {
				panic(http.ErrAbortHandler)
			}
			w.WriteHeader(map[string]int{"503": 503, "429": 429, "500": 500, "400": 400}[r.URL.Query().Get("status")])
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if len(text) == 0 {
			text = []byte(`{"n":3}`)
		}
		_, _ = w.Write(text)
	}
	s := httptest.NewServer(http.HandlerFunc(answer))
	defer s.Close()
	prepared := 0
	c := clientOf(t, s.URL, Options{
		Retry: Retry{Attempts: 3, Wait: time.Millisecond, MaxWait: 2 * time.Second},
		Prepare: func(r *http.Request) error {
			prepared++
			r.Header.Set("Authorization", fmt.Sprint("Bearer ", prepared))
			return nil
		},
	})
	put, post := Call[in, callNumber](c, "PUT /x"), Call[in, callNumber](c, "POST /x")
	query := Call[in, callNumber](c, "QUERY /x")
	again := Call[in, callNumber](c, "POST /x", CallOptions{Repeatable: true})
	for _, test := range []struct {
		name  string
		call  func(context.Context, *in) (*callNumber, error)
		in    in
		calls int32
		least time.Duration
		works bool
	}{
		{name: "PUT, no answer", call: put, in: in{Body: &callNumber{5}}, calls: 3, works: true},
		{name: "QUERY, no answer", call: query, in: in{Body: &callNumber{5}}, calls: 3, works: true},
		{name: "PUT, 503", call: put, in: in{Status: 503}, calls: 3, works: true},
		{name: "PUT, 429", call: put, in: in{Status: 429}, calls: 3, works: true},
		{name: "PUT, 500", call: put, in: in{Status: 500}, calls: 1},
		{name: "PUT, 400", call: put, in: in{Status: 400}, calls: 1},
		{name: "PUT, Retry-After", call: put, in: in{Status: 503, After: "1"}, calls: 3, least: 2 * time.Second, works: true},
		{name: "PUT, too late", call: put, in: in{Status: 503, After: "60"}, calls: 1},
		{name: "POST", call: post, in: in{Status: 503}, calls: 1},
		{name: "POST that is repeatable", call: again, in: in{Status: 503, Body: &callNumber{6}}, calls: 3, works: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			calls.Store(0)
			before := prepared
			begun := time.Now()
			got, err := test.call(t.Context(), &test.in)
			if (err == nil) != test.works || calls.Load() != test.calls || time.Since(begun) < test.least || prepared-before != int(test.calls) {
				t.Errorf("%d calls, %d prepared, %v: %+v, %v", calls.Load(), prepared-before, time.Since(begun), got, err)
			}
			if test.works && test.in.Body != nil && got.N != test.in.Body.N {
				t.Errorf("the body arrived as %+v", got)
			}
			var a *AnswerError
			if test.in.After == "60" && (!errors.As(err, &a) || a.RetryAfter() != time.Minute) {
				t.Errorf("%v", err)
			}
		})
	}
	calls.Store(0)
	stream := Call[streamIn, callNumber](c, "PUT /x")
	if _, err := stream(t.Context(), &streamIn{io.MultiReader(strings.NewReader(`{}`))}); err == nil || calls.Load() != 1 {
		t.Errorf("a body that can be read only once: %d calls, %v", calls.Load(), err)
	}
	calls.Store(0)
	if got, err := stream(t.Context(), &streamIn{strings.NewReader(`{"n":9}`)}); err != nil || got.N != 9 {
		t.Errorf("a reader of bytes: %+v, %v", got, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	calls.Store(0)
	if _, err := put(ctx, &in{Status: 503, After: "1"}); err == nil || calls.Load() != 1 {
		t.Errorf("no time is left: %d calls, %v", calls.Load(), err)
	}
	failing := clientOf(t, s.URL, Options{Retry: c.options.Retry, Prepare: func(*http.Request) error { return errStopped }})
	if _, err := Call[in, callNumber](failing, "PUT /x")(t.Context(), nil); !errors.Is(err, errStopped) {
		t.Error(err)
	}
}

// TestCallRedirects reads the header fields that are sent after a redirect to the same host and to
// another host.
func TestCallRedirects(t *testing.T) {
	var got http.Header
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		w.WriteHeader(http.StatusNoContent)
	}))
	defer other.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/far":
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		case "/near":
			http.Redirect(w, r, "/here", http.StatusFound)
		default:
			got = r.Header.Clone()
			w.WriteHeader(http.StatusNoContent)
		}
	}))
	defer s.Close()
	type in struct {
		Token   string `header:"X-Token"`
		Session string `cookie:"session"`
	}
	c := clientOf(t, s.URL, Options{
		Header:  http.Header{"x-api-key": {"secret"}, "Accept-Language": {"de"}},
		Prepare: func(r *http.Request) error { r.Header.Set("Authorization", "Bearer secret"); return nil },
	})
	sent := &in{"secret", "secret"}
	for path, want := range map[string]bool{"/near": true, "/far": false} {
		got = nil
		if _, err := Call[in, struct{}](c, "GET "+path)(t.Context(), sent); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"X-Token", "X-Api-Key", "Authorization", "Cookie"} {
			if (got.Get(name) != "") != want {
				t.Errorf("%s: %s is %q", path, name, got.Get(name))
			}
		}
		if got.Get("Accept-Language") != "de" || got.Get("Accept") == "" {
			t.Errorf("%s: %v", path, got)
		}
	}
}
