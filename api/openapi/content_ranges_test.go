package openapi_test

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/mo"
)

// TestContentRanges describes operations whose answers are bytes: an answer of status 200 to GET and HEAD may be
// requested in ranges.
func TestContentRanges(t *testing.T) {
	type none struct{}
	type tagged struct {
		ETag string       `header:"ETag"`
		ID   string       `header:"X-Request-ID"`
		Body *api.Content `body:""`
	}
	type created struct {
		_    struct{}     `status:"201"`
		Body *api.Content `body:""`
	}
	type several struct {
		Status int          `status:"203,200"`
		Body   *api.Content `body:""`
	}
	type other struct {
		_ struct{} `status:"202"`
	}
	type own struct {
		Range string `header:"range" doc:"Mine."`
		ID    string `header:"X-Request-ID"`
	}
	a := api.New(api.Mux(http.NewServeMux()))
	op := api.Operation{ContentType: "image/png, image/jpeg"}
	api.Handle(a, "GET /content", func(context.Context, *none) (*api.Content, error) { return nil, nil }, op)
	api.Handle(a, "HEAD /head", func(context.Context, *none) (*api.Content, error) { return nil, nil }, op)
	api.Handle(a, "GET /tagged", func(context.Context, *none) (*tagged, error) { return nil, nil }, op)
	api.Handle(a, "GET /several", func(context.Context, *none) (*several, error) { return nil, nil }, op)
	api.Handle(a, "GET /own", func(context.Context, *own) (*api.Content, error) { return nil, nil }, op)
	api.Handle(a, "GET /either", func(context.Context, *none) (*mo.Either[other, tagged], error) { return nil, nil }, op)
	api.Handle(a, "GET /created", func(context.Context, *none) (*created, error) { return nil, nil }, op)
	api.Handle(a, "GET /status", func(context.Context, *none) (*api.Content, error) { return nil, nil }, api.Operation{ContentType: "image/png", Status: 203})
	api.Handle(a, "POST /post", func(context.Context, *none) (*api.Content, error) { return nil, nil }, op)
	api.Handle(a, "GET /json", func(context.Context, *none) (*record, error) { return nil, nil }, api.Operation{ETag: true})
	doc := openapi.Describe(a, openapi.Config{})
	for path, want := range map[string]struct{ params, statuses, headers200 string }{
		"/content": {"Range If-Range If-None-Match", "200 206 304 416 default", ""},
		"/head":    {"Range If-Range If-None-Match", "200 206 304 416 default", ""},
		"/tagged":  {"Range If-Range If-None-Match", "200 206 304 416 default", "ETag X-Request-ID"},
		"/several": {"Range If-Range If-None-Match", "200 203 206 304 416 default", ""},
		"/own":     {"range X-Request-ID If-Range If-None-Match", "200 206 304 416 default", ""},
		"/either":  {"Range If-Range If-None-Match", "200 202 206 304 416 default", "ETag X-Request-ID"},
		"/created": {"", "201 default", ""},
		"/status":  {"", "203 default", ""},
		"/post":    {"", "200 default", ""},
		"/json":    {"If-None-Match", "200 304 default", "ETag"},
	} {
		for _, op := range doc.Paths[path] {
			var params []string
			for _, p := range op.Parameters {
				params = append(params, p.Name)
			}
			if got := strings.Join(params, " "); got != want.params {
				t.Errorf("%s: the parameters are %q, want %q", path, got, want.params)
			}
			if got := strings.Join(slices.Sorted(maps.Keys(op.Responses)), " "); got != want.statuses {
				t.Errorf("%s: the statuses are %q, want %q", path, got, want.statuses)
			}
			if ok := op.Responses["200"]; ok != nil {
				if got := strings.Join(slices.Sorted(maps.Keys(ok.Headers)), " "); got != want.headers200 {
					t.Errorf("%s: the header fields are %q, want %q", path, got, want.headers200)
				}
			}
			part, none := op.Responses["206"], op.Responses["416"]
			if part == nil {
				continue
			}
			if got := strings.Join(slices.Sorted(maps.Keys(part.Content)), " "); got != "image/jpeg image/png multipart/byteranges" {
				t.Errorf("%s: the media types of 206 are %s", path, got)
			}
			if part.Headers["Content-Range"] == nil || none.Headers["Content-Range"] == nil || none.Content[api.MediaTypeProblem].Schema == nil {
				t.Errorf("%s: %+v %+v", path, part, none)
			}
		}
	}
}

// TestServers describes APIs with and without servers.
func TestServers(t *testing.T) {
	a := api.New(api.Mux(http.NewServeMux()))
	for _, test := range []struct {
		servers []string
		want    []openapi.Server
	}{
		{nil, []openapi.Server{{URL: "/"}}},
		{[]string{}, nil},
		{[]string{"https://example.org", "/v2"}, []openapi.Server{{URL: "https://example.org"}, {URL: "/v2"}}},
	} {
		if got := openapi.Describe(a, openapi.Config{Servers: test.servers}).Servers; !slices.Equal(got, test.want) {
			t.Errorf("%q: %v", test.servers, got)
		}
	}
}
