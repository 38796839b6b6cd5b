package apitest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/apitest"
	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

// A listIn has a list in each part of a request that is not the body.
type listIn[E any] struct {
	Path   []E `path:"path"`
	Query  []E `query:"query"`
	Header []E `header:"X-Header"`
	Cookie []E `cookie:"cookie"`
}

type formIn[E any] struct {
	Form []E `form:"form"`
}

type (
	listName  string
	listLevel int8
	listPoint struct{ X, Y int }
)

func (p listPoint) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d:%d", p.X, p.Y), nil }

func (p *listPoint) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "%d:%d", &p.X, &p.Y)
	return err
}

// A listCase has lists of one type of element.
type listCase struct {
	name string
	// register adds the operations GET /lists/{path}/x and POST /form with a suffix, and returns functions for
	// the last In of each.
	register func(a *api.API, suffix string) (last, form func() any)
	// call calls both operations with each of the values, and yields the values.
	call func(ctx context.Context, c *client.Client, compare func(sent, form any)) error
	// lists are the lists as JSON, which the document describes.
	lists []string
	json  bool // the elements are written in JSON as they are in a parameter
}

func listOf[E any](name string, json bool, lists ...[]E) listCase {
	c := listCase{name: name, json: json}
	c.register = func(a *api.API, suffix string) (last, form func() any) {
		var in listIn[E]
		var posted formIn[E]
		api.Handle(a, "GET /lists/{path}/x"+suffix, func(_ context.Context, v *listIn[E]) (*struct{}, error) { in = *v; return nil, nil }, api.Operation{Name: "list" + suffix})
		api.Handle(a, "POST /form"+suffix, func(_ context.Context, v *formIn[E]) (*struct{}, error) { posted = *v; return nil, nil }, api.Operation{Name: "form" + suffix})
		return func() any { return in }, func() any { return posted }
	}
	c.call = func(ctx context.Context, hone *client.Client, compare func(sent, form any)) error {
		call, post := client.Call[listIn[E], struct{}](hone, "GET /lists/{path}/x"), client.Call[formIn[E], struct{}](hone, "POST /form")
		for _, list := range lists {
			in, form := listIn[E]{list, list, list, list}, formIn[E]{list}
			if _, err := call(ctx, &in); err != nil {
				return fmt.Errorf("%v: %w", list, err)
			}
			if _, err := post(ctx, &form); err != nil {
				return fmt.Errorf("%v: %w", list, err)
			}
			compare(in, form)
		}
		return nil
	}
	for _, list := range lists {
		c.lists = append(c.lists, jsonOf(list))
	}
	return c
}

func jsonOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

var day = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

var listCases = []listCase{
	listOf("string", true, []string{"a"}, []string{"a", "b"}, []string{"a b", `c=d&e/f?g%2Ch+i`, "..", "."}, []string{"a", "", "b"}),
	listOf("int", true, []int{1}, []int{-1, 0, 2}),
	listOf("uint16", true, []uint16{0, 65535}),
	listOf("float", true, []float64{1.5, -2, 1e21}),
	listOf("bool", true, []bool{true, false}),
	listOf("time", true, []time.Time{day, day.AddDate(1, 0, 0)}),
	listOf("duration", true, []time.Duration{0, 1500}),
	listOf("named string", true, []listName{"x", "y z"}),
	listOf("named int", true, []listLevel{1, -1}),
	listOf("values", true, []colour{"red", "blue"}),
	listOf("text", true, []listPoint{{1, 2}, {3, 4}}),
	listOf("address", true, []netip.Addr{netip.MustParseAddr("::1"), netip.MustParseAddr("192.0.2.1")}),
	listOf("bytes", true, [][]byte{[]byte("a,b"), {0xff, 0xfe}}),
	listOf("option", false, []mo.Option[int]{mo.Some(1), mo.None[int](), mo.Some(0)}),
	listOf("option of string", true, []mo.Option[string]{mo.Some("a"), mo.Some("b")}),
	listOf("pointer", true, []*int{new(int), new(int)}),
	listOf("nullable", false, []mo.Nullable[int]{mo.Value(1), mo.Null[int]()}),
}

// TestLists sends lists of each type of element in each part of a request: by a client that only knows the
// document, by the Go client and by the TypeScript client. The server reads the elements that were sent.
func TestLists(t *testing.T) {
	for _, c := range listCases {
		for name, router := range map[string]func() (api.Router, http.Handler){
			"ServeMux": func() (api.Router, http.Handler) { mux := http.NewServeMux(); return api.Mux(mux), mux },
			"web":      func() (api.Router, http.Handler) { e := web.New(); return e, e },
			"prefix": func() (api.Router, http.Handler) {
				mux := http.NewServeMux()
				return api.Mux(mux), http.StripPrefix("/a,b", mux)
			},
		} {
			t.Run(c.name+" "+name, func(t *testing.T) {
				r, h := router()
				a := api.New(r)
				last, form := c.register(a, "")
				server := httptest.NewServer(h)
				defer server.Close()
				base := server.URL
				if name == "prefix" {
					base += "/a,b"
				}
				document := openapi.Describe(a, openapi.Config{})
				hone, err := client.New(base)
				if err != nil {
					t.Fatal(err)
				}
				i := 0
				err = c.call(t.Context(), hone, func(sent, sentForm any) {
					if got := last(); !reflect.DeepEqual(got, sent) {
						t.Errorf("the Go client sent %s\nthe server read     %s", jsonOf(sent), jsonOf(got))
					}
					if got := form(); !reflect.DeepEqual(got, sentForm) {
						t.Errorf("the Go client sent %s\nthe server read     %s", jsonOf(sentForm), jsonOf(got))
					}
					if c.json {
						sendByDocument(t, document, base, c.lists[i])
						if got := last(); !reflect.DeepEqual(got, sent) {
							t.Errorf("by the document %s was sent\nthe server read %s", c.lists[i], jsonOf(got))
						}
					}
					i++
				})
				if err != nil {
					t.Error(err)
				}
				if name != "prefix" {
					apitest.Run(t, h, document, apitest.Options{Requests: 30, Lenient: c.name == "text" || c.name == "address"})
				}
			})
		}
	}
}

// sendByDocument sends a list in each part of a request, in the style that the document has for the part. It
// follows the specification of OpenAPI, and does not use package bind.
func sendByDocument(t *testing.T, document *openapi.Document, base, list string) {
	t.Helper()
	var values []any
	d := json.NewDecoder(strings.NewReader(list))
	d.UseNumber()
	if err := d.Decode(&values); err != nil {
		t.Fatal(err)
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	path, query, header := "/lists/{path}/x", url.Values{}, http.Header{}
	for _, p := range document.Paths[path]["get"].Parameters {
		style, explode := map[string]string{"path": "simple", "header": "simple", "query": "form", "cookie": "form"}[p.In], p.In == "query" || p.In == "cookie"
		if p.Style != "" {
			style = p.Style
		}
		if p.Explode != nil {
			explode = *p.Explode
		}
		switch p.In + " " + style + " " + fmt.Sprint(explode) {
		case "path simple false":
			escaped := make([]string, len(texts))
			for i, text := range texts {
				escaped[i] = strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
			}
			path = strings.ReplaceAll(path, "{path}", strings.Join(escaped, ","))
		case "header simple false":
			quoted := slices.Clone(texts)
			for i, text := range quoted {
				if text == "" {
					quoted[i] = `""`
				}
			}
			header.Set(p.Name, strings.Join(quoted, ","))
		case "query form true":
			query[p.Name] = texts
		case "cookie form false":
			header.Set("Cookie", p.Name+"="+strings.Join(texts, ","))
		default:
			t.Fatalf("no list has the style %s, explode %t, in the %s", style, explode, p.In)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), "GET", base+path+"?"+query.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		t.Errorf("%s %s %v: status %d", r.URL, list, header, resp.StatusCode)
	}
}

// TestListsTypeScript sends the lists with a TypeScript client. Browsers send cookies themselves.
func TestListsTypeScript(t *testing.T) {
	testkit.Tool(t, "tsc")
	mux := http.NewServeMux()
	a := api.New(api.Mux(mux))
	script := `
import { Client } from "./client.js";
const api = new Client(process.argv[2]);
`
	var check []func()
	for i, c := range listCases {
		if !c.json {
			continue
		}
		suffix, list := strconv.Itoa(i), c.lists[len(c.lists)-1]
		last, form := c.register(a, suffix)
		script += fmt.Sprintf(`
await api.list%s({ path: %s, query: %s, "X-Header": %s });
await api.form%s({ form: %s });
`, suffix, list, list, list, suffix, list)
		check = append(check, func() {
			var want []any
			if err := json.Unmarshal([]byte(list), &want); err != nil {
				t.Fatal(err)
			}
			wanted := jsonOf(map[string]any{"Path": want, "Query": want, "Header": want, "Cookie": nil})
			if got := sortedJSON(t, last()); got != wanted {
				t.Errorf("%s: the server read %s, want %s", c.name, got, wanted)
			}
			if got, wanted := sortedJSON(t, form()), jsonOf(map[string]any{"Form": want}); got != wanted {
				t.Errorf("%s: the server read %s, want %s", c.name, got, wanted)
			}
		})
	}
	server := httptest.NewServer(mux)
	defer server.Close()
	text, err := openapi.Describe(a, openapi.Config{}).TypeScript()
	if err != nil {
		t.Fatal(err)
	}
	testkit.RunTypeScript(t, string(text), script, server.URL)
	for _, check := range check {
		check()
	}
}

func sortedJSON(t *testing.T, v any) string {
	t.Helper()
	var any map[string]any
	if err := json.Unmarshal([]byte(jsonOf(v)), &any); err != nil {
		t.Fatal(err)
	}
	return jsonOf(any)
}

type commaIn struct {
	Path   []string `path:"path"`
	Query  []string `query:"query"`
	Header []string `header:"X-Header"`
	Cookie []string `cookie:"cookie"`
}

var oddElements = []string{"a,b", `"`, `\`, `"c"`, " d ", "", `e"f`, ",", "%2C", "/"}

// TestListsWithCommas: elements contain commas and quotes in each part of a request but a cookie, which has no
// way to write them.
func TestListsWithCommas(t *testing.T) {
	mux := http.NewServeMux()
	a := api.New(api.Mux(mux))
	var got commaIn
	api.Handle(a, "GET /lists/{path}", func(_ context.Context, in *commaIn) (*struct{}, error) { got = *in; return nil, nil }, api.Operation{Name: "list"})
	server := httptest.NewServer(mux)
	defer server.Close()
	c, err := client.New(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	call := client.Call[commaIn, struct{}](c, "GET /lists/{path}")
	odd := oddElements
	in := commaIn{Path: odd, Query: odd, Header: odd}
	if _, err := call(t.Context(), &in); err != nil || !reflect.DeepEqual(got, in) {
		t.Errorf("%v\ngot  %q\nwant %q", err, got, in)
	}
	for _, refused := range []commaIn{{Path: []string{"a"}, Cookie: odd[:1]}, {Path: []string{""}}, {}, {Path: []string{"a"}, Header: []string{"a\nb"}}} {
		if _, err := call(t.Context(), &refused); err == nil {
			t.Errorf("%q was sent as %q", refused, got)
		}
	}
	for lines, want := range map[string][]string{
		"a":                   {"a"},
		"a,b , c|d":           {"a", "b", "c", "d"},
		", ,a,,":              {"a"},
		`"a,b"`:               {"a,b"},
		`"a\"\\" , b"c,W/"d"`: {`a"\`, `b"c`, `W/"d"`},
		"":                    nil,
		`""`:                  {""},
		`"a`:                  {"400"},
		`"a"b`:                {"400"},
		`"a\`:                 {"400"},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/lists/x", nil)
		r.Header["X-Header"] = strings.Split(lines, "|")
		r.Header["Cookie"] = []string{"cookie=1; cookie=2,3", "cookie="}
		got = commaIn{}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode == 400 {
			got.Header = []string{"400"}
		} else if !reflect.DeepEqual(got.Cookie, []string{"1", "2", "3", ""}) {
			t.Errorf("cookies: %q", got.Cookie)
		}
		if len(got.Header)+len(want) > 0 && !reflect.DeepEqual(got.Header, want) {
			t.Errorf("%s: got %q, want %q", lines, got.Header, want)
		}
	}
}

// TestCommasTypeScript sends the same elements with a TypeScript client.
func TestCommasTypeScript(t *testing.T) {
	testkit.Tool(t, "tsc")
	mux := http.NewServeMux()
	a := api.New(api.Mux(mux))
	var got commaIn
	api.Handle(a, "GET /lists/{path}", func(_ context.Context, in *commaIn) (*struct{}, error) { got = *in; return nil, nil }, api.Operation{Name: "list"})
	server := httptest.NewServer(mux)
	defer server.Close()
	text, err := openapi.Describe(a, openapi.Config{}).TypeScript()
	if err != nil {
		t.Fatal(err)
	}
	list := jsonOf(oddElements)
	testkit.RunTypeScript(t, string(text), `
import { Client } from "./client.js";
await new Client(process.argv[2]).list({ path: `+list+`, query: `+list+`, "X-Header": `+list+` });
`, server.URL)
	if want := (commaIn{Path: oddElements, Query: oddElements, Header: oddElements}); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

type (
	restListIn struct {
		Path []string `path:"path"`
	}
	jsonTextIn struct {
		Path mo.Nullable[[]int] `query:"path"`
	}
	eitherIn struct {
		Path mo.Either[int, string] `header:"X-Path"`
	}
	nestedIn struct {
		Path [][]string `query:"path"`
	}
)

// TestListsRefused: a type that the document cannot describe is an error at set-up, for servers and clients.
func TestListsRefused(t *testing.T) {
	c, err := client.New("http://localhost")
	if err != nil {
		t.Fatal(err)
	}
	refused := func(name, want string, register func()) {
		t.Helper()
		defer func() {
			if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
		}()
		register()
	}
	mux := api.Mux(http.NewServeMux())
	refused("rest", "which a pattern that ends in {path...} cannot have", func() {
		api.Handle(mux, "GET /{path...}", func(context.Context, *restListIn) (*struct{}, error) { return nil, nil })
	})
	refused("rest", "which a pattern that ends in {path...} cannot have", func() { client.Call[restListIn, struct{}](c, "GET /{path...}") })
	refused("nullable", "its text is JSON", func() {
		api.Handle(mux, "GET /nullable", func(context.Context, *jsonTextIn) (*struct{}, error) { return nil, nil })
	})
	refused("nullable", "its text is JSON", func() { client.Call[jsonTextIn, struct{}](c, "GET /nullable") })
	refused("either", "its text is JSON", func() {
		api.Handle(mux, "GET /either", func(context.Context, *eitherIn) (*struct{}, error) { return nil, nil })
	})
	refused("nested", "not nest them", func() {
		api.Handle(mux, "GET /nested", func(context.Context, *nestedIn) (*struct{}, error) { return nil, nil })
	})
}
