package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

// ask sends a request to e, and returns the status and the body.
func ask(e *web.Echo, method, target, contentType, body string, header ...string) (int, string, http.Header) {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w.Code, strings.TrimSpace(w.Body.String()), w.Header()
}

type text struct {
	Text string `json:"text"`
}

func TestHandleCookiesAndForms(t *testing.T) {
	type in struct {
		ID      int                     `path:"id"`
		Session mo.Option[string]       `cookie:"session"`
		Name    string                  `form:"name"`
		Tags    []string                `form:"tag"`
		File    *multipart.FileHeader   `form:"file"`
		More    []*multipart.FileHeader `form:"more"`
	}
	e := web.New()
	Handle(e, "POST /forms/{id}", func(_ context.Context, in *in) (*text, error) {
		s := fmt.Sprintf("%d %s %s %s", in.ID, in.Session.OrElse("none"), in.Name, in.Tags)
		for _, h := range append(in.More, in.File) {
			if h == nil {
				continue
			}
			f, err := h.Open()
			if err != nil {
				return nil, err
			}
			content, err := io.ReadAll(f)
			if err != nil {
				return nil, err
			}
			s += fmt.Sprintf(" %s=%s", h.Filename, content)
		}
		return &text{s}, nil
	}, Operation{BodyLimit: 2000})

	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	_ = w.WriteField("name", "Ada")
	_ = w.WriteField("tag", "a")
	_ = w.WriteField("tag", "b")
	for _, name := range []string{"file", "more", "more"} {
		part, err := w.CreateFormFile(name, name+".txt")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(part, "in "+name)
	}
	_ = w.Close()
	large := "name=" + strings.Repeat("x", 2000)
	const urlencoded = "application/x-www-form-urlencoded"
	for _, test := range []struct {
		what, contentType, body string
		header                  []string
		status                  int
		want                    string
	}{
		{what: "a form", contentType: urlencoded, body: "name=Ada+L%C3%B6&tag=a&tag=b", header: []string{"Cookie", "x=1; session=s7"}, status: 200, want: `{"text":"7 s7 Ada Lö [a b]"}`},
		{what: "with a charset", contentType: "Application/X-WWW-Form-Urlencoded; charset=utf-8", body: "name=Ada", status: 200, want: `{"text":"7 none Ada []"}`},
		{what: "a multipart form", contentType: w.FormDataContentType(), body: form.String(), status: 200, want: `{"text":"7 none Ada [a b] more.txt=in more more.txt=in more file.txt=in file"}`},
		{what: "nothing", status: 200, want: `{"text":"7 none  []"}`},
		{what: "JSON", contentType: "application/json", body: "{}", status: 415, want: "Unsupported Media Type"},
		{what: "a coding", contentType: urlencoded, body: "name=Ada", header: []string{"Content-Encoding", "gzip"}, status: 415, want: "Unsupported Media Type"},
		{what: "too large", contentType: urlencoded, body: large, status: 413, want: "Too Large"},
		{what: "a multipart form too large", contentType: w.FormDataContentType(), body: strings.Replace(form.String(), "in file", strings.Repeat("x", 2000), 1), status: 413, want: "Too Large"},
		{what: "half a multipart form", contentType: w.FormDataContentType(), body: form.String()[:150], status: 400, want: "the form cannot be read"},
		{what: "a bad escape", contentType: urlencoded, body: "name=%zz", status: 400, want: `"in":"form"`},
	} {
		status, got, _ := ask(e, "POST", "/forms/7", test.contentType, test.body, test.header...)
		if status != test.status || !strings.Contains(got, test.want) {
			t.Errorf("%s: %d %s", test.what, status, got)
		}
	}
}

func TestHandleLimits(t *testing.T) {
	type person struct {
		Name  string            `json:"name" length:"1..10"`
		Mail  mo.Option[string] `json:"mail" format:"email"`
		Roles []string          `json:"roles" enum:"reader,writer"`
	}
	type in struct {
		ID    int      `path:"id" min:"1"`
		Page  int      `query:"page" max:"10"`
		Sort  []string `query:"sort" enum:"asc,desc"`
		Trace string   `header:"x-trace" pattern:"^[0-9a-f]*$"`
		Body  person   `body:""`
	}
	e := web.New()
	Handle(e, "PUT /people/{id}", func(_ context.Context, in *in) (*text, error) { return &text{in.Body.Name}, nil })
	Handle(e, "POST /people", func(_ context.Context, in *person) (*text, error) { return &text{in.Name}, nil })
	for _, test := range []struct {
		method, target, body, trace string
		want                        []FieldProblem
	}{
		{method: "PUT", target: "/people/1?page=10&sort=asc&sort=desc", body: `{"name":"Ada","mail":"ada@example.org","roles":["reader"]}`, trace: "0f"},
		{method: "PUT", target: "/people/0?page=11&sort=asc&sort=up", body: `{"mail":"ada","roles":["reader","owner"]}`, trace: "xyz", want: []FieldProblem{
			{In: "path", Name: "id", Detail: "must be at least 1"},
			{In: "query", Name: "page", Detail: "must be at most 10"},
			{In: "query", Name: "sort[1]", Detail: "must be one of asc, desc"},
			{In: "header", Name: "X-Trace", Detail: "must match ^[0-9a-f]*$"},
			{In: "body", Name: ".name", Detail: "is required"},
			{In: "body", Name: ".mail", Detail: "must be an email address"},
			{In: "body", Name: ".roles[1]", Detail: "must be one of reader, writer"},
		}},
		{method: "POST", target: "/people", body: `{"name":"Ada","roles":null}`},
		{method: "POST", target: "/people", body: `{"name":"","roles":[]}`, want: []FieldProblem{{In: "body", Name: ".name", Detail: "must have 1 to 10 characters"}}},
	} {
		status, got, _ := ask(e, test.method, test.target, "application/json", test.body, "X-Trace", test.trace)
		if test.want == nil {
			if status != 200 {
				t.Errorf("%s: %d %s", test.target, status, got)
			}
			continue
		}
		var p Problem
		if err := json.Unmarshal([]byte(got), &p); err != nil || status != 422 || !reflect.DeepEqual(p.Errors, test.want) {
			t.Errorf("%s: %d %s, %v", test.target, status, got, err)
		}
	}
}

func TestHandleBadInput(t *testing.T) {
	e := web.New()
	for name, register := range map[string]func(){
		"a limit that makes no sense": func() {
			Handle(e, "POST /a", func(context.Context, *struct {
				N string `json:"n" min:"1"`
			}) (*text, error) {
				return nil, nil
			})
		},
		"a form for GET": func() {
			Handle(e, "GET /a", func(context.Context, *struct {
				N string `form:"n"`
			}) (*text, error) {
				return nil, nil
			})
		},
		"a form and a body": func() {
			Handle(e, "POST /a", func(context.Context, *struct {
				N string `form:"n"`
				B text   `body:""`
			}) (*text, error) {
				return nil, nil
			})
		},
	} {
		func() {
			defer func() {
				var add *RouteError
				if err, _ := recover().(error); !errors.As(err, &add) {
					t.Errorf("%s: %v", name, err)
				}
			}()
			register()
		}()
	}
}

func TestHandleETag(t *testing.T) {
	e := web.New()
	n := 1
	Handle(e, "GET /n", func(context.Context, *struct{}) (*text, error) { return &text{fmt.Sprint(n)}, nil }, Operation{ETag: true})
	Handle(e, "GET /plain", func(context.Context, *struct{}) (*text, error) { return &text{"x"}, nil })
	status, _, header := ask(e, "GET", "/n", "", "")
	tag := header.Get("ETag")
	if status != 200 || len(tag) != 18 || tag[0] != '"' || tag[17] != '"' {
		t.Fatalf("%d, tag %s", status, tag)
	}
	for _, test := range []struct {
		match  string
		status int
	}{{tag, 304}, {`"other"`, 200}, {`"a,b", W/` + tag, 304}, {"*", 304}, {"", 200}, {strings.Trim(tag, `"`), 200}} {
		status, body, header := ask(e, "GET", "/n", "", "", "If-None-Match", test.match)
		if status != test.status || status == 304 && (body != "" || header.Get("ETag") != tag || header.Get("Vary") == "") {
			t.Errorf("If-None-Match %s: %d %q %v", test.match, status, body, header)
		}
	}
	if status, _, _ := ask(e, "GET", "/n", "", "", "If-None-Match", tag, "Accept", MediaTypeWire); status != 200 {
		t.Errorf("the binary answer has the entity tag of the JSON answer: %d", status)
	}
	n = 2
	if status, _, _ := ask(e, "GET", "/n", "", "", "If-None-Match", tag); status != 200 {
		t.Errorf("changed: %d", status)
	}
	if _, _, header := ask(e, "GET", "/plain", "", ""); header.Get("ETag") != "" {
		t.Error("an ETag although Operation.ETag is not set")
	}
}
