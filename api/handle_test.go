package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/wire"
)

type reading struct {
	Host    string             `json:"host"`
	Value   float64            `json:"value"`
	Celsius mo.Option[float64] `json:"celsius"`
}

type batch struct {
	Readings []reading `json:"readings"`
}

type accepted struct {
	Count int `json:"count"`
}

type listIn struct {
	Host  string         `path:"host"`
	Tags  []string       `query:"tag"`
	Limit mo.Option[int] `query:"limit"`
	Trace string         `header:"X-Trace"`
}

type listOut struct {
	Host  string   `json:"host"`
	Tags  []string `json:"tags"`
	Limit int      `json:"limit"`
	Trace string   `json:"trace"`
}

type putIn struct {
	Host string  `path:"host"`
	Body reading `body:""`
}

type anyOut struct {
	Value any `json:"value"`
}

func quiet() *web.Echo { return web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler)}) }

// onWeb and onMux make an API on a router, a group of the API, and the handler that serves both.
func onWeb(log io.Writer) (e, g *API, h http.Handler) {
	echo := web.NewWithConfig(web.Config{Logger: slog.New(slog.NewTextHandler(log, nil))})
	e = New(echo)
	return e, e.Group("/v1", echo.Group("/v1")), echo
}

func onMux(log io.Writer) (e, g *API, h http.Handler) {
	mux := http.NewServeMux()
	e = New(Mux(mux))
	e.Logger = slog.New(slog.NewTextHandler(log, nil))
	return e, e.Group("/v1", nil), mux
}

// addService registers one of each kind of typed handler.
func addService(e, g *API) {
	Handle(g, "POST /readings", func(_ context.Context, in *batch) (*accepted, error) {
		return &accepted{len(in.Readings)}, nil
	}, Operation{Status: http.StatusAccepted, BodyLimit: 1000})
	Handle(g, "GET /hosts/{host}", func(_ context.Context, in *listIn) (*listOut, error) {
		return &listOut{in.Host, in.Tags, in.Limit.OrElse(100), in.Trace}, nil
	})
	Handle(g, "PUT /hosts/{host}", func(_ context.Context, in *putIn) (*reading, error) {
		in.Body.Host = in.Host
		return &in.Body, nil
	})
	Handle(g, "DELETE /hosts/{host}", func(context.Context, *struct {
		Host string `path:"host"`
	}) (*struct{}, error) {
		return &struct{}{}, nil
	})
	Handle(e, "GET /files/{name...}", func(_ context.Context, in *struct {
		Name string `path:"name"`
	}) (*listOut, error) {
		return &listOut{Host: in.Name}, nil
	})
	Handle(e, "GET /fail/{how}", func(_ context.Context, in *struct {
		How string `path:"how"`
	}) (*anyOut, error) {
		switch in.How {
		case "unknown":
			return nil, errors.New("secret detail")
		case "http":
			return nil, web.NewHTTPError(http.StatusConflict, "already there").Wrap(errors.New("secret detail"))
		case "status":
			return nil, fmt.Errorf("secret detail: %w", web.ErrNotFound)
		case "problem":
			return nil, &Problem{Type: "https://example.com/quota", Title: "Over quota", Status: 429, Detail: "try later"}
		case "panic":
			panic("secret detail")
		case "unencodable":
			return &anyOut{func() {}}, nil
		}
		return nil, nil
	})
	Handle(e, "POST /optional", func(_ context.Context, in *struct {
		Body mo.Option[reading] `body:""`
	}) (*anyOut, error) {
		return &anyOut{in.Body.IsPresent()}, nil
	})
}

func encoded[T any](t *testing.T, v T) string {
	t.Helper()
	b, err := wire.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestHandle(t *testing.T) {
	t.Run("web", func(t *testing.T) { testHandle(t, onWeb) })
	t.Run("ServeMux", func(t *testing.T) { testHandle(t, onMux) })
}

func testHandle(t *testing.T, router func(log io.Writer) (e, g *API, h http.Handler)) {
	const (
		asJSON = "application/json"
		asWire = "application/vnd.hone.wire"
	)
	two := batch{[]reading{{Host: "a", Value: 1}, {Host: "b", Celsius: mo.Some(20.5)}}}
	twoJSON := `{"readings":[{"host":"a","value":1},{"host":"b","value":0,"celsius":20.5}]}`
	tests := []struct {
		name, method, target string
		ctype, accept, body  string
		status               int
		wantType, want       string // the media type and the text of the body; if want is "~x", the body only has to contain x
	}{
		{name: "JSON to JSON", method: "POST", target: "/v1/readings", ctype: asJSON, body: twoJSON, status: 202, wantType: asJSON, want: `{"count":2}` + "\n"},
		{name: "wire to JSON", method: "POST", target: "/v1/readings", ctype: asWire, accept: "*/*", body: encoded(t, two), status: 202, wantType: asJSON, want: `{"count":2}` + "\n"},
		{name: "wire to wire", method: "POST", target: "/v1/readings", ctype: asWire, accept: asWire, body: encoded(t, two), status: 202, wantType: asWire, want: encoded(t, accepted{2})},
		{name: "media type in capitals, charset", method: "POST", target: "/v1/readings", ctype: "Application/JSON; Charset=\"UTF-8\"", body: twoJSON, status: 202, wantType: asJSON, want: `{"count":2}` + "\n"},
		{name: "another charset", method: "POST", target: "/v1/readings", ctype: "application/json; charset=latin1", body: twoJSON, status: 415, wantType: "application/problem+json", want: `~"status":415`},
		{name: "unknown media type", method: "POST", target: "/v1/readings", ctype: "text/plain", body: twoJSON, status: 415, wantType: "application/problem+json", want: `~"title":"Unsupported Media Type"`},
		{name: "no media type", method: "POST", target: "/v1/readings", body: twoJSON, status: 415, wantType: "application/problem+json", want: `~415`},
		{name: "no body at all", method: "POST", target: "/v1/readings", status: 400, wantType: "application/problem+json", want: `~missing`},
		{name: "empty JSON", method: "POST", target: "/v1/readings", ctype: asJSON, status: 400, wantType: "application/problem+json", want: `~empty`},
		{name: "malformed JSON", method: "POST", target: "/v1/readings", ctype: asJSON, body: `{"readings":[}`, status: 400, wantType: "application/problem+json", want: `~"offset":14`},
		{name: "mismatched JSON", method: "POST", target: "/v1/readings", ctype: asJSON, body: `{"readings":[{"host":1}]}`, status: 400, wantType: "application/problem+json", want: `~.host","detail":"a JSON number instead of a string"`},
		{name: "truncated wire", method: "POST", target: "/v1/readings", ctype: asWire, body: encoded(t, two)[:5], status: 400, wantType: "application/problem+json", want: `~"in":"body"`},
		{name: "not acceptable", method: "POST", target: "/v1/readings", ctype: asJSON, accept: "text/html", body: twoJSON, status: 406, wantType: "application/problem+json", want: `~406`},
		{name: "too large", method: "POST", target: "/v1/readings", ctype: asJSON, body: `{"x":"` + strings.Repeat("x", 1000) + `"}`, status: 413, wantType: "application/problem+json", want: `~413`},

		{name: "parameters", method: "GET", target: "/v1/hosts/a%2Fb?tag=x&tag=y&limit=5", status: 200, wantType: asJSON, want: `{"host":"a/b","tags":["x","y"],"limit":5,"trace":"t-1"}` + "\n"},
		{name: "defaults", method: "GET", target: "/v1/hosts/a%20b", status: 200, wantType: asJSON, want: `{"host":"a b","tags":null,"limit":100,"trace":"t-1"}` + "\n"},
		{name: "bad parameters", method: "GET", target: "/v1/hosts/a?limit=ten", status: 400, wantType: "application/problem+json", want: `~"errors":[{"in":"query","name":"limit","detail":"not a whole number"}]`},
		{name: "body field", method: "PUT", target: "/v1/hosts/h", ctype: asJSON, body: `{"host":"forged","value":2}`, status: 200, wantType: asJSON, want: `{"host":"h","value":2,"celsius":null}` + "\n"},
		{name: "body field in wire", method: "PUT", target: "/v1/hosts/h", ctype: asWire, body: encoded(t, reading{Host: "forged", Value: 2}), status: 200, wantType: asJSON, want: `{"host":"h","value":2,"celsius":null}` + "\n"},
		{name: "body field, truncated wire", method: "PUT", target: "/v1/hosts/h", ctype: asWire, body: encoded(t, reading{})[:1], status: 400, wantType: "application/problem+json", want: `~"in":"body"`},
		{name: "optional body, not wire", method: "POST", target: "/optional", ctype: asWire, body: encoded(t, reading{}), status: 415, wantType: "application/problem+json", want: `~415`},
		{name: "HEAD of a GET route", method: "HEAD", target: "/v1/hosts/h", status: 200, wantType: asJSON},
		{name: "no content", method: "DELETE", target: "/v1/hosts/h", status: 204},
		{name: "the rest of a path", method: "GET", target: "/files/a/b.txt", status: 200, wantType: asJSON, want: `~"host":"a/b.txt"`},
		{name: "optional body absent", method: "POST", target: "/optional", status: 200, wantType: asJSON, want: `{"value":false}` + "\n"},
		{name: "optional body present", method: "POST", target: "/optional", ctype: asJSON, body: `{"host":"h","value":1}`, status: 200, wantType: asJSON, want: `{"value":true}` + "\n"},

		{name: "unknown error", method: "GET", target: "/fail/unknown", status: 500, wantType: "application/problem+json", want: `{"title":"Internal Server Error","status":500}` + "\n"},
		{name: "HTTPError", method: "GET", target: "/fail/http", status: 409, wantType: "application/problem+json", want: `{"title":"Conflict","status":409,"detail":"already there"}` + "\n"},
		{name: "status in the chain", method: "GET", target: "/fail/status", status: 404, wantType: "application/problem+json", want: `{"title":"Not Found","status":404}` + "\n"},
		{name: "Problem", method: "GET", target: "/fail/problem", status: 429, wantType: "application/problem+json", want: `{"type":"https://example.com/quota","title":"Over quota","status":429,"detail":"try later"}` + "\n"},
		{name: "panic", method: "GET", target: "/fail/panic", status: 500, wantType: "application/problem+json", want: `{"title":"Internal Server Error","status":500}` + "\n"},
		{name: "unencodable", method: "GET", target: "/fail/unencodable", status: 500, wantType: "application/problem+json", want: `{"title":"Internal Server Error","status":500}` + "\n"},
		{name: "nil answer", method: "GET", target: "/fail/not", status: 204},
		{name: "JSON only", method: "GET", target: "/fail/not", accept: asWire, status: 406, wantType: "application/problem+json", want: `~406`},
	}
	var log bytes.Buffer
	e, g, h := router(&log)
	addService(e, g)
	srv := httptest.NewServer(h)
	defer srv.Close()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := http.NewRequest(tt.method, srv.URL+tt.target, strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Trace", "t-1")
			if tt.ctype != "" {
				r.Header.Set("Content-Type", tt.ctype)
			}
			if tt.accept != "" {
				r.Header.Set("Accept", tt.accept)
			}
			resp, err := srv.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode != tt.status || resp.Header.Get("Content-Type") != tt.wantType {
				t.Errorf("got %d %s, want %d %s: %s", resp.StatusCode, resp.Header.Get("Content-Type"), tt.status, tt.wantType, body)
			}
			part, isPart := strings.CutPrefix(tt.want, "~")
			if isPart && !strings.Contains(string(body), part) || !isPart && string(body) != tt.want {
				t.Errorf("body %q, want %q", body, tt.want)
			}
			if strings.Contains(string(body), "secret") {
				t.Errorf("inner text reached the client: %s", body)
			}
			if tt.wantType == "application/problem+json" && !json.Valid(body) {
				t.Errorf("the problem document is not JSON: %s", body)
			}
		})
	}
	if n := strings.Count(log.String(), "secret detail"); n != 2 {
		t.Errorf("the cause of a 500 was logged %d times, want 2, for the error and for the panic:\n%s", n, &log)
	}
}

// A body of unknown length is limited while it is read.
func TestHandleChunkedTooLarge(t *testing.T) {
	e, g, h := onMux(io.Discard)
	addService(e, g)
	srv := httptest.NewServer(h)
	defer srv.Close()
	body := io.MultiReader(strings.NewReader(`{"x":"`), strings.NewReader(strings.Repeat("x", 8<<10)))
	resp, err := srv.Client().Post(srv.URL+"/v1/readings", "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", resp.StatusCode)
	}
}

// WithBody is embedded by pointer, and embeds itself.
type WithBody struct {
	*WithBody
	Body int `body:""`
}

func TestHandleRefuses(t *testing.T) {
	type in struct {
		ID string `path:"id"`
	}
	nop := func(context.Context, *in) (*accepted, error) { return nil, nil }
	register := func(f func(e *web.Echo)) (err error) {
		defer func() { err, _ = recover().(error) }()
		f(quiet())
		return nil
	}
	tests := []struct {
		name string
		f    func(e *web.Echo)
		want string
	}{
		{name: "no method", f: func(e *web.Echo) { Handle(e, "/x/{id}", nop) }, want: "method"},
		{name: "method in small letters", f: func(e *web.Echo) { Handle(e, "get /x/{id}", nop) }, want: "method"},
		{name: "Echo's form", f: func(e *web.Echo) { Handle(e, "GET /:id", nop) }, want: `the pattern has no such parameter`},
		{name: "a tree without a name", f: func(e *web.Echo) {
			Handle(e, "GET /x/", func(context.Context, *struct{}) (*accepted, error) { return nil, nil })
		}, want: "{$}"},
		{name: "a star", f: func(e *web.Echo) {
			Handle(e, "GET /x*", func(context.Context, *struct{}) (*accepted, error) { return nil, nil })
		}, want: "not support"},
		{name: "no slash", f: func(e *web.Echo) { Handle(e, "GET x/{id}", nop) }, want: "path"},
		{name: "parameter missing from the pattern", f: func(e *web.Echo) { Handle(e, "GET /x", nop) }, want: `the pattern has no such parameter`},
		{name: "half braces", f: func(e *web.Echo) { Handle(e, "GET /x{id}", nop) }, want: "braces"},
		{name: "unclosed", f: func(e *web.Echo) { Handle(e, "GET /{id", nop) }, want: "braces"},
		{name: "rest not last", f: func(e *web.Echo) { Handle(e, "GET /{id...}/x", nop) }, want: "last"},
		{name: "twice", f: func(e *web.Echo) { Handle(e, "GET /{id}", nop); Handle(e, "GET /{id}", nop) }, want: "not allowed"},
		{name: "stray field", f: func(e *web.Echo) {
			Handle(e, "POST /x", func(context.Context, *struct {
				ID   string `query:"id"`
				Name string
			}) (*accepted, error) {
				return nil, nil
			})
		}, want: ".Name"},
		{name: "body of a GET", f: func(e *web.Echo) {
			Handle(e, "GET /x", func(context.Context, *batch) (*accepted, error) { return nil, nil })
		}, want: "GET"},
		{name: "a range as the type of a content", f: func(e *web.Echo) {
			Handle(e, "GET /x", func(context.Context, *struct{}) (*Content, error) { return nil, nil }, Operation{ContentType: "image/*, image/png"})
		}, want: "is a range"},
		{name: "two types of a content", f: func(e *web.Echo) {
			Handle(e, "GET /x", func(context.Context, *struct{}) (*struct {
				Type string  `header:"content-type"`
				Body Content `body:""`
			}, error) {
				return nil, nil
			})
		}, want: "header field Content-Type"},
		{name: "two bodies", f: func(e *web.Echo) {
			Handle(e, "POST /x", func(context.Context, *struct {
				A int `body:""`
				B int `body:""`
			}) (*accepted, error) {
				return nil, nil
			})
		}, want: "more than one"},
		{name: "body out of reach", f: func(e *web.Echo) {
			Handle(e, "POST /x", func(context.Context, *struct {
				ID   string `query:"id"`
				body int    `body:""`
			}) (*accepted, error) {
				return nil, nil
			})
		}, want: ".body"},
		{name: "body behind a pointer", f: func(e *web.Echo) {
			Handle(e, "POST /x", func(context.Context, *struct {
				ID string `query:"id"`
				*WithBody
			}) (*accepted, error) {
				return nil, nil
			})
		}, want: ".WithBody"},
		{name: "type that cannot be bound", f: func(e *web.Echo) {
			Handle(e, "GET /x", func(context.Context, *struct {
				C chan int `query:"c"`
			}) (*accepted, error) {
				return nil, nil
			})
		}, want: "chan int"},
		{name: "nil", f: func(e *web.Echo) { Handle[in, accepted](e, "GET /{id}", nil) }, want: "nil"},
	}
	for _, tt := range tests {
		err := register(tt.f)
		var ae *RouteError
		if !errors.As(err, &ae) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want a *RouteError with %q", tt.name, err, tt.want)
		}
	}
}

func TestHandleAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	e := quiet()
	answer := &listOut{Host: "h", Tags: []string{"a"}}
	Handle(e, "GET /hosts/{host}", func(_ context.Context, in *listIn) (*listOut, error) { return answer, nil })
	Handle(e, "GET /hosts/{host}/{rest...}", func(_ context.Context, in *struct {
		Host string `path:"host"`
		Rest string `path:"rest" length:"1.."`
	}) (*listOut, error) {
		return answer, nil
	})
	Handle(e, "PUT /hosts/{host}", func(_ context.Context, in *struct {
		Host string `path:"host"`
		Body struct {
			Value float64 `json:"value" min:"0"`
		} `body:""`
	}) (*listOut, error) {
		return answer, nil
	}, Operation{ETag: true})
	Handle(e, "DELETE /hosts/{host}", func(context.Context, *struct {
		Host string `path:"host"`
	}) (*struct{}, error) {
		return nil, nil
	})
	body := &resettable{text: `{"value":1.5}`}
	for _, test := range []struct{ method, target, accept string }{
		{method: "GET", target: "/hosts/h?limit=5"},
		{method: "GET", target: "/hosts/h?limit=5", accept: MediaTypeWire},
		{method: "GET", target: "/hosts/h/a/b"},
		{method: "PUT", target: "/hosts/h"},
		{method: "DELETE", target: "/hosts/h"},
	} {
		r := httptest.NewRequest(test.method, test.target, nil)
		if test.accept != "" {
			r.Header.Set("Accept", test.accept)
		}
		if test.method == "PUT" {
			r.Header.Set("Content-Type", "application/json")
			r.Body, r.ContentLength = body, int64(len(body.text))
		}
		w := &discard{header: http.Header{}}
		if n := testing.AllocsPerRun(200, func() { body.at = 0; e.ServeHTTP(w, r) }); n != 1 {
			t.Errorf("%s %s, %s: %v allocs, want 1, the In", test.method, test.target, test.accept, n)
		}
	}
}

// A resettable body can be read a second time.
type resettable struct {
	text string
	at   int
}

func (r *resettable) Read(p []byte) (int, error) {
	if r.at == len(r.text) {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.at:])
	r.at += n
	return n, nil
}

func (r *resettable) Close() error { return nil }

// A client that sends a bad parameter gets an error that names the expected kind of value.
func TestExpectations(t *testing.T) {
	type in struct {
		I mo.Option[int8] `query:"i"`
		U *uint           `query:"u"`
		F []float64       `query:"f"`
		B bool            `query:"b"`
		T time.Time       `query:"t"`
		D time.Duration   `query:"d"`
	}
	e := quiet()
	Handle(e, "GET /{$}", func(context.Context, *in) (*accepted, error) { return nil, nil })
	for query, want := range map[string]string{
		"i=x": "not a whole number", "i=128": "a number too large or too small", "u=-1": "not a whole number of at least 0",
		"f=x": "not a number", "b=maybe": "neither true nor false", "t=now": "not a time such as 2006-01-02T15:04:05Z",
		"d=x": "not a duration such as 1m30s",
	} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/?"+query, nil))
		if w.Code != 400 || !strings.Contains(w.Body.String(), `"detail":"`+want+`"`) {
			t.Errorf("%s: %d %s, want %s", query, w.Code, w.Body, want)
		}
	}
}

// discard is a ResponseWriter that discards the answer.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(int)             {}

// TestRestOfPath: the text that a wildcard at the end matches reaches the handler unchanged,
// unless ".." leads above the route's prefix. See docs/clients.md.
func TestRestOfPath(t *testing.T) {
	e := web.New()
	Handle(New(e), "GET /files/{rest...}", func(_ context.Context, in *struct {
		Rest string `path:"rest"`
	}) (*string, error) {
		return &in.Rest, nil
	})
	for path, want := range map[string]string{
		"a": "a", "a/../b": "a/../b", "a%2F..%2Fb": "a/../b", "a//b": "a//b", "./b": "./b", ".": ".", "": "",
		"../x": "404", "..%2Fx": "404", "%2e%2e/x": "404", "a/../../x": "404", "..": "404",
	} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/files/"+path, nil))
		got := strconv.Itoa(w.Code)
		if w.Code == http.StatusOK {
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
