package web_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/web"
)

// conflict is an error that converts itself to a problem document.
type conflict struct{ as *web.ProblemError }

func (conflict) Error() string                     { return "conflict" }
func (c conflict) ProblemError() *web.ProblemError { return c.as }

var _ web.ProblemErrorer = (*api.Problem)(nil)

func TestProblemDetails(t *testing.T) {
	secret := errors.New("secret")
	shared := &web.ProblemError{Detail: "shared"}
	invalid := api.NewProblem(http.StatusUnprocessableEntity, "invalid")
	invalid.Errors = []api.FieldProblem{{In: "query", Name: "q", Detail: "too long"}}
	const blank = `{"type":"about:blank","title":`
	for _, test := range []struct {
		name    string
		err     error
		status  int
		want    string
		exposed string // the body with exposeError; "" if it is the same
	}{
		{name: "any error", err: secret, status: 500, want: blank + `"Internal Server Error","status":500}`, exposed: blank + `"Internal Server Error","status":500,"detail":"secret"}`},
		{name: "a status", err: web.ErrNotFound, status: 404, want: blank + `"Not Found","status":404}`, exposed: blank + `"Not Found","status":404,"detail":"Not Found"}`},
		{name: "a message", err: web.NewHTTPError(418, "tea"), status: 418, want: blank + `"I'm a teapot","status":418,"detail":"tea"}`},
		{name: "a message and a cause", err: web.NewHTTPError(409, "taken").Wrap(secret), status: 409, want: blank + `"Conflict","status":409,"detail":"taken"}`, exposed: blank + `"Conflict","status":409,"detail":"taken: secret"}`},
		{name: "a cause", err: web.NewHTTPError(409, "").Wrap(secret), status: 409, want: blank + `"Conflict","status":409}`, exposed: blank + `"Conflict","status":409,"detail":"secret"}`},
		{name: "a message inside", err: fmt.Errorf("secret: %w", web.NewHTTPError(409, "taken")), status: 409, want: blank + `"Conflict","status":409,"detail":"taken"}`},
		{name: "a problem", err: &web.ProblemError{Type: "/t", Title: "T", Status: 402, Detail: "D", Instance: "/i"}, status: 402, want: `{"type":"/t","title":"T","status":402,"detail":"D","instance":"/i"}`},
		{name: "a problem inside", err: fmt.Errorf("secret: %w", &web.ProblemError{Status: 402}), status: 402, want: blank + `"Payment Required","status":402}`},
		{name: "an empty problem", err: &web.ProblemError{}, status: 500, want: blank + `"Internal Server Error","status":500}`},
		{name: "a shared problem", err: shared, status: 500, want: blank + `"Internal Server Error","status":500,"detail":"shared"}`},
		{name: "one that says itself", err: conflict{&web.ProblemError{Status: 409}}, status: 409, want: blank + `"Conflict","status":409}`},
		{name: "one that says nothing", err: conflict{}, status: 500, want: blank + `"Internal Server Error","status":500}`},
		{name: "one of package api", err: invalid.Wrap(secret), status: 422, want: `{"title":"Unprocessable Entity","status":422,"detail":"invalid","errors":[{"in":"query","name":"q","detail":"too long"}]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, expose := range []bool{false, true} {
				want := test.want
				if expose && test.exposed != "" {
					want = test.exposed
				}
				e := web.NewWithConfig(web.Config{HTTPErrorHandler: web.ProblemDetailsHTTPErrorHandler(expose), Logger: slog.New(slog.DiscardHandler)})
				e.Any("/", func(c *web.Context) error {
					c.Response().Header().Set("Content-Type", "text/csv") // left over from the answer that failed
					return test.err
				})
				w := httptest.NewRecorder()
				e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
				if got := strings.ReplaceAll(w.Body.String(), `\u0027`, "'"); w.Code != test.status || got != want+"\n" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
					t.Errorf("%d %v %s, want %s", w.Code, w.Header(), got, want)
				}
				if got := w.Header().Get("Content-Type"); got != "application/problem+json" {
					t.Errorf("type %s", got)
				}
				w = httptest.NewRecorder()
				if e.ServeHTTP(w, httptest.NewRequest(http.MethodHead, "/", nil)); w.Code != test.status || w.Body.Len() > 0 {
					t.Errorf("HEAD: %d %s", w.Code, w.Body)
				}
			}
		})
	}
	if *shared != (web.ProblemError{Detail: "shared"}) {
		t.Errorf("a shared problem was changed: %+v", shared)
	}
}

func TestProblemDetailsOfBegunResponse(t *testing.T) {
	var log bytes.Buffer
	e := web.NewWithConfig(web.Config{HTTPErrorHandler: web.ProblemDetailsHTTPErrorHandler(true), Logger: slog.New(slog.NewTextHandler(&log, nil))})
	e.GET("/begun", func(c *web.Context) error { _ = c.String(http.StatusAccepted, "begun"); return web.ErrForbidden })
	e.GET("/cause", func(*web.Context) error { return api.NewProblem(500, "").Wrap(errors.New("the cause")) })
	w := httptest.NewRecorder()
	if e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/begun", nil)); w.Code != http.StatusAccepted || w.Body.String() != "begun" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w = httptest.NewRecorder()
	if e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/cause", nil)); strings.Contains(w.Body.String(), "cause") || !strings.Contains(log.String(), "the cause") {
		t.Errorf("%s, log %s", w.Body, &log)
	}
}
