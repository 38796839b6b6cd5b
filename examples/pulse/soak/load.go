package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

const (
	hosts      = 8
	batchSize  = 3
	hostPrefix = "soak-"
)

// A load posts, queries and follows, and remembers the acknowledged readings.
type load struct {
	urls     []string
	client   *http.Client
	tolerant bool                   // requests may fail, because faults are injected
	prefix   string                 // the prefix of the names of the hosts
	header   http.Header            // header fields of each request
	spoil    func(*telemetry.Batch) // changes the batches before they are posted; may be nil

	queries, events, failures atomic.Int64
	postTime, queryTime       latencies
	ending                    atomic.Bool // set at the end of the run, when failures are expected

	mu           sync.Mutex
	acknowledged map[string]map[int64]bool // the times of the acknowledged readings of each host, in milliseconds
	batches      int                       // the number of acknowledged batches
	readings     int                       // the number of readings in these batches
	partial      int                       // readings that were refused from batches with accepted readings
	refused      map[int]int               // refused posts by status; 0 counts posts without an answer
	lastError    error
}

func newLoad(urls []string) *load {
	return &load{
		urls:   urls,
		prefix: hostPrefix,
		client: &http.Client{
			Timeout:   30 * time.Second,
			Transport: &http.Transport{MaxIdleConnsPerHost: 64},
		},
		acknowledged: map[string]map[int64]bool{},
		refused:      map[int]int{},
	}
}

// run puts the servers under load until ctx is done.
func (l *load) run(ctx context.Context, posts, queries int) {
	var group sync.WaitGroup
	for i := range hosts {
		group.Go(func() {
			next := l.agent(fmt.Sprint(l.prefix, i), time.Now(), batchSize)
			pace(ctx, float64(posts)/hosts, func() { l.deliver(ctx, i, next()) })
		})
	}
	for range 4 {
		group.Go(func() { pace(ctx, float64(queries)/4, func() { l.query(ctx) }) })
	}
	for i := range max(2, len(l.urls)) {
		group.Go(func() {
			for ctx.Err() == nil {
				l.follow(ctx, l.urls[i%len(l.urls)])
				select {
				case <-time.After(time.Second):
				case <-ctx.Done():
				}
			}
		})
	}
	group.Wait()
}

// agent returns a function that makes the batches of a host, with size readings each. The times of
// the readings increase, and the first time is after last. If last is close to the present, the times
// follow the clock.
func (l *load) agent(host string, last time.Time, size int) func() *telemetry.Batch {
	now := last.Add(time.Minute).After(time.Now())
	return func() *telemetry.Batch {
		batch := &telemetry.Batch{}
		for range size {
			last = last.Add(time.Millisecond)
			if at := time.Now(); now && at.After(last) {
				last = at
			}
			batch.Readings = append(batch.Readings, reading(host, last))
		}
		return batch
	}
}

// pace calls f perSecond times a second, until ctx is done.
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

// deliver posts a batch until a server accepts it, as an agent does. It begins with the server of
// the given number. It returns false if ctx is done first.
func (l *load) deliver(ctx context.Context, server int, batch *telemetry.Batch) bool {
	if l.spoil != nil {
		l.spoil(batch)
	}
	for attempt := 0; ; attempt++ {
		if taken, later := l.post(ctx, l.urls[(server+attempt)%len(l.urls)], batch); taken && len(later) == 0 {
			return true
		} else if taken {
			batch = &telemetry.Batch{Readings: later}
		}
		if (attempt+1)%len(l.urls) != 0 {
			continue
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return false
		}
	}
}

// post posts a batch. taken reports whether the server has accepted readings. later has the readings
// that must be posted again.
func (l *load) post(ctx context.Context, url string, batch *telemetry.Batch) (taken bool, later []telemetry.Reading) {
	body, err := wire.Marshal(batch)
	if err != nil {
		panic(err)
	}
	began := time.Now()
	response, err := l.send(ctx, http.MethodPost, url+"/v2/readings", body)
	if err != nil {
		l.missed(ctx, err)
		return false, nil
	}
	text, err := io.ReadAll(response.Body)
	response.Body.Close()
	var receipt telemetry.Receipt
	if err == nil && response.StatusCode/100 == 2 {
		err = json.Unmarshal(text, &receipt)
	}
	if err != nil {
		l.missed(ctx, err)
		return false, nil
	}
	l.postTime.add(time.Since(began))
	if response.StatusCode/100 != 2 {
		l.mu.Lock()
		l.refused[response.StatusCode]++
		l.mu.Unlock()
		switch response.StatusCode {
		case http.StatusServiceUnavailable, http.StatusInsufficientStorage:
		case http.StatusConflict: // all readings are from the future
			if l.spoil == nil {
				l.fault(ctx, fmt.Errorf("post: %s", response.Status))
			}
		default:
			l.fault(ctx, fmt.Errorf("post: %s", response.Status))
		}
		return false, nil
	}
	refused := map[int]bool{}
	for _, r := range receipt.Refused {
		refused[r.Index] = true
		if r.Later {
			later = append(later, batch.Readings[r.Index])
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.batches++
	l.readings += len(batch.Readings) - len(refused)
	l.partial += len(refused)
	for i, r := range batch.Readings {
		if refused[i] {
			continue
		}
		times := l.acknowledged[r.Host]
		if times == nil {
			times = map[int64]bool{}
			l.acknowledged[r.Host] = times
		}
		times[r.At.UnixMilli()] = true
	}
	return true, later
}

// missed counts a post without an answer.
func (l *load) missed(ctx context.Context, err error) {
	if ctx.Err() == nil {
		l.mu.Lock()
		l.refused[0]++
		l.mu.Unlock()
		l.fail(ctx, err)
	}
}

// query sends the requests of the page and other queries.
func (l *load) query(ctx context.Context) {
	host := fmt.Sprint(l.prefix, rand.IntN(hosts))
	from := url.QueryEscape(time.Now().Add(-time.Duration(rand.IntN(300)) * time.Second).UTC().Format(time.RFC3339))
	paths := []string{
		"/v1/readings?limit=200&host=" + host + "&from=" + from,
		"/v1/readings?limit=100&metric=cpu&from=" + from,
		"/v1/hosts/" + host,
		"/v1/hosts",
		"/healthz",
	}
	began := time.Now()
	response, err := l.send(ctx, http.MethodGet, l.urls[rand.IntN(len(l.urls))]+paths[rand.IntN(len(paths))], nil)
	if err != nil {
		l.fail(ctx, err)
		return
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	l.queries.Add(1)
	// The first query for a host may come before its first reading.
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
func (l *load) follow(ctx context.Context, url string) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/v1/live", nil)
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

func (l *load) send(ctx context.Context, method, url string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	maps.Copy(request.Header, l.header)
	if body != nil {
		request.Header.Set("Content-Type", api.MediaTypeWire)
	}
	return l.client.Do(request)
}

// fail counts an error, unless the error is expected.
func (l *load) fail(ctx context.Context, err error) {
	if !l.tolerant {
		l.fault(ctx, err)
	}
}

// fault counts an error, unless the end of the run causes it.
func (l *load) fault(ctx context.Context, err error) {
	if ctx.Err() != nil || l.ending.Load() {
		return
	}
	l.failures.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastError = err
}

func (l *load) counts() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	refused := 0
	for _, n := range l.refused {
		refused += n
	}
	return fmt.Sprintf("%d batches accepted, %d not, %d queries, %d events, %d errors", l.batches, refused, l.queries.Load(), l.events.Load(), l.failures.Load())
}
