package openapi

import (
	"encoding/json"
	"strings"
	"testing"
)

// hostileDocuments have null, or nothing, in place of a part of a document, or members that the types of this package
// do not have.
var hostileDocuments = []string{
	`{}`, `null`, `{"paths":null,"components":null}`,
	`{"paths":{"/a":null}}`,
	`{"paths":{"/a":{"get":null}}}`,
	`{"paths":{"/a":{"get":{}}}}`,
	`{"paths":{"/a":{"get":{"responses":null}}}}`,
	`{"paths":{"/a":{"get":{"responses":{"200":null}}}}}`,
	`{"paths":{"/a":{"get":{"responses":{"200":{"content":{"application/json":null}}}}}}}`,
	`{"paths":{"/a":{"get":{"responses":{"200":{"content":{"application/json":{"schema":null}}}}}}}}`,
	`{"paths":{"/a":{"get":{"responses":{"200":{"headers":{"X":null}}}}}}}`,
	`{"paths":{"/a":{"get":{"parameters":[null],"responses":{"200":{}}}}}}`,
	`{"paths":{"/{a}":{"get":{"parameters":[{"name":"a","in":"path","schema":null}],"responses":{"200":{}}}}}}`,
	`{"paths":{"/a":{"post":{"requestBody":null,"responses":{"200":{}}}}}}`,
	`{"paths":{"/a":{"post":{"requestBody":{"content":{"application/json":null}},"responses":{"200":{}}}}}}`,
	`{"paths":{"/a":{"post":{"requestBody":{"content":{}},"responses":{"200":{}}}}}}`,
	`{"paths":{"":{"":{"responses":{"":{}}}}}}`,
	`{"components":{"schemas":{"A":null}}}`,
	`{"components":{"schemas":{"A":{"properties":{"b":null}}}}}`,
	`{"components":{"schemas":{"A":{"items":null,"oneOf":[null]}}}}`,
	`{"components":{"schemas":{"A":{"anyOf":[{"$ref":"#/components/schemas/B"},{}]}}}}`,
	`{"components":{"schemas":{"A":{"$ref":"#/components/schemas/A"}}}}`,
	`{"components":{"schemas":{"":{"enum":[null,1,"x",{}]}}}}`,
	`{"components":{"schemas":{"A":{"type":[]},"B":{"type":["null"]},"C":{"type":[null]},"D":{"type":["string","null"]}}}}`,
	`{"components":{"securitySchemes":{"a":null}},"paths":{"/a":{"get":{"security":[null,{"a":null}]}}}}`,
	`{"paths":{"/a":{"summary":"A","description":"B","servers":[{"url":"/"}],"$ref":"#/components/pathItems/a","x-a":[1]}}}`,
	`{"paths":{"/a":{"parameters":[{"name":"b","in":"query"}],"get":{"responses":{"200":{}}},"x-a":null}}}`,
	`{"paths":{"/a":{"parameters":null,"query":null,"additionalOperations":null,"x-additional-operations":{"PURGE":null}}}}`,
	`{"paths":{"/a":{"get":{"responses":{"200":{"content":{"text/event-stream":{"x-events":{"a":null}}}}}}}}}`,
	`{"paths":{"/a":{"get":{"responses":{"200":{"content":{"text/event-stream":{"itemSchema":{"oneOf":[null]}}}}}}}}}`,
	`{"paths":{"/a":{"get":{"responses":{"200":{"content":{"application/json":{},"application/x-ndjson":null}}}}}}}`,
}

// versions returns the document in all versions of OpenAPI. It fails if one of them cannot be written.
func versions(t *testing.T, d *Document) []*Document {
	all := []*Document{d, d.Version30(), d.Version32(), d.Version32().Version30(), d.Version30().Version32()}
	for _, d := range all {
		if _, err := d.JSON(); err != nil {
			t.Errorf("%s: %v", d.OpenAPI, err)
		}
	}
	return all
}

// TestTypeScriptHostile converts incomplete documents to all versions, and generates their clients. Each client is
// generated or refused with an error.
func TestTypeScriptHostile(t *testing.T) {
	refused := 0
	for _, text := range hostileDocuments {
		var d Document
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for i, version := range versions(t, &d) {
			_, err := version.TypeScript()
			if err != nil && i == 0 {
				refused++
			}
			if err != nil && !strings.HasPrefix(err.Error(), "openapi: ") {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	if refused != 9 {
		t.Errorf("%d documents are refused", refused)
	}
	for _, parameters := range []string{`"parameters":[{"name":"b","in":"path"}],"get":{}`, `"get":{"parameters":[{"$ref":"#/components/parameters/b"}]}`} {
		var d Document
		if err := json.Unmarshal([]byte(`{"paths":{"/a/{b}":{`+parameters+`}}}`), &d); err != nil {
			t.Fatal(err)
		}
		if _, err := d.TypeScript(); err == nil || !strings.Contains(err.Error(), "does not list a parameter of its path") {
			t.Errorf("%s: %v", parameters, err)
		}
	}
	nothing := &Document{Paths: map[string]PathItem{"/a": {"get": nil}}}
	versions(t, nothing)
	if _, err := nothing.TypeScript(); err == nil || err.Error() != "openapi: paths./a.get is null" {
		t.Errorf("got %v", err)
	}
	var d Document
	_ = json.Unmarshal([]byte(`{"paths":{"/a":{"get":{"responses":{"200":null}}}}}`), &d)
	if _, err := d.TypeScript(); err == nil || err.Error() != "openapi: paths./a.get.responses.200 is null" {
		t.Errorf("got %v", err)
	}
}

func FuzzTypeScript(f *testing.F) {
	for _, text := range hostileDocuments {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var d Document
		if json.Unmarshal(text, &d) == nil {
			for _, version := range versions(t, &d) {
				_, _ = version.TypeScript()
			}
		}
	})
}

// TestTypeScriptStyles: documents of other programs have lists in other styles. The client joins the elements, or an
// error reports the style.
func TestTypeScriptStyles(t *testing.T) {
	no, yes := false, true
	for _, test := range []struct {
		in, style string
		explode   *bool
		want      string
		fails     bool
	}{
		{"query", "", nil, `"p": params.p `, false},
		{"query", "form", &yes, `"p": params.p `, false},
		{"query", "", &no, `"p": joined(params.p, ",")`, false},
		{"query", "form", &no, `"p": joined(params.p, ",")`, false},
		{"query", "spaceDelimited", nil, `"p": joined(params.p, " ")`, false},
		{"query", "pipeDelimited", &no, `"p": joined(params.p, "|")`, false},
		{"query", "pipeDelimited", &yes, "", true},
		{"query", "deepObject", &yes, "", true},
		{"path", "", nil, "segment(params.p)", false},
		{"path", "simple", &no, "segment(params.p)", false},
		{"path", "label", nil, "", true},
		{"path", "matrix", &yes, "", true},
		{"header", "simple", nil, `"p": params.p `, false},
	} {
		p := &Parameter{Name: "p", In: test.in, Required: true, Style: test.style, Explode: test.explode, Schema: &Schema{Type: "array", Items: &Schema{Type: "string"}}}
		path := "/" + map[string]string{"path": "{p}"}[test.in]
		d := &Document{Paths: map[string]PathItem{path: {"get": {OperationID: "get", Parameters: []*Parameter{p}}}}}
		text, err := d.TypeScript()
		if (err != nil) != test.fails || !test.fails && !strings.Contains(string(text), test.want) {
			t.Errorf("%+v: %v, and not %s in\n%s", test, err, test.want, text)
		}
	}
}
