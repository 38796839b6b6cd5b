package api

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
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

// streamed returns a service with a handler for each kind of stream.
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
		want                        string // part of the expected body
	}{
		{what: "an array", path: "/sum", mediaType: "application/json", body: `[{"n":1},{"n":2} , {"n":3}] `, status: 200, want: `{"count":3,"sum":6}`},
		{what: "an empty array", path: "/sum", mediaType: "application/json", body: ` [ ] `, status: 200, want: `{"count":0,"sum":0}`},
		{what: "lines", path: "/sum", mediaType: "Application/X-NDJSON; charset=utf-8", body: "{\"n\":1}\n{\"n\":2}\r\n\n{\"n\":3}", status: 200, want: `{"count":3,"sum":6}`},
		{what: "no lines", path: "/sum", mediaType: "application/x-ndjson", body: "\n", status: 200, want: `{"count":0,"sum":0}`},
		{what: "nothing", path: "/sum", status: 400, want: "missing"},
		{what: "an empty body", path: "/sum", mediaType: "application/json", status: 400, want: "ends too early"},
		{what: "another type", path: "/sum", mediaType: "text/plain", body: "[]", status: 415, want: "Unsupported"},
		{what: "wire", path: "/sum", mediaType: MediaTypeWire, body: "[]", status: 415, want: "Unsupported"},
		{what: "another charset", path: "/sum", mediaType: "application/x-ndjson; charset=latin1", status: 415, want: "Unsupported"},
		{what: "no array", path: "/sum", mediaType: "application/json", body: `{"n":1}`, status: 400, want: "not an array"},
		{what: "half an array", path: "/sum", mediaType: "application/json", body: `[{"n":1}`, status: 400, want: `"detail":"the body ends too early","offset":8`},
		{what: "half an element", path: "/sum", mediaType: "application/json", body: `[{"n":1},{"n"`, status: 400, want: `"name":"[1]","detail":"the body ends too early"`},
		{what: "half a line", path: "/sum", mediaType: "application/x-ndjson", body: "{\"n\":1}\n{\"n\":", status: 400, want: `"name":"[1]","detail":"the body ends too early"`},
		{what: "no comma", path: "/sum", mediaType: "application/json", body: `[{"n":1}{"n":2}]`, status: 400, want: `"name":"[1]"`},
		{what: "bad syntax", path: "/sum", mediaType: "application/json", body: `[{"n":1},{"n":}]`, status: 400, want: `"name":"[1]"`},
		{what: "two arrays", path: "/sum", mediaType: "application/json", body: `[{"n":1}][]`, status: 400, want: "follows the array"},
		{what: "rubbish behind the array", path: "/sum", mediaType: "application/json", body: `[{"n":1}]x`, status: 400, want: `"in":"body"`},
		{what: "a wrong type", path: "/sum", mediaType: "application/json", body: `[{"n":1},{"n":"x"}]`, status: 400, want: `"name":"[1].n","detail":"a JSON string instead of a number that fits int","offset":8`},
		{what: "a broken limit", path: "/sum", mediaType: "application/json", body: `[{"n":1},{"n":-1}]`, status: 422, want: `{"in":"body","name":"[1].n","detail":"must be at least 0"}`},
		{what: "a broken limit of a parameter", path: "/sum?scale=11", mediaType: "application/json", body: `[]`, status: 422, want: `"in":"query"`},
		{what: "the handler goes on", path: "/lenient", mediaType: "application/json", body: `[{"n":1},{"n":-1},{"n":"x"},[],null,{"n":4}]`, status: 200, want: `{"count":2,"sum":5,"bad":["[1].n","[2].n","[3]","[4]"]}`},
		{what: "until the text is bad", path: "/lenient", mediaType: "application/json", body: `[{"n":1},{"n":"x"},{"n"},{"n":4}]`, status: 200, want: `{"count":1,"sum":1,"bad":["[1].n","[2]"]}`},
		{what: "the handler ends early", path: "/early", mediaType: "application/json", body: `[{"n":7},` + strings.Repeat(`{"n":1},`, 10000), status: 200, want: `{"count":1,"sum":7}`},
		{what: "too large, announced", path: "/sum", mediaType: "application/json", body: `[{"text":` + long + `}]`, status: 413, want: "Too Large"},
		{what: "too large by default", path: "/lenient", mediaType: "application/json", body: "[" + strings.Repeat(`{"n":1},`, 1<<19) + "]", status: 413, want: "Too Large"},
	} {
		for _, length := range []bool{true, false} {
			body := io.Reader(strings.NewReader(test.body))
			if !length {
				body = io.MultiReader(body) // hide the length, so that the body is sent in chunks
			}
			if test.what == "too large by default" && !length {
				continue // this handler gets the error from the sequence, and reports it as an error of an element
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
		{path: "values?n=3", status: 200, mediaType: "application/json", want: `[{"n":0},{"n":1},{"n":2}]` + "\n"},
		{path: "values?n=0", accept: "*/*", status: 200, mediaType: "application/json", want: "[]\n"},
		{path: "values?n=2", accept: "application/x-ndjson", status: 200, mediaType: "application/x-ndjson", want: "{\"n\":0}\n{\"n\":1}\n"},
		{path: "values?n=0", accept: "application/x-ndjson, */*;q=0.1", status: 200, mediaType: "application/x-ndjson"},
		{path: "values?n=1", accept: "application/json, application/x-ndjson;q=0.9", status: 200, mediaType: "application/json", want: `[{"n":0}]` + "\n"},
		{path: "values?n=1", accept: "text/html", status: 406, mediaType: "application/problem+json"},
		{path: "values?n=1", accept: MediaTypeWire, status: 406, mediaType: "application/problem+json"},
		{path: "none", status: 204},
		{path: "refused", status: 409, mediaType: "application/problem+json"},
		{path: "fails?n=0", status: 409, mediaType: "application/problem+json"},
		{path: "panics?n=0", status: 500, mediaType: "application/problem+json"},
	} {
		status, body, h, err := fetch(t, "GET", url+"/points/"+test.path, "Accept", test.accept)
		if err != nil || status != test.status || h.Get("Content-Type") != test.mediaType || test.want != "" && body != test.want {
			t.Errorf("%s, %s: %d %v %q, %v", test.path, test.accept, status, h, body, err)
		}
		if status == 200 && h.Get("Vary") != "Accept" {
			t.Errorf("%s: Vary %q", test.path, h.Get("Vary"))
		}
	}
	// The client detects an incomplete sequence, whether it is short or long.
	for _, path := range []string{"fails?n=1", "fails?n=1000", "panics?n=1", "panics?n=1000"} {
		for _, accept := range []string{"application/json", "application/x-ndjson"} {
			status, body, _, err := fetch(t, "GET", url+"/points/"+path, "Accept", accept)
			if err == nil {
				t.Errorf("%s, %s: %d and %d bytes without an error", path, accept, status, len(body))
			}
		}
	}
	// HEAD does not run the sequence.
	status, body, h, err := fetch(t, "HEAD", url+"/points/panics?n=1")
	if err != nil || status != 200 || body != "" || h.Get("Content-Length") != "" || h.Get("Content-Type") != "application/json" {
		t.Errorf("HEAD: %d %v %q, %v", status, h, body, err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// An element arrives at the client before the next one is yielded.
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

// A client that disconnects ends the sequence and the context.
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
			t.Fatalf("%s: the answer continues although the client has disconnected", path)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

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
