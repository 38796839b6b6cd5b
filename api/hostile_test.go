package api_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire"
)

type deep struct {
	Name string          `json:"name" required:"false"`
	Sub  map[string]deep `json:"sub" required:"false"`
	List []int           `json:"list" required:"false" max:"1"`
	Need []struct {
		A int `json:"a"`
	} `json:"need" required:"false"`
}

// TestLongPaths sends many faults with long paths. The length of the answer does not depend on the length of the
// paths, and the time is proportional to the text.
func TestLongPaths(t *testing.T) {
	mux := http.NewServeMux()
	api.Handle(api.Mux(mux), "POST /x", func(context.Context, *deep) (*struct{}, error) { return nil, nil })
	nested := func(n int, fault string) string {
		return strings.Repeat(`{"sub":{"`+strings.Repeat("k", 50)+`":`, n) + fault + strings.Repeat("}}", n)
	}
	long := func(n int, fault string) string {
		return `{"sub":{"` + strings.Repeat("k", 500*n) + `":` + fault + `}}`
	}
	limits, members := `{"list":[`+strings.Repeat("2,", 99)+`2]}`, `{"need":[`+strings.Repeat("{},", 99)+`{}]}`
	for what, body := range map[string]func(int) string{
		"deep, limits":  func(n int) string { return nested(n, limits) },
		"deep, members": func(n int) string { return nested(n, members) },
		"long, limits":  func(n int) string { return long(n, limits) },
		"long, members": func(n int) string { return long(n, members) },
	} {
		testkit.Grows(t, 2000, 9, func(n int) {
			w := send(mux, sent{"POST", "/x", body(n), nil})
			if w.Code != 422 || w.Body.Len() > 200<<10 {
				t.Errorf("%s: %d, %d bytes", what, w.Code, w.Body.Len())
			}
		})
	}
}

type guarded struct {
	ID   int    `json:"id" readOnly:"true" min:"1"`
	Name string `json:"name"`
	Pass string `json:"pass,omitempty" writeOnly:"true"`
}

// TestReadOnly: a read-only member is refused in every format.
func TestReadOnly(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		a.Defaults.Formats = []api.Format{xmlFormat{}}
		echo := func(_ context.Context, in *guarded) (*patchOut, error) { return &patchOut{strconv.Itoa(in.ID)}, nil }
		api.Handle(a, "POST /one", echo)
		api.Handle(a, "POST /many", func(_ context.Context, in *api.Elements[guarded]) (*patchOut, error) {
			for v, err := range *in {
				return &patchOut{strconv.Itoa(v.ID)}, err
			}
			return nil, nil
		})
		expect(t, "JSON", send(h, sent{"POST", "/one", `{"id":666,"name":"a"}`, nil}), 200, `{"text":"0"}`)
		text, err := wire.Marshal(&guarded{ID: 666})
		if err != nil {
			t.Fatal(err)
		}
		for target, mediaType := range map[string]string{"/one": api.MediaTypeWire, "/many": api.MediaTypeWireStream} {
			expect(t, target, send(h, sent{"POST", target, string(text), []string{"Content-Type", mediaType}}), 415, "~415")
		}
		expect(t, "XML", send(h, sent{"POST", "/one", "<guarded><ID>666</ID></guarded>", []string{"Content-Type", "application/xml"}}), 415, "~415")
	})
}

type leaky struct {
	api.Problem
	Held guarded `json:"held"`
}

// TestWriteOnly: a write-only member is not part of any answer.
func TestWriteOnly(t *testing.T) {
	secret := guarded{Name: "n", Pass: "LEAK"}
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		api.HandleEvents(a, "GET /events", func(_ context.Context, _ *struct{}, events *api.Events) error {
			return events.SendJSON("1", secret)
		})
		api.Handle(a, "GET /fails", func(context.Context, *struct{}) (*patchOut, error) {
			return nil, &leaky{*api.NewProblem(409, ""), secret}
		})
		api.Handle(a, "GET /tagged", func(context.Context, *struct{}) (*guarded, error) { return &secret, nil }, api.Operation{ETag: true})
		for _, target := range []string{"/events", "/fails", "/tagged"} {
			if w := send(h, sent{"GET", target, "", nil}); strings.Contains(w.Body.String(), "LEAK") || !strings.Contains(w.Body.String(), `"name":"n"`) {
				t.Errorf("%s: %s", target, w.Body)
			}
		}
		tag, err := api.Tag(&secret)
		if got := send(h, sent{"GET", "/tagged", "", nil}).Header().Get("ETag"); err != nil || got != tag {
			t.Errorf("the tag is %s, and Tag returned %s, %v", got, tag, err)
		}
	})
}

// TestEventsHead answers HEAD without a stream, because nothing would end the stream.
func TestEventsHead(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		api.HandleEvents(a, "GET /events", func(ctx context.Context, in *struct {
			N int `query:"n" min:"1"`
		}, events *api.Events) error {
			t.Error("the function runs")
			return nil
		})
		srv := httptest.NewServer(h)
		defer srv.Close()
		for _, test := range []struct {
			query  string
			status int
		}{{"?n=1", 200}, {"?n=0", 422}} {
			resp, err := http.Head(srv.URL + "/events" + test.query)
			if err != nil || resp.StatusCode != test.status || test.status == 200 && resp.Header.Get("Content-Type") != api.MediaTypeEvents {
				t.Errorf("%s: %v %v", test.query, resp, err)
			}
			resp.Body.Close()
		}
	})
}

type panics struct {
	N int `json:"n"`
}

func (panics) Validate(context.Context) error { panic("validating") }

// TestPanicBeforeEvents: a panic before the stream is open is answered with a problem.
func TestPanicBeforeEvents(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		api.HandleEvents(a, "POST /events", func(context.Context, *panics, *api.Events) error { return nil })
		expect(t, "a panic", send(h, sent{"POST", "/events", `{"n":1}`, nil}), 500, `~"status":500`)
	})
}

// TestCredentials sends missing, valid and invalid credentials, alone and combined. An invalid credential is answered
// with 401, even if the operation also admits requests without credentials. The query parameter of an API key does not
// count as an unknown parameter.
func TestCredentials(t *testing.T) {
	bearer := security.Bearer("bearer", func(_ context.Context, token string) (string, error) {
		if token != "ok" {
			return "", errors.New("no")
		}
		return token, nil
	})
	key := security.APIKey("key", "query", "api_key", func(_ context.Context, key string) (string, error) { return key, nil })
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		handler := func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }
		a.Defaults.Unknown = api.UnknownRefused
		api.Handle(a, "GET /both", handler, api.Operation{Security: []security.Requirement{security.All(key.With(), bearer.With()), {}}})
		api.Handle(a, "GET /key", handler, api.Operation{Security: []security.Requirement{key.With()}})
		api.Handle(a, "GET /keyed", func(context.Context, *struct {
			Q string `query:"q"`
		}) (*struct{}, error) {
			return nil, nil
		}, api.Operation{Security: []security.Requirement{key.With()}})
		for _, test := range []struct {
			target, authorization string
			status                int
		}{
			{"/both", "", 204}, {"/both", "Bearer bad", 401}, {"/both", "Basic !!!", 401}, {"/both", "Bearer\tok", 401},
			{"/both?api_key=a", "Bearer ok", 204}, {"/both?api_key=a", "Bearer bad", 401},
			{"/key?api_key=a", "", 204}, {"/key?api_key=a&x=1", "", 422}, {"/keyed?api_key=a&q=1", "", 204}, {"/keyed?api_key=a&x=1", "", 422},
		} {
			var header []string
			if test.authorization != "" {
				header = []string{"Authorization", test.authorization}
			}
			if w := send(h, sent{"GET", test.target, "", header}); w.Code != test.status {
				t.Errorf("%s %s: %d %s, want %d", test.target, test.authorization, w.Code, w.Body, test.status)
			}
		}
	})
}

type unwritable struct{}

func (unwritable) MarshalJSON() ([]byte, error) { return nil, errors.New("no") }

// TestHeaderOfFailure: the header fields of a failed answer are not sent.
func TestHeaderOfFailure(t *testing.T) {
	type headed[T any] struct {
		Session http.Cookie `cookie:"session"`
		Cache   string      `header:"Cache-Control"`
		Body    T           `body:""`
	}
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		cookie := http.Cookie{Value: "S"}
		api.Handle(a, "GET /whole", func(context.Context, *struct{}) (*headed[unwritable], error) {
			return &headed[unwritable]{Session: cookie, Cache: "public"}, nil
		})
		api.Handle(a, "GET /elements", func(context.Context, *struct{}) (*headed[api.Elements[patchOut]], error) {
			return &headed[api.Elements[patchOut]]{Session: cookie, Cache: "public", Body: *api.ElementsOf(func(yield func(patchOut, error) bool) {
				yield(patchOut{}, api.NewProblem(404, ""))
			})}, nil
		})
		api.Handle(a, "GET /content", func(context.Context, *struct{}) (*headed[*api.Content], error) {
			return &headed[*api.Content]{Session: cookie, Cache: "public", Body: &api.Content{Body: strings.NewReader("abc")}}, nil
		})
		for target, status := range map[string]int{"/whole": 500, "/elements": 404, "/content": 416} {
			w := send(h, sent{"GET", target, "", []string{"Range", "bytes=9-"}})
			if w.Code != status || w.Header()["Set-Cookie"] != nil || w.Header()["Cache-Control"] != nil {
				t.Errorf("%s: %d %v", target, w.Code, w.Header())
			}
		}
		w := send(h, sent{"GET", "/content", "", nil})
		if w.Code != 200 || w.Header().Get("Cache-Control") != "public" || w.Header().Get("Set-Cookie") != "session=S" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	})
}

// TestBadTags registers types with mistakes in tags, which the document could not express.
func TestBadTags(t *testing.T) {
	type Inner struct {
		D int `json:"d" default:"7"`
	}
	for want, register := range map[string]func(r api.Router){
		"is not in 200..399": func(r api.Router) {
			api.Handle(r, "GET /x", func(context.Context, *struct{}) (*patchOut, error) { return nil, nil }, api.Operation{Status: 99})
		},
		"a parameter cannot have this tag": func(r api.Router) {
			api.Handle(r, "GET /x", func(context.Context, *struct {
				ID int `query:"id" readOnly:"true"`
			}) (*patchOut, error) {
				return nil, nil
			})
		},
		"promoted through an embedded pointer": func(r api.Router) {
			api.Handle(r, "POST /x", func(context.Context, *struct {
				*Inner
				X int `json:"x"`
			}) (*patchOut, error) {
				return nil, nil
			})
		},
	} {
		func() {
			defer func() {
				if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want an error with %q", err, want)
				}
			}()
			register(api.Mux(http.NewServeMux()))
		}()
	}
}
