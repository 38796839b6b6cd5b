package apidiff

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func parse(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// texts lists changes: those that break clients begin with '!'.
func texts(t *testing.T, older, newer string) (out []string) {
	t.Helper()
	changes, err := Compare(parse(t, older), parse(t, newer))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		mark := ""
		if c.Breaks {
			mark = "! "
		}
		out = append(out, mark+c.Text)
	}
	return out
}

// of is a document with one operation.
func of(operation string) string {
	return `{"openapi":"3.1.0","paths":{"/a/{id}":{"post":` + operation + `}},"components":{"schemas":{
		"Cat":{"type":"object","required":["meow"],"properties":{"meow":{"type":"string"},"next":{"$ref":"#/components/schemas/Cat"}}},
		"Dog":{"type":"object","required":["bark"],"properties":{"bark":{"type":"string"}}},
		"LoudCat":{"type":"object","required":["meow","loud"],"properties":{"meow":{"type":"string"},"loud":{"type":"boolean"},"next":{"$ref":"#/components/schemas/LoudCat"}}}
	},"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"X-Key"}}}}`
}

func body(schema string) string {
	return of(`{"requestBody":{"content":{"application/json":{"schema":` + schema + `}}}}`)
}

func answer(schema string) string {
	return of(`{"responses":{"200":{"content":{"application/json":{"schema":` + schema + `}}}}}`)
}

func params(list string) string { return of(`{"parameters":[` + list + `]}`) }

func object1(name, schema, required string) string {
	return `{"type":"object","properties":{"` + name + `":` + schema + `},"required":[` + required + `]}`
}

// TestSchemas has a change of a schema, with its meaning in a request and in an answer.
func TestSchemas(t *testing.T) {
	for _, test := range []struct {
		name, older, newer string
		request, answer    []string // without "the body" and "the answer of status 200"
	}{
		{"nothing", `{"type":"string"}`, `{"type":"string"}`, nil, nil},
		{"type", `{"type":"string"}`, `{"type":"integer"}`, []string{"! may no longer be a string", "may be an integer too"}, []string{"! may be an integer now", "is no longer a string"}},
		{"null", `{"type":"string"}`, `{"type":["string","null"]}`, []string{"may be null too"}, []string{"! may be null now"}},
		{"nullable of 3.0", `{"type":"string"}`, `{"type":"string","nullable":true}`, []string{"may be null too"}, []string{"! may be null now"}},
		{"null by anyOf", `{"type":["object","null"],"required":["meow"],"properties":{"meow":{"type":"string"},"next":{"$ref":"#/components/schemas/Cat"}}}`,
			`{"anyOf":[{"$ref":"#/components/schemas/Cat"},{"type":"null"}]}`, nil, nil},
		{"an integer is a number", `{"type":"integer"}`, `{"type":"number"}`, []string{"may be a number too"}, []string{"! may be a number now"}},
		{"anything", `{}`, `{"type":"string"}`, []string{"! may no longer be anything"}, []string{"is no longer anything"}},
		{"enum", `{"type":"string","enum":["a","b"]}`, `{"type":"string","enum":["b","c"]}`, []string{`! may no longer be "a"`, `may be "c" too`}, []string{`! may be "c" now`, `is no longer "a"`}},
		{"a new enum", `{"type":"string"}`, `{"type":"string","enum":["a"]}`, []string{`! must be one of "a" now`}, nil},
		{"const", `{"const":1}`, `{"const":2}`, []string{"! may no longer be 1", "may be 2 too"}, []string{"! may be 2 now", "is no longer 1"}},
		{"a limit", `{"type":"string","maxLength":10}`, `{"type":"string","maxLength":5}`, []string{": ! maxLength was 10 and is 5"}, nil},
		{"a wider limit", `{"type":"integer","minimum":5}`, `{"type":"integer","minimum":0}`, []string{": minimum was 5 and is 0"}, []string{": minimum was 5 and is 0"}},
		{"a new limit", `{"type":"integer"}`, `{"type":"integer","multipleOf":2}`, []string{": ! multipleOf is 2 now, and there was none"}, nil},
		{"multiples", `{"type":"integer","multipleOf":6}`, `{"type":"integer","multipleOf":3}`, []string{": multipleOf was 6 and is 3"}, []string{": multipleOf was 6 and is 3"}},
		{"format", `{"type":"integer","format":"int32"}`, `{"type":"integer","format":"int64"}`, []string{`: format was "int32" and is "int64"`}, []string{`: ! format was "int32" and is "int64"`}},
		{"a limit of nothing", `{"type":"array"}`, `{"type":"array","minItems":0}`, nil, nil},
		{"a required member", object1("a", `{"type":"string"}`, ``), object1("a", `{"type":"string"}`, `"a"`), []string{": ! .a is required now"}, []string{": .a is always there now"}},
		{"an optional member", object1("a", `{"type":"string"}`, `"a"`), object1("a", `{"type":"string"}`, ``), []string{": .a is no longer required"}, []string{": ! .a may be missing now"}},
		{"another member", object1("a", `{"type":"string"}`, `"a"`), object1("b", `{"type":"string"}`, `"b"`),
			[]string{": ! .b is required now", ": ! .a is gone", ": .a is no longer required", ": .b is new"}, []string{": ! .a is gone", ": .b is new", ": .b is always there now"}},
		{"a member within", `{"type":"array","items":` + object1("a", `{"type":"array","items":{"type":"string"}}`, ``) + `}`,
			`{"type":"array","items":` + object1("a", `{"type":"array","items":{"type":"integer"}}`, ``) + `}`,
			[]string{": ! [].a[] may no longer be a string", ": [].a[] may be an integer too"}, []string{": ! [].a[] may be an integer now", ": [].a[] is no longer a string"}},
		{"closed", object1("a", `{}`, ``), `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, []string{": ! members that are not listed are refused now"}, nil},
		{"a map", `{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","additionalProperties":{"type":"integer"}}`,
			[]string{": ! [*] may no longer be a string", ": [*] may be an integer too"}, []string{": ! [*] may be an integer now", ": [*] is no longer a string"}},
		{"recursive", `{"$ref":"#/components/schemas/Cat"}`, `{"$ref":"#/components/schemas/LoudCat"}`,
			[]string{": ! .loud is required now", ": .loud is new"}, []string{": .loud is new", ": .loud is always there now"}},
		{"one of more", `{"oneOf":[{"$ref":"#/components/schemas/Cat"}]}`, `{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}]}`,
			[]string{"may be a Dog too"}, []string{"! may be a Dog now"}},
		{"one of fewer", `{"anyOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}]}`, `{"$ref":"#/components/schemas/Cat"}`,
			[]string{"! may no longer be a Dog"}, []string{"is no longer a Dog"}},
		{"all of", object1("a", `{"type":"string"}`, `"a"`), `{"allOf":[` + object1("a", `{}`, `"a"`) + `,` + object1("a", `{"type":"string"}`, ``) + `]}`, nil, nil},
		{"all of more", object1("a", `{"type":"string"}`, `"a"`), `{"allOf":[` + object1("a", `{"type":"string"}`, `"a"`) + `,` + object1("b", `{"type":"string"}`, `"b"`) + `]}`,
			[]string{": ! .b is required now", ": .b is new"}, []string{": .b is new", ": .b is always there now"}},
		{"elsewhere", `{"$ref":"other.json#/a"}`, `{"$ref":"other.json#/b"}`, []string{`: ! $ref was "other.json#/a" and is "other.json#/b"`}, nil},
		{"not compared", `{"not":{"type":"string"}}`, `{"not":{"type":"integer"}}`, []string{" has the keyword not, which is not compared"}, []string{" has the keyword not, which is not compared"}},
		{"false", `{"type":"object","properties":{"a":false}}`, `{"type":"object","properties":{"a":true}}`,
			[]string{": .a may be anything too"}, []string{": ! .a may be anything now"}},
	} {
		for _, kind := range []struct {
			what   string
			got    []string
			wanted []string
		}{
			{"the body", texts(t, body(test.older), body(test.newer)), test.request},
			{"the answer of status 200", texts(t, answer(test.older), answer(test.newer)), test.answer},
		} {
			var want []string
			for _, w := range kind.wanted {
				mark := ""
				if strings.Contains(w, "! ") {
					mark, w = "! ", strings.Replace(w, "! ", "", 1)
				}
				if !strings.HasPrefix(w, ":") {
					w = " " + strings.TrimPrefix(w, " ")
				}
				want = append(want, mark+kind.what+w)
			}
			slices.Sort(kind.got)
			slices.Sort(want)
			if test.name == "elsewhere" && kind.what != "the body" {
				continue
			}
			if test.name == "elsewhere" {
				kind.got = kind.got[:1]
			}
			if !slices.Equal(kind.got, want) {
				t.Errorf("%s, %s:\ngot  %q\nwant %q", test.name, kind.what, kind.got, want)
			}
		}
	}
}

func TestOperations(t *testing.T) {
	limit := `{"name":"limit","in":"query","schema":{"type":"integer"}}`
	required := strings.Replace(limit, `"in"`, `"required":true,"in"`, 1)
	for _, test := range []struct {
		name, older, newer string
		want               []string
	}{
		{"gone", of(`{}`), `{"openapi":"3.0.3","paths":{"/b":{"get":{}}}}`, []string{"! the operation is gone", "the operation is new"}},
		{"a parameter of the path is called otherwise", of(`{}`), strings.Replace(of(`{}`), "{id}", "{key}", 1), nil},
		{"a new parameter", params(``), params(limit), []string{"the query parameter limit is new and optional"}},
		{"a new required one", params(``), params(required), []string{"! the query parameter limit is new and required"}},
		{"required now", params(limit), params(required), []string{"! the query parameter limit is required now"}},
		{"optional now", params(required), params(limit), []string{"the query parameter limit is no longer required"}},
		{"a parameter is gone", params(limit), params(``), []string{"! the query parameter limit is gone"}},
		{"of another kind", params(limit), params(strings.Replace(limit, "integer", "boolean", 1)), []string{"! the query parameter limit may no longer be an integer", "the query parameter limit may be a boolean too"}},
		{"by reference", params(limit), strings.Replace(params(`{"$ref":"#/components/parameters/limit"}`), `"components":{`, `"components":{"parameters":{"limit":`+limit+`},`, 1), nil},
		{"written in another way", params(limit), params(strings.Replace(limit, `"in"`, `"explode":false,"in"`, 1)), []string{"! the query parameter limit is written in another way: explode was true and is false"}},
		{"a header field in other letters", params(`{"name":"X-A","in":"header"}`), params(`{"name":"x-a","in":"header"}`), nil},
		{"a new body", of(`{}`), of(`{"requestBody":{"required":true,"content":{}}}`), []string{"! a body is required now"}},
		{"a body that may be", of(`{}`), of(`{"requestBody":{"content":{}}}`), []string{"a body may be sent now"}},
		{"no body", of(`{"requestBody":{"content":{}}}`), of(`{}`), []string{"! a body is no longer accepted"}},
		{"media types", of(`{"requestBody":{"content":{"application/json":{},"text/csv":{}}}}`), of(`{"requestBody":{"content":{"application/json":{},"text/x":{}}}}`),
			[]string{"! the body is no longer accepted as text/csv", "the body is also accepted as text/x"}},
		{"another status", of(`{"responses":{"200":{},"404":{}}}`), of(`{"responses":{"201":{},"409":{}}}`),
			[]string{"! there is no longer an answer of status 200", "there is no longer an answer of status 404", "there is an answer of status 201 now", "there is an answer of status 409 now"}},
		{"media types of answers", of(`{"responses":{"200":{"content":{"application/json":{},"text/csv":{}}}}}`), of(`{"responses":{"200":{"content":{"application/json":{}}}}}`),
			[]string{"! the answer of status 200 is no longer available as text/csv"}},
		{"header fields of answers", of(`{"responses":{"200":{"headers":{"A":{"required":true},"B":{}}}}}`), of(`{"responses":{"200":{"headers":{"C":{}}}}}`),
			[]string{"! the answer of status 200 no longer has the header field A", "the answer of status 200 no longer has the optional header field B"}},
		{"security", of(`{}`), of(`{"security":[{"key":[]}]}`), []string{"! a request must be authenticated now"}},
		{"optional security", of(`{}`), of(`{"security":[{"key":[]},{}]}`), nil},
		{"scopes", of(`{"security":[{"o":["a"]}]}`), of(`{"security":[{"o":["a","b"]}]}`), []string{"! a request that is authenticated by o is refused now"}},
		{"less security", of(`{"security":[{"o":["a"]}]}`), of(`{"security":[]}`), nil},
		{"another key", of(`{"security":[{"key":[]}]}`), strings.Replace(of(`{"security":[{"key":[]}]}`), "X-Key", "X-Token", 1), []string{`! the security scheme key has another name: "X-Token" was "X-Key"`}},
		{"deprecated", of(`{"operationId":"a"}`), of(`{"operationId":"b","deprecated":true}`), []string{"it is deprecated now", `its operationId was "a" and is "b": clients that are made of the document call it by another name`}},
	} {
		if got := texts(t, test.older, test.newer); !slices.Equal(got, test.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", test.name, got, test.want)
		}
	}
}

func TestNoDocuments(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `null`, `{"openapi":"2.0"}`, `{"openapi":3.1}`, `{"swagger":"2.0"}`} {
		if _, err := Compare(parse(t, of(`{}`)), parse(t, text)); err == nil {
			t.Errorf("%s was compared", text)
		}
	}
}

// TestTangled has schemas whose combinations grow exponentially.
func TestTangled(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"openapi":"3.1.0","paths":{"/":{"post":{"requestBody":{"content":{"a/b":{"schema":{"$ref":"#/s/0"}}}}}}},"s":{`)
	for i := range 40 {
		fmt.Fprintf(&b, `"%d":{"properties":{"a":{"anyOf":[{"$ref":"#/s/%d"},{"$ref":"#/s/%d"}]},"b":{"allOf":[{"$ref":"#/s/%d"},{"$ref":"#/s/%d"}]}}},`, i, i+1, i+2, (i*7)%40, (i*11)%40)
	}
	b.WriteString(`"40":{},"41":{"$ref":"#/s/41"}}}`)
	older := parse(t, b.String())
	newer := parse(t, strings.ReplaceAll(b.String(), `"a":`, `"a":{},"c":`))
	_, _ = Compare(older, newer)
}

// FuzzCompare gives two documents, of which nothing is known.
func FuzzCompare(f *testing.F) {
	files, err := filepath.Glob("../../../../api/openapi/testdata/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), string(data))
	}
	f.Add(of(`{}`), body(`{"$ref":"#/components/schemas/Cat"}`))
	f.Fuzz(func(t *testing.T, a, b string) {
		var older, newer any
		if json.Unmarshal([]byte(a), &older) != nil || json.Unmarshal([]byte(b), &newer) != nil {
			return
		}
		_, _ = Compare(older, newer)
		changes, err := Compare(older, older)
		if err == nil && slices.ContainsFunc(changes, func(c Change) bool { return c.Breaks }) {
			t.Errorf("a document differs from itself: %+v", changes)
		}
	})
}
