package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/internal/message"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

var errStopped = errors.New("the test stops here")

// onRouters runs a test against servers that use web.Echo, http.ServeMux and so on.
func onRouters(t *testing.T, add func(api.Router), test func(t *testing.T, c *Client), options ...Options) {
	t.Helper()
	for name, router := range map[string]func() (api.Router, http.Handler){
		"mux": func() (api.Router, http.Handler) { m := http.NewServeMux(); return api.Mux(m), m },
		"web": func() (api.Router, http.Handler) { e := web.New(); return e, e },
	} {
		t.Run(name, func(t *testing.T) {
			r, h := router()
			add(r)
			s := httptest.NewServer(h)
			defer s.Close()
			test(t, clientOf(t, s.URL, options...))
		})
	}
}

func clientOf(t *testing.T, url string, options ...Options) *Client {
	t.Helper()
	c, err := New(url, options...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type callPage struct {
	Limit mo.Option[int] `query:"limit"`
	Sort  []string       `query:"sort"`
}

type CallTrace struct {
	Trace string `header:"X-Trace"`
}

type callBody struct {
	Name string            `json:"name"`
	Note mo.Option[string] `json:"note"`
	Next *callBody         `json:"next,omitempty"`
	At   time.Time         `json:"at"`
	Many map[string]int64  `json:"many"`
}

type callIn struct {
	callPage
	*CallTrace
	Name    string               `path:"name"`
	Addr    netip.Addr           `path:"addr"`
	Session mo.Option[string]    `cookie:"session"`
	Since   mo.Option[time.Time] `query:"since"`
	Wait    time.Duration        `query:"wait"`
	Words   []string             `header:"X-Word"`
	Deep    *uint8               `query:"deep"`
	Body    callBody             `body:""`
}

// TestCall sends one input to a handler, which returns a description of the input.
func TestCall(t *testing.T) {
	seven := uint8(7)
	at := time.Date(2026, 2, 3, 4, 5, 6, 7, time.UTC)
	whole := callIn{
		callPage: callPage{Limit: mo.Some(0), Sort: []string{"a b", "", "é&=+;%"}}, CallTrace: &CallTrace{"t 1"},
		Session: mo.Some("a, b"), Since: mo.Some(at), Wait: 90 * time.Second, Words: []string{"a", "", "b,c"},
		Body: callBody{Name: "é<&>", Note: mo.Some(""), Next: &callBody{At: at}, At: at, Many: map[string]int64{"a": 1 << 60}},
	}
	whole.Deep = &seven
	names := []string{"x", "a/b", "..", ".", "../..", "a b+c", "%2F", "é", "?#;=&", "a//b", "//", "\x00", "{}", "\\", "a:b", "*", "%"}
	onRouters(t, func(r api.Router) {
		api.Handle(r, "PUT /v1/{name}/at/{addr}", func(_ context.Context, in *callIn) (*callInAnswer, error) {
			return &callInAnswer{describeCall(*in), in.Name, in.Body}, nil
		})
	}, func(t *testing.T, c *Client) {
		for _, wire := range []bool{false, true} {
			c.options.Wire = wire
			put := Call[callIn, callInAnswer](c, "PUT /v1/{name}/at/{addr}")
			for _, name := range names {
				in := whole
				in.Name, in.Addr = name, netip.MustParseAddr("::1")
				got, err := put(t.Context(), &in)
				if err != nil {
					t.Fatalf("%q: %v", name, err)
				}
				if got.Name != name || !reflect.DeepEqual(got.Body, in.Body) {
					t.Errorf("%q: got %+v", name, got)
				}
				if want := describeCall(in); got.Text != want {
					t.Errorf("got  %s\nwant %s", got.Text, want)
				}
			}
			none := callIn{Name: "n", Addr: netip.MustParseAddr("1.2.3.4")}
			got, err := put(t.Context(), &none)
			if want := describeCall(none); err != nil || got.Text != want {
				t.Errorf("%v\ngot  %s\nwant %s", err, got.Text, want)
			}
		}
	})
}

// describeCall formats parameters, with the values that pointers point to.
func describeCall(in callIn) string {
	text := ""
	if in.CallTrace != nil {
		text += "trace " + in.Trace
	}
	if in.Deep != nil {
		text += fmt.Sprint(" deep ", *in.Deep)
	}
	in.CallTrace, in.Deep, in.Body = nil, nil, callBody{}
	return text + fmt.Sprintf(" %+v", in)
}

type callInAnswer struct {
	Text string
	Name string
	Body callBody
}

func TestCallRest(t *testing.T) {
	type in struct {
		File string `path:"file"`
	}
	type out struct{ File string }
	onRouters(t, func(r api.Router) {
		api.Handle(r, "GET /a b/{file...}", func(_ context.Context, i *in) (*out, error) { return &out{i.File}, nil })
		api.Handle(r, "GET /é/{$}", func(context.Context, *struct{}) (*out, error) { return &out{"root"}, nil })
	}, func(t *testing.T, c *Client) {
		get := Call[in, out](c, "GET /a b/{file...}")
		for _, file := range []string{"x", "x/y.txt", "x/", "../x", "x/../y", "./x", "x//y", "/x", "//", "a%2Fb", "a b", "é/ü", "..", "x/."} {
			got, err := get(t.Context(), &in{file})
			var p *api.Problem
			if errors.As(err, &p) && p.Status == http.StatusNotFound && strings.HasSuffix(t.Name(), "/web") && refusedByWeb(file) {
				continue
			}
			if err != nil || got.File != file {
				t.Errorf("%q arrived as %+v, %v", file, got, err)
			}
		}
		root, err := Call[struct{}, out](c, "GET /é/{$}")(t.Context(), nil)
		if err != nil || root.File != "root" {
			t.Errorf("got %+v, %v", root, err)
		}
	})
}

// refusedByWeb reports whether package web refuses a path because cleaning would change it.
func refusedByWeb(file string) bool {
	return strings.Contains("/"+file+"/", "/../") || strings.Contains("/"+file+"/", "/./") || strings.Contains("/"+file, "//")
}

// TestCallBodies sends each kind of body that is not a plain struct, and expects the handler to
// read the same values.
func TestCallBodies(t *testing.T) {
	type name struct {
		Name string `json:"name"`
	}
	type pointerIn struct {
		Body *name `body:""`
	}
	type optionIn struct {
		Body mo.Option[[]int] `body:""`
	}
	type readerIn struct {
		Type   string    `header:"Content-Type"`
		Length int64     `header:"Content-Length"`
		Body   io.Reader `body:""`
	}
	type csvIn struct {
		Body io.Reader `body:"text/csv"`
	}
	type out struct{ Text string }
	onRouters(t, func(r api.Router) {
		api.Handle(r, "POST /pointer", func(_ context.Context, in *pointerIn) (*out, error) {
			if in.Body == nil {
				return nil, nil
			}
			return &out{in.Body.Name}, nil
		})
		api.Handle(r, "POST /option", func(_ context.Context, in *optionIn) (*out, error) { return &out{fmt.Sprint(in.Body.Get())}, nil })
		api.Handle(r, "POST /reader", func(_ context.Context, in *readerIn) (*out, error) {
			text, err := io.ReadAll(in.Body)
			return &out{fmt.Sprintf("%s %d %s", in.Type, in.Length, text)}, err
		})
		api.Handle(r, "POST /csv", func(_ context.Context, in *csvIn) (*out, error) {
			text, err := io.ReadAll(in.Body)
			return &out{string(text)}, err
		})
		api.Handle(r, "POST /slice", func(_ context.Context, in *[]int) (*map[string]int, error) {
			return &map[string]int{"n": len(*in)}, nil
		})
		api.Handle(r, "POST /v2", func(_ context.Context, in *name) (*name, error) { return in, nil },
			api.Operation{JSON: []jsonv2.Options{jsonv2.RejectUnknownMembers(true)}})
	}, func(t *testing.T, c *Client) {
		ctx := t.Context()
		pointer := Call[pointerIn, out](c, "POST /pointer")
		if got, err := pointer(ctx, &pointerIn{&name{"a"}}); err != nil || got.Text != "a" {
			t.Errorf("pointer: %+v, %v", got, err)
		}
		if got, err := pointer(ctx, nil); err != nil || got != nil {
			t.Errorf("no content: %+v, %v", got, err)
		}
		option := Call[optionIn, out](c, "POST /option")
		if got, err := option(ctx, &optionIn{mo.Some([]int{1, 2})}); err != nil || got.Text != "[1 2] true" {
			t.Errorf("option: %+v, %v", got, err)
		}
		if got, err := option(ctx, &optionIn{}); err != nil || got.Text != "[] false" {
			t.Errorf("None: %+v, %v", got, err)
		}
		reader := Call[readerIn, out](c, "POST /reader")
		for _, test := range []struct {
			in   readerIn
			want string
		}{
			{readerIn{Body: strings.NewReader("abc")}, "application/octet-stream 3 abc"},
			{readerIn{Type: "text/x", Body: io.MultiReader(strings.NewReader("abc"))}, "text/x 0 abc"},
			{readerIn{Type: "text/x", Length: 3, Body: io.MultiReader(strings.NewReader("abc"))}, "text/x 3 abc"},
			{readerIn{}, " 0 "},
		} {
			if got, err := reader(ctx, &test.in); err != nil || got.Text != test.want {
				t.Errorf("reader: %+v, %v, want %q", got, err, test.want)
			}
		}
		if got, err := Call[csvIn, out](c, "POST /csv")(ctx, &csvIn{strings.NewReader("a,b")}); err != nil || got.Text != "a,b" {
			t.Errorf("csv: %+v, %v", got, err)
		}
		if got, err := Call[[]int, map[string]int](c, "POST /slice")(ctx, &[]int{1, 2, 3}); err != nil || (*got)["n"] != 3 {
			t.Errorf("slice: %+v, %v", got, err)
		}
		v2 := Call[name, name](c, "POST /v2", CallOptions{JSON: []jsonv2.Options{jsonv2.RejectUnknownMembers(true)}})
		if got, err := v2(ctx, &name{"v2"}); err != nil || got.Name != "v2" {
			t.Errorf("v2: %+v, %v", got, err)
		}
	})
}

func TestCallForms(t *testing.T) {
	type plain struct {
		ID    int64           `path:"id"`
		Name  string          `form:"name"`
		Tags  []string        `form:"tag"`
		Agree mo.Option[bool] `form:"agree"`
	}
	type upload struct {
		Title string                  `form:"ti tle"`
		One   *multipart.FileHeader   `form:"one"`
		Many  []*multipart.FileHeader `form:"many"`
	}
	type out struct{ Text string }
	var seen *multipart.FileHeader
	onRouters(t, func(r api.Router) {
		api.Handle(r, "POST /plain/{id}", func(_ context.Context, in *plain) (*out, error) { return &out{fmt.Sprintf("%+v", *in)}, nil })
		api.Handle(r, "POST /upload", func(_ context.Context, in *upload) (*out, error) {
			text := in.Title
			for _, f := range append([]*multipart.FileHeader{in.One}, in.Many...) {
				if f == nil {
					continue
				}
				file, err := f.Open()
				if err != nil {
					return nil, err
				}
				data, err := io.ReadAll(file)
				if err != nil {
					return nil, err
				}
				text += fmt.Sprintf("|%s %s %d %.5s", f.Filename, f.Header.Get("Content-Type"), len(data), data)
			}
			return &out{text}, nil
		})
	}, func(t *testing.T, c *Client) {
		in := plain{7, "a&b=c é", []string{"x", "", "y+z"}, mo.Some(false)}
		got, err := Call[plain, out](c, "POST /plain/{id}")(t.Context(), &in)
		if want := fmt.Sprintf("%+v", in); err != nil || got.Text != want {
			t.Errorf("%v\ngot  %+v\nwant %s", err, got, want)
		}
		post := Call[upload, out](c, "POST /upload")
		large := bytes.Repeat([]byte("0123456789"), 300_000) // large enough for the server to keep it in a file
		files := upload{"t\"itle", FileOf(`a "b".txt`, "text/plain", []byte("hello")), []*multipart.FileHeader{FileOf("empty", "", nil), FileOf("large", "image/png", large)}}
		if got, err = post(t.Context(), &files); err != nil || got.Text != `t"itle|a "b".txt text/plain 5 hello|empty application/octet-stream 0 |large image/png 3000000 01234` {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err = post(t.Context(), &upload{}); err != nil || got.Text != "" {
			t.Errorf("an empty form: %+v, %v", got, err)
		}
		// If a file cannot be opened, the call returns an error.
		seen = &multipart.FileHeader{Filename: "gone", Size: 3}
		if _, err := post(t.Context(), &upload{One: seen}); err == nil {
			t.Error("a missing file was sent")
		}
	})
}

type callNumber struct {
	N int `json:"n" min:"0"`
}

func TestCallStreams(t *testing.T) {
	type sumIn struct {
		Body api.Elements[callNumber] `body:""`
	}
	type countIn struct {
		N    int  `query:"n"`
		Fail bool `query:"fail"`
	}
	count := func(n int, fail error) *api.Elements[callNumber] {
		return api.ElementsOf(func(yield func(callNumber, error) bool) {
			for i := range n {
				if !yield(callNumber{i}, nil) {
					return
				}
			}
			if fail != nil {
				yield(callNumber{}, fail)
			}
		})
	}
	onRouters(t, func(r api.Router) {
		api.Handle(r, "POST /sum", func(_ context.Context, in *sumIn) (*callNumber, error) {
			var sum callNumber
			for v, err := range in.Body {
				if err != nil {
					return nil, err
				}
				sum.N += v.N
			}
			return &sum, nil
		})
		api.Handle(r, "GET /count", func(_ context.Context, in *countIn) (*api.Elements[callNumber], error) {
			if in.Fail {
				return count(in.N, api.NewProblem(http.StatusConflict, "no more")), nil
			}
			return count(in.N, nil), nil
		})
		api.Handle(r, "POST /double", func(_ context.Context, in *api.Elements[callNumber]) (*api.Elements[callNumber], error) {
			return api.ElementsOf(func(yield func(callNumber, error) bool) {
				for v, err := range *in {
					if v.N *= 2; !yield(v, err) {
						return
					}
				}
			}), nil
		})
		api.Handle(r, "GET /content", func(_ context.Context, in *countIn) (*api.Content, error) {
			return &api.Content{Type: "text/csv", Name: "a b.csv", ETag: `"v1"`, Length: int64(in.N), Body: io.LimitReader(zeros{}, int64(in.N))}, nil
		})
	}, func(t *testing.T, c *Client) {
		ctx := t.Context()
		sum := Call[sumIn, callNumber](c, "POST /sum")
		if got, err := sum(ctx, &sumIn{*count(10_000, nil)}); err != nil || got.N != 49995000 {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := sum(ctx, &sumIn{*count(3, errStopped)}); !errors.Is(err, errStopped) {
			t.Errorf("the error of the sequence is %v", err)
		}
		negative := api.ElementsOf(func(yield func(callNumber, error) bool) { yield(callNumber{-1}, nil) })
		var p *api.Problem
		if _, err := sum(ctx, &sumIn{*negative}); !errors.As(err, &p) || p.Status != 422 || p.Errors[0].Name != "[0].n" {
			t.Errorf("%v", err)
		}
		if got, err := sum(ctx, nil); err != nil || got.N != 0 {
			t.Errorf("no elements: %+v, %v", got, err)
		}
		get := Call[countIn, api.Elements[callNumber]](c, "GET /count")
		for _, test := range []struct {
			in   countIn
			n    int
			fail bool
		}{{countIn{N: 0}, 0, false}, {countIn{N: 30_000}, 30_000, false}, {countIn{N: 5000, Fail: true}, 5000, true}} {
			got, err := get(ctx, &test.in)
			if err != nil {
				t.Fatal(err)
			}
			n, failed := 0, false
			for v, err := range *got {
				if err != nil {
					failed = true
					break
				}
				if v.N != n {
					t.Fatalf("element %d is %d", n, v.N)
				}
				n++
			}
			if n != test.n && !failed || n > test.n || failed != test.fail {
				t.Errorf("%+v: %d elements, failed %v", test.in, n, failed)
			}
			for _, err := range *got {
				if err == nil || !strings.Contains(err.Error(), "can be ranged over only once") {
					t.Errorf("the second time: %v", err)
				}
			}
		}
		if _, err := get(ctx, &countIn{Fail: true}); !errors.As(err, &p) || p.Status != 409 || p.Detail != "no more" {
			t.Errorf("%v", err)
		}
		doubled, err := Call[api.Elements[callNumber], api.Elements[callNumber]](c, "POST /double")(ctx, count(5000, nil))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for v, err := range *doubled {
			if err != nil || v.N != 2*n {
				t.Fatalf("%d: %+v, %v", n, v, err)
			}
			n++
		}
		if n != 5000 {
			t.Errorf("%d elements came back", n)
		}
		content, err := Call[countIn, api.Content](c, "GET /content")(ctx, &countIn{N: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(content.Body)
		if content.Body = nil; err != nil || len(data) != 100_000 || !reflect.DeepEqual(*content, api.Content{Type: "text/csv", Name: "a b.csv", ETag: `"v1"`, Length: 100_000}) {
			t.Errorf("%d bytes, %+v, %v", len(data), content, err)
		}
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestCallStatuses(t *testing.T) {
	type in struct {
		Status int    `query:"status"`
		Match  string `header:"If-None-Match"`
		Limit  int    `query:"limit" max:"10"`
	}
	type none struct{}
	onRouters(t, func(r api.Router) {
		api.Handle(r, "GET /status", func(_ context.Context, in *in) (*callNumber, error) {
			switch {
			case in.Status == 0:
				return nil, nil
			case in.Status == 200:
				return &callNumber{1}, nil
			}
			return nil, api.NewProblem(in.Status, "as asked")
		}, api.Operation{ETag: true})
		api.Handle(r, "HEAD /head", func(_ context.Context, in *in) (*api.Content, error) {
			return &api.Content{Type: "text/x", ETag: `"1"`}, nil
		})
		api.Handle(r, "DELETE /none", func(context.Context, *none) (*none, error) { return nil, nil }, api.Operation{Status: 202})
	}, func(t *testing.T, c *Client) {
		ctx := t.Context()
		get := Call[in, callNumber](c, "GET /status")
		if got, err := get(ctx, &in{Status: 200}); err != nil || got.N != 1 {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err := get(ctx, &in{}); err != nil || got != nil {
			t.Errorf("204: %+v, %v", got, err)
		}
		if got, err := get(ctx, &in{Status: 200, Match: "*"}); err != ErrNotModified || got != nil {
			t.Errorf("304: %+v, %v", got, err)
		}
		var p *api.Problem
		var a *AnswerError
		if _, err := get(ctx, &in{Status: 404}); !errors.As(err, &p) || p.Status != 404 || p.Detail != "as asked" || p.Title != "Not Found" ||
			!errors.As(err, &a) || a.Status != 404 || a.Header.Get("Content-Type") != api.MediaTypeProblem || a.Pattern != "GET /status" {
			t.Errorf("%#v", err)
		}
		want := []api.FieldProblem{{In: "query", Name: "limit", Detail: "is more than 10"}}
		if _, err := get(ctx, &in{Limit: 11}); !errors.As(err, &p) || p.Status != 422 || len(p.Errors) != 1 || p.Errors[0].Name != want[0].Name {
			t.Errorf("%v", err)
		}
		head, err := Call[in, api.Content](c, "HEAD /head")(ctx, nil)
		if err != nil || head.ETag != `"1"` || head.Type != "text/x" || head.Body != nil {
			t.Errorf("HEAD: %+v, %v", head, err)
		}
		if got, err := Call[none, none](c, "DELETE /none")(ctx, nil); err != nil || got == nil {
			t.Errorf("202: %+v, %v", got, err)
		}
	})
}

// TestCallOdd reads answers that no typed handler would send. Each is an AnswerError, and a problem
// if the status is not a success.
func TestCallOdd(t *testing.T) {
	body, status, mediaType := "", 200, ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	defer s.Close()
	c := clientOf(t, s.URL+"/below/", Options{AnswerLimit: 1000})
	get := Call[struct{}, callNumber](c, "GET /x")
	for _, test := range []struct {
		status          int
		mediaType, body string
		problem         *api.Problem
		text            string
	}{
		{status: 500, mediaType: "text/html; charset=utf-8", body: " <h1>é\xff" + strings.Repeat("é", 1000), problem: &api.Problem{Title: "Internal Server Error", Status: 500, Detail: "<h1>é\uFFFD" + strings.Repeat("é", 508)}},
		{status: 404, mediaType: "application/problem+json", body: `{"status":200,"title":"odd"}`, problem: &api.Problem{Title: "odd", Status: 404}},
		{status: 404, mediaType: "application/problem+json", body: `{"status":`, problem: &api.Problem{Title: "Not Found", Status: 404, Detail: `{"status":`}},
		{status: 404, mediaType: "image/png", body: "\x89PNG", problem: &api.Problem{Title: "Not Found", Status: 404}},
		{status: 300, mediaType: "text/plain", body: "choose", problem: &api.Problem{Title: "Multiple Choices", Status: 300, Detail: "choose"}},
		{status: 200, mediaType: "text/html", body: "<h1>", text: `status 200 to GET /x cannot be read: unexpected Content-Type "text/html"`},
		{status: 200, mediaType: "application/json", body: `{"n":"x"}`, text: "cannot unmarshal string"},
		{status: 200, mediaType: "application/json", body: `{`, text: "unexpected end"},
		{status: 200, mediaType: "application/json", body: `{"n":` + strings.Repeat(" ", 1000) + `1}`, text: ErrAnswerTooLarge.Error()},
		{status: 200, mediaType: api.MediaTypeWire, body: "", text: "unexpected EOF"},
	} {
		body, status, mediaType = test.body, test.status, test.mediaType
		_, err := get(t.Context(), nil)
		var p *api.Problem
		var a *AnswerError
		if !errors.As(err, &a) || a.Status != test.status {
			t.Errorf("%+v: %#v", test, err)
		}
		if errors.As(err, &p) {
			p = p.Wrap(nil)
		}
		if !reflect.DeepEqual(p, test.problem) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%d %s: got %#v\nwant %#v %s\n%v", test.status, test.mediaType, p, test.problem, test.text, err)
		}
	}
	// The client and the server have the same limit for an element.
	body, status, mediaType = `[{"n":`+strings.Repeat(" ", message.MaxElement)+`1}]`, 200, "application/json"
	elements, err := Call[struct{}, api.Elements[callNumber]](c, "GET /x")(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range *elements {
		if !errors.Is(err, ErrAnswerTooLarge) {
			t.Error(err)
		}
	}
}

func TestCallRefuses(t *testing.T) {
	type noField struct {
		A string `query:"a"`
	}
	type noWay struct {
		A Unwritten `query:"a"`
	}
	c := clientOf(t, "http://127.0.0.1:1")
	for name, call := range map[string]func(){
		"no method":           func() { Call[struct{}, struct{}](c, "/x") },
		"no field for {name}": func() { Call[noField, struct{}](c, "GET /{name}") },
		"no fields at all":    func() { Call[struct{}, struct{}](c, "GET /{name}") },
		"not in the pattern":  func() { Call[callIn, struct{}](c, "PUT /{name}") },
		"a body of GET":       func() { Call[callBody, struct{}](c, "GET /x") },
		"cannot be written":   func() { Call[noWay, struct{}](c, "GET /x") },
		"no client":           func() { Call[noField, struct{}](nil, "GET /x") },
		"events":              func() { CallEvents[callIn](c, "GET /x") },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*api.RouteError); !ok {
					t.Errorf("%s: no RouteError", name)
				}
			}()
			call()
		}()
	}
	for _, address := range []string{"", "x", "ftp://x", "http://", "http://x?a=b", "http://x#a", "http://x:y:z", "http://user:secret@x?a", "http://user:secret@\x7f"} {
		if _, err := New(address); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", address, err)
		}
	}
	type in struct {
		Name string `path:"name"`
		Word string `header:"X-Word"`
	}
	get := Call[in, struct{}](c, "GET /{name}")
	for _, v := range []in{{}, {Name: "a", Word: "b\r\nX-Forged: 1"}} {
		if _, err := get(t.Context(), &v); err == nil || strings.Contains(err.Error(), "Forged") {
			t.Errorf("%+v: %v", v, err)
		}
	}
}

// Unwritten has UnmarshalText and no MarshalText.
type Unwritten struct{}

func (*Unwritten) UnmarshalText([]byte) error { return nil }
