package openapi_test

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

type base struct {
	ID int64 `json:"id" doc:"Set by the server."`
}

type page[T any] struct {
	Items []T               `json:"items"`
	Next  mo.Option[string] `json:"next"`
}

type person struct {
	base
	Name     string                     `json:"name" length:"1..64"`
	Mail     mo.Option[string]          `json:"mail" format:"email"`
	Nick     mo.Nullable[string]        `json:"nick,omitzero" length:"..8"`
	Boss     *person                    `json:"boss,omitempty"`
	Roles    []string                   `json:"roles" length:"..3" enum:"reader,writer"`
	Scores   map[string]float32         `json:"scores" min:"-1.5" max:"+1"`
	Born     time.Time                  `json:"born"`
	Timeout  time.Duration              `json:"timeout" max:"10s"`
	Key      []byte                     `json:"key"`
	Raw      json.RawMessage            `json:"raw"`
	Level    uint8                      `json:"level,string"`
	Pair     [2]int                     `json:"pair"`
	Outcome  mo.Result[int]             `json:"outcome"`
	Either   mo.Either[string, int]     `json:"either"`
	Any      any                        `json:"any"`
	Inline   struct{ X, Y int32 }       `json:"inline"`
	Hidden   int                        `json:"-"`
	ByPerson map[string]mo.Option[base] `json:"by_person"`
}

type getIn struct {
	ID     int64             `path:"id" min:"1"`
	Fields []string          `query:"fields" enum:"name,mail"`
	Since  mo.Option[string] `query:"since" format:"date" doc:"Only if changed since then."`
	Trace  string            `header:"X-Trace"`
	Seen   *int              `cookie:"seen"`
}

type putIn struct {
	ID   int64  `path:"id"`
	Body person `body:""`
}

type uploadIn struct {
	Title string                  `form:"title" length:"1.."`
	Files []*multipart.FileHeader `form:"file"`
}

type photoIn struct {
	ID   int64     `path:"id"`
	Body io.Reader `body:"image/png, image/jpeg"`
}

type formIn struct {
	Title string `form:"title"`
}

func onWeb() (*api.API, *web.Echo) {
	e := web.New()
	return api.New(e), e
}

func service() *api.API {
	a, _ := onWeb()
	addService(a)
	return a
}

func addService(e *api.API) {
	api.Handle(e, "GET /people/{id}", func(context.Context, *getIn) (*person, error) { return nil, nil },
		api.Operation{Name: "getPerson", Summary: "One person", Description: "By its number.", Tags: []string{"people"}, Deprecated: true})
	api.Handle(e, "PUT /people/{id}", func(context.Context, *putIn) (*struct{}, error) { return nil, nil })
	api.Handle(e, "POST /people", func(context.Context, *person) (*person, error) { return nil, nil }, api.Operation{Status: http.StatusCreated})
	api.Handle(e, "GET /people", func(context.Context, *struct{}) (*page[person], error) { return nil, nil })
	api.Handle(e, "POST /files", func(context.Context, *uploadIn) (*struct{}, error) { return nil, nil })
	api.Handle(e, "POST /titles", func(context.Context, *formIn) (*struct{}, error) { return nil, nil })
	api.Handle(e, "POST /import", func(context.Context, *api.Elements[person]) (*struct{}, error) { return nil, nil })
	api.Handle(e, "GET /export", func(context.Context, *struct {
		Since string `query:"since"`
	}) (*api.Elements[person], error) {
		return nil, nil
	})
	api.Handle(e, "PUT /photos/{id}", func(context.Context, *photoIn) (*api.Content, error) { return nil, nil },
		api.Operation{ContentType: "image/png", Status: http.StatusCreated})
	api.Handle(e, "POST /blobs", func(context.Context, *struct {
		Body io.Reader `body:""`
	}) (*struct{}, error) {
		return nil, nil
	})
	api.Handle(e, "GET /rest/{path...}", func(context.Context, *struct {
		Path string `path:"path"`
	}) (*struct{}, error) {
		return nil, nil
	})
}

var update = flag.Bool("update", false, "write testdata/service.json anew")

// TestDescribe compares a generated document with a reviewed document in testdata.
func TestDescribe(t *testing.T) {
	doc := openapi.Describe(service(), openapi.Config{Title: "People", Version: "1.2", Description: "Who is who.", Servers: []string{"https://example.org"},
		Routes: map[string]openapi.Route{"GET /live/{host}/{rest...}": {Summary: "Live", ContentType: "text/event-stream"}}})
	got, err := doc.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/service.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/service.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the document has changed; run with -update and read the difference\n%s", got)
	}
}

func TestServe(t *testing.T) {
	a, e := onWeb()
	addService(a)
	if err := openapi.Serve(a, openapi.Config{Title: `A "<b>" & C`, PagePath: "/api/docs/", Path: "/api/openapi.json"}); err != nil {
		t.Fatal(err)
	}
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w
	}
	w := get("/api/openapi.json")
	var doc openapi.Document
	if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil || w.Code != 200 || doc.Info.Title != `A "<b>" & C` || w.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("%d %v %v", w.Code, err, w.Header())
	}
	for path := range doc.Paths {
		if strings.HasPrefix(path, "/api") {
			t.Errorf("the document lists %s", path)
		}
	}
	w = get("/api/docs/")
	for _, part := range []string{`data-document="/api/openapi.json"`, `src="/api/docs/page.js"`, `href="/api/docs/page.css"`} {
		if w.Code != 200 || !strings.Contains(w.Body.String(), part) {
			t.Errorf("%d, no %s", w.Code, part)
		}
	}
	if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") {
		t.Errorf("policy %q", csp)
	}
	for path, mediaType := range map[string]string{"/api/docs/page.js": "text/javascript; charset=utf-8", "/api/docs/page.css": "text/css; charset=utf-8"} {
		if w := get(path); w.Code != 200 || w.Header().Get("Content-Type") != mediaType || w.Body.Len() < 1000 {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
}

// A caller whom the middleware refuses gets neither the document nor the page.
func TestServeMiddlewares(t *testing.T) {
	a, e := onWeb()
	addService(a)
	var order []string
	guard := func(name string) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				order = append(order, name)
				if r.Header.Get("Authorization") == "" {
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
				next.ServeHTTP(w, r)
			})
		}
	}
	if err := openapi.Serve(a, openapi.Config{Middlewares: []func(http.Handler) http.Handler{guard("outer"), guard("inner")}}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/openapi.json", "/docs", "/docs/page.js", "/docs/page.css"} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			r := httptest.NewRequest(method, path, nil)
			w := httptest.NewRecorder()
			if e.ServeHTTP(w, r); w.Code != http.StatusUnauthorized || w.Body.Len() > 0 {
				t.Errorf("%s %s: %d, %d bytes", method, path, w.Code, w.Body.Len())
			}
			order = nil
			r.Header.Set("Authorization", "x")
			w = httptest.NewRecorder()
			if e.ServeHTTP(w, r); w.Code != http.StatusOK || !slices.Equal(order, []string{"outer", "inner"}) {
				t.Errorf("%s %s: %d through %q", method, path, w.Code, order)
			}
		}
	}
}

type first struct{ A int }

func TestNamesApart(t *testing.T) {
	type inner = first
	e := api.New(web.New())
	type person struct{ Other bool }
	api.Handle(e, "GET /a", func(context.Context, *struct{}) (*person, error) { return nil, nil })
	api.Handle(e, "GET /b", func(context.Context, *struct{}) (*page[inner], error) { return nil, nil })
	api.Handle(e, "GET /c", func(context.Context, *struct{}) (*page[person], error) { return nil, nil })
	doc := openapi.Describe(e, openapi.Config{})
	var names []string
	for name := range doc.Components.Schemas {
		names = append(names, name)
	}
	if len(names) != 6 { // person, page of two, first, Problem and FieldProblem
		t.Errorf("%q", names)
	}
	if ids := []string{doc.Paths["/a"]["get"].OperationID, doc.Paths["/b"]["get"].OperationID}; !reflect.DeepEqual(ids, []string{"getA", "getB"}) {
		t.Errorf("%q", ids)
	}
}

// TestTypeScript compares the generated module with a file that tsc --strict has accepted.
func TestTypeScript(t *testing.T) {
	doc := openapi.Describe(service(), openapi.Config{Title: "People", Version: "1.2", Routes: map[string]openapi.Route{"GET /live/{host}/{rest...}": {}}})
	made, err := doc.TypeScript()
	if err != nil {
		t.Fatal(err)
	}
	// The document that Serve serves generates the same module.
	text, err := doc.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var read openapi.Document
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	got, err := read.TypeScript()
	if err != nil || string(got) != string(made) {
		t.Errorf("the parsed document yields another client: %v", err)
	}
	if *update {
		if err := os.WriteFile("testdata/service.ts", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/service.ts")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the client has changed; run with -update and read the difference\n%s", got)
	}
	bad := openapi.Document{Components: openapi.Components{Schemas: map[string]*openapi.Schema{"x": {Type: "date"}}}}
	if _, err := bad.TypeScript(); err == nil {
		t.Error("a type that JSON does not have was accepted")
	}
}

// TestDefaultSummary: the summary of an operation without one is made from its name, or from its
// method and path.
func TestDefaultSummary(t *testing.T) {
	for name, want := range map[string]string{
		"": "GET /hosts/{id}", "listHosts": "List hosts", "ListHosts": "List hosts", "getHTTPHost": "Get HTTP host", "hostID": "Host ID",
		"list_hosts": "List hosts", "list-all.hosts": "List all hosts", "x": "X", "hosts2": "Hosts2", "größe": "Größe", "_": "GET /hosts/{id}", "listÄnderung": "List änderung",
	} {
		a := api.New(api.Mux(http.NewServeMux()))
		api.Handle(a, "GET /hosts/{id}", func(context.Context, *struct {
			ID int `path:"id"`
		}) (*struct{}, error) {
			return nil, nil
		}, api.Operation{Name: name})
		if got := openapi.Describe(a, openapi.Config{}).Paths["/hosts/{id}"]["get"].Summary; got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
