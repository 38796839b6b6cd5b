package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/web"
)

func generated(n int) io.Reader {
	pr, pw := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(pw, 64<<10)
		element := []byte(`{"n":1,"text":"` + strings.Repeat("x", 1000) + `"}`)
		_ = w.WriteByte('[')
		for i := 0; i*(len(element)+1) < n; i++ {
			if i > 0 {
				_ = w.WriteByte(',')
			}
			if _, err := w.Write(element); err != nil {
				return
			}
		}
		_ = w.WriteByte(']')
		_ = w.Flush()
		pw.Close()
	}()
	return pr
}

// TestStreamsInBoundedMemory receives and sends 64 MiB while the heap grows by less than 16 MiB.
func TestStreamsInBoundedMemory(t *testing.T) {
	const size, budget = 64 << 20, 16 << 20
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler)})
	Handle(e, "POST /in", func(_ context.Context, in *Elements[point]) (*sum, error) {
		out := &sum{}
		for p, err := range *in {
			if err != nil {
				return nil, err
			}
			out.Count += p.N
			out.Sum += len(p.Text)
		}
		return out, nil
	}, Operation{BodyLimit: -1})
	Handle(e, "GET /out", func(context.Context, *struct{}) (*Elements[point], error) {
		return ValuesOf(func(yield func(point) bool) {
			text := strings.Repeat("x", 1000)
			for i := 0; i < size; i += 1000 {
				if !yield(point{1, text}) {
					return
				}
			}
		}), nil
	})
	Handle(e, "POST /through", func(_ context.Context, in *Elements[point]) (*Elements[point], error) {
		return ElementsOf(iter.Seq2[point, error](*in)), nil
	}, Operation{BodyLimit: -1})
	Handle(e, "PUT /bytes", func(_ context.Context, in *struct {
		Body io.Reader `body:""`
	}) (*Content, error) {
		return &Content{Body: in.Body}, nil
	}, Operation{BodyLimit: -1})
	url, stop := startEvents(t, e)

	var peak uint64
	sample := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	}
	runtime.GC()
	runtime.GC() // pools are emptied by the second collection
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, test := range []struct{ method, path string }{{"POST", "/in"}, {"GET", "/out"}, {"POST", "/through"}, {"PUT", "/bytes"}} {
		peak = 0
		var body io.Reader
		if test.method != "GET" {
			body = generated(size)
		}
		r, err := http.NewRequestWithContext(t.Context(), test.method, url+test.path, body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		done := make(chan struct{})
		sampled := make(chan struct{})
		go func() {
			defer close(sampled)
			for {
				select {
				case <-done:
					return
				case <-time.After(10 * time.Millisecond):
					sample()
				}
			}
		}()
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		close(done)
		<-sampled
		if err != nil || resp.StatusCode != 200 || test.path != "/in" && n < size {
			t.Errorf("%s: %d, %d bytes, %v", test.path, resp.StatusCode, n, err)
		}
		if peak > before.HeapAlloc+budget {
			t.Errorf("%s: the heap grew from %d to %d KiB", test.path, before.HeapAlloc>>10, peak>>10)
		}
	}
	// An element that is longer than MaxElement is answered with 413.
	r := io.MultiReader(strings.NewReader(`[{"n":1},{"text":"`), io.LimitReader(letters{}, 2*message.MaxElement), strings.NewReader(`"}]`))
	resp, err := http.Post(url+"/in", "application/json", r)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if resp.StatusCode != 413 || !bytes.Contains(got, []byte("an element of the request body is too large")) {
		t.Errorf("a large element: %d %s", resp.StatusCode, got)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestStreamsOfSlowClients(t *testing.T) {
	const limit = 200 * time.Millisecond
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler)})
	ended := make(chan error, 1)
	patient := Operation{StreamTimeout: 5 * limit, BodyLimit: -1}
	Handle(e, "GET /out", func(context.Context, *struct{}) (*Elements[point], error) {
		return ValuesOf(func(yield func(point) bool) {
			for range 5 {
				time.Sleep(limit / 2)
				if !yield(point{N: 1}) {
					return
				}
			}
		}), nil
	}, patient)
	Handle(e, "POST /in", func(ctx context.Context, in *Elements[point]) (*sum, error) {
		out := &sum{}
		for p, err := range *in {
			if err != nil {
				return nil, err
			}
			out.Sum += p.N
		}
		time.Sleep(2 * limit)
		return out, ctx.Err()
	}, patient)
	Handle(e, "GET /endless", func(context.Context, *struct{}) (*Content, error) {
		return &Content{Write: func(w io.Writer) error {
			_, err := io.Copy(w, letters{})
			ended <- err
			return err
		}}, nil
	}, patient)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: e, ReadTimeout: limit, WriteTimeout: limit}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	url := "http://" + listener.Addr().String()

	status, body, _, err := fetch(t, "GET", url+"/out")
	if err != nil || status != 200 || strings.Count(body, "1") != 5 {
		t.Errorf("a slow answer: %d %q, %v", status, body, err)
	}

	pr, pw := io.Pipe()
	go func() {
		for _, part := range []string{"[", `{"n":1}`, `,{"n":2`, `},{"n":3}`, "]"} {
			time.Sleep(limit / 2)
			_, _ = io.WriteString(pw, part)
		}
		pw.Close()
	}()
	resp, err := http.Post(url+"/in", "application/json", pr)
	if err != nil {
		t.Fatal(err)
	}
	var out sum
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil || resp.StatusCode != 200 || out.Sum != 6 {
		t.Errorf("a slow body: %d %+v, %v", resp.StatusCode, out, err)
	}
	resp.Body.Close()

	// The client sends half a body, and then nothing.
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[{\"n\":1}")
	began := time.Now()
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusRequestTimeout || time.Since(began) < 2*limit {
		t.Errorf("half a body: %d after %v", answer.StatusCode, time.Since(began))
	}

	// The client reads nothing.
	idle, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	fmt.Fprintf(idle, "GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
	select {
	case err := <-ended:
		if err == nil {
			t.Error("an endless answer was read to its end")
		}
	case <-time.After(20 * time.Second):
		t.Error("the server still waits for a client that reads nothing")
	}
}

// A deadline moves with the bytes sent or received, as long as the client is not slower than
// the rate.
func TestDeadline(t *testing.T) {
	begin := time.Unix(1000, 0)
	for _, test := range []struct {
		name   string
		rate   int64
		now    time.Duration // the time since the start at which bytes are moved
		waited time.Duration
		moved  int64
		want   time.Duration // the expected deadline, as a time since the start
	}{
		{name: "at first", rate: 64, want: 40 * time.Second},
		{name: "a fast client", rate: 64, now: time.Hour, waited: time.Second, moved: 1 << 20, want: time.Hour + 40*time.Second},
		{name: "a busy handler", rate: 64, now: time.Hour, waited: time.Second, moved: 1, want: time.Hour + 39*time.Second + time.Second/64},
		{name: "just enough", rate: 64, now: 100 * time.Second, waited: 100 * time.Second, moved: 6400, want: 140 * time.Second},
		{name: "half of it", rate: 64, now: 60 * time.Second, waited: 60 * time.Second, moved: 64 * 30, want: 70 * time.Second},
		{name: "a byte now and then", rate: 64, now: 64 * time.Second, waited: 64 * time.Second, moved: 64, want: 41 * time.Second},
		{name: "any rate", rate: -1, now: time.Hour, waited: time.Hour, moved: 1, want: time.Hour + 40*time.Second},
	} {
		var at time.Time
		d := deadline{timeout: 40 * time.Second, rate: test.rate, moved: test.moved, waited: test.waited, set: func(to time.Time) error { at = to; return nil }}
		if d.renew(begin.Add(test.now)); !at.Equal(begin.Add(test.want)) {
			t.Errorf("%s: %v, want %v", test.name, at.Sub(begin), test.want)
		}
	}
	set := 0
	d := deadline{timeout: 40 * time.Second, rate: 64, set: func(time.Time) error { set++; return nil }}
	for i := range 60 { // a client that is fast for a minute
		d.moved += 1 << 10
		d.renew(begin.Add(time.Duration(i) * time.Second))
	}
	if set != 6 {
		t.Errorf("set %d times in a minute", set)
	}
	move := func(b []byte) (int, error) { return len(b), nil }
	if n := testing.AllocsPerRun(100, func() { _, _ = d.wait(move, nil) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// The server disconnects a client that sends or reads a byte from time to time, although the
// client is never silent for long.
func TestStreamsOfTricklingClients(t *testing.T) {
	const timeout = 200 * time.Millisecond
	slow := Operation{StreamTimeout: timeout, StreamRate: 1 << 20, BodyLimit: -1}
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler)})
	ended := make(chan error, 1)
	Handle(e, "POST /in", func(_ context.Context, in *struct {
		Body io.Reader `body:""`
	}) (*struct{}, error) {
		_, err := io.Copy(io.Discard, in.Body)
		return nil, err
	}, slow)
	Handle(e, "GET /out", func(context.Context, *struct{}) (*Content, error) {
		return &Content{Write: func(w io.Writer) error {
			_, err := io.Copy(w, letters{})
			ended <- err
			return err
		}}, nil
	}, slow)
	url, _ := startEvents(t, e)
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /in HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1000000\r\n\r\n")
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(timeout / 10):
				_, _ = conn.Write([]byte("x"))
			}
		}
	}()
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("the server still waits for a client that sends too slowly: %v", err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusRequestTimeout {
		t.Errorf("status %d", answer.StatusCode)
	}
	taker, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer taker.Close()
	fmt.Fprintf(taker, "GET /out HTTP/1.1\r\nHost: x\r\n\r\n")
	go func() {
		piece := make([]byte, 1<<12)
		for {
			select {
			case <-stop:
				return
			case <-time.After(timeout / 10): // about 200 KB per second
				_, _ = taker.Read(piece)
			}
		}
	}()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("an endless answer was read to its end")
		}
	case <-time.After(20 * time.Second):
		t.Error("the server still waits for a client that reads too slowly")
	}
}

// If the server has no timeouts, the stream's deadline is removed at its end.
func TestStreamLeavesNoDeadline(t *testing.T) {
	const timeout = 100 * time.Millisecond
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler)})
	Handle(e, "GET /out", func(context.Context, *struct{}) (*Elements[int], error) {
		return ValuesOf(func(yield func(int) bool) { yield(1) }), nil
	}, Operation{StreamTimeout: timeout})
	Handle(e, "POST /in", func(_ context.Context, in *Elements[int]) (*sum, error) {
		for _, err := range *in {
			if err != nil {
				return nil, err
			}
		}
		return &sum{}, nil
	}, Operation{StreamTimeout: timeout})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: e}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	reader := bufio.NewReader(conn)
	for i, request := range []string{
		"GET /out HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n[1]",
		"GET /out HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		_, _ = io.WriteString(conn, request)
		resp, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != 200 {
			t.Errorf("request %d: %d, %v", i, resp.StatusCode, err)
		}
		resp.Body.Close()
		time.Sleep(2 * timeout)
	}
}

func TestStreamsRefused(t *testing.T) {
	e := web.New()
	for name, register := range map[string]func(){
		"an entity tag of a stream": func() {
			Handle(e, "GET /a", func(context.Context, *struct{}) (*Content, error) { return nil, nil }, Operation{ETag: true})
		},
		"media types of a body read as a whole": func() {
			Handle(e, "POST /b", func(context.Context, *struct {
				Body point `body:"text/csv"`
			}) (*sum, error) {
				return nil, nil
			})
		},
		"no media type": func() {
			Handle(e, "POST /c", func(context.Context, *struct {
				Body io.Reader `body:"csv"`
			}) (*sum, error) {
				return nil, nil
			})
		},
		"limits that make no sense": func() {
			Handle(e, "POST /d", func(context.Context, *Elements[struct {
				S string `min:"1"`
			}]) (*sum, error) {
				return nil, nil
			})
		},
	} {
		func() {
			defer func() {
				var add *RouteError
				if err, _ := recover().(error); !errors.As(err, &add) {
					t.Errorf("%s: %v", name, err)
				}
			}()
			register()
		}()
	}
}

// The limit of a typed handler is the operation's limit, or else the Context's.
func TestHandleBodyLimit(t *testing.T) {
	e := web.NewWithConfig(web.Config{Logger: quiet().Logger, BodyLimit: 100})
	Handle(e, "POST /whole", func(_ context.Context, in *point) (*sum, error) { return &sum{Count: len(in.Text)}, nil })
	Handle(e, "POST /stream", func(_ context.Context, in *Elements[point]) (*sum, error) {
		for _, err := range *in {
			if err != nil {
				return nil, err
			}
		}
		return &sum{}, nil
	})
	Handle(e, "POST /own", func(_ context.Context, in *point) (*sum, error) { return &sum{Count: len(in.Text)}, nil }, Operation{BodyLimit: 1000})
	for _, test := range []struct {
		path   string
		n      int
		status int
	}{{path: "/whole", n: 50, status: 200}, {path: "/whole", n: 150, status: 413}, {path: "/stream", n: 50, status: 200}, {path: "/stream", n: 150, status: 413}, {path: "/own", n: 150, status: 200}, {path: "/own", n: 1500, status: 413}} {
		body := `{"n":1,"text":"` + strings.Repeat("x", test.n) + `"}`
		if test.path == "/stream" {
			body = "[" + body + "]"
		}
		if status, got, _ := ask(e, "POST", test.path, "application/json", body); status != test.status {
			t.Errorf("%s, %d bytes: %d %s", test.path, test.n, status, got)
		}
	}
}
