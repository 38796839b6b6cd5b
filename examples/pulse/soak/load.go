package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

const (
	hosts     = 8
	batchSize = 3
)

// A load posts, queries and follows, and remembers what was acknowledged.
type load struct {
	url    string
	client *http.Client

	posts, queries, events, failures, busy atomic.Int64
	postTime, queryTime                    latencies
	ending                                 atomic.Bool // from here on failures are expected

	mu           sync.Mutex
	acknowledged map[string]map[int64]bool // host -> milliseconds
	lastError    error
}

func newLoad(url string) *load {
	return &load{
		url: url,
		client: &http.Client{
			Timeout:   30 * time.Second,
			Transport: &http.Transport{MaxIdleConnsPerHost: 64},
		},
		acknowledged: map[string]map[int64]bool{},
	}
}

// run puts the server under load until ctx is done.
func (l *load) run(ctx context.Context, posts, queries int) {
	var group sync.WaitGroup
	for i := range hosts {
		host := fmt.Sprint("soak-", i)
		l.acknowledged[host] = map[int64]bool{}
		last := time.Now()
		group.Go(func() {
			pace(ctx, float64(posts)/hosts, func() {
				var batch telemetry.Batch
				for range batchSize {
					if at := time.Now(); at.After(last.Add(time.Millisecond)) {
						last = at
					} else {
						last = last.Add(time.Millisecond)
					}
					batch.Readings = append(batch.Readings, reading(host, last))
				}
				l.post(ctx, host, &batch)
			})
		})
	}
	for range 4 {
		group.Go(func() { pace(ctx, float64(queries)/4, func() { l.query(ctx) }) })
	}
	for range 2 {
		group.Go(func() { l.follow(ctx) })
	}
	group.Wait()
}

// pace calls f so many times a second, until ctx is done.
func pace(ctx context.Context, perSecond float64, f func()) {
	if perSecond <= 0 {
		return
	}
	ticker := time.NewTicker(time.Duration(float64(time.Second) / perSecond))
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			f()
		case <-ctx.Done():
			return
		}
	}
}

func reading(host string, at time.Time) telemetry.Reading {
	percent := func() float64 { return float64(rand.IntN(10000)) / 100 }
	return telemetry.Reading{
		Host: host, At: at.UTC().Truncate(time.Millisecond),
		CPU: mo.Some(percent()), Cores: []float64{percent(), percent(), percent(), percent()},
		Load1: mo.Some(1.5), Load5: mo.Some(1.25), Load15: mo.Some(0.75),
		MemoryUsed: mo.Some(rand.Uint64N(1 << 34)), MemoryTotal: mo.Some[uint64](1 << 34), Uptime: mo.Some(uint64(at.Unix() % 1e6)),
		Disks:    []telemetry.Disk{{Mount: "/", Device: "/dev/sda1", Used: mo.Some[uint64](1 << 35), Total: mo.Some[uint64](1 << 36), Read: mo.Some(percent())}},
		Networks: []telemetry.Network{{Name: "eth0", Received: mo.Some(percent()), Sent: mo.Some(percent())}},
	}
}

func (l *load) post(ctx context.Context, host string, batch *telemetry.Batch) {
	body, err := wire.Marshal(batch)
	if err != nil {
		l.fail(ctx, err)
		return
	}
	began := time.Now()
	response, err := l.send(ctx, http.MethodPost, "/v1/readings", body)
	if err != nil {
		l.fail(ctx, err)
		return
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	l.posts.Add(1)
	switch {
	case response.StatusCode/100 == 2:
		l.postTime.add(time.Since(began))
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, r := range batch.Readings {
			l.acknowledged[host][r.At.UnixMilli()] = true
		}
	case response.StatusCode == http.StatusServiceUnavailable:
		l.busy.Add(1)
	default:
		l.fail(ctx, fmt.Errorf("post: %s", response.Status))
	}
}

// query asks what the page and curious people ask.
func (l *load) query(ctx context.Context) {
	host := fmt.Sprint("soak-", rand.IntN(hosts))
	from := url.QueryEscape(time.Now().Add(-time.Duration(rand.IntN(300)) * time.Second).UTC().Format(time.RFC3339))
	paths := []string{
		"/v1/readings?limit=200&host=" + host + "&from=" + from,
		"/v1/readings?limit=100&metric=cpu&from=" + from,
		"/v1/hosts/" + host,
		"/v1/hosts",
		"/healthz",
	}
	began := time.Now()
	response, err := l.send(ctx, http.MethodGet, paths[rand.IntN(len(paths))], nil)
	if err != nil {
		l.fail(ctx, err)
		return
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	l.queries.Add(1)
	// The first question about a host may come before its first reading.
	if early := response.StatusCode == http.StatusNotFound && l.queries.Load() < 100; response.StatusCode != http.StatusOK && !early {
		err = errors.New("query: " + response.Status)
	}
	if err != nil {
		l.fail(ctx, err)
		return
	}
	l.queryTime.add(time.Since(began))
}

// follow reads the live stream as the page does.
func (l *load) follow(ctx context.Context) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.url+"/v1/live", nil)
	if err != nil {
		l.fail(ctx, err)
		return
	}
	response, err := http.DefaultClient.Do(request) // no time limit
	if err != nil {
		l.fail(ctx, err)
		return
	}
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data:") {
			l.events.Add(1)
		}
	}
	l.fail(ctx, errors.New("the live stream ended"))
}

func (l *load) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, l.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", api.MediaTypeWire)
	}
	return l.client.Do(request)
}

// fail counts an error, unless it is the end that causes it.
func (l *load) fail(ctx context.Context, err error) {
	if ctx.Err() != nil || l.ending.Load() {
		return
	}
	l.failures.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastError = err
}

// verify counts the acknowledged readings that the server does not have.
func (l *load) verify(ctx context.Context, server string) (missing int, err error) {
	l.url = server
	for host, want := range l.acknowledged {
		found := map[int64]int{}
		query := url.Values{"host": {host}, "metric": {"cpu"}, "limit": {"1000"}}
		for {
			page, err := l.page(ctx, query)
			if err != nil {
				return 0, err
			}
			for _, r := range page.Readings {
				found[r.At.UnixMilli()]++
			}
			cursor, more := page.Next.Get()
			if !more {
				break
			}
			query.Set("cursor", cursor)
		}
		for at := range want {
			if found[at] != 1 {
				missing++
			}
		}
	}
	return missing, nil
}

type page struct {
	Readings []telemetry.Reading
	Next     mo.Option[string]
}

// page asks in the binary format.
func (l *load) page(ctx context.Context, query url.Values) (p page, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.url+"/v1/readings?"+query.Encode(), nil)
	if err != nil {
		return p, err
	}
	request.Header.Set("Accept", api.MediaTypeWire)
	response, err := l.client.Do(request)
	if err != nil {
		return p, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("verifying: %s %s", response.Status, body)
	}
	if err != nil {
		return p, err
	}
	return p, wire.Unmarshal(body, &p)
}

func (l *load) counts() string {
	return strings.Join([]string{
		strconv.FormatInt(l.posts.Load(), 10) + " posts",
		strconv.FormatInt(l.queries.Load(), 10) + " queries",
		strconv.FormatInt(l.events.Load(), 10) + " events",
		strconv.FormatInt(l.failures.Load(), 10) + " errors",
	}, ", ")
}
