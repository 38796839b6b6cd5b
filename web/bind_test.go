package web

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/bind"
)

type bound struct {
	ID    int      `param:"id" json:"-"`
	Name  string   `query:"name" json:"name"`
	Tags  []string `query:"tag" json:"tags"`
	Trace string   `header:"X-Trace" json:"-"`
}

// boundContext returns a Context for a request to /things/:id.
func boundContext(method, target, contentType, body string) *Context {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set(HeaderContentType, contentType)
	}
	r.Header.Set("X-Trace", "t")
	c := quiet().NewContext(r, httptest.NewRecorder())
	c.SetPathValues(PathValues{{Name: "id", Value: strings.TrimPrefix(r.URL.Path, "/things/")}})
	return c
}

func TestBind(t *testing.T) {
	const asJSON = "application/json"
	tests := []struct {
		method, target, contentType, body string
		want                              bound
		status                            int // the status of the error
	}{
		{method: "GET", target: "/things/7?name=q&tag=a&tag=b", want: bound{ID: 7, Name: "q", Tags: []string{"a", "b"}}},
		{method: "POST", target: "/things/7?name=q", want: bound{ID: 7}}, // the query of a POST is not bound
		{method: "POST", target: "/things/7", contentType: asJSON, body: `{"name":"body","tags":["c"]}`, want: bound{ID: 7, Name: "body", Tags: []string{"c"}}},
		{method: "DELETE", target: "/things/7?name=q", contentType: asJSON, body: `{"tags":["c"]}`, want: bound{ID: 7, Name: "q", Tags: []string{"c"}}},
		{method: "POST", target: "/things/7", contentType: asJSON + "; charset=utf-8", body: `{"name":"body"}`, want: bound{ID: 7, Name: "body"}},
		{method: "GET", target: "/things/x", want: bound{}, status: 400},
		{method: "POST", target: "/things/7", contentType: asJSON, body: `{"name":`, want: bound{ID: 7}, status: 400},
		{method: "POST", target: "/things/7", contentType: asJSON, body: `{"name":1}`, want: bound{ID: 7}, status: 400},
		{method: "POST", target: "/things/7", contentType: "text/plain", body: `name`, want: bound{ID: 7}, status: 415},
		{method: "POST", target: "/things/7", body: `{"name":"body"}`, want: bound{ID: 7}, status: 415},
		{method: "POST", target: "/things/7", contentType: asJSON, body: `{"name":"` + strings.Repeat("x", DefaultBodyLimit) + `"}`, want: bound{ID: 7}, status: 413},
	}
	for _, tt := range tests {
		var got bound
		err := boundContext(tt.method, tt.target, tt.contentType, tt.body).Bind(&got)
		if StatusCode(err) != tt.status || (err == nil) != (tt.status == 0) || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s %s: got %+v, %v, want %+v, %d", tt.method, tt.target, got, err, tt.want, tt.status)
		}
	}
}

func TestBindBodyOfUnknownLength(t *testing.T) {
	var got bound
	c := boundContext("POST", "/things/7", "application/json", "")
	c.request.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"name":"a`), strings.NewReader(`b"}`)))
	c.request.ContentLength = -1
	if err := c.Bind(&got); err != nil || got.Name != "ab" {
		t.Errorf("got %+v, %v", got, err)
	}
	c = boundContext("POST", "/things/7", "application/json", "")
	c.request.Body = io.NopCloser(io.LimitReader(zeros{}, DefaultBodyLimit+1))
	c.request.ContentLength = -1
	if err := c.Bind(&got); StatusCode(err) != 413 {
		t.Errorf("a body over the limit: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// The connection of a body over the limit is closed instead of being read to its end.
func TestBodyOverLimitClosesConnection(t *testing.T) {
	e := quiet()
	e.POST("/", func(c *Context) error { return c.Bind(new(bound)) })
	srv := httptest.NewServer(e)
	defer srv.Close()
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go func() {
		_, _ = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
		chunk := "10000\r\n" + strings.Repeat("x", 1<<16) + "\r\n"
		for { // until the server closes the connection
			if _, err := io.WriteString(conn, chunk); err != nil {
				return
			}
		}
	}()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 413 || !resp.Close {
		t.Errorf("status %d, close %v", resp.StatusCode, resp.Close)
	}
}

func TestBindOtherTargets(t *testing.T) {
	var list []int
	if err := boundContext("POST", "/things/7", "application/json", "[1,2]").Bind(&list); err != nil || len(list) != 2 {
		t.Errorf("a slice: %v, %v", list, err)
	}
	var bad struct {
		C chan int `query:"c"`
		D int      `query:"d"`
	}
	if err := boundContext("GET", "/things/7?d=3", "", "").Bind(&bad); err != nil || bad.D != 3 {
		t.Errorf("a field that cannot be bound: %v, %+v", err, bad)
	}
	if err := boundContext("GET", "/things/7?c=3", "", "").Bind(&bad); !errors.Is(err, bind.ErrNoText) || StatusCode(err) != 400 {
		t.Errorf("a value for a field that cannot be bound: %v", err)
	}
	for _, m := range []any{&map[string]any{}, &map[string]string{}, new(map[string][]string)} {
		if err := boundContext("GET", "/things/7?a=x&a=y", "", "").Bind(m); err != nil {
			t.Errorf("%T: %v", m, err)
		}
		want := map[string]string{
			"*map[string]interface {}": "&map[a:x id:7]", "*map[string]string": "&map[a:x id:7]", "*map[string][]string": "&map[a:[x y] id:[7]]",
		}[fmt.Sprintf("%T", m)]
		if got := fmt.Sprint(m); got != want {
			t.Errorf("%T: %s, want %s", m, got, want)
		}
	}
}

// TestBindEmptyLists: the header has a list without values, which middleware can leave. A map gets such
// a list only if its elements are lists.
func TestBindEmptyLists(t *testing.T) {
	for _, list := range [][]string{nil, {}} {
		c := boundContext("GET", "/things/7", "", "")
		c.Request().Header = http.Header{"X-Value": list}
		one, some, all := map[string]string{"X-Value": "before"}, map[string]any{"X-Value": "before"}, map[string][]string{}
		for _, m := range []any{&one, &some, &all} {
			if err := BindHeaders(c, m); err != nil {
				t.Errorf("%T: %v", m, err)
			}
		}
		if got, ok := all["X-Value"]; one["X-Value"] != "before" || some["X-Value"] != "before" || !ok || !reflect.DeepEqual(got, list) {
			t.Errorf("%#v: %v %v %#v", list, one, some, all)
		}
		v := bound{Trace: "before"}
		if err := BindHeaders(c, &v); err != nil || v.Trace != "before" {
			t.Errorf("%#v: %+v %v", list, v, err)
		}
	}
}

func TestBindSources(t *testing.T) {
	c := boundContext("POST", "/things/7?name=q", "application/json", `{"name":"body"}`)
	for _, tt := range []struct {
		bind func(c *Context, target any) error
		want bound
	}{
		{BindPathValues, bound{ID: 7}},
		{BindQueryParams, bound{Name: "q"}},
		{BindHeaders, bound{Trace: "t"}},
		{BindBody, bound{Name: "body"}},
	} {
		var got bound
		if err := tt.bind(c, &got); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
		}
	}
}

// TestBindAsEcho binds to targets that Echo treats in a special way.
func TestBindAsEcho(t *testing.T) {
	type Page struct {
		N int `query:"n" form:"n"`
	}
	var nilPage struct{ *Page }
	if err := boundContext("GET", "/things/7?n=1", "", "").Bind(&nilPage); err != nil || nilPage.Page != nil {
		t.Errorf("an embedded nil pointer: %v, %v", nilPage.Page, err)
	}
	if err := boundContext("POST", "/things/7", "application/x-www-form-urlencoded", "n=1").Bind(&nilPage); err != nil || nilPage.Page != nil {
		t.Errorf("an embedded nil pointer, in a form: %v, %v", nilPage.Page, err)
	}
	tagged := struct {
		*Page `query:"page"`
	}{&Page{}}
	var days struct {
		T []time.Time `query:"t" format:"date"`
	}
	if err := boundContext("GET", "/things/7?t=2023-12-25T14:30:45Z", "", "").Bind(&days); err != nil || len(days.T) != 1 {
		t.Errorf("times: %v, %v", days, err)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_, _ = form.CreateFormFile("file", "a.txt")
	_ = form.Close()
	var file struct {
		File multipart.FileHeader `form:"file"`
	}
	for name, test := range map[string]struct {
		err   error
		text  string
		cause error
	}{
		"a tag":     {boundContext("GET", "/things/7?page=1", "", "").Bind(&tagged), "query/param/form tags are not allowed with anonymous struct field", nil},
		"a file":    {boundContext("POST", "/things/7", form.FormDataContentType(), body.String()).Bind(&file), "code=400, message=Bad Request, err=binding to multipart.FileHeader struct is not supported, use pointer to struct", bind.ErrFile},
		"no struct": {boundContext("POST", "/things/7", "application/x-www-form-urlencoded", "n=1").Bind(new(int)), "err=binding element must be a struct", nil},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.text) || StatusCode(test.err) != 400 || test.cause != nil && !errors.Is(test.err, test.cause) {
			t.Errorf("%s: %v, want %s", name, test.err, test.text)
		}
	}
}
