package api_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

type (
	createdItem struct {
		ID     int64  `json:"id" readOnly:"true"`
		Name   string `json:"name"`
		Secret string `json:"secret,omitempty" writeOnly:"true"`
		Inner  []struct {
			Key  string `json:"key" writeOnly:"true"`
			Kept string `json:"kept"`
		} `json:"inner"`
	}
	created struct {
		_        struct{}       `status:"201"`
		Location string         `header:"Location"`
		Modified time.Time      `header:"Last-Modified"`
		Links    []string       `header:"Link"`
		Left     mo.Option[int] `header:"X-Left"`
		Session  http.Cookie    `cookie:"session"`
		Old      *http.Cookie   `cookie:"old"`
		Body     createdItem    `body:""`
	}
	queued struct {
		Status int `status:"202,203"`
		Retry  int `header:"Retry-After"`
	}
)

// TestAnswers sends the status, header and cookies of an Out that is a struct or a union of structs.
func TestAnswers(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		full := created{
			Location: "/items/7", Modified: time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)), Links: []string{"a", "b"}, Left: mo.Some(0),
			Session: http.Cookie{Value: "s", HttpOnly: true}, Body: createdItem{ID: 7, Name: "a", Secret: "s"},
		}
		api.Handle(a, "POST /items", func(_ context.Context, in *createdItem) (*created, error) {
			out := full
			out.Body.Inner = in.Inner
			out.Body.Name = fmt.Sprint(in.ID, in.Name, in.Secret)
			return &out, nil
		})
		api.Handle(a, "POST /either", func(_ context.Context, in *struct {
			Later  bool `query:"later"`
			Status int  `query:"status"`
		}) (*mo.Either[created, queued], error) {
			out := mo.Left[created, queued](full)
			if in.Later {
				out = mo.Right[created](queued{Status: in.Status, Retry: 5})
			}
			return &out, nil
		})
		w := send(h, sent{"POST", "/items", `{"id":99,"name":"n","secret":"x","inner":[{"key":"k","kept":"1"}]}`, nil})
		expect(t, "created", w, 201, `{"id":7,"name":"0nx","inner":[{"kept":"1"}]}`)
		for name, want := range map[string]string{
			"Location": "/items/7", "Last-Modified": "Fri, 02 Jan 2026 02:04:05 GMT", "X-Left": "0", "Link": "a|b", "Set-Cookie": "session=s; HttpOnly",
		} {
			if got := strings.Join(w.Header()[name], "|"); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		expect(t, "one form", send(h, sent{"POST", "/either", "", nil}), 201, `{"id":7,"name":"a","inner":null}`)
		w = send(h, sent{"POST", "/either?later=true", "", nil})
		if expect(t, "another form", w, 202, ""); w.Header().Get("Retry-After") != "5" {
			t.Errorf("%v", w.Header())
		}
		expect(t, "another status", send(h, sent{"POST", "/either?later=true&status=203", "", nil}), 203, "")
		expect(t, "a status that is not listed", send(h, sent{"POST", "/either?later=true&status=204", "", nil}), 500, `~"status":500`)
	})
}

type outOfStock struct {
	api.Problem
	Left int `json:"left"`
}

// TestErrors returns errors that embed a problem and add members. The answer has the added members too.
func TestErrors(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		api.Handle(a, "GET /stock", func(context.Context, *struct{}) (*patchOut, error) {
			return nil, fmt.Errorf("wrapped: %w", &outOfStock{*api.NewProblem(409, "none left"), 3})
		}, api.Operation{Errors: []error{&outOfStock{Problem: *api.NewProblem(409, "")}, api.NewProblem(404, "")}})
		w := send(h, sent{"GET", "/stock", "", nil})
		expect(t, "a typed problem", w, 409, `{"title":"Conflict","status":409,"detail":"none left","left":3}`)
		if got := w.Header().Get("Content-Type"); got != api.MediaTypeProblem {
			t.Error(got)
		}
	})
}

// An xmlFormat is a Format that a program defines.
type xmlFormat struct{}

func (xmlFormat) MediaType() string { return "application/xml" }
func (xmlFormat) Append(dst []byte, v any) ([]byte, error) {
	text, err := xml.Marshal(v)
	return append(dst, text...), err
}
func (xmlFormat) Unmarshal(data []byte, v any) error { return xml.Unmarshal(data, v) }

func TestFormats(t *testing.T) {
	type item struct {
		Name string `json:"name" xml:"name" length:"1.."`
	}
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		a.Defaults.Formats = []api.Format{xmlFormat{}}
		api.Handle(a, "POST /items", func(_ context.Context, in *item) (*item, error) { return in, nil })
		asXML := []string{"Content-Type", "Application/XML", "Accept", "application/xml, */*;q=0.1"}
		w := send(h, sent{"POST", "/items", `<item><name>a</name></item>`, asXML})
		if expect(t, "XML", w, 200, `<item><name>a</name></item>`); w.Header().Get("Content-Type") != "application/xml" || w.Header().Get("Vary") != "Accept" {
			t.Errorf("%v", w.Header())
		}
		expect(t, "limits", send(h, sent{"POST", "/items", `<item/>`, asXML}), 422, `~".name","detail":"must have at least 1 character"`)
		expect(t, "broken", send(h, sent{"POST", "/items", `<item`, asXML}), 400, `~not application/xml of the expected type`)
		expect(t, "JSON", send(h, sent{"POST", "/items", `{"name":"a"}`, nil}), 200, `{"name":"a"}`)
		expect(t, "another", send(h, sent{"POST", "/items", `a`, []string{"Content-Type", "text/csv"}}), 415, `~415`)
	})
}

// TestWireElements sends streams of wire records to a handler that returns the same elements, and expects records or
// lines of JSON as Accept asks. A record that is cut, breaks a limit or is too long is answered with an error.
func TestWireElements(t *testing.T) {
	type point struct {
		N int `json:"n" max:"9"`
	}
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		api.Handle(a, "POST /points", func(_ context.Context, in *api.Elements[point]) (*api.Elements[point], error) {
			return api.ElementsOf(func(yield func(point, error) bool) {
				for p, err := range *in {
					if !yield(p, err) {
						return
					}
				}
			}), nil
		})
		var body strings.Builder
		encoder := wire.NewEncoder(&body)
		for n := range 3 {
			if err := encoder.Encode(&point{n}); err != nil {
				t.Fatal(err)
			}
		}
		header := []string{"Content-Type", api.MediaTypeWireStream, "Accept", api.MediaTypeWireStream}
		w := send(h, sent{"POST", "/points", body.String(), header})
		if expect(t, "records", w, 200, body.String()); w.Header().Get("Content-Type") != api.MediaTypeWireStream {
			t.Errorf("%v", w.Header())
		}
		expect(t, "none", send(h, sent{"POST", "/points", "", append(header, "X", "")}), 200, "")
		expect(t, "to lines", send(h, sent{"POST", "/points", body.String(), []string{"Content-Type", api.MediaTypeWireStream, "Accept", api.MediaTypeNDJSON}}), 200,
			"{\"n\":0}\n{\"n\":1}\n{\"n\":2}")
		expect(t, "cut", send(h, sent{"POST", "/points", body.String()[:1], header}), 400, `~ends too early`)
		if err := encoder.Encode(&point{10}); err != nil {
			t.Fatal(err)
		}
		expect(t, "a limit", send(h, sent{"POST", "/points", body.String()[len(body.String())-2:], header}), 422, `~"[0].n","detail":"must be at most 9"`)
		expect(t, "too long", send(h, sent{"POST", "/points", "\xff\xff\xff\x7f", header}), 413, `~too large`)
	})
}

// TestRanges requests ranges of a Content whose Body is an io.ReadSeeker.
func TestRanges(t *testing.T) {
	modified := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		api.Handle(a, "GET /file", func(context.Context, *struct{}) (*api.Content, error) {
			return &api.Content{Type: "text/plain", ETag: `"v1"`, Modified: modified, Body: strings.NewReader("0123456789"), Name: "a.txt"}, nil
		})
		api.Handle(a, "HEAD /head", func(context.Context, *struct{}) (*api.Content, error) {
			return &api.Content{Type: "text/plain", Body: strings.NewReader("0123456789")}, nil
		})
		api.Handle(a, "GET /broken", func(context.Context, *struct{}) (*api.Content, error) {
			return &api.Content{Body: struct {
				io.Reader
				io.Seeker
			}{strings.NewReader(""), badSeeker{}}}, nil
		})
		for _, test := range []struct {
			target string
			header []string
			status int
			want   string
		}{
			{"/file", nil, 200, "0123456789"},
			{"/file", []string{"Range", "bytes=2-4"}, 206, "234"},
			{"/file", []string{"Range", "bytes=-3"}, 206, "789"},
			{"/file", []string{"Range", "bytes=0-1,8-"}, 206, "~Content-Range: bytes 8-9/10"},
			{"/file", []string{"Range", "bytes=20-"}, 416, `{"title":"Requested Range Not Satisfiable","status":416}`},
			{"/file", []string{"Range", "bytes=2-4", "If-Range", `"v0"`}, 200, "0123456789"},
			{"/file", []string{"If-None-Match", `"v1"`}, 304, ""},
			{"/file", []string{"If-Match", `"v0"`}, 412, `~"status":412`},
			{"/file", []string{"If-Modified-Since", modified.Format(http.TimeFormat)}, 304, ""},
			{"/broken", nil, 500, `{"title":"Internal Server Error","status":500}`},
		} {
			w := send(h, sent{"GET", test.target, "", test.header})
			expect(t, test.target+fmt.Sprint(test.header), w, test.status, test.want)
			if ct := w.Header().Get("Content-Type"); test.status >= 400 && ct != api.MediaTypeProblem || test.status == 200 && ct != "text/plain" {
				t.Errorf("%s%v: %v", test.target, test.header, w.Header())
			}
		}
		if w := send(h, sent{"HEAD", "/head", "", nil}); w.Code != 200 || w.Header().Get("Content-Length") != "10" || w.Body.Len() != 0 {
			t.Errorf("HEAD: %d %v %q", w.Code, w.Header(), w.Body)
		}
	})
}

type badSeeker struct{}

func (badSeeker) Seek(int64, int) (int64, error) { return 0, errors.New("the disk is gone") }

// TestMatch: a client with an old version of the content cannot change the current version.
func TestMatch(t *testing.T) {
	current := &patchOut{"now"}
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		api.Handle(a, "GET /it", func(context.Context, *struct{}) (*patchOut, error) { return current, nil }, api.Operation{ETag: true})
		api.Handle(a, "PUT /it", func(_ context.Context, in *struct {
			Match api.Match `header:"If-Match" required:"true"`
			Body  patchOut  `body:""`
		}) (*struct{}, error) {
			tag, err := api.Tag(current)
			if err != nil {
				return nil, err
			}
			return nil, in.Match.Check(tag)
		})
		tag := send(h, sent{"GET", "/it", "", nil}).Header().Get("ETag")
		expect(t, "the same", send(h, sent{"PUT", "/it", `{"text":""}`, []string{"If-Match", `"x", ` + tag}}), 204, "")
		expect(t, "any", send(h, sent{"PUT", "/it", `{"text":""}`, []string{"If-Match", "*"}}), 204, "")
		expect(t, "weak", send(h, sent{"PUT", "/it", `{"text":""}`, []string{"If-Match", "W/" + tag}}), 412, "~412")
		expect(t, "another", send(h, sent{"PUT", "/it", `{"text":""}`, []string{"If-Match", `"x"`}}), 412, "~changed since")
		expect(t, "none", send(h, sent{"PUT", "/it", `{"text":""}`, nil}), 422, `~"If-Match","detail":"is required"`)
	})
}
