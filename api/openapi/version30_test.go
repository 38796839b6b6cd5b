package openapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/mo"
)

// schema30 returns the schema of a type's component in OpenAPI 3.0, in JSON.
func schema30[T any](t *testing.T, name string) string {
	t.Helper()
	a := api.New(api.Mux(http.NewServeMux()))
	api.Handle(a, "POST /values", func(_ context.Context, in *T) (*T, error) { return in, nil })
	document := openapi.Describe(a, openapi.Config{})
	out, err := json.Marshal(document.Version30().Components.Schemas[name])
	if err != nil {
		t.Fatal(err)
	}
	// A document that was read has other Go types, such as []any for several types.
	text, err := document.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var read openapi.Document
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(read.Version30().Components.Schemas[name]); err != nil || string(again) != string(out) {
		t.Errorf("read from JSON: %v\n%s\nwant\n%s", err, again, out)
	}
	return string(out)
}

// TestVersion30 lists how the keywords of 3.1 are written in 3.0.
func TestVersion30(t *testing.T) {
	type Inner struct {
		N int `json:"n"`
	}
	type Outer struct {
		Null    mo.Option[string] `json:"null"`
		Enum    mo.Option[string] `json:"enum" enum:"a,b"`
		Ref     Inner             `json:"ref"`
		About   Inner             `json:"about" doc:"Text."`
		RefNull mo.Option[Inner]  `json:"refNull"`
		List    []Inner           `json:"list"`
		Bytes   []byte            `json:"bytes"`
		Keys    map[int]string    `json:"keys"`
		Example string            `json:"example" example:"x"`
		Any     any               `json:"any"`
	}
	got := schema30[Outer](t, "Outer")
	for _, want := range []string{
		`"null":{"type":"string","nullable":true}`,
		`"enum":{"type":"string","enum":["a","b",null],"nullable":true}`,
		`"ref":{"$ref":"#/components/schemas/Inner"}`,
		`"about":{"description":"Text.","allOf":[{"$ref":"#/components/schemas/Inner"}]}`,
		`"refNull":{"anyOf":[{"$ref":"#/components/schemas/Inner"},{"type":"string","enum":[null],"nullable":true}]}`,
		`"list":{"type":"array","items":{"$ref":"#/components/schemas/Inner"},"nullable":true}`,
		`"bytes":{"type":"string","format":"byte","nullable":true}`,
		`"keys":{"type":"object","additionalProperties":{"type":"string"},"nullable":true}`,
		`"example":{"type":"string","example":"x"}`,
		`"any":{}`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
}

// TestVersion30Keywords walks through a document and looks for keywords that OpenAPI 3.0 does not
// have. The document itself stays as it was.
func TestVersion30Keywords(t *testing.T) {
	doc := openapi.Describe(everything(t), openapi.Config{})
	doc.Info.License = &openapi.License{Name: "MIT", Identifier: "MIT"}
	before, err := doc.JSON()
	if err != nil {
		t.Fatal(err)
	}
	out, err := doc.Version30().JSON()
	if err != nil {
		t.Fatal(err)
	}
	if after, _ := doc.JSON(); !bytes.Equal(before, after) {
		t.Error("the document of 3.1 has changed")
	}
	var tree any
	if err := json.Unmarshal(out, &tree); err != nil {
		t.Fatal(err)
	}
	names := 0
	var walk func(at string, v any, schemas bool)
	walk = func(at string, v any, inNames bool) {
		switch v := v.(type) {
		case []any:
			for i, e := range v {
				walk(fmt.Sprint(at, "/", i), e, false)
			}
		case map[string]any:
			for name, e := range v {
				walk(at+"/"+name, e, !inNames && (name == "properties" || name == "schemas"))
			}
			if inNames {
				return
			}
			names += len(v)
			for _, name := range []string{"examples", "contentEncoding", "propertyNames", "const", "identifier"} {
				if _, has := v[name]; has {
					t.Errorf("%s has %s", at, name)
				}
			}
			if _, several := v["type"].([]any); several || v["type"] == "null" {
				t.Errorf("%s has the type %v", at, v["type"])
			}
			if v["$ref"] != nil && len(v) > 1 {
				t.Errorf("%s has a reference beside %v", at, slices.Sorted(maps.Keys(v)))
			}
			if v["nullable"] != nil && v["type"] == nil {
				t.Errorf("%s is nullable without a type", at)
			}
		}
	}
	walk("", tree, false)
	if names < 100 {
		t.Errorf("the document has %d names", names)
	}
}

// everything returns an API with types of all kinds.
func everything(t *testing.T) *api.API {
	t.Helper()
	type inner struct {
		N *inner `json:"n"`
	}
	type all struct {
		A mo.Nullable[[]inner]               `json:"a,omitzero"`
		B mo.Either[string, inner]           `json:"b"`
		C mo.Result[int]                     `json:"c"`
		D map[string]*inner                  `json:"d" doc:"Text."`
		E [3]mo.Option[float64]              `json:"e"`
		F *time.Time                         `json:"f" example:"2026-11-25T00:00:00Z"`
		G struct{ X, Y int8 }                `json:"g"`
		H mo.Option[map[uint]mo.Option[int]] `json:"h" readOnly:"true"`
		I *inner                             `json:"i" doc:"Text." writeOnly:"true"`
	}
	a := api.New(api.Mux(http.NewServeMux()))
	api.Handle(a, "POST /all", func(_ context.Context, in *all) (*all, error) { return in, nil })
	api.Handle(a, "GET /all/{id}", func(_ context.Context, in *struct {
		ID    int               `path:"id"`
		Since mo.Option[string] `query:"since" format:"date" example:"2026-11-25"`
		Tags  []string          `query:"tag" length:"0..3"`
		Trace *string           `header:"X-Trace"`
	}) (*api.Content, error) {
		return nil, nil
	})
	api.Handle(a, "POST /stream", func(_ context.Context, in *api.Elements[all]) (*api.Elements[inner], error) { return nil, nil })
	return a
}

// TestServe30 serves the document in OpenAPI 3.1 and 3.0, at different paths. Serve refuses the
// same path for both.
func TestServe30(t *testing.T) {
	mux := http.NewServeMux()
	a := api.New(api.Mux(mux))
	if err := openapi.Serve(a, openapi.Config{Path30: "/openapi-3.0.json"}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/openapi.json": `"openapi": "3.1.1"`, "/openapi-3.0.json": `"openapi": "3.0.4"`, "/openapi-3.0.yaml": `openapi: "3.0.4"`,
	} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, http.NoBody))
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d, %.80s", path, w.Code, w.Body)
		}
	}
	same := openapi.Config{Path: "/a.json", Path30: "/a.json"}
	if err := openapi.Serve(api.New(api.Mux(http.NewServeMux())), same); err == nil {
		t.Error("both versions have one path")
	}
}
