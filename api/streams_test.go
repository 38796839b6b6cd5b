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
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/web"
)

type point struct {
	N    int    `json:"n" min:"0"`
	Text string `json:"text,omitempty"`
}

type sumIn struct {
	Scale int             `query:"scale" max:"10"`
	Body  Elements[point] `body:""`
}

type sum struct {
	Count int      `json:"count"`
	Sum   int      `json:"sum"`
	Bad   []string `json:"bad,omitempty"`
}

// streamed is a service with one of each kind of stream.
func streamed(t *testing.T) *web.Echo {
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
	Handle(e, "POST /sum", func(_ context.Context, in *sumIn) (*sum, error) {
		out := &sum{}
		for p, err := range in.Body {
			if err != nil {
				return nil, fmt.Errorf("element %d: %w", out.Count, err)
			}
			out.Count++
			out.Sum += p.N
		}
		for _, err := range in.Body {
			if err != errElementsTwice {
				t.Errorf("the second time: %v", err)
			}
		}
		return out, nil
	}, Operation{BodyLimit: 1 << 20})
	Handle(e, "POST /lenient", func(_ context.Context, in *Elements[point]) (*sum, error) {
		out := &sum{}
		for p, err := range *in {
			if err != nil {
				out.Bad = append(out.Bad, ProblemOf(err).Errors[0].Name)
				continue
			}
			out.Count++
			out.Sum += p.N
		}
		return out, nil
	})
	Handle(e, "POST /early", func(_ context.Context, in *Elements[point]) (*sum, error) {
		for p, err := range *in {
			return &sum{Count: 1, Sum: p.N}, err
		}
		return nil, nil
	})
	Handle(e, "PUT /bytes", func(_ context.Context, in *struct {
		Body io.Reader `body:""`
	}) (*sum, error) {
		n, err := io.Copy(io.Discard, in.Body)
		return &sum{Count: int(n)}, err
	}, Operation{BodyLimit: 1000})
	Handle(e, "PUT /image", func(_ context.Context, in *struct {
		Type string    `header:"Content-Type"`
		Body io.Reader `body:"image/png, Text/*"`
	}) (*Content, error) {
		return &Content{Type: in.Type, Body: in.Body}, nil
	})
	Handle(e, "GET /points/{how}", func(ctx context.Context, in *struct {
		How string `path:"how"`
		N   int    `query:"n"`
	}) (*Elements[point], error) {
		switch in.How {
		case "values":
			return ValuesOf(func(yield func(point) bool) {
				for i := range in.N {
					if !yield(point{N: i}) {
						return
					}
				}
			}), nil
		case "none":
			return nil, nil
		case "refused":
			return nil, NewProblem(http.StatusConflict, "not now")
		}
		return ElementsOf(func(yield func(point, error) bool) {
			for i := range in.N {
				if !yield(point{N: i, Text: strings.Repeat("x", 1000)}, nil) {
					return
				}
			}
			switch in.How {
			case "fails":
				yield(point{}, NewProblem(http.StatusConflict, "came to nothing"))
			case "panics":
				panic("boom")
			}
		}), nil
	})
	return e
}

func TestElementsIn(t *testing.T) {
	url, stop := startEvents(t, streamed(t))
	long := `"` + strings.Repeat("x", 1<<20) + `"`
	for _, test := range []struct {
		what, path, mediaType, body string
		status                      int
		want                        string // part of the body
	}{
		{"an array", "/sum", "application/json", `[{"n":1},{"n":2} , {"n":3}] `, 200, `{"count":3,"sum":6}`},
		{"an empty array", "/sum", "application/json", ` [ ] `, 200, `{"count":0,"sum":0}`},
		{"lines", "/sum", "Application/X-NDJSON; charset=utf-8", "{\"n\":1}\n{\"n\":2}\r\n\n{\"n\":3}", 200, `{"count":3,"sum":6}`},
		{"no lines", "/sum", "application/x-ndjson", "\n", 200, `{"count":0,"sum":0}`},
		{"nothing", "/sum", "", "", 400, "missing"},
		{"an empty body", "/sum", "application/json", "", 400, "ends too early"},
		{"another type", "/sum", "text/plain", "[]", 415, "Unsupported"},
		{"wire", "/sum", MediaTypeWire, "[]", 415, "Unsupported"},
		{"another charset", "/sum", "application/x-ndjson; charset=latin1", "", 415, "Unsupported"},
		{"no array", "/sum", "application/json", `{"n":1}`, 400, "no array"},
		{"half an array", "/sum", "application/json", `[{"n":1}`, 400, `"detail":"the body ends too early","offset":8`},
		{"half an element", "/sum", "application/json", `[{"n":1},{"n"`, 400, `"name":"[1]","detail":"the body ends too early"`},
		{"half a line", "/sum", "application/x-ndjson", "{\"n\":1}\n{\"n\":", 400, `"name":"[1]","detail":"the body ends too early"`},
		{"no comma", "/sum", "application/json", `[{"n":1}{"n":2}]`, 400, `"name":"[1]"`},
		{"bad syntax", "/sum", "application/json", `[{"n":1},{"n":}]`, 400, `"name":"[1]"`},
		{"two arrays", "/sum", "application/json", `[{"n":1}][]`, 400, "follows the array"},
		{"rubbish behind the array", "/sum", "application/json", `[{"n":1}]x`, 400, `"in":"body"`},
		{"a wrong type", "/sum", "application/json", `[{"n":1},{"n":"x"}]`, 400, `"name":"[1].n","detail":"a JSON string where a number that fits int belongs","offset":8`},
		{"a broken limit", "/sum", "application/json", `[{"n":1},{"n":-1}]`, 422, `{"in":"body","name":"[1].n","detail":"must be at least 0"}`},
		{"a broken limit of a parameter", "/sum?scale=11", "application/json", `[]`, 422, `"in":"query"`},
		{"the handler goes on", "/lenient", "application/json", `[{"n":1},{"n":-1},{"n":"x"},[],null,{"n":4}]`, 200, `{"count":3,"sum":5,"bad":["[1].n","[2].n","[3]"]}`},
		{"until the text is bad", "/lenient", "application/json", `[{"n":1},{"n":"x"},{"n"},{"n":4}]`, 200, `{"count":1,"sum":1,"bad":["[1].n","[2]"]}`},
		{"the handler ends early", "/early", "application/json", `[{"n":7},` + strings.Repeat(`{"n":1},`, 10000), 200, `{"count":1,"sum":7}`},
		{"too large, announced", "/sum", "application/json", `[{"text":` + long + `}]`, 413, "Too Large"},
		{"too large by default", "/lenient", "application/json", "[" + strings.Repeat(`{"n":1},`, 1<<19) + "]", 413, "Too Large"},
	} {
		for _, length := range []bool{true, false} {
			body := io.Reader(strings.NewReader(test.body))
			if !length {
				body = io.MultiReader(body) // which is sent in chunks
			}
			if test.what == "too large by default" && !length {
				continue // that handler takes the error for an element's
			}
			if test.what == "nothing" && !length {
				continue
			}
			resp, err := http.Post(url+test.path, test.mediaType, body)
			if err != nil {
				t.Errorf("%s: %v", test.what, err)
				continue
			}
			got, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != test.status || !strings.Contains(string(got), test.want) {
				t.Errorf("%s: %d %s, %v", test.what, resp.StatusCode, got, err)
			}
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestBytesIn(t *testing.T) {
	url, _ := startEvents(t, streamed(t))
	for _, test := range []struct {
		what, path, mediaType, coding, body string
		status                              int
		want                                string
	}{
		{"bytes", "/bytes", "", "", "hello", 200, `{"count":5,"sum":0}`},
		{"of any type", "/bytes", "x/y", "identity", "hello", 200, `{"count":5,"sum":0}`},
		{"none", "/bytes", "", "", "", 200, `{"count":0,"sum":0}`},
		{"with a coding", "/bytes", "", "gzip", "hello", 415, "Unsupported"},
		{"as many as may be", "/bytes", "", "", strings.Repeat("x", 1000), 200, `{"count":1000,"sum":0}`},
		{"one more", "/bytes", "", "", strings.Repeat("x", 1001), 413, "Too Large"},
		{"an image", "/image", "image/PNG", "", "PNG", 200, "PNG"},
		{"text", "/image", "text/csv; header=present", "", "a,b", 200, "a,b"},
		{"neither", "/image", "image/jpeg", "", "x", 415, "Unsupported"},
		{"no type", "/image", "", "", "x", 415, "Unsupported"},
		{"nothing", "/image", "", "", "", 400, "missing"},
	} {
		for _, body := range []io.Reader{strings.NewReader(test.body), io.MultiReader(strings.NewReader(test.body))} {
			if _, chunked := body.(*strings.Reader); !chunked && test.body == "" {
				continue
			}
			r, err := http.NewRequest("PUT", url+test.path, body)
			if err != nil {
				t.Fatal(err)
			}
			if test.mediaType != "" {
				r.Header.Set("Content-Type", test.mediaType)
			}
			if test.coding != "" {
				r.Header.Set("Content-Encoding", test.coding)
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Errorf("%s: %v", test.what, err)
				continue
			}
			got, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != test.status || !strings.Contains(string(got), test.want) {
				t.Errorf("%s: %d %s, %v", test.what, resp.StatusCode, got, err)
			}
			if test.status == 200 && test.path == "/image" && resp.Header.Get("Content-Type") != test.mediaType {
				t.Errorf("%s: type %s", test.what, resp.Header.Get("Content-Type"))
			}
		}
	}
}

// fetch returns an answer, and the error that ended its body.
func fetch(t *testing.T, method, url string, header ...string) (status int, body string, h http.Header, err error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), resp.Header, err
}

func TestElementsOut(t *testing.T) {
	url, stop := startEvents(t, streamed(t))
	for _, test := range []struct {
		path, accept string
		status       int
		mediaType    string
		want         string
	}{
		{"values?n=3", "", 200, "application/json", `[{"n":0},{"n":1},{"n":2}]` + "\n"},
		{"values?n=0", "*/*", 200, "application/json", "[]\n"},
		{"values?n=2", "application/x-ndjson", 200, "application/x-ndjson", "{\"n\":0}\n{\"n\":1}\n"},
		{"values?n=0", "application/x-ndjson, */*;q=0.1", 200, "application/x-ndjson", ""},
		{"values?n=1", "application/json, application/x-ndjson;q=0.9", 200, "application/json", `[{"n":0}]` + "\n"},
		{"values?n=1", "text/html", 406, "application/problem+json", ""},
		{"values?n=1", MediaTypeWire, 406, "application/problem+json", ""},
		{"none", "", 204, "", ""},
		{"refused", "", 409, "application/problem+json", ""},
		{"fails?n=0", "", 409, "application/problem+json", ""},
		{"panics?n=0", "", 500, "application/problem+json", ""},
	} {
		status, body, h, err := fetch(t, "GET", url+"/points/"+test.path, "Accept", test.accept)
		if err != nil || status != test.status || h.Get("Content-Type") != test.mediaType || test.want != "" && body != test.want {
			t.Errorf("%s, %s: %d %v %q, %v", test.path, test.accept, status, h, body, err)
		}
		if status == 200 && h.Get("Vary") != "Accept" {
			t.Errorf("%s: Vary %q", test.path, h.Get("Vary"))
		}
	}
	// Half a sequence is never taken for a whole one, be it short or long.
	for _, path := range []string{"fails?n=1", "fails?n=1000", "panics?n=1", "panics?n=1000"} {
		for _, accept := range []string{"application/json", "application/x-ndjson"} {
			status, body, _, err := fetch(t, "GET", url+"/points/"+path, "Accept", accept)
			if err == nil {
				t.Errorf("%s, %s: %d and %d bytes without an error", path, accept, status, len(body))
			}
		}
	}
	// HEAD does not make the sequence.
	status, body, h, err := fetch(t, "HEAD", url+"/points/panics?n=1")
	if err != nil || status != 200 || body != "" || h.Get("Content-Length") != "" || h.Get("Content-Type") != "application/json" {
		t.Errorf("HEAD: %d %v %q, %v", status, h, body, err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// closeCounter is a body that knows whether it was closed.
type closeCounter struct {
	io.Reader
	closed func()
}

func (c closeCounter) Close() error { c.closed(); return nil }

func TestContent(t *testing.T) {
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
	// A client may have all of an answer before its body is closed.
	var mu sync.Mutex
	closed, wrote := 0, 0
	count := func(want int) int {
		for range 100 {
			mu.Lock()
			n := closed
			mu.Unlock()
			if n == want {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		mu.Lock()
		defer mu.Unlock()
		n := closed
		closed, wrote = 0, 0
		return n
	}
	Handle(e, "GET /content/{how}", func(_ context.Context, in *struct {
		How string `path:"how"`
	}) (*Content, error) {
		body := func(r io.Reader) io.Reader {
			return closeCounter{r, func() { mu.Lock(); defer mu.Unlock(); closed++ }}
		}
		failing := iotestErr{strings.NewReader("half"), errors.New("the disk is on fire")}
		switch in.How {
		case "plain":
			return &Content{Body: body(strings.NewReader("hello"))}, nil
		case "named":
			return &Content{Type: "text/csv", Name: "a\"b\r\nX: y.csv", Length: 5, ETag: `"v1"`, Body: body(strings.NewReader("a,b,c"))}, nil
		case "weak":
			return &Content{ETag: `W/"v1"`, Body: body(strings.NewReader("x"))}, nil
		case "written":
			return &Content{Type: "text/plain", Write: func(w io.Writer) error {
				mu.Lock()
				defer mu.Unlock()
				wrote++
				_, err := io.WriteString(w, "written")
				return err
			}}, nil
		case "empty":
			return &Content{Type: "text/plain"}, nil
		case "nil":
			return nil, nil
		case "refused":
			return &Content{Name: "x", ETag: `"v1"`, Length: 9, Write: func(io.Writer) error { return web.ErrForbidden }}, nil
		case "fails":
			return &Content{Body: body(&failing)}, nil
		case "short":
			return &Content{Length: 6, Body: body(strings.NewReader("hello"))}, nil
		case "long":
			return &Content{Length: 4, Body: body(strings.NewReader("hello"))}, nil
		case "panics":
			return &Content{Write: func(w io.Writer) error { _, _ = w.Write([]byte("x")); panic("boom") }}, nil
		}
		return nil, web.ErrNotFound
	}, Operation{ContentType: "application/x-thing"})
	url, stop := startEvents(t, e)
	for _, test := range []struct {
		how    string
		match  string
		status int
		header string
		want   string
		closes int
	}{
		{"plain", "", 200, "application/x-thing||", "hello", 1},
		{"named", "", 200, `text/csv|attachment; filename="a\"b%0D%0AX: y.csv"|"v1"`, "a,b,c", 1},
		{"named", `"v0"`, 200, `text/csv|attachment; filename="a\"b%0D%0AX: y.csv"|"v1"`, "a,b,c", 1},
		{"named", `"v0", W/"v1"`, 304, `|attachment; filename="a\"b%0D%0AX: y.csv"|"v1"`, "", 1},
		{"weak", `"v1"`, 304, `||W/"v1"`, "", 1},
		{"plain", `"v1"`, 200, "application/x-thing||", "hello", 1},
		{"written", "", 200, "text/plain||", "written", 0},
		{"empty", "", 200, "text/plain||", "", 0},
		{"nil", "", 204, "||", "", 0},
		{"refused", "", 403, "application/problem+json||", `{"title":"Forbidden","status":403}` + "\n", 0},
		{"missing", "", 404, "application/problem+json||", `{"title":"Not Found","status":404}` + "\n", 0},
	} {
		status, body, h, err := fetch(t, "GET", url+"/content/"+test.how, "If-None-Match", test.match)
		header := h.Get("Content-Type") + "|" + h.Get("Content-Disposition") + "|" + h.Get("Etag")
		if err != nil || status != test.status || header != test.header || body != test.want {
			t.Errorf("%s %s: %d %q %q, %v", test.how, test.match, status, header, body, err)
		}
		if n := count(test.closes); n != test.closes {
			t.Errorf("%s: closed %d times", test.how, n)
		}
	}
	for _, how := range []string{"fails", "short", "long", "panics"} {
		if status, body, _, err := fetch(t, "GET", url+"/content/"+how); err == nil {
			t.Errorf("%s: %d %q without an error", how, status, body)
		}
	}
	count(-1) // of those, which a client may have asked for twice
	for how, length := range map[string]string{"named": "5", "written": "", "plain": ""} {
		status, body, h, err := fetch(t, "HEAD", url+"/content/"+how)
		if err != nil || status != 200 || body != "" || h.Get("Content-Length") != length {
			t.Errorf("HEAD %s: %d %v, %v", how, status, h, err)
		}
	}
	mu.Lock()
	written := wrote
	mu.Unlock()
	if n := count(2); n != 2 || written != 0 {
		t.Errorf("HEAD: written %d times, closed %d", written, n)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// iotestErr reads from a reader and fails then.
type iotestErr struct {
	r   io.Reader
	err error
}

func (r *iotestErr) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err == io.EOF {
		err = r.err
	}
	return n, err
}

// generated is a JSON array of about n bytes that is made while it is read.
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

// Streams are larger than the memory that they take: 64 MiB go in and out of a
// heap that grows by less than a quarter of that.
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
	// One element may not be larger than memory.
	r := io.MultiReader(strings.NewReader(`[{"n":1},{"text":"`), io.LimitReader(letters{}, 2*maxElement), strings.NewReader(`"}]`))
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

// What was yielded arrives, though nothing follows.
func TestElementsArrive(t *testing.T) {
	e := web.New()
	next := make(chan int)
	Handle(e, "GET /slow", func(context.Context, *struct{}) (*Elements[int], error) {
		return ValuesOf(func(yield func(int) bool) {
			for n := range next {
				if !yield(n) {
					return
				}
			}
		}), nil
	})
	url, stop := startEvents(t, e)
	r, err := http.NewRequestWithContext(t.Context(), "GET", url+"/slow", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", MediaTypeNDJSON)
	go func() { next <- 0 }()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for i := range 5 {
		if i > 0 {
			next <- i
		}
		if !lines.Scan() || lines.Text() != fmt.Sprint(i) {
			t.Fatalf("line %d: %q, %v", i, lines.Text(), lines.Err())
		}
	}
	close(next)
	if lines.Scan() || lines.Err() != nil {
		t.Errorf("then %q, %v", lines.Text(), lines.Err())
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// A client that goes away ends the sequence and the context.
func TestElementsEndWithTheClient(t *testing.T) {
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler)})
	ended := make(chan error, 2)
	Handle(e, "GET /endless", func(ctx context.Context, _ *struct{}) (*Elements[point], error) {
		return ValuesOf(func(yield func(point) bool) {
			for yield(point{Text: strings.Repeat("x", 1000)}) {
			}
			<-ctx.Done()
			ended <- ctx.Err()
		}), nil
	})
	Handle(e, "GET /waits", func(ctx context.Context, _ *struct{}) (*Content, error) {
		return &Content{Write: func(w io.Writer) error {
			if _, err := w.Write([]byte("x")); err != nil {
				return err
			}
			<-ctx.Done()
			_, err := w.Write([]byte("y"))
			ended <- err
			return err
		}}, nil
	})
	url, stop := startEvents(t, e)
	for _, path := range []string{"/endless", "/waits"} {
		resp := open(t, url+path)
		if _, err := io.ReadFull(resp.body, make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		resp.body.Close()
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%s ended without an error", path)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: the client has gone, and the answer goes on", path)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// A slow client is served, past every limit on the time of a request; one that
// stands still is not.
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

	// Half a body, and then nothing.
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

	// A client that takes nothing.
	idle, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	fmt.Fprintf(idle, "GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
	select {
	case err := <-ended:
		if err == nil {
			t.Error("an endless answer was taken whole")
		}
	case <-time.After(20 * time.Second):
		t.Error("a client that takes nothing is waited for")
	}
}

// With a server that has no limits on time, ours end with the stream.
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

// The limit of a typed handler is the operation's own, or else that of the
// Context.
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
	}{{"/whole", 50, 200}, {"/whole", 150, 413}, {"/stream", 50, 200}, {"/stream", 150, 413}, {"/own", 150, 200}, {"/own", 1500, 413}} {
		body := `{"text":"` + strings.Repeat("x", test.n) + `"}`
		if test.path == "/stream" {
			body = "[" + body + "]"
		}
		if status, got, _ := ask(e, "POST", test.path, "application/json", body); status != test.status {
			t.Errorf("%s, %d bytes: %d %s", test.path, test.n, status, got)
		}
	}
}

// A handler may answer before it has read all of the body; the connection goes
// on if little is left of that.
func TestThroughEndsEarly(t *testing.T) {
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
	Handle(e, "POST /first", func(_ context.Context, in *Elements[point]) (*Elements[point], error) {
		return ElementsOf(func(yield func(point, error) bool) {
			for p, err := range *in {
				yield(p, err)
				return
			}
		}), nil
	}, Operation{BodyLimit: -1})
	url, stop := startEvents(t, e)
	for _, size := range []int{2, 100, 100_000, 10_000_000} {
		for range 3 {
			resp, err := http.Post(url+"/first", "application/json", io.LimitReader(io.MultiReader(strings.NewReader(`[{"n":7}`), letters{}), int64(8+size)))
			if err != nil {
				t.Fatalf("%d bytes: %v", size, err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != 200 || string(body) != `[{"n":7}]`+"\n" {
				t.Errorf("%d bytes: %d %q, %v", size, resp.StatusCode, body, err)
			}
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}
