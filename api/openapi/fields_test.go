//lint:file-ignore U1000,SA5008 this file tests odd fields and tags

package openapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
)

type (
	loopIn struct {
		*loopIn
		X int `query:"x" min:"1"`
	}
	record struct {
		ID int `json:"id" min:"1"`
	}
	shadowed struct {
		record
		ID string `json:"id"`
	}
	oddNames struct {
		L []int `json:"l,string" max:"0"`
		A int   `json:"a b!\"" max:"0"`
	}
	twoSources struct {
		A string `query:"a" header:"X-A" length:"1.."`
	}
)

// TestFieldsAgree registers handlers with unusual fields. The document is generated, its fields are
// the fields that are bound, and each field in a 422 can be sent.
func TestFieldsAgree(t *testing.T) {
	mux := http.NewServeMux()
	e := api.New(api.Mux(mux))
	api.Handle(e, "GET /loop", func(context.Context, *loopIn) (*struct{}, error) { return nil, nil })
	api.Handle(e, "POST /shadowed", func(context.Context, *shadowed) (*struct{}, error) { return nil, nil })
	api.Handle(e, "POST /odd", func(context.Context, *oddNames) (*struct{}, error) { return nil, nil })
	api.Handle(e, "GET /two", func(context.Context, *twoSources) (*struct{}, error) { return nil, nil })

	doc := openapi.Describe(e, openapi.Config{})
	// The effect of the tag depends on the Go release.
	odd, err := json.Marshal(struct {
		A int `json:"a b!\""`
	}{})
	if err != nil {
		t.Fatal(err)
	}
	oddName := string(odd[2:3])
	for _, test := range []struct {
		name, path, method, body string
		params                   []string // "source name" of each parameter
		status                   int
		names                    string // the names in the answer of a fault, if any
	}{
		{name: "an input that embeds itself", path: "/loop?x=0", method: "GET", params: []string{"query x"}, status: 422, names: `"name":"x"`},
		{name: "a limit of a member that is hidden", path: "/shadowed", method: "POST", body: `{"id":""}`, status: 204},
		{name: "names that JSON does not take", path: "/odd", method: "POST", body: `{"l":[1],"A":1}`, status: 422, names: `".l[0]"`},
		{name: "a name that the tag may not give", path: "/odd", method: "POST", body: `{"l":[0],"` + oddName + `":1}`, status: 422, names: `".` + oddName + `"`},
		{name: "two sources", path: "/two", method: "GET", params: []string{"header X-A", "query a"}, status: 422, names: `"X-A"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			path, _, _ := strings.Cut(test.path, "?")
			var params []string
			for _, p := range doc.Paths[path][strings.ToLower(test.method)].Parameters {
				params = append(params, p.In+" "+p.Name)
			}
			if slices.Sort(params); !slices.Equal(params, test.params) {
				t.Errorf("the document lists %q, want %q", params, test.params)
			}
			r := httptest.NewRequest(test.method, test.path, strings.NewReader(test.body))
			if test.body != "" {
				r.Header.Set("Content-Type", "application/json")
			}
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, r)
			answer, _ := io.ReadAll(w.Body)
			if w.Code != test.status || !strings.Contains(string(answer), test.names) {
				t.Errorf("got %d %s, want %d with %s", w.Code, answer, test.status, test.names)
			}
		})
	}
	properties := doc.Components.Schemas["oddNames"].Properties
	if properties["l"] == nil || properties["l"].Items == nil || properties[oddName] == nil || len(properties) != 2 {
		t.Errorf("the document lists %v, want l, an array, and %s", properties, oddName)
	}
}

// TestContentTypes: a stream of bytes lists its media types, and is sent as the first of them.
func TestContentTypes(t *testing.T) {
	a := api.New(api.Mux(http.NewServeMux()))
	serve := func(_ context.Context, in *struct {
		Type string `query:"type"`
	}) (*api.Content, error) {
		return &api.Content{Type: in.Type, Body: strings.NewReader("x")}, nil
	}
	api.Handle(a, "GET /image", serve, api.Operation{ContentType: "image/png, image/jpeg;q=1"})
	api.Handle(a, "GET /bytes", serve)
	d := openapi.Describe(a, openapi.Config{})
	for path, want := range map[string]string{"/image": "image/jpeg;q=1 image/png", "/bytes": "*/*"} {
		if got := strings.Join(slices.Sorted(maps.Keys(d.Paths[path]["get"].Responses["200"].Content)), " "); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	defer func() {
		if v := fmt.Sprint(recover()); !strings.Contains(v, `media type "image/"`) {
			t.Errorf("an invalid media type: %s", v)
		}
	}()
	api.Handle(a, "GET /bad", serve, api.Operation{ContentType: "image/png, image/"})
}

// TestHeaderParameters leaves out the header fields that OpenAPI describes elsewhere.
func TestHeaderParameters(t *testing.T) {
	a := api.New(api.Mux(http.NewServeMux()))
	api.Handle(a, "GET /x", func(context.Context, *struct {
		Type          string `header:"content-type"`
		Accept        string `header:"Accept"`
		Authorization string `header:"Authorization"`
		Language      string `header:"Accept-Language"`
		Query         string `query:"Accept"`
	}) (*struct{}, error) {
		return nil, nil
	})
	var got []string
	for _, p := range openapi.Describe(a, openapi.Config{}).Paths["/x"]["get"].Parameters {
		got = append(got, p.In+" "+p.Name)
	}
	slices.Sort(got)
	if want := []string{"header Accept-Language", "query Accept"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
