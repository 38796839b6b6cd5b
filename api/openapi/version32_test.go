package openapi_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/api/security"
)

// newer returns an API with the parts that OpenAPI describes only since 3.2.
func newer() *api.API {
	type none struct{}
	a := api.New(api.Mux(http.NewServeMux()))
	device := security.OAuth2[string]("device", security.Flows{
		DeviceAuthorization: &security.Flow{DeviceURL: "https://example.org/device", TokenURL: "https://example.org/token"},
		ClientCredentials:   &security.Flow{TokenURL: "https://example.org/token"},
	}, nil)
	api.Handle(a, "GET /records", func(context.Context, *none) (*api.Elements[record], error) { return nil, nil })
	api.Handle(a, "QUERY /records", func(context.Context, *record) (*api.Elements[record], error) { return nil, nil }, api.Operation{Security: []security.Requirement{device.With()}})
	api.Handle(a, "PURGE /records", func(context.Context, *none) (*none, error) { return nil, nil })
	api.Handle(a, "M-SEARCH /records", func(context.Context, *none) (*none, error) { return nil, nil })
	api.Handle(a, "CONNECT /only", func(context.Context, *api.Elements[record]) (*none, error) { return nil, nil })
	api.HandleEvents(a, "GET /text", func(context.Context, *none, *api.Events) error { return nil })
	for path, events := range map[string]map[string]any{
		"GET /one": {"": record{}}, "GET /named": {"record": record{}}, "GET /several": {"": record{}, "list": []int{}, "record": record{}},
	} {
		api.HandleEvents(a, path, func(context.Context, *none, *api.Events) error { return nil }, api.Operation{Events: events})
	}
	return a
}

var newerRoutes = map[string]openapi.Route{
	"QUERY /plain": {Summary: "Plain"}, "REPORT /plain": {Summary: "Other"}, "GET /stream": {Summary: "Stream", ContentType: "text/event-stream"},
}

// members returns the document as clients of other languages read it.
func members(t *testing.T, d *openapi.Document) map[string]any {
	t.Helper()
	text, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func object(v any, path ...string) map[string]any {
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	m, _ := v.(map[string]any)
	return m
}

func names(m map[string]any) string { return strings.Join(slices.Sorted(maps.Keys(m)), " ") }

// TestMethods describes all methods in each version of OpenAPI: none of them is absent.
func TestMethods(t *testing.T) {
	d := openapi.Describe(newer(), openapi.Config{Routes: newerRoutes})
	for _, test := range []struct {
		d        *openapi.Document
		version  string
		items    map[string]string
		other    string // the member with other methods
		others   map[string]string
		extended string
	}{
		{d.Version32(), "3.2.0", map[string]string{"/records": "additionalOperations get query", "/only": "additionalOperations", "/plain": "additionalOperations query"},
			"additionalOperations", map[string]string{"/records": "M-SEARCH PURGE", "/only": "CONNECT", "/plain": "REPORT"}, ""},
		{d, "3.1.1", map[string]string{"/records": "get x-additional-operations", "/only": "x-additional-operations", "/plain": "x-additional-operations"},
			"x-additional-operations", map[string]string{"/records": "M-SEARCH PURGE QUERY", "/only": "CONNECT", "/plain": "QUERY REPORT"},
			"CONNECT /only, REPORT /plain, QUERY /plain, M-SEARCH /records, PURGE /records, QUERY /records"},
		{d.Version30(), "3.0.4", map[string]string{"/records": "get x-additional-operations"},
			"x-additional-operations", map[string]string{"/records": "M-SEARCH PURGE QUERY"},
			"CONNECT /only, REPORT /plain, QUERY /plain, M-SEARCH /records, PURGE /records, QUERY /records"},
	} {
		v := members(t, test.d)
		if v["openapi"] != test.version {
			t.Errorf("%v, want %s", v["openapi"], test.version)
		}
		for path, want := range test.items {
			if got := names(object(v, "paths", path)); got != want {
				t.Errorf("%s: %s has %q, want %q", test.version, path, got, want)
			}
		}
		for path, want := range test.others {
			if got := names(object(v, "paths", path, test.other)); got != want {
				t.Errorf("%s: %s has the other methods %q, want %q", test.version, path, got, want)
			}
		}
		if got := strings.Join(test.d.Extended(), ", "); got != test.extended {
			t.Errorf("%s: %s", test.version, got)
		}
		// The document is the same after another program has read and written it.
		var read openapi.Document
		text, err := test.d.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		for path, item := range test.d.Paths {
			if !maps.EqualFunc(item, read.Paths[path], func(a, b *openapi.Operation) bool { return a.OperationID == b.OperationID }) {
				t.Errorf("%s: %s: %v", test.version, path, read.Paths[path])
			}
		}
		if again := members(t, &read); !reflect.DeepEqual(again, v) {
			t.Errorf("%s: the document has changed:\n%v\n%v", test.version, v, again)
		}
	}
}

// TestVersion32 checks the parts of a document that differ from OpenAPI 3.1.
func TestVersion32(t *testing.T) {
	config := openapi.Config{OpenAPI: "3.2", Self: "/openapi.json", Routes: newerRoutes}
	v := members(t, openapi.Describe(newer(), config))
	if v["$self"] != "/openapi.json" {
		t.Errorf("$self is %v", v["$self"])
	}
	ok := []string{"responses", "200", "content"}
	content := func(path, method string, more ...string) map[string]any {
		return object(v, append(append([]string{"paths", path, method}, ok...), more...)...)
	}
	ref := map[string]any{"$ref": "#/components/schemas/record"}
	for _, method := range []string{"get", "query"} {
		all := content("/records", method)
		if got := object(all, "application/x-ndjson"); !reflect.DeepEqual(got, map[string]any{"itemSchema": ref}) {
			t.Errorf("%s: lines: %v", method, got)
		}
		if got := object(all, "application/json"); !reflect.DeepEqual(object(got, "schema")["items"], any(ref)) || got["itemSchema"] != nil {
			t.Errorf("%s: an array: %v", method, got)
		}
	}
	if got := object(v, "paths", "/only", "additionalOperations", "CONNECT", "requestBody", "content", "application/x-ndjson"); !reflect.DeepEqual(got["itemSchema"], any(ref)) {
		t.Errorf("the lines of a body: %v", got)
	}
	event := func(data string, required string, name string) string {
		return `{"type":"object","required":[` + required + `],"properties":{"data":` + data + `,"event":` + name + `,"id":{"type":"string"},"retry":{"type":"integer","minimum":0}}}`
	}
	inJSON := func(schema string) string {
		return `{"type":"string","contentMediaType":"application/json","contentSchema":` + schema + `}`
	}
	named := func(name string) string { return `{"type":"string","enum":["` + name + `"]}` }
	for path, want := range map[string]string{
		"/text":   event(`{"type":"string"}`, `"data"`, `{"type":"string"}`),
		"/one":    event(inJSON(`{"$ref":"#/components/schemas/record"}`), `"data"`, `{"type":"string"}`),
		"/named":  event(inJSON(`{"$ref":"#/components/schemas/record"}`), `"data","event"`, named("record")),
		"/stream": "",
		"/several": `{"oneOf":[` + event(inJSON(`{"$ref":"#/components/schemas/record"}`), `"data"`, `false`) + "," +
			event(inJSON(`{"type":["array","null"],"items":{"type":"integer","format":"int64"}}`), `"data","event"`, named("list")) + "," +
			event(inJSON(`{"$ref":"#/components/schemas/record"}`), `"data","event"`, named("record")) + `]}`,
	} {
		if path == "/stream" { // a route that is not typed
			if got := object(v, "paths", path, "get", "responses", "default", "content", "text/event-stream"); names(got) != "itemSchema" {
				t.Errorf("%s: %v", path, got)
			}
			continue
		}
		var schema any
		if err := json.Unmarshal([]byte(want), &schema); err != nil {
			t.Fatal(err)
		}
		if got := content(path, "get", "text/event-stream"); !reflect.DeepEqual(got, map[string]any{"itemSchema": schema}) {
			t.Errorf("%s:\ngot  %v\nwant %v", path, got, schema)
		}
	}
	flow := map[string]any{"deviceAuthorizationUrl": "https://example.org/device", "tokenUrl": "https://example.org/token", "scopes": map[string]any{}}
	for version, name := range map[string]string{"3.2": "deviceAuthorization", "3.1": "x-deviceAuthorization"} {
		d := openapi.Describe(newer(), openapi.Config{OpenAPI: version})
		for _, d := range []*openapi.Document{d, d.Version30()} {
			if d.OpenAPI == "3.0.4" {
				name = "x-deviceAuthorization"
			}
			if got := object(members(t, d), "components", "securitySchemes", "device", "flows"); names(got) != "clientCredentials "+name || !reflect.DeepEqual(got[name], any(flow)) {
				t.Errorf("%s: %v", d.OpenAPI, got)
			}
		}
	}
}

// TestVersionsAgree makes documents of one API in all versions, in several ways: they and their clients are the same.
func TestVersionsAgree(t *testing.T) {
	for name, a := range map[string]*api.API{"newer": newer(), "service": service()} {
		d31 := openapi.Describe(a, openapi.Config{Routes: newerRoutes})
		before := members(t, d31)
		d32 := openapi.Describe(a, openapi.Config{OpenAPI: "3.2", Routes: newerRoutes})
		for way, pair := range map[string][2]*openapi.Document{
			"3.2 of 3.1 and of 3.2": {d31.Version32(), d32},
			"3.2 twice":             {d32.Version32(), d32},
			"3.0 of 3.1 and of 3.2": {d31.Version30(), d32.Version30()},
		} {
			if a, b := members(t, pair[0]), members(t, pair[1]); !reflect.DeepEqual(a, b) {
				t.Errorf("%s: %s:\n%v\n%v", name, way, a, b)
			}
		}
		if !reflect.DeepEqual(before, members(t, d31)) {
			t.Errorf("%s: the document has changed", name)
		}
		client31, err := d31.TypeScript()
		if err != nil {
			t.Fatal(err)
		}
		client32, err := d32.TypeScript()
		if err != nil || string(client32) != string(client31) {
			t.Errorf("%s: the clients differ: %v", name, err)
		}
		if name == "newer" && (!strings.Contains(string(client31), `{ method: "QUERY", path: "/records", body: JSON.stringify(body)`) || !strings.Contains(string(client31), `{ method: "M-SEARCH", `)) {
			t.Errorf("the client does not have all methods:\n%s", client31)
		}
	}
}

// TestConfigMistakes checks that mistakes of a configuration are reported when the document is made.
func TestConfigMistakes(t *testing.T) {
	for want, config := range map[string]openapi.Config{
		`must be 3.1 or 3.2, not "3.3"`:               {OpenAPI: "3.3"},
		`must be 3.1 or 3.2, not "3.0"`:               {OpenAPI: "3.0"},
		"Config.Self needs OpenAPI 3.2":               {Self: "/openapi.json"},
		`must be a URI without a fragment, not "/a#"`: {OpenAPI: "3.2", Self: "/a#"},
		`must be a URI without a fragment, not ":"`:   {OpenAPI: "3.2", Self: ":"},
		`the pattern "get /a" must be a method`:       {Routes: map[string]openapi.Route{"get /a": {}}},
		`the pattern "/a" must be a method`:           {Routes: map[string]openapi.Route{"/a": {}}},
	} {
		a := api.New(api.Mux(http.NewServeMux()))
		if err := openapi.Serve(a, config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Serve: %v, want %s", err, want)
		}
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), want) {
					t.Errorf("Describe: %v, want %s", err, want)
				}
			}()
			openapi.Describe(a, config)
		}()
	}
}

// TestServe32 serves a document of OpenAPI 3.2 next to one of 3.0.
func TestServe32(t *testing.T) {
	mux := http.NewServeMux()
	a := api.New(api.Mux(mux))
	api.Handle(a, "QUERY /a", func(context.Context, *record) (*record, error) { return nil, nil })
	if err := openapi.Serve(a, openapi.Config{OpenAPI: "3.2", Self: "/openapi.json", Path30: "/30.json"}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/openapi.json": `"$self": "/openapi.json"`, "/openapi.yaml": "query:", "/30.json": `"x-additional-operations": {`,
	} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) || path == "/30.json" && strings.Contains(w.Body.String(), "$self") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestPathItems reads path items of documents that other programs wrote.
func TestPathItems(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "",
		`{"get":{},"query":{},"additionalOperations":{"PURGE":{}}}`:                    "PURGE GET QUERY",
		`{"x-additional-operations":{"QUERY":{},"PURGE":{}},"x-other":"y"}`:            "PURGE QUERY",
		`{"additionalOperations":{"purge":{}}}`:                                        "purge",
		`{"additionalOperations":{"QUERY":{}},"query":{}}`:                             "error: there are two operations for ",
		`{"additionalOperations":{"PURGE":{}},"x-additional-operations":{"PURGE":{}}}`: "error: there are two operations for PURGE",
		`{"additionalOperations":[]}`:                                                  "error: additionalOperations",
		`{"additionalOperations":{"get":null,"PURGE":{}},"get":{},"put":null}`:         "PURGE GET",
		`{"get":null,"additionalOperations":{"GET":{}}}`:                               "GET",
		`{"get":[]}`: "error: get",
		`{"parameters":[{"name":"a","in":"path"}],"get":{}}`:                                                   "GET",
		`{"summary":"A","description":"B","servers":[{"url":"/"}],"$ref":"#/a","PURGE":{},"GET":{},"post":{}}`: "POST",
		`[]`: "error: ",
	} {
		var item openapi.PathItem
		got := ""
		if err := json.Unmarshal([]byte(text), &item); err != nil {
			got = "error: " + err.Error()
		}
		for method := range item.Operations() {
			if !strings.HasPrefix(got, "error") {
				got = strings.TrimSpace(got + " " + method)
			}
		}
		if got != want && !(strings.HasPrefix(want, "error: ") && strings.HasPrefix(got, "error: ") && strings.Contains(got, strings.TrimPrefix(want, "error: "))) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
