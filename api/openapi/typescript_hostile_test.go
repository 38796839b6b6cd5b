package openapi

import (
	"encoding/json"
	"strings"
	"testing"
)

// hostileDocuments have null, or nothing, in place of a part of a document.
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
}

// TestTypeScriptHostile generates clients of incomplete documents. Each client is generated or
// refused with an error.
func TestTypeScriptHostile(t *testing.T) {
	refused := 0
	for _, text := range hostileDocuments {
		var d Document
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if _, err := d.TypeScript(); err != nil {
			refused++
			if !strings.HasPrefix(err.Error(), "openapi: ") {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	if refused != 7 {
		t.Errorf("%d documents are refused", refused)
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
	f.Fuzz(func(_ *testing.T, text []byte) {
		var d Document
		if json.Unmarshal(text, &d) == nil {
			_, _ = d.TypeScript()
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
		d := &Document{Paths: map[string]PathItem{"/{p}": {"get": {OperationID: "get", Parameters: []*Parameter{p}}}}}
		text, err := d.TypeScript()
		if (err != nil) != test.fails || !test.fails && !strings.Contains(string(text), test.want) {
			t.Errorf("%+v: %v, and not %s in\n%s", test, err, test.want, text)
		}
	}
}
