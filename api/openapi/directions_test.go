package openapi_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

type (
	sidedLeaf struct {
		ID     int64  `json:"id" readOnly:"true"`
		Name   string `json:"name"`
		Secret string `json:"secret" writeOnly:"true"`
	}
	sidedBase struct {
		Version int `json:"version" readOnly:"true"`
	}
	// Each of these types contains a sided type in another way.
	sidedSlice    struct{ V []sidedLeaf }
	sidedMap      struct{ V map[string]*sidedLeaf }
	sidedOption   struct{ V mo.Option[sidedLeaf] }
	sidedNullable struct{ V mo.Nullable[sidedLeaf] }
	sidedEither   struct{ V mo.Either[int, sidedLeaf] }
	sidedArray    struct{ V [2]sidedLeaf }
	sidedEmbedded struct {
		sidedBase
		Name string
	}
	sidedTree struct {
		Kids []sidedTree
		Leaf sidedLeaf
	}
	sidedStrict struct{ Leaf sidedLeaf }
	// These types contain no sided type.
	plainLeaf struct{ Name string }
	plainTree struct {
		Kids []plainTree
		Leaf *plainLeaf
	}
)

func echoes[T any](a *api.API, pattern string) {
	api.Handle(a, pattern, func(_ context.Context, in *T) (*T, error) { return in, nil })
}

// TestDirections describes types with members that are sent in one direction only. Their requests
// and answers have separate components; other types have one.
func TestDirections(t *testing.T) {
	a := api.New(web.New())
	echoes[sidedLeaf](a, "PUT /leaf")
	echoes[sidedSlice](a, "PUT /slice")
	echoes[sidedMap](a, "PUT /map")
	echoes[sidedOption](a, "PUT /option")
	echoes[sidedNullable](a, "PUT /nullable")
	echoes[sidedEither](a, "PUT /either")
	echoes[sidedArray](a, "PUT /array")
	echoes[sidedEmbedded](a, "PUT /embedded")
	echoes[sidedTree](a, "PUT /tree")
	echoes[plainTree](a, "PUT /plain")
	api.Handle(a, "PUT /strict", func(_ context.Context, in *sidedStrict) (*sidedStrict, error) { return in, nil }, api.Operation{Unknown: api.UnknownRefused})
	d := openapi.Describe(a, openapi.Config{})

	for _, name := range []string{"Leaf", "Slice", "Map", "Option", "Nullable", "Either", "Array", "Embedded", "Tree"} {
		answer, request := "sided"+name, "sided"+name+"Input"
		if d.Components.Schemas[answer] == nil || d.Components.Schemas[request] == nil {
			t.Errorf("%s: no component for an answer and one for a request in %q", name, slices.Sorted(maps.Keys(d.Components.Schemas)))
			continue
		}
		op := d.Paths["/"+strings.ToLower(name)]["put"]
		if got := op.RequestBody.Content["application/json"].Schema.Ref; got != "#/components/schemas/"+request {
			t.Errorf("%s: the request is %q", name, got)
		}
		if got := op.Responses["200"].Content["application/json"].Schema.Ref; got != "#/components/schemas/"+answer {
			t.Errorf("%s: the answer is %q", name, got)
		}
	}
	for name, want := range map[string][2]string{ // the names of all properties, and of the required ones
		"sidedLeaf":          {"id name", "id name"},
		"sidedLeafInput":     {"id name secret", "name secret"},
		"sidedEmbedded":      {"Name version", "Name version"},
		"sidedEmbeddedInput": {"Name version", "Name"},
		"plainTree":          {"Kids Leaf", "Kids"},
	} {
		s := d.Components.Schemas[name]
		got := [2]string{strings.Join(slices.Sorted(maps.Keys(s.Properties)), " "), strings.Join(slices.Sorted(slices.Values(s.Required)), " ")}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if d.Components.Schemas["plainTreeInput"] != nil || d.Components.Schemas["plainLeafInput"] != nil {
		t.Error("a type that is the same in both directions has two components")
	}
	strict := d.Components.Schemas[strings.TrimPrefix(d.Paths["/strict"]["put"].RequestBody.Content["application/json"].Schema.Ref, "#/components/schemas/")]
	if strict.AdditionalProperties == nil || !strict.AdditionalProperties.False {
		t.Error("a strict request allows unknown members")
	}
	// The schema of an answer does not refer to the schema of a request.
	for name, s := range d.Components.Schemas {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(name, "Input") && strings.Contains(string(text), "Input") {
			t.Errorf("%s refers to a request", name)
		}
	}
}

// TestDirectionsTypeScript compiles a client's calls. Members that only the server sends may
// be missing in a request. Members that only the client sends are missing in answers.
func TestDirectionsTypeScript(t *testing.T) {
	tsc := testkit.Tool(t, "tsc")
	a := api.New(web.New())
	api.Handle(a, "PUT /leaf", func(_ context.Context, in *sidedLeaf) (*sidedLeaf, error) { return in, nil }, api.Operation{Name: "putLeaf"})
	client, err := openapi.Describe(a, openapi.Config{}).TypeScript()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		call string
		ok   bool
	}{
		"without id":       {`await c.putLeaf({ name: "x", secret: "y" });`, true},
		"with id":          {`await c.putLeaf({ id: 1, name: "x", secret: "y" });`, true},
		"id of answer":     {`const id: number = (await c.putLeaf({ name: "x", secret: "y" })).id;`, true},
		"without secret":   {`await c.putLeaf({ name: "x" });`, false},
		"secret of answer": {`(await c.putLeaf({ name: "x", secret: "y" })).secret;`, false},
	} {
		dir := t.TempDir()
		main := "import { Client } from \"./client.js\";\nconst c = new Client(\"\");\n" + test.call + "\nexport {};\n"
		for file, text := range map[string]string{"client.ts": string(client), "main.ts": main, "package.json": `{"type":"module"}`} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		compile := exec.CommandContext(t.Context(), tsc, "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "main.ts")
		compile.Dir = dir
		if out, err := compile.CombinedOutput(); (err == nil) != test.ok {
			t.Errorf("%s: compiled %t\n%s\n%s", name, err == nil, out, client)
		}
	}
}
