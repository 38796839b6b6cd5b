package server

import (
	"bufio"
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

func usual(n int) *telemetry.Batch {
	b := &telemetry.Batch{}
	for i := range n {
		b.Readings = append(b.Readings, telemetry.Reading{
			Host: "bench", At: time.Now().UTC().Truncate(time.Millisecond).Add(-time.Duration(i) * time.Second),
			CPU: mo.Some(12.5), Cores: []float64{10, 15, 12, 13}, Load1: mo.Some(1.5), Load5: mo.Some(1.25), Load15: mo.Some(0.75),
			MemoryUsed: mo.Some[uint64](1 << 33), MemoryTotal: mo.Some[uint64](1 << 34), Uptime: mo.Some[uint64](1e6),
			Disks:    []telemetry.Disk{{Mount: "/", Device: "/dev/sda1", Used: mo.Some[uint64](1 << 35), Total: mo.Some[uint64](1 << 36), Read: mo.Some(1e6)}},
			Networks: []telemetry.Network{{Name: "eth0", Received: mo.Some(1e5), Sent: mo.Some(1e5)}},
		})
	}
	return b
}

// BenchmarkPost measures a post up to the queue: the handler alone, and with the
// connection and both ends of HTTP.
func BenchmarkPost(b *testing.B) {
	h := New(Options{
		Store: healthy{}, Queue: answering{receipt: queue.Receipt{Queued: 1}}, Live: NewLive(),
		Keep: store.Options{Retention: 24 * time.Hour}, Log: slog.New(slog.DiscardHandler),
	})
	s := httptest.NewServer(h)
	defer s.Close()
	for _, n := range []int{1, 250} {
		body, err := wire.Marshal(usual(n))
		if err != nil {
			b.Fatal(err)
		}
		request := func(url string) *http.Request {
			r, _ := http.NewRequest(http.MethodPost, url+"/v2/readings", bytes.NewReader(body))
			r.Header.Set("Content-Type", api.MediaTypeWire)
			return r
		}
		b.Run(fmt.Sprint("handler/readings=", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				if h.ServeHTTP(w, request("http://localhost")); w.Code != http.StatusAccepted {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
		b.Run(fmt.Sprint("loopback/readings=", n), func(b *testing.B) {
			for b.Loop() {
				response, err := s.Client().Do(request(s.URL))
				if err != nil {
					b.Fatal(err)
				}
				response.Body.Close()
			}
		})
	}
}

// BenchmarkLive sends a reading to several browsers, and measures both ends of HTTP.
func BenchmarkLive(b *testing.B) {
	for _, browsers := range []int{1, 50} {
		b.Run(fmt.Sprint("browsers=", browsers), func(b *testing.B) {
			live := NewLive()
			s := httptest.NewServer(New(Options{Store: healthy{}, Queue: answering{}, Live: live, Log: slog.New(slog.DiscardHandler)}))
			defer s.Close()
			defer s.CloseClientConnections()
			var events atomic.Int64
			for range browsers {
				go func() {
					response, err := http.Get(s.URL + "/v1/live")
					if err != nil {
						b.Error(err)
						return
					}
					defer response.Body.Close()
					for lines := bufio.NewScanner(response.Body); lines.Scan(); {
						if strings.HasPrefix(lines.Text(), "data:") {
							events.Add(1)
						}
					}
				}()
			}
			for live.count() < float64(browsers) && !b.Failed() {
				time.Sleep(time.Millisecond)
			}
			readings := usual(100).Readings
			b.ResetTimer()
			for n := 0; n < b.N; {
				some := readings[:min(len(readings), b.N-n)]
				live.Publish(some)
				n += len(some)
				for events.Load() < int64(n*browsers) {
					runtime.Gosched()
				}
			}
		})
	}
}
