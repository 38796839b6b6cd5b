package web

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
)

// echoValues answers with the pattern and the path values of net/http's request.
func echoValues(names ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Pattern)
		for _, name := range names {
			fmt.Fprintf(w, " %s=%q", name, r.PathValue(name))
		}
	})
}

func TestAddHandler(t *testing.T) {
	e := quiet()
	group := e.Group("/t/:tenant")
	for _, add := range []struct {
		to interface {
			AddHandler(method, path string, h http.Handler) error
		}
		method, path string
		h            http.Handler
	}{
		{to: e, method: "GET", path: "/users/{id}", h: echoValues("id")},
		{to: e, method: "POST", path: "/users/{id}/photo:rotate", h: echoValues("id")},
		{to: e, method: "GET", path: "/files/{path...}", h: echoValues("path")},
		{to: e, method: "GET", path: "/dir/{$}", h: echoValues()},
		{to: e, method: "GET", path: "/a%20b", h: echoValues()},
		{to: group, method: "GET", path: "/users/{id}", h: echoValues("tenant", "id")},
	} {
		if err := add.to.AddHandler(add.method, add.path, add.h); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		method, target string
		status         int
		want           string
	}{
		{method: "GET", target: "/users/7", status: 200, want: `/users/:id id="7"`},
		{method: "GET", target: "/users/a%2Fb%20c%C3%B6", status: 200, want: `/users/:id id="a/b cö"`},
		{method: "GET", target: "/users/7/files", status: 404},
		{method: "GET", target: "/users/", status: 404},
		{method: "PUT", target: "/users/7", status: 405},
		{method: "HEAD", target: "/users/7", status: 200, want: ""},
		{method: "POST", target: "/users/7/photo:rotate", status: 200, want: `/users/:id/photo\:rotate id="7"`},
		{method: "GET", target: "/files/a/b%2Fc", status: 200, want: `/files/* path="a/b/c"`},
		{method: "GET", target: "/files/", status: 200, want: `/files/* path=""`},
		{method: "GET", target: "/dir/", status: 200, want: `/dir/`},
		{method: "GET", target: "/dir", status: 404},
		{method: "GET", target: "/dir/x", status: 404},
		{method: "GET", target: "/a%20b", status: 200, want: `/a b`},
		{method: "GET", target: "/t/acme/users/7", status: 200, want: `/t/:tenant/users/:id tenant="acme" id="7"`},
	} {
		w := get(e, test.method, test.target)
		if w.Code != test.status || test.status == 200 && w.Body.String() != test.want {
			t.Errorf("%s %s: %d %s", test.method, test.target, w.Code, w.Body)
		}
		if test.status == 405 && w.Header().Get("Allow") != "OPTIONS, GET, HEAD" {
			t.Errorf("Allow: %s", w.Header().Get("Allow"))
		}
	}
}

func TestAddHandlerRefuses(t *testing.T) {
	for _, test := range []struct {
		name, prefix, path string
		h                  http.Handler
		want               string
	}{
		{name: "no handler", path: "/a", want: "without handler"},
		{name: "a tree without a name", path: "/a/", h: echoValues(), want: "{$}"},
		{name: "a star", path: "/a*", h: echoValues(), want: "not support"},
		{name: "there already", path: "/b/{x}", h: echoValues(), want: "not allowed"},
		{name: "half a parameter", path: "/a{x}", h: echoValues(), want: "braces"},
		{name: "a name of the prefix", prefix: "/:x", path: "/{x}", h: echoValues(), want: "twice"},
		{name: "a prefix without a name", prefix: "/:", path: "/{x}", h: echoValues(), want: "without a parameter name"},
	} {
		e := quiet()
		e.GET("/b/:y", echoRoute)
		err := e.Group(test.prefix).AddHandler("GET", test.path, test.h)
		var ae *AddRouteError
		if !errors.As(err, &ae) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// An error that is an http.Handler writes its own response. The cause, which it does
// not send, is logged.
func TestErrorsAnswerForThemselves(t *testing.T) {
	var log bytes.Buffer
	e := NewWithConfig(Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	e.GET("/409", func(*Context) error { return api.NewProblem(409, "taken") })
	e.GET("/500", func(*Context) error { return api.NewProblem(500, "").Wrap(errors.New("secret")) })
	for target, want := range map[string]string{
		"/409": `{"title":"Conflict","status":409,"detail":"taken"}` + "\n",
		"/500": `{"title":"Internal Server Error","status":500}` + "\n",
	} {
		w := get(e, "GET", target)
		if w.Body.String() != want || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if strings.Count(log.String(), "secret") != 1 || strings.Contains(log.String(), "taken") {
		t.Errorf("log: %s", &log)
	}
}
