package apidiff

import (
	"encoding/json"
	"errors"
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

// texts returns the texts of changes. A change that breaks clients begins with '!'.
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

// documentOf returns a document with one operation.
func documentOf(operation string) string {
	return `{"openapi":"3.1.0","paths":{"/a/{id}":{"post":` + operation + `}},"components":{"schemas":{
		"Cat":{"type":"object","required":["meow"],"properties":{"meow":{"type":"string"},"next":{"$ref":"#/components/schemas/Cat"}}},
		"Dog":{"type":"object","required":["bark"],"properties":{"bark":{"type":"string"}}},
		"LoudCat":{"type":"object","required":["meow","loud"],"properties":{"meow":{"type":"string"},"loud":{"type":"boolean"},"next":{"$ref":"#/components/schemas/LoudCat"}}}
	},"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"X-Key"}}}}`
}

func body(schema string) string {
	return documentOf(`{"requestBody":{"content":{"application/json":{"schema":` + schema + `}}}}`)
}

func answer(schema string) string {
	return documentOf(`{"responses":{"200":{"content":{"application/json":{"schema":` + schema + `}}}}}`)
}

func params(list string) string { return documentOf(`{"parameters":[` + list + `]}`) }

func object1(name, schema, required string) string {
	return `{"type":"object","properties":{"` + name + `":` + schema + `},"required":[` + required + `]}`
}

// TestSchemas changes a schema, and compares the changes reported for requests and for answers.
func TestSchemas(t *testing.T) {
	for _, test := range []struct {
		name, older, newer string
		request, answer    []string // without "the body" and "the answer of status 200"
	}{
		{"nothing", `{"type":"string"}`, `{"type":"string"}`, nil, nil},
		{"type", `{"type":"string"}`, `{"type":"integer"}`, []string{"! may no longer be a string", "may also be an integer"}, []string{"! may now be an integer", "is no longer a string"}},
		{"null", `{"type":"string"}`, `{"type":["string","null"]}`, []string{"may also be null"}, []string{"! may now be null"}},
		{"nullable of 3.0", `{"type":"string"}`, `{"type":"string","nullable":true}`, []string{"may also be null"}, []string{"! may now be null"}},
		{"null by anyOf", `{"type":["object","null"],"required":["meow"],"properties":{"meow":{"type":"string"},"next":{"$ref":"#/components/schemas/Cat"}}}`,
			`{"anyOf":[{"$ref":"#/components/schemas/Cat"},{"type":"null"}]}`, nil, nil},
		{"an integer is a number", `{"type":"integer"}`, `{"type":"number"}`, []string{"may also be a number"}, []string{"! may now be a number"}},
		{"anything", `{}`, `{"type":"string"}`, []string{"! may no longer be anything"}, []string{"is no longer anything"}},
		{"enum", `{"type":"string","enum":["a","b"]}`, `{"type":"string","enum":["b","c"]}`, []string{`! may no longer be "a"`, `may also be "c"`}, []string{`! may now be "c"`, `is no longer "a"`}},
		{"a new enum", `{"type":"string"}`, `{"type":"string","enum":["a"]}`, []string{`! must now be one of "a"`}, nil},
		{"const", `{"const":1}`, `{"const":2}`, []string{"! may no longer be 1", "may also be 2"}, []string{"! may now be 2", "is no longer 1"}},
		{"a limit", `{"type":"string","maxLength":10}`, `{"type":"string","maxLength":5}`, []string{": ! maxLength was 10 and is now 5"}, nil},
		{"a wider limit", `{"type":"integer","minimum":5}`, `{"type":"integer","minimum":0}`, []string{": minimum was 5 and is now 0"}, []string{": minimum was 5 and is now 0"}},
		{"a new limit", `{"type":"integer"}`, `{"type":"integer","multipleOf":2}`, []string{": ! multipleOf is now 2, and was not limited before"}, nil},
		{"multiples", `{"type":"integer","multipleOf":6}`, `{"type":"integer","multipleOf":3}`, []string{": multipleOf was 6 and is now 3"}, []string{": multipleOf was 6 and is now 3"}},
		{"format", `{"type":"integer","format":"int32"}`, `{"type":"integer","format":"int64"}`, []string{`: format was "int32" and is now "int64"`}, []string{`: ! format was "int32" and is now "int64"`}},
		{"a limit of nothing", `{"type":"array"}`, `{"type":"array","minItems":0}`, nil, nil},
		{"a required member", object1("a", `{"type":"string"}`, ``), object1("a", `{"type":"string"}`, `"a"`), []string{": ! .a is now required"}, []string{": .a is now always present"}},
		{"an optional member", object1("a", `{"type":"string"}`, `"a"`), object1("a", `{"type":"string"}`, ``), []string{": .a is no longer required"}, []string{": ! .a may now be missing"}},
		{"another member", object1("a", `{"type":"string"}`, `"a"`), object1("b", `{"type":"string"}`, `"b"`),
			[]string{": ! .b is now required", ": ! .a was removed", ": .a is no longer required", ": .b is new"}, []string{": ! .a was removed", ": .b is new", ": .b is now always present"}},
		{"a member within", `{"type":"array","items":` + object1("a", `{"type":"array","items":{"type":"string"}}`, ``) + `}`,
			`{"type":"array","items":` + object1("a", `{"type":"array","items":{"type":"integer"}}`, ``) + `}`,
			[]string{": ! [].a[] may no longer be a string", ": [].a[] may also be an integer"}, []string{": ! [].a[] may now be an integer", ": [].a[] is no longer a string"}},
		{"closed", object1("a", `{}`, ``), `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, []string{": ! members that are not listed are now refused"}, nil},
		{"a map", `{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","additionalProperties":{"type":"integer"}}`,
			[]string{": ! [*] may no longer be a string", ": [*] may also be an integer"}, []string{": ! [*] may now be an integer", ": [*] is no longer a string"}},
		{"recursive", `{"$ref":"#/components/schemas/Cat"}`, `{"$ref":"#/components/schemas/LoudCat"}`,
			[]string{": ! .loud is now required", ": .loud is new"}, []string{": .loud is new", ": .loud is now always present"}},
		{"one of more", `{"oneOf":[{"$ref":"#/components/schemas/Cat"}]}`, `{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}]}`,
			[]string{"may also be a Dog"}, []string{"! may now be a Dog"}},
		{"one of fewer", `{"anyOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}]}`, `{"$ref":"#/components/schemas/Cat"}`,
			[]string{"! may no longer be a Dog"}, []string{"is no longer a Dog"}},
		{"all of", object1("a", `{"type":"string"}`, `"a"`), `{"allOf":[` + object1("a", `{}`, `"a"`) + `,` + object1("a", `{"type":"string"}`, ``) + `]}`, nil, nil},
		{"all of more", object1("a", `{"type":"string"}`, `"a"`), `{"allOf":[` + object1("a", `{"type":"string"}`, `"a"`) + `,` + object1("b", `{"type":"string"}`, `"b"`) + `]}`,
			[]string{": ! .b is now required", ": .b is new"}, []string{": .b is new", ": .b is now always present"}},
		{"elsewhere", `{"$ref":"other.json#/a"}`, `{"$ref":"other.json#/b"}`, []string{`: ! $ref was "other.json#/a" and is now "other.json#/b"`}, nil},
		{"not compared", `{"not":{"type":"string"}}`, `{"not":{"type":"integer"}}`, []string{" has the keyword not, which is not compared"}, []string{" has the keyword not, which is not compared"}},
		{"false", `{"type":"object","properties":{"a":false}}`, `{"type":"object","properties":{"a":true}}`,
			[]string{": .a may also be anything"}, []string{": ! .a may now be anything"}},
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
		{"gone", documentOf(`{}`), `{"openapi":"3.0.3","paths":{"/b":{"get":{}}}}`, []string{"! the operation was removed", "the operation is new"}},
		{"a parameter of the path is called otherwise", documentOf(`{}`), strings.Replace(documentOf(`{}`), "{id}", "{key}", 1), nil},
		{"a new parameter", params(``), params(limit), []string{"the query parameter limit is new and optional"}},
		{"a new required one", params(``), params(required), []string{"! the query parameter limit is new and required"}},
		{"required now", params(limit), params(required), []string{"! the query parameter limit is now required"}},
		{"optional now", params(required), params(limit), []string{"the query parameter limit is no longer required"}},
		{"a parameter was removed", params(limit), params(``), []string{"! the query parameter limit was removed"}},
		{"of another kind", params(limit), params(strings.Replace(limit, "integer", "boolean", 1)), []string{"! the query parameter limit may no longer be an integer", "the query parameter limit may also be a boolean"}},
		{"by reference", params(limit), strings.Replace(params(`{"$ref":"#/components/parameters/limit"}`), `"components":{`, `"components":{"parameters":{"limit":`+limit+`},`, 1), nil},
		{"written in another way", params(limit), params(strings.Replace(limit, `"in"`, `"explode":false,"in"`, 1)), []string{"! the encoding of the query parameter limit has changed: explode was true and is now false"}},
		{"a header field in other letters", params(`{"name":"X-A","in":"header"}`), params(`{"name":"x-a","in":"header"}`), nil},
		{"a new body", documentOf(`{}`), documentOf(`{"requestBody":{"required":true,"content":{}}}`), []string{"! a body is now required"}},
		{"a body that may be", documentOf(`{}`), documentOf(`{"requestBody":{"content":{}}}`), []string{"a body is now allowed"}},
		{"no body", documentOf(`{"requestBody":{"content":{}}}`), documentOf(`{}`), []string{"! a body is no longer accepted"}},
		{"media types", documentOf(`{"requestBody":{"content":{"application/json":{},"text/csv":{}}}}`), documentOf(`{"requestBody":{"content":{"application/json":{},"text/x":{}}}}`),
			[]string{"! the body is no longer accepted as text/csv", "the body is also accepted as text/x"}},
		{"another status", documentOf(`{"responses":{"200":{},"404":{}}}`), documentOf(`{"responses":{"201":{},"409":{}}}`),
			[]string{"! there is no longer an answer of status 200", "there is no longer an answer of status 404", "there is now an answer of status 201", "there is now an answer of status 409"}},
		{"media types of answers", documentOf(`{"responses":{"200":{"content":{"application/json":{},"text/csv":{}}}}}`), documentOf(`{"responses":{"200":{"content":{"application/json":{}}}}}`),
			[]string{"! the answer of status 200 is no longer available as text/csv"}},
		{"header fields of answers", documentOf(`{"responses":{"200":{"headers":{"A":{"required":true},"B":{}}}}}`), documentOf(`{"responses":{"200":{"headers":{"C":{}}}}}`),
			[]string{"! the answer of status 200 no longer has the header field A", "the answer of status 200 no longer has the optional header field B"}},
		{"security", documentOf(`{}`), documentOf(`{"security":[{"key":[]}]}`), []string{"! a request must now be authenticated"}},
		{"optional security", documentOf(`{}`), documentOf(`{"security":[{"key":[]},{}]}`), nil},
		{"scopes", documentOf(`{"security":[{"o":["a"]}]}`), documentOf(`{"security":[{"o":["a","b"]}]}`), []string{"! a request that is authenticated by o is now refused"}},
		{"less security", documentOf(`{"security":[{"o":["a"]}]}`), documentOf(`{"security":[]}`), nil},
		{"another key", documentOf(`{"security":[{"key":[]}]}`), strings.Replace(documentOf(`{"security":[{"key":[]}]}`), "X-Key", "X-Token", 1), []string{`! the name of the security scheme key was "X-Key" and is now "X-Token"`}},
		{"deprecated", documentOf(`{"operationId":"a"}`), documentOf(`{"operationId":"b","deprecated":true}`), []string{"it is now deprecated", `its operationId was "a" and is now "b": the method of generated clients has another name`}},
	} {
		if got := texts(t, test.older, test.newer); !slices.Equal(got, test.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", test.name, got, test.want)
		}
	}
}

func TestNoDocuments(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `null`, `{"openapi":"2.0"}`, `{"openapi":3.1}`, `{"swagger":"2.0"}`} {
		if _, err := Compare(parse(t, documentOf(`{}`)), parse(t, text)); err == nil {
			t.Errorf("%s was compared", text)
		}
	}
}

// TestTangled compares schemas with exponentially many combinations. Compare returns in a short time, with a result or
// errTangled.
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

// chained returns a document with a body whose schema is a chain of 60 schemas. Each schema refers
// twice to the next one.
func chained(format, last string) string {
	var b strings.Builder
	b.WriteString(`{"openapi":"3.1.0","paths":{"/":{"post":{"requestBody":{"content":{"a/b":{"schema":{"$ref":"#/s/0"}}}}}}},"s":{`)
	for i := range 60 {
		ref := fmt.Sprintf(`{"$ref":"#/s/%d"}`, i+1)
		fmt.Fprintf(&b, `"%d":%s,`, i, strings.ReplaceAll(format, "NEXT", ref))
	}
	fmt.Fprintf(&b, `"60":%s}}`, last)
	return b.String()
}

// TestChains compares schemas that contain the last schema of a chain 2^60 times. Compare does not
// visit it as often, which would take years, and reports a change of the last schema.
func TestChains(t *testing.T) {
	for _, test := range []struct {
		format string
		want   int // the number of changes
		last   string
	}{
		{`{"allOf":[NEXT,NEXT]}`, 1, "! the body: maxLength is now 5, and was not limited before"},
		{`{"anyOf":[NEXT,NEXT]}`, 1, "! the body: maxLength is now 5, and was not limited before"},
		{`{"allOf":[NEXT,NEXT],"items":{"anyOf":[NEXT,{"$ref":"#/s/0"}]}}`, 1, "! the body: maxLength is now 5, and was not limited before"},
		{`{"type":"object","properties":{"a":NEXT,"b":NEXT}}`, maxFindings, "! the body has more changes, which are not listed"},
	} {
		older, newer := chained(test.format, `{"type":"string"}`), chained(test.format, `{"type":"string","maxLength":5}`)
		got := append(texts(t, older, older), texts(t, older, newer)...)
		if len(got) != test.want || got[len(got)-1] != test.last {
			t.Errorf("%s: %d changes, %.300q", test.format, len(got), got)
		}
	}
}

// TestMoreFindings compares documents with differences in many operations, at long paths. The length of the result is
// bounded, and a change says that others are not listed.
func TestMoreFindings(t *testing.T) {
	var paths, properties strings.Builder
	for i := range 40 {
		fmt.Fprintf(&paths, `,"/%d":{"post":{"requestBody":{"content":{"a/b":{"schema":{"$ref":"#/s/0"}}}}}}`, i)
	}
	for i := range 900 {
		fmt.Fprintf(&properties, `,"%d":{"type":"string"}`, i)
	}
	text := `{"openapi":"3.1.0","paths":{` + paths.String()[1:] + `},"s":{"0":{"properties":{"` + strings.Repeat("n", 2000) + `":{"properties":{` + properties.String()[1:] + `}}}}}}`
	got := texts(t, text, strings.ReplaceAll(text, `"string"`, `"integer"`))
	size := 0
	for _, one := range got {
		size += len(one)
	}
	if last := got[len(got)-1]; size > 2*maxPaths || !strings.Contains(strings.Join(got, "\n"), "! the body has more changes, which are not listed") {
		t.Errorf("%d changes of %d bytes, the last is %.200q", len(got), size, last)
	}
}

// TestCycles compares schemas that contain one another by allOf. The variants of a schema within its own cycle differ
// from the variants that it has elsewhere, so they must not be cached.
func TestCycles(t *testing.T) {
	cycleOf := func(limit string) string {
		return `{"openapi":"3.1.0","paths":{"/":{"post":{"requestBody":{"content":{"a/b":{"schema":{"properties":{
			"a":{"$ref":"#/s/A"},"b":{"$ref":"#/s/B"},"c":{"$ref":"#/s/C"}}}}}}}}},"s":{
			"A":{"allOf":[{"$ref":"#/s/B"}],"minLength":1},"B":{"allOf":[{"$ref":"#/s/C"},{"$ref":"#/s/A"}]},
			"C":{"anyOf":[{"$ref":"#/s/A"},{"type":"string"` + limit + `}]}}}`
	}
	want := []string{"! the body: .c: minLength is now 1, and was not limited before"}
	if got := texts(t, cycleOf(``), cycleOf(``)); got != nil {
		t.Errorf("the same: %q", got)
	}
	if got := texts(t, cycleOf(``), cycleOf(`,"maxLength":5`)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTangledWork compares a cycle of schemas that contain one another in exponentially many ways. Their variants
// depend on the enclosing schemas, so they cannot be cached. Compare gives up and returns errTangled.
func TestTangledWork(t *testing.T) {
	const n = 300
	var b strings.Builder
	b.WriteString(`{"openapi":"3.1.0","paths":{"/":{"post":{"requestBody":{"content":{"a/b":{"schema":{"$ref":"#/s/0"}}}}}}},"s":{`)
	for i := range n {
		fmt.Fprintf(&b, `"%d":{"anyOf":[{"$ref":"#/s/%d"},{"$ref":"#/s/%d"},{"minLength":%[1]d}]},`, i, i+1, i*7%n)
	}
	fmt.Fprintf(&b, `"%d":{"type":"string"}}}`, n)
	if _, err := Compare(parse(t, b.String()), parse(t, b.String())); !errors.Is(err, errTangled) {
		t.Error(err)
	}
}

// TestEmptyType compares schemas whose keyword type is not the name of a type. Such a type counts as an unknown type.
func TestEmptyType(t *testing.T) {
	for _, name := range []string{`""`, `[1]`} {
		got := texts(t, body(`{"type":`+name+`}`), body(`{"type":"string"}`))
		if !slices.Contains(got, "! the body may no longer be a value of an unknown type") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// FuzzCompare compares arbitrary documents. A document has no breaking changes compared with itself.
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
	f.Add(documentOf(`{}`), body(`{"$ref":"#/components/schemas/Cat"}`))
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

// TestMethodsOfVersions compares operations with methods that only OpenAPI 3.2 has, and streams, between documents of
// different versions.
func TestMethodsOfVersions(t *testing.T) {
	document := func(version, item string) string { return `{"openapi":"` + version + `","paths":{"/a":` + item + `}}` }
	operation := func(media string) string {
		return `{"responses":{"200":{"content":` + media + `}}}`
	}
	events31 := func(schema string) string {
		return document("3.1.1", `{"get":`+operation(`{"text/event-stream":{"schema":`+schema+`}}`)+`}`)
	}
	events32 := func(items string) string {
		return document("3.2.0", `{"get":`+operation(`{"text/event-stream":{"itemSchema":`+items+`}}`)+`}`)
	}
	event := func(schema string) string {
		return `{"type":"object","properties":{"data":{"type":"string","contentMediaType":"application/json","contentSchema":` + schema + `}}}`
	}
	lines := func(schema string) string {
		return document("3.2.0", `{"query":`+operation(`{"application/x-ndjson":{"itemSchema":`+schema+`}}`)+`}`)
	}
	const number, word = `{"type":"integer"}`, `{"type":"string"}`
	for _, test := range []struct {
		older, newer string
		want         []string
	}{
		{document("3.1.1", `{"x-additional-operations":{"QUERY":{},"PURGE":{}}}`), document("3.2.0", `{"query":{},"additionalOperations":{"PURGE":{}}}`), nil},
		{document("3.2.0", `{"query":{}}`), document("3.2.0", `{}`), []string{"! the operation was removed"}},
		{document("3.2.0", `{"additionalOperations":{"PURGE":{}}}`), document("3.2.0", `{"additionalOperations":{"PURGE2":{}}}`), []string{"! the operation was removed", "the operation is new"}},
		{document("3.1.1", `{"get":{}}`), document("3.1.1", `{"get":{},"x-additional-operations":{"QUERY":{}}}`), []string{"the operation is new"}},
		{events31(number), events32(event(number)), nil},
		{events31(word), events32(`{"type":"object","properties":{"data":{"type":"string"}}}`), nil},
		{events31(number), events32(event(word)), []string{"! the answer of status 200 may now be a string", "the answer of status 200 is no longer an integer"}},
		{events31(`{"oneOf":[` + number + `,` + word + `]}`), events32(`{"oneOf":[` + event(number) + `,` + event(word) + `]}`), nil},
		{events32(event(number)), events32(`{"oneOf":[` + event(number) + `,` + event(word) + `]}`), []string{"! the answer of status 200 may now be a string"}},
		{lines(number), lines(number), nil},
		{lines(number), lines(word), []string{"! the answer of status 200: [] may now be a string", "the answer of status 200: [] is no longer an integer"}},
	} {
		if got := texts(t, test.older, test.newer); !slices.Equal(got, test.want) {
			t.Errorf("%s\n%s\ngot  %q\nwant %q", test.older, test.newer, got, test.want)
		}
	}
}
