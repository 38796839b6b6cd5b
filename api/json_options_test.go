package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	jsonv2 "github.com/hone-go/hone/json/v2"
)

// TestJSONOptions decodes and encodes by the rules of json/v2.
func TestJSONOptions(t *testing.T) {
	type item struct {
		Name string   `json:"name"`
		Tags []string `json:"tags"`
		N    int      `json:"n" max:"9"`
	}
	mux := http.NewServeMux()
	echo := func(_ context.Context, in *item) (*item, error) { return in, nil }
	e := api.New(api.Mux(mux))
	api.Handle(e, "POST /v1", echo)
	api.Handle(e, "POST /v2", echo, api.Operation{JSON: []jsonv2.Options{jsonv2.RejectUnknownMembers(true)}})
	api.Handle(e, "POST /bare", echo, api.Operation{JSON: []jsonv2.Options{}})
	for _, test := range []struct{ path, body, want string }{
		{"/bare", `{"name":"a","tags":null,"n":0}`, `{"name":"a","tags":[],"n":0}`}, // v2's default rules, for the answer too
		{"/v1", `{"Name":"a","tags":null,"n":0}`, `{"name":"a","tags":null,"n":0}`},
		{"/v2", `{"name":"a","tags":[],"n":0}`, `{"name":"a","tags":[],"n":0}`},
		{"/v2", `{"Name":"a"}`, `{"in":"body","name":".Name","detail":"is not known"}`},
		{"/v2", `{"name":"a","name":"b"}`, `"detail":"duplicate object member name","offset":12`},
		{"/v2", `{"tags":["a",1]}`, `{"in":"body","name":".tags[1]","detail":"a JSON number instead of a string","offset":13}`},
		{"/v2", `{"n":10}`, `"name":".n"`},
		{"/v2", `{"n":!}`, `"offset":5`},
		{"/v2", ``, `the request body is empty`},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, test.path, strings.NewReader(test.body))
		r.Header.Set("Content-Type", "application/json")
		mux.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s %s: %d %s, want %s", test.path, test.body, w.Code, w.Body, test.want)
		}
	}
}
