package apitest_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/apitest"
	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
)

type settings struct {
	Name string  `json:"name" length:"1..20"`
	Size *int    `json:"size"`
	Note *string `json:"note,omitempty"`
}

// A change is a body for merge patches with a type of its own.
type change struct {
	Body struct {
		Name mo.Option[string] `json:"name" length:"1..20"`
		Size mo.Nullable[int]  `json:"size" max:"100"`
	} `body:"application/merge-patch+json, application/json"`
}

// A merge is a body for the text of any value, and operations is a list.
type (
	merge struct {
		Patch json.RawMessage `body:"application/merge-patch+json"`
	}
	operations struct {
		Patch []struct {
			Op    string          `json:"op" enum:"add,remove,replace,move,copy,test"`
			Path  string          `json:"path"`
			Value json.RawMessage `json:"value,omitempty"`
		} `body:"application/json-patch+json"`
	}
)

// patchService has a handler for each form of a patch. Each answers with settings, and stores nothing.
func patchService() (http.Handler, *api.API) {
	mux := http.NewServeMux()
	a := api.New(api.Mux(mux))
	handleMembers(a)
	api.Handle(a, "PATCH /merge", func(_ context.Context, in *merge) (*settings, error) {
		note := "n"
		out := &settings{Name: "a", Note: &note}
		if err := json.Unmarshal(in.Patch, out); err != nil {
			return nil, api.NewProblem(http.StatusUnprocessableEntity, "the result is not valid")
		}
		return out, nil
	})
	api.Handle(a, "PATCH /operations", func(_ context.Context, in *operations) (*settings, error) {
		n := len(in.Patch)
		return &settings{Name: in.Patch[0].Path, Size: &n}, nil
	})
	return mux, a
}

// handleMembers adds the handler whose patch has a type of its own.
func handleMembers(a *api.API) {
	api.Handle(a, "PATCH /members", func(_ context.Context, in *change) (*settings, error) {
		size := 1
		out := &settings{Name: in.Body.Name.OrElse("a"), Size: &size}
		if v, ok := in.Body.Size.Get(); ok {
			out.Size = &v
		} else if in.Body.Size.IsNull() {
			out.Size = nil
		}
		return out, nil
	})
}

// TestPatchBodies sends patches in the media types that the handlers list, and in others.
func TestPatchBodies(t *testing.T) {
	const asMerge, asOperations = "application/merge-patch+json", "application/json-patch+json"
	h, _ := patchService()
	for _, test := range []struct {
		target, mediaType, body string
		status                  int
		want                    string // a part of the answer
	}{
		{"/members", asMerge, `{"size":2}`, 200, `{"name":"a","size":2}`},
		{"/members", "Application/Merge-Patch+JSON; charset=utf-8", `{"size":null}`, 200, `{"name":"a","size":null}`},
		{"/members", "application/json", `{"name":"b"}`, 200, `{"name":"b","size":1}`},
		{"/members", asMerge, `{"size":200}`, 422, `"name":".size"`},
		{"/members", asMerge, `{"size":"2"}`, 400, `"name":".size"`},
		{"/members", asMerge, ``, 400, `empty`},
		{"/members", asMerge + "; charset=latin1", `{}`, 415, ``},
		{"/members", asOperations, `[]`, 415, ``},
		{"/members", "application/vnd.hone.wire", "\x00\x00", 415, ``},
		{"/merge", asMerge, `{"name":"b","note":null}`, 200, `{"name":"b","size":null}`},
		{"/merge", asMerge, `[1]`, 422, `not valid`},
		{"/merge", asMerge, `{"name":}`, 400, ``},
		{"/merge", "application/json", `{}`, 415, ``},
		{"/operations", asOperations, `[{"op":"remove","path":"/note"}]`, 200, `{"name":"/note","size":1}`},
		{"/operations", asOperations, `[{"op":"set","path":"/note"}]`, 422, `"name":"[0].op"`},
		{"/operations", asMerge, `{}`, 415, ``},
		{"/operations", "", `[]`, 415, ``},
	} {
		r := httptest.NewRequest("PATCH", test.target, strings.NewReader(test.body))
		r.Header.Set("Content-Type", test.mediaType)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s, %s, %s: %d %s, want %d %s", test.target, test.mediaType, test.body, w.Code, w.Body, test.status, test.want)
		}
	}
}

// TestPatchClients sends patches with the Go client, and the requests that the document of the handler allows.
func TestPatchClients(t *testing.T) {
	h, a := patchService()
	var sent []string
	c := apitest.NewClient(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("Content-Type"))
		h.ServeHTTP(w, r)
	}))
	ctx := context.Background()
	var in change
	in.Body.Size = mo.Null[int]()
	if out, err := client.Call[change, settings](c, "PATCH /members")(ctx, &in); err != nil || out.Size != nil {
		t.Errorf("members: %v, %v", out, err)
	}
	var list operations
	if err := json.Unmarshal([]byte(`[{"op":"replace","path":"/name","value":"c"}]`), &list.Patch); err != nil {
		t.Fatal(err)
	}
	if out, err := client.Call[operations, settings](c, "PATCH /operations")(ctx, &list); err != nil || out.Name != "/name" {
		t.Errorf("operations: %v, %v", out, err)
	}
	if want := []string{"application/merge-patch+json", "application/json-patch+json"}; !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}

	text, err := openapi.Describe(a, openapi.Config{Title: "Settings"}).TypeScript()
	if err != nil {
		t.Fatal(err)
	}
	for _, mediaType := range []string{"application/json", "application/merge-patch+json", "application/json-patch+json"} {
		if !strings.Contains(string(text), strconv.Quote(mediaType)) {
			t.Errorf("the TypeScript client does not send %s", mediaType)
		}
	}

	mux := http.NewServeMux()
	members := api.New(api.Mux(mux))
	handleMembers(members)
	document := openapi.Describe(members, openapi.Config{Title: "Settings"})
	content := document.Paths["/members"]["patch"].RequestBody.Content
	if one, other := content["application/json"].Schema, content["application/merge-patch+json"].Schema; len(content) != 2 || one == nil || one != other {
		t.Errorf("the document has the content %v", content)
	}
	apitest.Run(t, mux, document)
}

// TestPatchMediaTypes registers bodies with media types that do not fit JSON.
func TestPatchMediaTypes(t *testing.T) {
	a := api.New(api.Mux(http.NewServeMux()))
	refuses := func(want string, register func()) {
		t.Helper()
		defer func() {
			t.Helper()
			var wrong *api.RouteError
			if err, _ := recover().(error); !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
				t.Errorf("the error is %v, want %s", err, want)
			}
		}()
		register()
	}
	refuses(`"text/csv"`, func() {
		api.Handle(a, "POST /a", func(context.Context, *struct {
			Body settings `body:"text/csv"`
		}) (*settings, error) {
			return nil, nil
		})
	})
	refuses(`"application/*+json"`, func() {
		api.Handle(a, "POST /b", func(context.Context, *struct {
			Body settings `body:"application/*+json"`
		}) (*settings, error) {
			return nil, nil
		})
	})
	refuses("twice", func() {
		api.Handle(a, "POST /c", func(context.Context, *struct {
			Body settings `body:"application/json,Application/JSON"`
		}) (*settings, error) {
			return nil, nil
		})
	})
	refuses("stream of elements", func() {
		api.Handle(a, "POST /d", func(context.Context, *struct {
			Body api.Elements[settings] `body:"application/json"`
		}) (*settings, error) {
			return nil, nil
		})
	})
}
