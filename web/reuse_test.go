package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// late runs call, which uses a Context after its request, and returns its error. A panic, as
// under the race detector, becomes an error.
func late(call func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return call()
}

// Handlers keep a Context and a Response, and use them later, while another request is answered.
// With NoReuse, or under the race detector, they cannot write to the response of this request, and
// cannot read its data.
func TestKeptContext(t *testing.T) {
	for _, test := range []struct {
		name   string
		late   func(c *Context, w http.ResponseWriter) (read string, err error) // uses the kept Context and Response
		writes bool
	}{
		{name: "Context.String", writes: true, late: func(c *Context, _ http.ResponseWriter) (string, error) { return "", c.String(200, "late") }},
		{name: "Context.JSON", writes: true, late: func(c *Context, _ http.ResponseWriter) (string, error) { return "", c.JSON(200, "late") }},
		{name: "Response.Write", writes: true, late: func(_ *Context, w http.ResponseWriter) (string, error) {
			_, err := w.Write([]byte("late"))
			return "", err
		}},
		{name: "header", late: func(_ *Context, w http.ResponseWriter) (string, error) {
			w.Header().Set("X-Late", "late")
			return "", nil
		}},
		{name: "Context.SetCookie", late: func(c *Context, _ http.ResponseWriter) (string, error) {
			c.SetCookie(&http.Cookie{Name: "late", Value: "late"})
			return "", nil
		}},
		{name: "Context.Param", late: func(c *Context, _ http.ResponseWriter) (string, error) { return c.Param("id"), nil }},
		{name: "Context.Get", late: func(c *Context, _ http.ResponseWriter) (string, error) { return fmt.Sprint(c.Get("id")), nil }},
		{name: "Context.Set", late: func(c *Context, _ http.ResponseWriter) (string, error) { c.Set("id", "late"); return "", nil }},
		{name: "Context.Request", late: func(c *Context, _ http.ResponseWriter) (string, error) { return c.Request().URL.Path, nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := NewWithConfig(Config{Logger: quiet().Logger, NoReuse: true})
			var keptContext *Context
			var keptResponse http.ResponseWriter
			e.GET("/:id", func(c *Context) error {
				id := c.Param("id")
				c.Set("id", id)
				if keptContext == nil {
					keptContext, keptResponse = c, c.Response()
					return c.String(http.StatusOK, id)
				}
				read := ""
				err := late(func() (err error) { read, err = test.late(keptContext, keptResponse); return err })
				if strings.Contains(read, "second") || err == nil && (test.writes || raceEnabled) {
					t.Errorf("read %q, error %v", read, err)
				}
				return c.String(http.StatusOK, fmt.Sprint(c.Param("id"), c.Get("id")))
			})
			get(e, "GET", "/first")
			w := get(e, "GET", "/second")
			if answer := fmt.Sprint(w.Code, w.Header(), w.Body); strings.Contains(answer, "late") || w.Body.String() != "secondsecond" {
				t.Errorf("the second client received %s", answer)
			}
		})
	}
}

// Under the race detector every method of a released Context panics with the name
// of the route.
func TestReleasedContextPanics(t *testing.T) {
	if !raceEnabled {
		t.Skip("only the race detector makes late calls panic")
	}
	e := quiet()
	var kept *Context
	e.GET("/things/:id", func(c *Context) error { kept = c; return c.NoContent(http.StatusNoContent) })
	for _, as := range []func() reflect.Value{
		func() reflect.Value { return reflect.ValueOf(kept) }, func() reflect.Value { return reflect.ValueOf((*RouteContext)(kept)) },
	} {
		get(e, "GET", "/things/1")
		v := as()
		for i := range v.NumMethod() {
			name := v.Type().Method(i).Name
			if name == "Reset" {
				continue // Reset gives the Context a new request
			}
			method := v.Method(i)
			args := make([]reflect.Value, method.Type().NumIn())
			for k := range args {
				args[k] = reflect.Zero(method.Type().In(k))
			}
			switch name { // these methods check their arguments first, so they need valid ones to reach the check of the Context
			case "JSONP", "JSONPBlob":
				args[1] = reflect.ValueOf("f")
			case "Redirect":
				args[0] = reflect.ValueOf(http.StatusFound)
			case "SetCookie":
				args[0] = reflect.ValueOf(&http.Cookie{Name: "a"})
			}
			if err := late(func() error { method.Call(args); return nil }); err == nil || !strings.Contains(err.Error(), `"/things/:id"`) {
				t.Errorf("%v.%s: %v", v.Type(), name, err)
			}
		}
	}
	e.AcquireContext().Reset(httptest.NewRequest("GET", "/", nil), httptest.NewRecorder())
	kept.Reset(httptest.NewRequest("GET", "/", nil), httptest.NewRecorder())
	if err := kept.NoContent(http.StatusOK); err != nil {
		t.Errorf("after Reset: %v", err)
	}
}

// NoReuse costs the allocation of the Context and of its parts: the path values, and
// the values stored by Set.
func TestNoReuseAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	e := NewWithConfig(Config{Logger: quiet().Logger, NoReuse: true})
	e.GET("/text", func(c *Context) error { return c.String(http.StatusOK, "hello") })
	e.GET("/with/:id", func(c *Context) error { c.Set("key", e); return c.String(http.StatusOK, c.Param("id")) })
	w := &discard{header: http.Header{}}
	for _, test := range []struct {
		path string
		want float64
	}{{path: "/text", want: 2}, {path: "/with/7", want: 3}} {
		r := httptest.NewRequest("GET", test.path, nil)
		if n := testing.AllocsPerRun(200, func() { e.ServeHTTP(w, r) }); n != test.want {
			t.Errorf("%s: %v allocs, budget %v", test.path, n, test.want)
		}
	}
}

// A new Context for a test is as in Echo: the status is not set, and the path values are empty but
// not nil.
func TestNewContextBegins(t *testing.T) {
	c := quiet().NewContext(httptest.NewRequest("GET", "/", nil), httptest.NewRecorder())
	response, err := UnwrapResponse(c.Response())
	if err != nil || response.Status != 0 || c.PathValues() == nil || len(c.PathValues()) != 0 {
		t.Errorf("status %d, path values %#v, %v", response.Status, c.PathValues(), err)
	}
	if err := c.String(http.StatusCreated, "x"); err != nil || response.Status != http.StatusCreated {
		t.Errorf("status %d, %v", response.Status, err)
	}
	e := quiet()
	e.GET("/", func(c *Context) error {
		response, err := UnwrapResponse(c.Response())
		if err != nil || response.Status != http.StatusOK || c.PathValues() == nil {
			t.Errorf("of a server: status %d, path values %#v, %v", response.Status, c.PathValues(), err)
		}
		return nil
	})
	get(e, "GET", "/")
}
