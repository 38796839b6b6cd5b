package apitest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/apitest"
	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

type (
	colour string
	level  int8

	node struct {
		Name     string          `json:"name" length:"1..8" pattern:"^[a-z]+$"`
		Children []*node         `json:"children,omitempty" length:"..5"`
		Labels   map[string]node `json:"labels,omitempty"`
	}
	everything struct {
		ID     int64                `json:"id" readOnly:"true"`
		Colour colour               `json:"colour"`
		Level  level                `json:"level"`
		Small  int8                 `json:"small"`
		Byte   uint8                `json:"byte"`
		Wide   uint64               `json:"wide"`
		Ratio  float64              `json:"ratio" min:"0" max:"1"`
		Step   int                  `json:"step" multipleOf:"5" min:"0"`
		Tags   []string             `json:"tags" length:"1..3" uniqueItems:"true"`
		Grid   [2][]int16           `json:"grid"`
		Data   []byte               `json:"data"`
		At     time.Time            `json:"at"`
		Wait   time.Duration        `json:"wait" default:"10s"`
		Mail   string               `json:"mail" format:"email"`
		Key    string               `json:"key" format:"uuid"`
		Link   mo.Option[string]    `json:"link" format:"uri"`
		Note   mo.Nullable[string]  `json:"note" length:"..5"`
		Size   *int                 `json:"size" min:"1"`
		Tree   node                 `json:"tree"`
		By     map[int]float32      `json:"by"`
		Quoted int                  `json:"quoted,string"`
		Secret string               `json:"secret,omitempty" writeOnly:"true"`
		Any    any                  `json:"any"`
		Either mo.Either[int, node] `json:"either"`
		On     bool                 `json:"on"`
	}
	Bounds struct {
		Low int `json:"low,omitempty" min:"1"`
	}
	// The members of absent have zero values that break a limit. Requests and answers may lack each
	// of them, except Must in a request.
	absent struct {
		*Bounds
		Number   int                         `json:"number,omitempty" min:"1"`
		Below    float64                     `json:"below,omitzero" max:"-1"`
		Text     string                      `json:"text,omitempty" length:"1..5"`
		Pattern  string                      `json:"pattern,omitempty" pattern:"^[a-z]+$"`
		Mail     string                      `json:"mail,omitempty" format:"email"`
		Choice   string                      `json:"choice,omitzero" enum:"a,b"`
		Colour   colour                      `json:"colour,omitempty"`
		Step     int                         `json:"step,omitempty" multipleOf:"5" min:"5"`
		List     []string                    `json:"list,omitempty" length:"1.."`
		Map      map[string]Bounds           `json:"map,omitempty" length:"1.."`
		Pair     [2]int                      `json:"pair,omitzero" min:"1"`
		Node     node                        `json:"node,omitzero"`
		Nodes    [1]node                     `json:"nodes,omitzero"`
		Pointer  *int                        `json:"pointer,omitempty" min:"1"`
		Option   mo.Option[int]              `json:"option,omitzero" min:"1"`
		Nullable mo.Nullable[string]         `json:"nullable,omitzero" length:"1.."`
		Either   mo.Either[colour, []colour] `json:"either,omitzero"`
		Plain    int                         `json:"plain" min:"1" required:"false"`
		Filled   int                         `json:"filled" min:"1" default:"2"`
		Must     string                      `json:"must,omitempty" required:"true"`
	}
	absentIn struct {
		Query  int      `query:"query" min:"1" required:"false"`
		List   []string `query:"list" length:"1.." enum:"a,b" required:"false"`
		Header string   `header:"X-Header" length:"1.." required:"false"`
		Cookie colour   `cookie:"cookie" required:"false"`
	}
	searchIn struct {
		Team   string               `path:"team" pattern:"^[a-z]{1,5}$"`
		ID     int64                `path:"id" min:"1"`
		Limit  int                  `query:"limit" min:"1" max:"100"`
		Page   int                  `query:"page" default:"1" min:"1"`
		Sort   []colour             `query:"sort"`
		Since  mo.Option[time.Time] `query:"since"`
		Wait   time.Duration        `query:"wait" max:"1m"`
		On     bool                 `query:"on"`
		Trace  string               `header:"X-Trace" required:"true" length:"1..50"`
		Old    mo.Nullable[int]     `query:"old"`
		Match  api.Match            `header:"If-Match"`
		Cookie mo.Option[string]    `cookie:"session"`
		Nested struct {
			Depth int      `query:"depth" min:"1" required:"false"`
			Marks []string `header:"X-Marks"`
		}
	}
	listsIn struct {
		Path     []string          `path:"path" length:"..3"`
		Numbers  []int8            `path:"numbers" min:"0"`
		Query    []mo.Option[int]  `query:"query"`
		Header   []string          `header:"X-Header" length:"1..3"`
		Colours  []colour          `header:"X-Colours"`
		Cookie   []float64         `cookie:"cookie" max:"100"`
		Times    []time.Time       `header:"X-Times" format:"date"`
		Data     []byte            `query:"data"`
		Bools    mo.Option[[]bool] `cookie:"bools"`
		Datas    [][]byte          `cookie:"datas"`
		Optional *[]string         `path:"optional"`
	}
	made struct {
		_        struct{}   `status:"201"`
		Location string     `header:"Location"`
		Body     everything `body:""`
	}
	queued struct {
		_ struct{} `status:"202"`
	}
	soldOut struct {
		api.Problem
		Left int `json:"left"`
	}
)

func (colour) Values() []colour { return []colour{"red", "blue"} }
func (level) Values() []level   { return []level{1, 2, 4} }

func handleAll(a *api.API) {
	bearer := security.Bearer("session", func(_ context.Context, token string) (string, error) {
		if token != "secret" {
			return "", errors.New("no")
		}
		return token, nil
	})
	staff := security.Bearer("staff", func(_ context.Context, token string) (scopes, error) {
		if token == "secret" {
			return scopes{"read", "admin"}, nil
		}
		return nil, nil
	})
	a.Defaults.Security = []security.Requirement{bearer.With()}
	api.Handle(a, "GET /admin", func(context.Context, *struct{}) (*searchIn2, error) { return &searchIn2{}, nil },
		api.Operation{Security: []security.Requirement{staff.With("admin")}})
	echo := func(_ context.Context, in *everything) (*everything, error) { return in, nil }
	api.Handle(a, "POST /echo", echo)
	api.Handle(a, "POST /strict", echo, api.Operation{Unknown: api.UnknownRefused})
	api.Handle(a, "POST /absent", func(_ context.Context, in *absent) (*absent, error) {
		if in.Plain == 0 {
			in.Plain = 1
		}
		return in, nil
	})
	api.Handle(a, "GET /absent", func(context.Context, *absentIn) (*struct{}, error) { return nil, nil })
	api.Handle(a, "PUT /made", func(_ context.Context, in *struct {
		Later bool       `query:"later"`
		Body  everything `body:""`
	}) (*mo.Either[made, queued], error) {
		out := mo.Left[made, queued](made{Location: "/made/1", Body: in.Body})
		if in.Later {
			out = mo.Right[made](queued{})
		}
		return &out, nil
	}, api.Operation{Errors: []error{&soldOut{Problem: *api.NewProblem(http.StatusConflict, "")}}})
	api.Handle(a, "GET /teams/{team}/items/{id}", func(_ context.Context, in *searchIn) (*searchIn2, error) {
		return &searchIn2{fmt.Sprintf("%+v", *in)}, in.Match.Check(`"x"`)
	}, api.Operation{Unknown: api.UnknownRefused})
	api.Handle(a, "GET /lists/{path}/{numbers}/{optional}", func(_ context.Context, in *listsIn) (*searchIn2, error) {
		return &searchIn2{fmt.Sprintf("%+v", *in)}, nil
	})
	api.Handle(a, "GET /etag/{rest...}", func(_ context.Context, in *struct {
		Rest string `path:"rest"`
	}) (*searchIn2, error) {
		return &searchIn2{in.Rest}, nil
	}, api.Operation{ETag: true})
	api.Handle(a, "POST /stream", func(_ context.Context, in *api.Elements[node]) (*api.Elements[node], error) {
		var all []node
		for n, err := range *in {
			if err != nil {
				return nil, err
			}
			all = append(all, n)
		}
		return api.ValuesOf(func(yield func(node) bool) {
			for _, n := range all {
				if !yield(n) {
					return
				}
			}
		}), nil
	})
	api.Handle(a, "GET /file", func(context.Context, *struct{}) (*api.Content, error) {
		return &api.Content{Type: "text/csv", Body: strings.NewReader("a,b")}, nil
	}, api.Operation{ContentType: "text/csv"})
	api.Handle(a, "POST /form", func(_ context.Context, in *struct {
		Name string   `form:"name" length:"1..20"`
		Tags []string `form:"tags"`
	}) (*searchIn2, error) {
		return &searchIn2{in.Name}, nil
	})
	api.Handle(a, "POST /bytes", func(_ context.Context, in *struct {
		Body io.Reader `body:"text/plain"`
	}) (*searchIn2, error) {
		n, err := io.Copy(io.Discard, in.Body)
		return &searchIn2{fmt.Sprint(n)}, err
	}, api.Operation{Security: []security.Requirement{}})
	api.HandleEvents(a, "GET /live", func(ctx context.Context, _ *struct{}, events *api.Events) error {
		if err := events.SendJSON("1", node{Name: "a"}); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	}, api.Operation{Events: map[string]any{"": node{}}})
	api.Handle(a, "QUERY /nodes", func(_ context.Context, in *node) (*fieldsOfNode, error) {
		return &fieldsOfNode{Name: in.Name, Children: len(in.Children), At: time.Unix(0, 0), Session: http.Cookie{Value: in.Name}, Body: *in}, nil
	})
	api.Handle(a, "PURGE /nodes", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
	api.HandleEvents(a, "GET /quiet", func(ctx context.Context, _ *struct{}, _ *api.Events) error {
		<-ctx.Done()
		return nil
	}, api.Operation{Events: map[string]any{"": node{}}, OpenWait: time.Millisecond})
	api.Handle(a, "GET /quiet/elements", func(ctx context.Context, _ *struct{}) (*api.Elements[node], error) {
		return api.ValuesOf(func(func(node) bool) { <-ctx.Done() }), nil
	}, api.Operation{OpenWait: time.Millisecond})
}

type fieldsOfNode struct {
	Name     string      `header:"X-Name"`
	Children int         `header:"X-Children"`
	At       time.Time   `header:"X-At"`
	Session  http.Cookie `cookie:"session"`
	Body     node        `body:""`
}

type searchIn2 struct {
	Text string `json:"text"`
}

type scopes []string

func (s scopes) Scopes() []string { return s }

func withoutScopes(r *http.Request) { r.Header.Set("Authorization", "Bearer plain") }

func authorize(r *http.Request) { r.Header.Set("Authorization", "Bearer secret") }

// TestRun checks servers on both kinds of router against their generated documents.
func TestRun(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("documents describe an int as 64 bits long, on every machine")
	}
	requests := 300
	if testing.Short() {
		requests = 50
	}
	mux := http.NewServeMux()
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler)})
	for name, router := range map[string]struct {
		r api.Router
		h http.Handler
	}{"web": {e, e}, "ServeMux": {api.Mux(mux), mux}} {
		t.Run(name, func(t *testing.T) {
			a := api.New(router.r)
			a.Logger = slog.New(slog.DiscardHandler)
			handleAll(a)
			apitest.Run(t, router.h, openapi.Describe(a, openapi.Config{}), apitest.Options{Requests: requests, Prepare: authorize, PrepareUnscoped: withoutScopes})
		})
	}
}

// A recorder is a testing.TB that records failures.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper()             {}
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Error(args ...any)   { r.failures = append(r.failures, fmt.Sprint(args...)) }
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatalf(format string, args ...any) { panic(r) }

// TestRunFinds checks servers that each deviate from their document in one way.
func TestRunFinds(t *testing.T) {
	type item struct {
		N int `json:"n"`
	}
	type counted struct {
		Count int  `header:"X-Count"`
		Body  item `body:""`
	}
	for want, h := range map[string]http.HandlerFunc{
		"status 500":                                     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"the document does not list the status":          func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(201) },
		"the document does not list the media type":      func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<p>") },
		"got a string, want integer":                     func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, `{"n":"x"}`) },
		`.secret: the document does not list it`:         func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, `{"n":1,"secret":"x"}`) },
		`the member "n" is missing`:                      func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, `{}`) },
		"the body is not JSON":                           func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, `{`) },
		"the server should have refused the request":     func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, `{"n":1}`) },
		"the server should not have refused the request": func(w http.ResponseWriter, r *http.Request) { api.NewProblem(422, "").ServeHTTP(w, r) },
		"the body is incomplete":                         func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, `{"n":`); panic(http.ErrAbortHandler) },
		"the header field X-Count: not a number": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Count", "many")
			answerJSON(w, `{"n":1}`)
		},
		"the header field has a control character: X-Other": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Other", "a\r\nb")
			answerJSON(w, `{"n":1}`)
		},
		"the handler panicked: unexpected": func(http.ResponseWriter, *http.Request) { panic("unexpected") },
	} {
		a := api.New(api.Mux(http.NewServeMux()))
		api.Handle(a, "POST /items", func(_ context.Context, in *item) (*counted, error) { return &counted{Body: *in}, nil })
		if got := failuresOf(t, h, a, apitest.Options{}); !strings.Contains(got, want) {
			t.Errorf("got %.1000s\nwant %s", got, want)
		}
	}
}

// failuresOf returns the failures that Run reports for a server and the document of an API.
func failuresOf(t *testing.T, h http.Handler, a *api.API, o apitest.Options) string {
	r := &recorder{TB: t}
	func() {
		defer func() {
			if v := recover(); v != nil && v != any(r) {
				panic(v)
			}
		}()
		apitest.Run(r, h, openapi.Describe(a, openapi.Config{}), o)
	}()
	return strings.Join(r.failures, "\n")
}

// TestRunCredentials checks servers that admit requests without the required credentials or scopes.
func TestRunCredentials(t *testing.T) {
	bearer := security.Bearer[int]("session", nil)
	for _, test := range []struct {
		requirements []security.Requirement
		allowed      string // the Authorization fields that the server admits
		want         string
	}{
		{[]security.Requirement{bearer.With()}, "Bearer secret, Bearer plain", ""},
		{[]security.Requirement{bearer.With()}, "Bearer secret, Bearer plain, ", "invalid request: it has no credentials"},
		{[]security.Requirement{bearer.With(), {}}, "Bearer secret, Bearer plain, ", ""},
		{[]security.Requirement{bearer.With("admin")}, "Bearer secret", ""},
		{[]security.Requirement{bearer.With("admin")}, "Bearer secret, Bearer plain", "invalid request: its credentials grant no scopes"},
		{[]security.Requirement{bearer.With("admin"), bearer.With()}, "Bearer secret, Bearer plain", ""},
	} {
		a := api.New(api.Mux(http.NewServeMux()))
		api.Handle(a, "GET /items", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }, api.Operation{Security: test.requirements})
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !slices.Contains(strings.Split(test.allowed, ", "), r.Header.Get("Authorization")) {
				api.NewProblem(403, "").ServeHTTP(w, r)
				return
			}
			w.WriteHeader(http.StatusNoContent)
		})
		got := failuresOf(t, h, a, apitest.Options{Requests: 300, Prepare: authorize, PrepareUnscoped: withoutScopes})
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%v, %q: got %.300s, want %q", test.requirements, test.allowed, got, test.want)
		}
	}
}

// TestRunEnds checks servers whose answers do not begin, or do not end. Run reports the operation once, and continues with
// the next operation.
func TestRunEnds(t *testing.T) {
	type item struct {
		N int `json:"n"`
	}
	wait := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for want, h := range map[string]http.HandlerFunc{
		"no answer within 50ms":                              wait,
		"status 200, and the body has not ended within 50ms": func(w http.ResponseWriter, r *http.Request) { answerJSON(w, `{"n":`); wait(w, r) },
	} {
		a := api.New(api.Mux(http.NewServeMux()))
		for _, name := range []string{"first", "second"} {
			api.Handle(a, "POST /"+name, func(_ context.Context, in *item) (*item, error) { return in, nil }, api.Operation{Name: name})
		}
		failures := failuresOf(t, h, a, apitest.Options{Timeout: 50 * time.Millisecond, Requests: 3})
		if strings.Count(failures, want) != 2 || !strings.Contains(failures, "first (") || !strings.Contains(failures, "second (") {
			t.Errorf("got %s\nwant %s", failures, want)
		}
	}
	// A handler that ignores the end of its context does not stop Run either.
	release := make(chan struct{})
	defer close(release)
	a := api.New(api.Mux(http.NewServeMux()))
	api.HandleEvents(a, "GET /live", func(context.Context, *struct{}, *api.Events) error { return nil }, api.Operation{Name: "live"})
	failures := failuresOf(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }), a, apitest.Options{Timeout: 50 * time.Millisecond})
	if strings.Count(failures, "no answer within 50ms") != 1 || !strings.Contains(failures, "live (valid request)") {
		t.Errorf("%s", failures)
	}
}

func answerJSON(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, text)
}

// TestClient calls handlers in memory, with streams and errors.
func TestClient(t *testing.T) {
	mux := http.NewServeMux()
	a := api.New(api.Mux(mux))
	handleAll(a)
	c := apitest.NewClient(mux, client.Options{Header: http.Header{"Authorization": {"Bearer secret"}}})
	in := &struct {
		Later bool       `query:"later"`
		Body  everything `body:""`
	}{Body: everything{Colour: "red", Level: 1, Tags: []string{"a"}, Mail: "a@example.org", Key: strings.Repeat("0", 8) + "-0000-0000-0000-" + strings.Repeat("0", 12), Tree: node{Name: "a"}, Either: mo.Left[int, node](1)}}
	make := client.Call[struct {
		Later bool       `query:"later"`
		Body  everything `body:""`
	}, mo.Either[made, queued]](c, "PUT /made")
	out, err := make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if first, ok := out.Left(); !ok || first.Location != "/made/1" || first.Body.Colour != "red" {
		t.Errorf("%+v", out)
	}
	in.Later = true
	if out, err = make(t.Context(), in); err != nil || !out.IsRight() {
		t.Errorf("%+v, %v", out, err)
	}
	in.Body.Tags = nil
	var p *api.Problem
	if _, err = make(t.Context(), in); !errors.As(err, &p) || p.Status != 422 || p.Errors[0].Name != ".tags" {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for event, err := range client.CallEvents[struct{}](c, "GET /live")(ctx, nil) {
		if err != nil {
			break
		}
		if event.ID != "1" {
			t.Errorf("%+v", event)
		}
		cancel()
	}
}
