package client

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
)

type element struct {
	N      int      `json:"n"`
	Text   string   `json:"text,omitempty"`
	Secret string   `json:"secret,omitempty" writeOnly:"true"`
	Tags   []string `json:"tags" required:"false"`
}

// TestElementOptions sends and receives elements by the rules of both versions of JSON. The client
// sends writeOnly members, and the server leaves them out.
func TestElementOptions(t *testing.T) {
	mux := http.NewServeMux()
	options := []jsonv2.Options{jsonv2.RejectUnknownMembers(true), jsontext.Multiline(true)}
	echo := func(_ context.Context, in *api.Elements[element]) (*api.Elements[element], error) {
		return api.ElementsOf(func(yield func(element, error) bool) {
			for e, err := range *in {
				e.Text = e.Secret
				if !yield(e, err) {
					return
				}
			}
		}), nil
	}
	api.Handle(api.Mux(mux), "POST /v1", echo)
	api.Handle(api.Mux(mux), "POST /v2", echo, api.Operation{JSON: options})
	srv := httptest.NewServer(mux)
	defer srv.Close()
	c, err := New(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	for path, options := range map[string]CallOptions{"v1": {}, "v2": {JSON: options}} {
		call := Call[api.Elements[element], api.Elements[element]](c, "POST /"+path, options)
		out, err := call(t.Context(), api.ValuesOf(func(yield func(element) bool) {
			_ = yield(element{N: 1, Secret: "a"}) && yield(element{N: 2, Secret: "b"})
		}))
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for e, err := range *out {
			if err != nil {
				t.Fatal(err)
			}
			text += e.Text
			if e.Secret != "" || (e.Tags == nil) != (path == "v1") {
				t.Errorf("%s: %+v", path, e)
			}
		}
		if text != "ab" {
			t.Errorf("%s: %q", path, text)
		}
	}
}
