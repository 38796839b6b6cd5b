package client

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/mo"
)

type (
	made struct {
		Status   int                  `status:"201,202"`
		Location string               `header:"Location"`
		Count    mo.Option[int]       `header:"X-Count"`
		Tags     []string             `header:"X-Tag"`
		Until    *time.Time           `header:"Expires"`
		Note     mo.Nullable[float64] `header:"X-Note"`
		Session  *http.Cookie         `cookie:"session"`
		*MadeBy
		Body callNumber `body:""`
	}
	MadeBy struct {
		By string `header:"X-By"`
	}
	moved struct {
		_  struct{} `status:"303"`
		To string   `header:"Location"`
	}
	flowing struct {
		_     struct{}                  `status:"206"`
		Total int                       `header:"X-Total"`
		Body  *api.Elements[callNumber] `body:""`
	}
	madeOr = mo.Either3[made, moved, flowing]
)

func TestCallEnvelopes(t *testing.T) {
	until := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	whole := made{
		Status: 202, Location: "/a b", Count: mo.Some(0), Tags: []string{"x", "y"}, Until: &until, Note: mo.Value(1.5),
		Session: &http.Cookie{Name: "session", Value: "s", Path: "/", HttpOnly: true}, MadeBy: &MadeBy{"me"}, Body: callNumber{7},
	}
	type in struct {
		Form string `query:"form"`
	}
	onRouters(t, func(r api.Router) {
		api.Handle(r, "POST /made", func(context.Context, *in) (*made, error) { return &whole, nil })
		api.Handle(r, "POST /bare", func(context.Context, *in) (*made, error) { return &made{Status: 201}, nil })
		api.Handle(r, "POST /any", func(_ context.Context, in *in) (*madeOr, error) {
			out := mo.NewEither3Arg1[made, moved, flowing](whole)
			switch in.Form {
			case "moved":
				out = mo.NewEither3Arg2[made, moved, flowing](moved{To: "/elsewhere"})
			case "streamed":
				out = mo.NewEither3Arg3[made, moved](flowing{Total: 2, Body: api.ValuesOf(func(yield func(callNumber) bool) { _ = yield(callNumber{1}) && yield(callNumber{2}) })})
			}
			return &out, nil
		})
	}, func(t *testing.T, c *Client) {
		for _, c.options.Wire = range []bool{false, true} {
			compare := func(got made) {
				t.Helper()
				if got.Session.String() != whole.Session.String() {
					t.Errorf("the cookie is %v", got.Session)
				}
				got.Session = whole.Session
				if !reflect.DeepEqual(got, whole) {
					t.Errorf("got  %+v\nwant %+v", got, whole)
				}
			}
			got, err := Call[in, made](c, "POST /made")(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			compare(*got)
			if got, err = Call[in, made](c, "POST /bare")(t.Context(), nil); err != nil || !reflect.DeepEqual(*got, made{Status: 201}) {
				t.Errorf("%+v, %v", got, err)
			}
			either := Call[in, madeOr](c, "POST /any")
			first, err := either(t.Context(), &in{})
			if err != nil {
				t.Fatal(err)
			}
			compare(first.MustArg1())
			second, err := either(t.Context(), &in{"moved"})
			if err != nil || second.MustArg2().To != "/elsewhere" {
				t.Errorf("%+v, %v", second, err)
			}
			third, err := either(t.Context(), &in{"streamed"})
			if err != nil || third.MustArg3().Total != 2 {
				t.Fatalf("%+v, %v", third, err)
			}
			n := 0
			for v, err := range *third.MustArg3().Body {
				if n++; err != nil || v.N != n {
					t.Errorf("element %d: %+v, %v", n, v, err)
				}
			}
			if n != 2 {
				t.Errorf("%d elements", n)
			}
		}
		// The server answers with a variant that the client's union lacks.
		two := Call[in, mo.Either[moved, flowing]](c, "POST /any")
		var a *AnswerError
		if _, err := two(t.Context(), &in{}); !errors.As(err, &a) || a.Status != 202 {
			t.Error(err)
		}
	})
}

type xmlFormat struct{}

func (xmlFormat) MediaType() string { return "application/xml" }
func (xmlFormat) Append(dst []byte, v any) ([]byte, error) {
	b, err := xml.Marshal(v)
	return append(dst, b...), err
}
func (xmlFormat) Unmarshal(data []byte, v any) error { return xml.Unmarshal(data, v) }

func TestCallFormats(t *testing.T) {
	seen := ""
	onRouters(t, func(r api.Router) {
		api.Handle(r, "POST /x", func(ctx context.Context, in *callNumber) (*callNumber, error) {
			seen = api.Request(ctx).Header.Get("Content-Type") + " " + api.Request(ctx).Header.Get("Accept")
			return &callNumber{in.N + 1}, nil
		}, api.Operation{Formats: []api.Format{xmlFormat{}}})
		api.Handle(r, "POST /stream", func(ctx context.Context, in *api.Elements[callNumber]) (*api.Elements[callNumber], error) {
			seen = api.Request(ctx).Header.Get("Content-Type") + " " + api.Request(ctx).Header.Get("Accept")
			return in, nil
		})
	}, func(t *testing.T, c *Client) {
		got, err := Call[callNumber, callNumber](c, "POST /x", CallOptions{Formats: []api.Format{xmlFormat{}}})(t.Context(), &callNumber{1})
		if err != nil || got.N != 2 || seen != "application/xml application/xml, application/json;q=0.9" {
			t.Errorf("%+v, %v, by %s", got, err, seen)
		}
		c.options.Wire = true
		if got, err = Call[callNumber, callNumber](c, "POST /x")(t.Context(), &callNumber{1}); err != nil || got.N != 2 || seen != api.MediaTypeWire+" "+api.MediaTypeWire+", application/json;q=0.9" {
			t.Errorf("%+v, %v, by %s", got, err, seen)
		}
		same, err := Call[api.Elements[callNumber], api.Elements[callNumber]](c, "POST /stream")(t.Context(), api.ValuesOf(func(yield func(callNumber) bool) {
			for i := range 3000 {
				if !yield(callNumber{i}) {
					return
				}
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for v, err := range *same {
			if err != nil || v.N != n {
				t.Fatalf("element %d: %+v, %v", n, v, err)
			}
			n++
		}
		if want := api.MediaTypeWireStream + " " + api.MediaTypeWireStream + ", application/json;q=0.9"; n != 3000 || seen != want {
			t.Errorf("%d elements, by %s", n, seen)
		}
	})
}

// TestCallRedirected follows redirects, unless Out has the status of the redirect.
func TestCallRedirected(t *testing.T) {
	type rangeIn struct {
		Range string `header:"Range"`
	}
	onRouters(t, func(r api.Router) {
		api.Handle(r, "POST /go", func(context.Context, *struct{}) (*moved, error) { return &moved{To: "/there"}, nil })
		api.Handle(r, "GET /there", func(context.Context, *struct{}) (*callNumber, error) { return &callNumber{4}, nil })
		api.Handle(r, "GET /part", func(context.Context, *rangeIn) (*api.Content, error) {
			return &api.Content{Modified: time.Unix(1e9, 0), Body: io.NewSectionReader(zerosAt{}, 0, 1000)}, nil
		})
	}, func(t *testing.T, c *Client) {
		if got, err := Call[struct{}, callNumber](c, "POST /go")(t.Context(), nil); err != nil || got.N != 4 {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err := Call[struct{}, moved](c, "POST /go")(t.Context(), nil); err != nil || got.To != "/there" {
			t.Errorf("%+v, %v", got, err)
		}
		part, err := Call[rangeIn, api.Content](c, "GET /part")(t.Context(), &rangeIn{"bytes=10-19"})
		if err != nil {
			t.Fatal(err)
		}
		defer part.Close()
		if data, err := io.ReadAll(part.Body); err != nil || len(data) != 10 || part.Length != 10 || !part.Modified.Equal(time.Unix(1e9, 0)) {
			t.Errorf("%d bytes, %+v, %v", len(data), part, err)
		}
	})
}

type zerosAt struct{}

func (zerosAt) ReadAt(p []byte, _ int64) (int, error) { clear(p); return len(p), nil }
