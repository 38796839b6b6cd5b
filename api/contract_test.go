package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

// routers are two routers that store path values and handle errors in different ways.
var routers = map[string]func() (*api.API, http.Handler){
	"web": func() (*api.API, http.Handler) { e := web.New(); return api.New(e), e },
	"ServeMux": func() (*api.API, http.Handler) {
		mux := http.NewServeMux()
		return api.New(api.Mux(mux)), mux
	},
}

// onEach runs a test on each router.
func onEach(t *testing.T, test func(t *testing.T, a *api.API, h http.Handler)) {
	for name, router := range routers {
		t.Run(name, func(t *testing.T) {
			a, h := router()
			test(t, a, h)
		})
	}
}

// A sent is a request. header alternates between names and values.
type sent struct {
	method, target, body string
	header               []string
}

func send(h http.Handler, s sent) *httptest.ResponseRecorder {
	r := httptest.NewRequest(s.method, s.target, strings.NewReader(s.body))
	if s.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(s.header); i += 2 {
		r.Header.Set(s.header[i], s.header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// expect compares a response with the status and the body, without the newline. If want begins
// with "~", the body only has to contain the text after the "~".
func expect(t *testing.T, what string, w *httptest.ResponseRecorder, status int, want string) {
	t.Helper()
	got := strings.TrimSuffix(w.Body.String(), "\n")
	part, isPart := strings.CutPrefix(want, "~")
	if w.Code != status || !isPart && got != want || isPart && !strings.Contains(got, part) {
		t.Errorf("%s: got %d %s\nwant %d %s", what, w.Code, got, status, want)
	}
}

type (
	patchItem struct {
		Name mo.Nullable[string] `json:"name" length:"1..5"`
		Size mo.Nullable[int]    `json:"size"`
	}
	patchIn struct {
		ID    int64               `path:"id"`
		Owner mo.Nullable[string] `query:"owner"`
		Dry   bool                `query:"dry" default:"true"`
		Body  patchItem           `body:""`
	}
	patchOut struct {
		Text string `json:"text"`
	}
)

// TestNullable distinguishes absent, null and a value, in the body and the query.
func TestNullable(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		api.Handle(a, "PATCH /items/{id}", func(_ context.Context, in *patchIn) (*patchOut, error) {
			return &patchOut{fmt.Sprint(in.Body.Name, in.Body.Size, in.Owner, in.Dry)}, nil
		})
		expect(t, "absent", send(h, sent{"PATCH", "/items/1", `{}`, nil}), 200, `{"text":"Absent Absent Absent true"}`)
		expect(t, "null", send(h, sent{"PATCH", "/items/1?owner=null&dry=false", `{"name":null,"size":null}`, nil}), 200, `{"text":"Null Null Null false"}`)
		expect(t, "value", send(h, sent{"PATCH", "/items/1?owner=", `{"name":"a","size":0}`, nil}), 200, `{"text":"Value(a) Value(0) Value() true"}`)
		expect(t, "limit", send(h, sent{"PATCH", "/items/1", `{"name":""}`, nil}), 422, `~".name","detail":"must have 1 to 5 characters"`)
	})
}

type (
	strictKept struct {
		Name string `json:"name"`
	}
	strictIn struct {
		ID    int64      `path:"id"`
		Limit int        `query:"limit" min:"1"`
		Trace string     `header:"X-Trace" required:"true"`
		Rest  url.Values `query:"*"`
		Body  strictKept `body:""`
	}
)

// TestUnknown sends members and parameters that match no field. An operation ignores them, refuses
// all of them in one answer, or collects them in a field.
func TestUnknown(t *testing.T) {
	type plain struct {
		Q    string     `query:"q"`
		Body strictKept `body:""`
	}
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		text := func(in any) (*patchOut, error) { return &patchOut{fmt.Sprintf("%+v", in)}, nil }
		api.Handle(a, "POST /ignored", func(_ context.Context, in *plain) (*patchOut, error) { return text(*in) })
		a.Defaults.Unknown = api.UnknownRefused
		api.Handle(a, "POST /refused", func(_ context.Context, in *plain) (*patchOut, error) { return text(*in) })
		api.Handle(a, "POST /body", func(_ context.Context, in *strictKept) (*patchOut, error) { return text(*in) })
		api.Handle(a, "GET /none", func(context.Context, *struct{}) (*patchOut, error) { return text("") })
		api.Handle(a, "POST /own", func(_ context.Context, in *plain) (*patchOut, error) { return text(*in) }, api.Operation{Unknown: api.UnknownIgnored})
		api.Handle(a, "POST /kept/{id}", func(_ context.Context, in *strictIn) (*patchOut, error) { return text(*in) })
		api.Handle(a, "POST /list", func(_ context.Context, in *api.Elements[strictKept]) (*patchOut, error) {
			for _, err := range *in {
				if err != nil {
					return nil, err
				}
			}
			return text("all")
		})
		expect(t, "ignored", send(h, sent{"POST", "/ignored?x=1", `{"name":"a","y":1}`, nil}), 200, `{"text":"{Q: Body:{Name:a}}"}`)
		expect(t, "refused", send(h, sent{"POST", "/refused?x=1&q=2", `{"name":"a","y":{"z":1}}`, nil}), 422,
			`~"errors":[{"in":"query","name":"x","detail":"is not known"},{"in":"body","name":".y","detail":"is not known"}]`)
		expect(t, "all of In", send(h, sent{"POST", "/body?x=1", `{"Name":"a","y":1}`, nil}), 422,
			`~"errors":[{"in":"query","name":"x","detail":"is not known"},{"in":"body","name":".y","detail":"is not known"}]`)
		expect(t, "no In", send(h, sent{"GET", "/none?x", "", nil}), 422, `~"name":"x","detail":"is not known"`)
		expect(t, "no In, nothing", send(h, sent{"GET", "/none", "", nil}), 200, `{"text":""}`)
		expect(t, "an operation's own", send(h, sent{"POST", "/own?x=1", `{"name":"a","y":1}`, nil}), 200, `{"text":"{Q: Body:{Name:a}}"}`)
		expect(t, "kept", send(h, sent{"POST", "/kept/1?x=1&x=2&limit=3", `{"name":"a"}`, []string{"X-Trace", "t"}}), 200,
			`{"text":"{ID:1 Limit:3 Trace:t Rest:map[x:[1 2]] Body:{Name:a}}"}`)
		expect(t, "everything", send(h, sent{"POST", "/kept/1?x=1", `{"nme":"a"}`, nil}), 422,
			`~"errors":[{"in":"header","name":"X-Trace","detail":"is required"},{"in":"query","name":"limit","detail":"must be at least 1"},{"in":"body","name":".name","detail":"is required"},{"in":"body","name":".nme","detail":"is not known"}]`)
		expect(t, "elements", send(h, sent{"POST", "/list", `[{"name":"a"},{"name":"b","x":1}]`, nil}), 422, `~"name":"[1].x","detail":"is not known"`)
		expect(t, "an element's member", send(h, sent{"POST", "/list", `[{"name":"a"},{}]`, nil}), 422, `~"name":"[1].name","detail":"is required"`)
	})
}

type span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (s *span) Validate(ctx context.Context) error {
	if api.Request(ctx) == nil {
		return errors.New("no request")
	}
	switch {
	case s.To == 403:
		return api.NewProblem(403, "not yours")
	case s.To < s.From:
		return errors.Join(api.FieldProblem{Name: ".to", Detail: "must not be before from"}, errors.New("is no span"))
	}
	return nil
}

type validIn struct {
	Key  string `query:"key"`
	Body struct {
		Spans []span          `json:"spans"`
		Main  mo.Option[span] `json:"main"`
	} `body:""`
}

func (in validIn) Validate(context.Context) error {
	if in.Key == "bad" {
		return api.FieldProblem{In: "query", Name: "key", Detail: "must be good"}
	}
	return nil
}

func TestValidate(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		asked := 0
		a.Defaults.Validator = func(_ context.Context, in any) error {
			asked++
			if in.(*validIn).Key == "odd" {
				return errors.New("key is odd")
			}
			return nil
		}
		api.Handle(a, "POST /spans", func(_ context.Context, in *validIn) (*struct{}, error) { return nil, nil })
		expect(t, "fine", send(h, sent{"POST", "/spans", `{"spans":[{"from":1,"to":2}]}`, nil}), 204, "")
		expect(t, "faults", send(h, sent{"POST", "/spans?key=bad", `{"spans":[{"from":1,"to":2},{"from":2,"to":1}],"main":{"from":1,"to":0}}`, nil}), 422,
			`~"errors":[{"in":"query","name":"key","detail":"must be good"},{"in":"body","name":".spans[1].to","detail":"must not be before from"},{"in":"body","name":".spans[1]","detail":"is no span"},{"in":"body","name":".main.to","detail":"must not be before from"},{"in":"body","name":".main","detail":"is no span"}]`)
		expect(t, "another status", send(h, sent{"POST", "/spans", `{"spans":[{"from":1,"to":403}]}`, nil}), 403, `~not yours`)
		expect(t, "tags first", send(h, sent{"POST", "/spans?key=bad", `{"spans":[{"to":1}]}`, nil}), 422, `~"errors":[{"in":"body","name":".spans[0].from","detail":"is required"}]`)
		if asked != 1 {
			t.Errorf("the validator was called %d times", asked)
		}
		expect(t, "the validator", send(h, sent{"POST", "/spans?key=odd", `{"spans":[]}`, nil}), 422, `~"detail":"key is odd"`)
	})
}

type user struct{ Name string }

// TestSecurity admits requests with valid credentials, and passes the scheme's value to the
// handler.
func TestSecurity(t *testing.T) {
	bearer := security.Bearer("session", func(_ context.Context, token string) (user, error) {
		switch token {
		case "ada":
			return user{"Ada"}, nil
		case "banned":
			return user{}, api.NewProblem(403, "banned")
		}
		return user{}, errors.New("secret reason")
	})
	key := security.APIKey("key", "query", "api_key", func(_ context.Context, key string) (int, error) { return len(key), nil })
	basic := security.Basic("basic", `the "realm"`, func(_ context.Context, user, password string) (string, error) {
		if password != "p" {
			return "", errors.New("wrong")
		}
		return user, nil
	})
	scoped := security.OAuth2("oauth", security.Flows{}, func(_ context.Context, token string, scopes []string) ([]string, error) { return scopes, nil })
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		var kept context.Context
		who := func(ctx context.Context, _ *struct{}) (*patchOut, error) {
			kept = ctx
			u, ok := api.Value[user](ctx, bearer)
			n, hasKey := api.Value[int](ctx, key)
			name, _ := api.Value[string](ctx, basic)
			scopes, _ := api.Value[[]string](ctx, scoped)
			return &patchOut{fmt.Sprint(u.Name, ok, n, hasKey, name, scopes, api.Request(ctx).URL.Path)}, nil
		}
		a.Defaults.Security = []security.Requirement{bearer.With()}
		api.Handle(a, "GET /me", who)
		api.Handle(a, "GET /public", who, api.Operation{Security: []security.Requirement{}})
		api.Handle(a, "GET /optional", who, api.Operation{Security: []security.Requirement{bearer.With(), {}}})
		api.Handle(a, "GET /both", who, api.Operation{Security: []security.Requirement{security.All(bearer.With(), key.With()), basic.With()}})
		api.Handle(a, "GET /scoped", who, api.Operation{Security: []security.Requirement{scoped.With("read", "write")}})
		api.HandleEvents(a, "GET /live", func(ctx context.Context, _ *struct{}, events *api.Events) error {
			u, _ := api.Value[user](ctx, bearer)
			return events.Send(api.Event{Data: []byte(u.Name)})
		})
		for _, test := range []struct {
			target, authorization string
			status                int
			want, challenge       string
		}{
			{"/me", "Bearer ada", 200, `{"text":"Adatrue 0 false[]/me"}`, ""},
			{"/me", "bearer  ada", 200, `~Ada`, ""},
			{"/me", "", 401, `{"title":"Unauthorized","status":401}`, "Bearer"},
			{"/me", "Bearer eve", 401, `{"title":"Unauthorized","status":401}`, "Bearer"},
			{"/me", "Bearer banned", 403, `~banned`, ""},
			{"/me", "Basic x", 401, `~401`, "Bearer"},
			{"/public", "", 200, `~false`, ""},
			{"/optional", "", 200, `~false`, ""},
			{"/optional", "Bearer ada", 200, `~Adatrue`, ""},
			{"/optional", "Bearer eve", 401, `~401`, "Bearer"},
			{"/both?api_key=abc", "Bearer ada", 200, `~Adatrue 3 true`, ""},
			{"/both", "Bearer ada", 401, `~401`, `Bearer|ApiKey|Basic realm="the \"realm\"", charset="UTF-8"`},
			{"/both", "Basic Ym9iOnA=", 200, `~bob`, ""},
			{"/scoped", "Bearer x", 200, `~[read write]`, ""},
			{"/live", "Bearer ada", 200, "~data: Ada\n", ""},
			{"/live", "", 401, "~401", "Bearer"},
		} {
			var header []string
			if test.authorization != "" {
				header = []string{"Authorization", test.authorization}
			}
			w := send(h, sent{"GET", test.target, "", header})
			expect(t, test.target+" "+test.authorization, w, test.status, test.want)
			if got := strings.Join(w.Header()["Www-Authenticate"], "|"); got != test.challenge {
				t.Errorf("%s %s: challenge %q, want %q", test.target, test.authorization, got, test.challenge)
			}
		}
		if api.Request(kept) != nil {
			t.Error("Request returns a request after its handler")
		}
	})
}

// TestScopesThatNobodyChecks registers operations whose scopes their scheme cannot check.
func TestScopesThatNobodyChecks(t *testing.T) {
	unscoped := security.Bearer("b", func(context.Context, string) (user, error) { return user{}, nil })
	for name, register := range map[string]func(a *api.API, op api.Operation){
		"Handle": func(a *api.API, op api.Operation) {
			api.Handle(a, "GET /a", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }, op)
		},
		"HandleEvents": func(a *api.API, op api.Operation) {
			api.HandleEvents(a, "GET /a", func(context.Context, *struct{}, *api.Events) error { return nil }, op)
		},
		"Defaults": func(a *api.API, op api.Operation) {
			a.Defaults = op
			api.Handle(a, "GET /a", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, _ := recover().(error)
				if err == nil || !strings.Contains(err.Error(), `GET /a: the security scheme "b" cannot check the scopes ["admin"]`) {
					t.Errorf("got %v", err)
				}
			}()
			register(api.New(web.New()), api.Operation{Security: []security.Requirement{unscoped.With("admin")}})
		})
	}
}

// TestValues reads values that middleware has stored.
func TestValues(t *testing.T) {
	type key struct{}
	e := web.New()
	e.Use(func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			c.Set("user", user{"Ada"})
			return next(c)
		}
	})
	mux := http.NewServeMux()
	for name, a := range map[string]*api.API{"web": api.New(e), "ServeMux": api.New(api.Mux(mux))} {
		api.Handle(a, "GET /{$}", func(ctx context.Context, _ *struct{}) (*patchOut, error) {
			u, ok := api.Value[user](ctx, "user")
			n, inContext := api.Value[int](ctx, key{})
			if _, wrong := api.Value[int](ctx, "user"); wrong {
				t.Error("Value returned a user as an int")
			}
			derived, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			if api.Request(derived) == nil || api.Request(context.Background()) != nil {
				t.Error("Request")
			}
			return &patchOut{fmt.Sprint(name, u.Name, ok, n, inContext)}, nil
		}, api.Operation{Middlewares: []func(http.Handler) http.Handler{func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, 5)))
			})
		}}})
	}
	expect(t, "ServeMux", send(mux, sent{"GET", "/", "", nil}), 200, `{"text":"ServeMuxfalse 5 true"}`)
	plain := web.New()
	plain.Use(func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error { c.Set("user", user{"Ada"}); return next(c) }
	})
	api.Handle(plain, "GET /{$}", func(ctx context.Context, _ *struct{}) (*patchOut, error) {
		u, ok := api.Value[user](ctx, "user")
		return &patchOut{fmt.Sprint(u.Name, ok)}, nil
	})
	expect(t, "web", send(plain, sent{"GET", "/", "", nil}), 200, `{"text":"Adatrue"}`)
}

// TestGroups registers operations in groups for two versions of an API. The descriptions have the
// prefixes and the tags of their groups.
func TestGroups(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		a.Defaults.Tags = []string{"all"}
		v1, v2 := a.Group("/v1", nil), a.Group("/v2", nil)
		v2.Defaults.Tags = append(v2.Defaults.Tags, "new")
		inner := v2.Group("/x/{host}", nil)
		handler := func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }
		api.Handle(v1, "GET /a", handler)
		api.Handle(v2, "GET /a", handler, api.Operation{Tags: []string{"own"}})
		api.Handle(inner, "GET /b", func(_ context.Context, in *struct {
			Host string `path:"host"`
		}) (*struct{}, error) {
			return nil, nil
		})
		paths := func(a *api.API) (list []string) {
			for _, d := range a.Descriptions() {
				list = append(list, d.Path+fmt.Sprint(d.Tags))
			}
			return list
		}
		for want, group := range map[string]*api.API{
			"[/v1/a[all] /v2/a[all new own] /v2/x/{host}/b[all new]]": a, "[/v1/a[all]]": v1, "[/v2/a[all new own] /v2/x/{host}/b[all new]]": v2,
		} {
			if got := fmt.Sprint(paths(group)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	})
}

// TestContractErrors registers handlers with mistakes that registration must find.
func TestContractErrors(t *testing.T) {
	handle := func(register func(a *api.API)) (err error) {
		defer func() { err, _ = recover().(error) }()
		register(api.New(api.Mux(http.NewServeMux())))
		return nil
	}
	for want, register := range map[string]func(a *api.API){
		`takes the path parameter "id"`: func(a *api.API) {
			api.Handle(a, "GET /{id}", func(context.Context, *struct {
				Q string `query:"q"`
			}) (*struct{}, error) {
				return nil, nil
			})
		},
		`no field of struct {} takes the path parameter`: func(a *api.API) {
			api.Handle(a, "GET /{id}", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
		},
		`can only be the whole body`: func(a *api.API) {
			type page struct {
				Rows *api.Elements[int] `json:"rows"`
			}
			api.Handle(a, "GET /{$}", func(context.Context, *struct{}) (*struct {
				Pages []page `json:"pages"`
			}, error) {
				return nil, nil
			})
		},
		`struct { Files map[string]api.Content } contains api.Content`: func(a *api.API) {
			api.Handle(a, "POST /{$}", func(context.Context, *struct{ Files map[string]api.Content }) (*struct{}, error) { return nil, nil })
		},
		`another security scheme already has the name "session"`: func(a *api.API) {
			anyone := func(context.Context, string) (user, error) { return user{}, nil }
			for i, scheme := range []*security.Scheme{security.Bearer("session", anyone), security.Bearer("session", anyone), security.APIKey("session", "query", "key", anyone)} {
				api.Handle(a.Group(fmt.Sprint("/", i), nil), "GET /{$}", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil },
					api.Operation{Security: []security.Requirement{scheme.With()}})
			}
		},
		`is not a part of the answer`: func(a *api.API) {
			api.Handle(a, "GET /{$}", func(context.Context, *struct{}) (*struct {
				L string `header:"Location"`
				X string
			}, error) {
				return nil, nil
			})
		},
		`its type must be http.Cookie or *http.Cookie`: func(a *api.API) {
			api.Handle(a, "GET /{$}", func(context.Context, *struct{}) (*struct {
				L string `cookie:"l"`
			}, error) {
				return nil, nil
			})
		},
		`map[string]int cannot be converted to text`: func(a *api.API) {
			api.Handle(a, "GET /{$}", func(context.Context, *struct{}) (*struct {
				L map[string]int `header:"L"`
			}, error) {
				return nil, nil
			})
		},
		`not a list of statuses`: func(a *api.API) {
			api.Handle(a, "GET /{$}", func(context.Context, *struct{}) (*struct {
				S int `status:"404"`
			}, error) {
				return nil, nil
			})
		},
		`have the status 201`: func(a *api.API) {
			api.Handle(a, "GET /{$}", func(context.Context, *struct{}) (*mo.Either[created, struct {
				_ struct{} `status:"201"`
			}], error) {
				return nil, nil
			})
		},
		`security scheme has no name`: func(a *api.API) {
			api.Handle(a, "GET /{$}", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }, api.Operation{Security: []security.Requirement{{{}}}})
		},
		`either all or none of the security schemes`: func(a *api.API) {
			api.Handle(a, "GET /{$}", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }, api.Operation{Security: []security.Requirement{
				security.Bearer[int]("a", nil).With(), security.Bearer("b", func(context.Context, string) (int, error) { return 0, nil }).With(),
			}})
		},
		`two formats have the media type application/json`: func(a *api.API) {
			api.Handle(a, "GET /{$}", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }, api.Operation{Formats: []api.Format{named("application/json")}})
		},
		`not valid or not in lower case`: func(a *api.API) {
			api.Handle(a, "GET /{$}", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }, api.Operation{Formats: []api.Format{named("application/X")}})
		},
		`tag default`: func(a *api.API) {
			api.Handle(a, "POST /{$}", func(context.Context, *struct {
				N int `json:"n" default:"x"`
			}) (*struct{}, error) {
				return nil, nil
			})
		},
	} {
		if err := handle(register); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

type named string

func (n named) MediaType() string                    { return string(n) }
func (named) Append(b []byte, v any) ([]byte, error) { return json.Append(b, v) }
func (named) Unmarshal(data []byte, v any) error     { return json.Unmarshal(data, v) }

type (
	refusing struct {
		_ struct{} `unknown:"refused"`
		A int      `json:"a"`
	}
	ignoring struct {
		_ struct{} `unknown:"ignored"`
		A refusing `json:"a"`
	}
)

// TestUnknownOfTypes: types select how unknown members are treated.
func TestUnknownOfTypes(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		api.Handle(a, "POST /loose", func(context.Context, *ignoring) (*struct{}, error) { return nil, nil })
		api.Handle(a, "POST /strict", func(context.Context, *ignoring) (*struct{}, error) { return nil, nil }, api.Operation{Unknown: api.UnknownRefused})
		for _, target := range []string{"/loose", "/strict"} {
			expect(t, target, send(h, sent{"POST", target, `{"a":{"a":1},"x":1}`, nil}), 204, "")
			expect(t, target, send(h, sent{"POST", target, `{"a":{"a":1,"x":1}}`, nil}), 422, `~".a.x","detail":"is not known"`)
		}
		defer func() {
			if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), `must be "refused" or "ignored"`) {
				t.Error(err)
			}
		}()
		api.Handle(a, "POST /bad", func(context.Context, *struct {
			_ struct{} `unknown:"maybe"`
			A int      `json:"a"`
		}) (*struct{}, error) {
			return nil, nil
		})
	})
}

// TestAllFaultsOfParameters: a parameter that cannot be read does not hide the faults of others.
func TestAllFaultsOfParameters(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		api.Handle(a, "GET /many/{id}", func(context.Context, *struct {
			ID    int               `path:"id" min:"1"`
			N     int               `query:"n"`
			On    bool              `query:"on"`
			Limit int               `query:"limit" max:"10"`
			Mode  mo.Option[string] `query:"mode" enum:"a,b"`
			Tags  []string          `query:"tags" length:"..1"`
			Trace string            `header:"X-Trace" required:"true"`
		}) (*struct{}, error) {
			return nil, nil
		})
		for query, want := range map[string]string{
			"/many/x?n=y&on=0&limit=11&mode=c&tags=1&tags=2": "header X-Trace, path id, query limit, query mode, query n, query on, query tags",
			"/many/0?on=1": "header X-Trace, path id, query on",
			"/many/1?n=":   "header X-Trace",
		} {
			var problem api.Problem
			answer := send(h, sent{"GET", query, "", nil})
			if err := json.Unmarshal(answer.Body.Bytes(), &problem); err != nil {
				t.Fatal(err)
			}
			var places []string
			for _, f := range problem.Errors {
				places = append(places, f.In+" "+f.Name)
			}
			slices.Sort(places)
			status := http.StatusBadRequest
			if query == "/many/1?n=" {
				status = http.StatusUnprocessableEntity
			}
			if got := strings.Join(places, ", "); got != want || answer.Code != status {
				t.Errorf("%s: %d %s, want %d %s", query, answer.Code, got, status, want)
			}
		}
	})
}
