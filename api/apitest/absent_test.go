package apitest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
)

type absentColour string

func (absentColour) Values() []absentColour { return []absentColour{"red"} }

type (
	absentInner struct {
		Size int    `json:"size" min:"1"`
		Note string `json:"note,omitempty" length:"2.."`
	}
	AbsentEmbedded struct {
		Side int `json:"side" min:"1"`
		Flag bool
	}
)

// An absentCase is a member that may be absent.
type absentCase struct {
	name     string
	register func(a *api.API, pattern string, op api.Operation)
	bad      string   // values of the member that its limits do not allow, separated by " | "
	paths    []string // the paths of the faults of each bad value
	good     string   // an allowed value
}

func absentOf[T any](name, bad string, paths []string, good string) absentCase {
	return absentCase{name, func(a *api.API, pattern string, op api.Operation) {
		api.Handle(a, pattern, func(_ context.Context, in *T) (*T, error) { return in, nil }, op)
	}, bad, paths, good}
}

func namesOf(faults []api.FieldProblem) (names []string) {
	for _, f := range faults {
		names = append(names, f.Name)
	}
	return names
}

func same(path string, n int) []string { return slices.Repeat([]string{path}, n) }

// absentCases have the member m, whose zero value breaks a limit.
var absentCases = []absentCase{
	absentOf[struct {
		M int `json:"m,omitempty" min:"1"`
	}]("int", "0 | -1", same(".m", 2), "1"),
	absentOf[struct {
		M float64 `json:"m,omitzero" max:"-1"`
	}]("float", "0 | 1 | 0.0", same(".m", 3), "-1"),
	absentOf[struct {
		M uint8 `json:"m" required:"false" multipleOf:"5" min:"5"`
	}]("not required", "0", same(".m", 1), "5"),
	absentOf[struct {
		M string `json:"m,omitempty" length:"1..3"`
	}]("string", `"" | "long"`, same(".m", 2), `"a"`),
	absentOf[struct {
		M string `json:"m,omitempty" pattern:"^a"`
	}]("pattern", `"" | "b"`, same(".m", 2), `"a"`),
	absentOf[struct {
		M string `json:"m,omitempty" format:"email"`
	}]("format", `""`, same(".m", 1), `"a@example.org"`),
	absentOf[struct {
		M string `json:"m,omitzero" enum:"a,b"`
	}]("enum", `""`, same(".m", 1), `"a"`),
	absentOf[struct {
		M absentColour `json:"m,omitempty"`
	}]("values", `""`, same(".m", 1), `"red"`),
	absentOf[struct {
		M []int `json:"m,omitempty" length:"1.." min:"1"`
	}]("slice", `null | [] | [1,0]`, []string{".m", ".m", ".m[1]"}, `[1]`),
	absentOf[struct {
		M map[string]int `json:"m,omitzero" length:"1.." min:"1"`
	}]("map", `null | {} | {"a":0}`, []string{".m", ".m", `.m.a`}, `{"a":1}`),
	absentOf[struct {
		M [2]int `json:"m,omitzero" min:"1"`
	}]("array", `[0,0] | [1,0]`, []string{".m[0] .m[1]", ".m[1]"}, `[1,1]`),
	absentOf[struct {
		M absentInner `json:"m,omitzero"`
	}]("struct", `{"size":0} | {} | {"size":1,"note":""}`, []string{".m.size", ".m.size", ".m.note"}, `{"size":1}`),
	absentOf[struct {
		M [1]absentInner `json:"m" required:"false"`
	}]("array of structs", `[{"size":0}] | [{}]`, same(".m[0].size", 2), `[{"size":1}]`),
	absentOf[struct {
		M *int `json:"m,omitempty" min:"1"`
	}]("pointer", `0`, same(".m", 1), `null`),
	absentOf[struct {
		M mo.Option[string] `json:"m,omitzero" length:"1.."`
	}]("option", `""`, same(".m", 1), `"a"`),
	absentOf[struct {
		M mo.Nullable[int] `json:"m,omitzero" min:"1"`
	}]("nullable", `0`, same(".m", 1), `null`),
	absentOf[struct {
		M mo.Either[absentColour, absentInner] `json:"m,omitzero"`
	}]("either", `{"left":""} | {"right":{"size":0}}`, []string{".m.left", ".m.right.size"}, `{"left":"red"}`),
	absentOf[struct {
		M []absentInner `json:"m"`
	}]("in a slice", `[{"size":1},{"size":1,"note":""}]`, same(".m[1].note", 1), `[{"size":1}]`),
	absentOf[struct {
		M int `json:"m,string,omitempty" min:"1"`
	}]("quoted", `"0"`, same(".m", 1), `"1"`),
	absentOf[struct {
		*AbsentEmbedded
		M int `json:"m,omitempty" min:"1"`
	}]("embedded", `0,"side":1 | 1,"side":0,"Flag":true`, []string{".m", ".side"}, `1,"Flag":true`),
}

// TestAbsentMembers: an absent member breaks no limit, and a member with the value zero breaks the limits
// that exclude zero, by the rules of both versions of JSON.
func TestAbsentMembers(t *testing.T) {
	for version, op := range map[string]api.Operation{"v1": {}, "v2": {JSON: []jsonv2.Options{}}} {
		for _, c := range absentCases {
			mux := http.NewServeMux()
			a := api.New(api.Mux(mux))
			c.register(a, "POST /x", op)
			post := func(text string) (int, string) {
				r := httptest.NewRequest("POST", "/x", strings.NewReader(text))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				mux.ServeHTTP(w, r)
				return w.Code, w.Body.String()
			}
			if c.name == "quoted" && version == "v2" {
				continue // the text of the number is checked by other tests
			}
			if c.name != "in a slice" {
				if status, body := post(`{}`); status != 200 {
					t.Errorf("%s, %s: absent: %d %s", version, c.name, status, body)
				}
			}
			if status, body := post(`{"m":` + c.good + `}`); status != 200 {
				t.Errorf("%s, %s: %s: %d %s", version, c.name, c.good, status, body)
			}
			for i, bad := range strings.Split(c.bad, " | ") {
				status, body := post(`{"m":` + bad + `}`)
				var problem api.Problem
				if err := json.Unmarshal([]byte(body), &problem); err != nil || status != 422 || strings.Join(namesOf(problem.Errors), " ") != c.paths[i] {
					t.Errorf("%s, %s: %s: %d %s", version, c.name, bad, status, body)
				}
			}
			schema := openapi.Describe(a, openapi.Config{}).Paths["/x"]["post"].RequestBody.Content["application/json"].Schema
			if c.name != "in a slice" && len(schema.Required) > 0 {
				t.Errorf("%s: a request requires %q", c.name, schema.Required)
			}
		}
	}
}

// TestAbsentUnchecked: an operation with Unchecked checks no limits of the body.
func TestAbsentUnchecked(t *testing.T) {
	type in struct {
		M    int `json:"m,omitempty" min:"1"`
		Must int `json:"must"`
	}
	mux := http.NewServeMux()
	api.Handle(api.Mux(mux), "POST /x", func(_ context.Context, in *in) (*in, error) { return in, nil }, api.Operation{Unchecked: true})
	for body, status := range map[string]int{`{"m":0,"must":1}`: 200, `{"m":0}`: 422} {
		r := httptest.NewRequest("POST", "/x", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		if w.Code != status || strings.Contains(w.Body.String(), `".m"`) {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
}

type absentAnswer struct {
	Omitted  int            `json:"omitted,omitempty" min:"1"`
	Zero     string         `json:"zero,omitzero" length:"1.."`
	Forced   int            `json:"forced,omitempty" min:"1" required:"true"`
	Kept     int            `json:"kept" min:"1" required:"false"`
	Filled   int            `json:"filled" min:"1" default:"1"`
	Plain    int            `json:"plain" min:"1"`
	Option   mo.Option[int] `json:"option" min:"1"`
	Embedded *int           `json:"pointer" min:"1"`
	*AbsentEmbedded
}

// TestAbsentInAnswers: the schema of an answer requires no member that the answer may omit, and the schema
// of a request the members that the server requires.
func TestAbsentInAnswers(t *testing.T) {
	mux := http.NewServeMux()
	a := api.New(api.Mux(mux))
	api.Handle(a, "POST /x", func(_ context.Context, in *absentAnswer) (*absentAnswer, error) {
		return &absentAnswer{Kept: 1, Filled: 1, Plain: 1}, nil
	})
	schemas := openapi.Describe(a, openapi.Config{}).Components.Schemas
	for name, want := range map[string]string{"absentAnswer": "plain", "absentAnswerInput": "forced plain"} {
		if got := schemas[name]; got == nil || strings.Join(got.Required, " ") != want {
			t.Errorf("%s requires %+v, want %s", name, got, want)
		}
	}
}

// TestAbsentInWire: the wire format has all members, so the zero value of a member that may be absent counts as
// absent. The same call succeeds in both formats.
func TestAbsentInWire(t *testing.T) {
	type in struct {
		M    int         `json:"m,omitempty" min:"1"`
		In   absentInner `json:"in,omitzero"`
		Must int         `json:"must" min:"1"`
	}
	mux := http.NewServeMux()
	api.Handle(api.Mux(mux), "POST /x", func(_ context.Context, in *in) (*in, error) { return in, nil })
	server := httptest.NewServer(mux)
	defer server.Close()
	for _, wire := range []bool{false, true} {
		c, err := client.New(server.URL, client.Options{Wire: wire})
		if err != nil {
			t.Fatal(err)
		}
		call := client.Call[in, in](c, "POST /x")
		if out, err := call(t.Context(), &in{Must: 1}); err != nil || *out != (in{Must: 1}) {
			t.Errorf("wire %t: %+v, %v", wire, out, err)
		}
		for path, bad := range map[string]in{".must": {}, ".m": {M: -1, Must: 1}, ".in.size": {In: absentInner{Note: "ab"}, Must: 1}} {
			if _, err := call(t.Context(), &bad); err == nil || !strings.Contains(fmt.Sprintf("%+v", api.ProblemOf(err).Errors), path+" ") {
				t.Errorf("wire %t: %s: %v", wire, path, err)
			}
		}
	}
	check, err := api.NewChecker[in]()
	if err != nil {
		t.Fatal(err)
	}
	if err := check.Check(t.Context(), &in{Must: 1}); err != nil {
		t.Error(err)
	}
}

type absentParams struct {
	Query  int          `query:"query" min:"1" required:"false"`
	List   []string     `query:"list" length:"2.." required:"false"`
	Header string       `header:"X-Header" enum:"a,b" required:"false"`
	Cookie absentColour `cookie:"cookie" required:"false"`
	Both   int          `query:"both" header:"X-Both" min:"1" required:"false"`
	Filled int          `query:"filled" min:"1" default:"2" required:"false"`
	*AbsentParams
}

type AbsentParams struct {
	Low  int    `query:"low" min:"1"`
	Side string `query:"side"`
}

// TestAbsentParams: a parameter that is tagged required:"false" and absent breaks no limit.
func TestAbsentParams(t *testing.T) {
	mux := http.NewServeMux()
	a := api.New(api.Mux(mux))
	api.Handle(a, "GET /x", func(_ context.Context, in *absentParams) (*struct{}, error) { return nil, nil })
	for _, test := range []struct {
		query, name, value string
		status             int
		fault              string
	}{
		{"", "", "", 204, ""},
		{"query=1&list=a&list=b&both=1&low=1", "X-Header", "a", 204, ""},
		{"side=x", "", "", 204, ""}, // the struct with low exists, and low is absent
		{"query=0", "", "", 422, `"query","name":"query","detail":"must be at least 1"`},
		{"QUERY=", "", "", 422, `"query","name":"query","detail":"must be at least 1"`},
		{"query=x", "", "", 400, `"query","name":"query","detail":"not a whole number"`},
		{"list=a", "", "", 422, `"query","name":"list","detail":"must have at least 2 elements"`},
		{"low=0", "", "", 422, `"query","name":"low","detail":"must be at least 1"`},
		{"", "X-Header", "", 422, `"header","name":"X-Header","detail":"must be one of a, b"`},
		{"", "Cookie", "cookie=", 422, `"cookie","name":"cookie","detail":"must be one of red"`},
		{"both=0", "", "", 422, `"name":"X-Both","detail":"must be at least 1"`},
		{"both=1", "X-Both", "0", 204, ""}, // the query is read after the header
		{"filled=0", "", "", 422, `"query","name":"filled","detail":"must be at least 1"`},
	} {
		r := httptest.NewRequest("GET", "/x?"+test.query, nil)
		if test.name != "" {
			r.Header.Set(test.name, test.value)
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.fault) || strings.Count(w.Body.String(), `"detail"`) > 2 {
			t.Errorf("%+v: %d %s", test, w.Code, w.Body)
		}
	}
	for _, p := range openapi.Describe(a, openapi.Config{}).Paths["/x"]["get"].Parameters {
		if p.Required {
			t.Errorf("%s is required", p.Name)
		}
	}
}
