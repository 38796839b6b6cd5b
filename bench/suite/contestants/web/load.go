package web

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"net"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/hone-go/hone/bench/suite/contest"
)

// loaded starts a server on the loopback interface and a number of clients. Each client has one
// connection and sends one request after the other. The clients are in the same process and
// allocate nothing, so all allocations are the server's. Their use of the processor is the same
// for all servers.
func loaded(handler any, connections int, asked request, check func(a answer) error) (func(time.Duration) (contest.Sample, error), error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	switch h := handler.(type) {
	case http.Handler:
		go func() { _ = (&http.Server{Handler: h, ReadHeaderTimeout: time.Minute}).Serve(listener) }() // the server runs until the process ends
	case fasthttp.RequestHandler:
		go func() { _ = (&fasthttp.Server{Handler: h}).Serve(listener) }()
	}
	text := asked.text()
	clients := make([]*client, connections)
	for i := range clients {
		c, err := dial(listener.Addr().String(), text, check)
		if err != nil {
			return nil, err
		}
		clients[i] = c
	}
	return func(d time.Duration) (contest.Sample, error) {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		var all sync.WaitGroup
		errs := make([]error, len(clients))
		start, busy := time.Now(), processorTime()
		for i, c := range clients {
			all.Go(func() { errs[i] = c.ask(start.Add(d)) })
		}
		all.Wait()
		took := time.Since(start)
		busy = processorTime() - busy
		runtime.ReadMemStats(&after)
		if err := errors.Join(errs...); err != nil {
			return contest.Sample{}, err
		}
		var times latencies
		requests := 0.0
		for _, c := range clients {
			for i, n := range c.times {
				times[i] += n
				requests += float64(n)
			}
		}
		s := contest.Sample{
			Value: float64(took) / requests, Allocs: float64(after.Mallocs-before.Mallocs) / requests, Bytes: float64(after.TotalAlloc-before.TotalAlloc) / requests,
			More: map[string]float64{"requests/s": requests / took.Seconds(), "p50 ns": times.quantile(.50), "p99 ns": times.quantile(.99)},
		}
		if busy > 0 {
			s.More["CPU ns"] = float64(busy) / requests // includes the time of the clients
		}
		return s, nil
	}, nil
}

// text is the request as it is sent.
func (r request) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: example.com\r\nUser-Agent: bench\r\n", r.method, r.target)
	for k, v := range r.header {
		fmt.Fprintf(&b, "%s: %s\r\n", k, v)
	}
	if r.body != "" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(r.body))
	}
	fmt.Fprintf(&b, "\r\n%s", r.body)
	return b.Bytes()
}

// A client sends one request again and again. All responses have the length of the first one, since
// dates and request IDs have a fixed length.
type client struct {
	conn   net.Conn
	asked  []byte
	answer []byte
	times  latencies
}

func dial(address string, text []byte, check func(a answer) error) (*client, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	c := &client{conn: conn, asked: text}
	if _, err := conn.Write(text); err != nil {
		return nil, err
	}
	counted := &counter{r: conn}
	response, err := http.ReadResponse(bufio.NewReader(counted), nil)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.ContentLength < 0 && !slices.Contains(response.TransferEncoding, "chunked") {
		return nil, errors.New("the response has no Content-Length")
	}
	c.answer = make([]byte, counted.n)
	return c, check(answer{response.StatusCode, response.Header, string(body)})
}

type counter struct {
	r io.Reader
	n int
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += n
	return n, err
}

var okLine = []byte("HTTP/1.1 200 ")

func (c *client) ask(until time.Time) error {
	c.times = latencies{}
	for start := time.Now(); start.Before(until); {
		if _, err := c.conn.Write(c.asked); err != nil {
			return err
		}
		if _, err := io.ReadFull(c.conn, c.answer); err != nil {
			return err
		}
		if !bytes.HasPrefix(c.answer, okLine) {
			return fmt.Errorf("unexpected response %q", c.answer)
		}
		end := time.Now()
		c.times.add(end.Sub(start))
		start = end
	}
	return nil
}

// latencies is a histogram with 16 steps to each power of two.
type latencies [64 * 16]int

func (l *latencies) add(d time.Duration) { l[step(uint64(max(d, 16)))]++ }

// step is the number of a duration's step: its highest bit, then the next four.
func step(d uint64) int {
	high := bits.Len64(d) - 1
	return high<<4 | int(d>>(high-4)&15)
}

// lowest is the shortest duration of a step.
func lowest(step int) float64 {
	high := step >> 4
	return float64(uint64(16|step&15) << high >> 4)
}

func (l *latencies) quantile(q float64) float64 {
	total := 0
	for _, n := range l {
		total += n
	}
	rest := q * float64(total)
	for i, n := range l {
		if rest -= float64(n); n > 0 && rest <= 0 {
			return (lowest(i) + lowest(i+1)) / 2
		}
	}
	return 0
}
