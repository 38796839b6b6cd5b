package routers

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/gorilla/mux"
	"github.com/julienschmidt/httprouter"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/web"
)

// A router is a router under test.
type router struct {
	name string
	// make returns an API and a group of it under "/v1". If the router supports groups, the group is
	// one of the router, with a middleware that sets the header X-Group.
	make func() (a, group *api.API, h http.Handler)
	// escapedSlash is the status of the response to "/hosts/a%2Fb".
	escapedSlash int
	grouped      bool
}

func inGroup(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Group", "v1")
		next.ServeHTTP(w, r)
	})
}

var all = []router{
	{name: "chi", escapedSlash: 200, grouped: true, make: func() (a, group *api.API, h http.Handler) {
		r := chi.NewRouter()
		a = api.New(Chi(r))
		r.Route("/v1", func(sub chi.Router) {
			sub.Use(inGroup)
			group = a.Group("/v1", Chi(sub))
		})
		return a, group, r
	}},
	{name: "gorilla", escapedSlash: 200, grouped: true, make: func() (a, group *api.API, h http.Handler) {
		r := mux.NewRouter()
		a = api.New(Gorilla(r))
		sub := r.PathPrefix("/v1").Subrouter()
		sub.Use(inGroup)
		return a, a.Group("/v1", Gorilla(sub)), r
	}},
	{name: "httprouter", escapedSlash: 404, make: func() (a, group *api.API, h http.Handler) {
		r := httprouter.New()
		a = api.New(HTTPRouter(r))
		return a, a.Group("/v1", nil), r
	}},
	{name: "ServeMux", escapedSlash: 200, make: func() (a, group *api.API, h http.Handler) {
		r := http.NewServeMux()
		a = api.New(api.Mux(r))
		return a, a.Group("/v1", nil), r
	}},
	{name: "web", escapedSlash: 200, grouped: true, make: func() (a, group *api.API, h http.Handler) {
		e := web.NewWithConfig(web.Config{Router: web.NewRouter(web.RouterConfig{GroupMethodNotAllowed: true})})
		a = api.New(e)
		return a, a.Group("/v1", e.Group("/v1", web.WrapMiddleware(inGroup))), e
	}},
}

type hostIn struct {
	Host string `path:"host"`
	N    int    `query:"n" max:"9"`
}

type fileIn struct {
	Path string `path:"path"`
}

type answer struct {
	Value string `json:"value"`
}

// TestRouters sends the same requests to every router.
func TestRouters(t *testing.T) {
	tag := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Value", r.PathValue("host"))
			next.ServeHTTP(w, r)
		})
	}
	for _, router := range all {
		t.Run(router.name, func(t *testing.T) {
			a, group, h := router.make()
			host := func(_ context.Context, in *hostIn) (*answer, error) {
				if in.Host == "gone" {
					return nil, api.NewProblem(http.StatusGone, "it has left")
				}
				return &answer{in.Host}, nil
			}
			api.Handle(a, "GET /hosts/{host}", host)
			api.Handle(a, "PUT /hosts/{host}", host)
			api.Handle(a, "GET /wrapped/{host}", host, api.Operation{Middlewares: []func(http.Handler) http.Handler{tag}})
			api.Handle(a, "GET /files/{path...}", func(_ context.Context, in *fileIn) (*answer, error) { return &answer{in.Path}, nil })
			api.Handle(a, "GET /dir/{$}", func(context.Context, *struct{}) (*answer, error) { return &answer{"dir"}, nil })
			api.Handle(group, "GET /hosts/{host}/state", host)
			if err := a.AddHandler("GET", "/plain/{host}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprint(w, r.PathValue("host"))
			})); err != nil {
				t.Fatal(err)
			}
			srv := httptest.NewServer(h)
			defer srv.Close()
			client := srv.Client()
			client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			for _, test := range []struct {
				method, target string
				status         int
				want           string // the expected body
			}{
				{method: "GET", target: "/hosts/web-1", status: 200, want: "web-1"},
				{method: "PUT", target: "/hosts/web-1", status: 200, want: "web-1"},
				{method: "GET", target: "/hosts/a%20b", status: 200, want: "a b"},
				{method: "GET", target: "/hosts/%C3%B6%E4%B8%96", status: 200, want: "ö世"},
				{method: "GET", target: "/hosts/a%252Fb", status: 200, want: "a%2Fb"},
				{method: "GET", target: "/hosts/a%3Fb%25", status: 200, want: "a?b%"},
				{method: "GET", target: "/hosts/a%2Fb", status: router.escapedSlash, want: "a/b"},
				{method: "GET", target: "/hosts/gone", status: 410},
				{method: "GET", target: "/hosts/x?n=10", status: 422},
				{method: "GET", target: "/hosts/x?n=ten", status: 400},
				{method: "HEAD", target: "/hosts/web-1", status: 200},
				{method: "DELETE", target: "/hosts/web-1", status: 405},
				{method: "GET", target: "/hosts/a/b", status: 404},
				{method: "GET", target: "/nothing", status: 404},
				{method: "GET", target: "/wrapped/a%20b", status: 200, want: "a b"},
				{method: "GET", target: "/plain/a%20b", status: 200, want: "a b"},
				{method: "GET", target: "/files/a/b.txt", status: 200, want: "a/b.txt"},
				{method: "GET", target: "/files/a%20b/c", status: 200, want: "a b/c"},
				{method: "GET", target: "/files/", status: 200, want: ""},
				{method: "HEAD", target: "/files/a", status: 200},
				{method: "GET", target: "/dir/", status: 200, want: "dir"},
				{method: "GET", target: "/v1/hosts/web-1/state", status: 200, want: "web-1"},
				{method: "POST", target: "/v1/hosts/web-1/state", status: 405},
			} {
				r, err := http.NewRequestWithContext(t.Context(), test.method, srv.URL+test.target, nil)
				if err != nil {
					t.Fatal(err)
				}
				resp, err := client.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				want := test.want
				if !strings.HasPrefix(test.target, "/plain") {
					want = fmt.Sprintf("{%q:%q}\n", "value", test.want)
				}
				if err != nil || resp.StatusCode != test.status || test.status == 200 && test.method != "HEAD" && string(body) != want {
					t.Errorf("%s %s: %d %s, %v", test.method, test.target, resp.StatusCode, body, err)
				}
				allow := strings.Join(resp.Header.Values("Allow"), ", ")
				if test.status == 405 && !strings.Contains(allow, "GET") {
					t.Errorf("%s %s: Allow %q", test.method, test.target, allow)
				}
				if test.status/100 == 4 && test.status != 404 && test.status != 405 && resp.Header.Get("Content-Type") != api.MediaTypeProblem {
					t.Errorf("%s %s: %s", test.method, test.target, resp.Header.Get("Content-Type"))
				}
				if router.grouped && test.status == 200 && (resp.Header.Get("X-Group") == "v1") != strings.HasPrefix(test.target, "/v1") {
					t.Errorf("%s %s: X-Group %q", test.method, test.target, resp.Header.Get("X-Group"))
				}
				if strings.HasPrefix(test.target, "/wrapped") && resp.Header.Get("X-Value") != "a b" {
					t.Errorf("middleware sees %q", resp.Header.Get("X-Value"))
				}
			}
			var paths []string
			for _, d := range a.Descriptions() {
				paths = append(paths, d.Method+" "+d.Path)
			}
			want := []string{"GET /hosts/{host}", "PUT /hosts/{host}", "GET /wrapped/{host}", "GET /files/{path...}", "GET /dir/{$}", "GET /v1/hosts/{host}/state"}
			if !slices.Equal(paths, want) {
				t.Errorf("the API describes %q, want %q", paths, want)
			}
		})
	}
}

// TestRoutersRefuse registers patterns that a router cannot express. The error must name the pattern and
// the router.
func TestRoutersRefuse(t *testing.T) {
	nop := http.NotFoundHandler()
	for _, test := range []struct {
		router, path string
		before       string // a path that is registered before
		want         string
	}{
		{router: "chi", path: "/a*b", want: "cannot match"},
		{router: "chi", path: "/a%20b", want: "cannot match"},
		{router: "chi", path: "/{a}", before: "/{b}", want: "there already"},
		{router: "chi", path: "/a/", want: "{$}"},
		{router: "gorilla", path: "/{a}", before: "/{b}", want: "there already"},
		{router: "gorilla", path: "/a{b}", want: "braces"},
		{router: "httprouter", path: "/a:b", want: "takes for parameters"},
		{router: "httprouter", path: "/hosts/new", before: "/hosts/{host}", want: "conflicts"},
		{router: "httprouter", path: "/{a}", before: "/{b}", want: "there already"},
	} {
		i := slices.IndexFunc(all, func(r router) bool { return r.name == test.router })
		a, _, _ := all[i].make()
		if test.before != "" {
			if err := a.AddHandler("GET", test.before, nop); err != nil {
				t.Fatal(err)
			}
		}
		err := a.AddHandler("GET", test.path, nop)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "GET "+test.path) || !strings.Contains(err.Error(), test.router) {
			t.Errorf("%s: %v", test.router, err)
		}
	}
}
