package web

import (
	"bytes"
	"encoding/xml"
	"errors"
	"html/template"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
)

// formRequest returns a POST request with the given Content-Type and body.
func formRequest(target, contentType, body string) *http.Request {
	r := httptest.NewRequest("POST", target, strings.NewReader(body))
	r.Header.Set(HeaderContentType, contentType)
	return r
}

// multipartBody returns a form with a field "title" and one file "file".
func multipartBody(t *testing.T, content string) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if err := w.WriteField("title", "a"); err != nil {
		t.Fatal(err)
	}
	f, err := w.CreateFormFile("file", "x.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(f, content)
	_ = w.Close()
	return b.String(), w.FormDataContentType()
}

type formTarget struct {
	Title string                `form:"title" xml:"title"`
	Tags  []string              `form:"tag" xml:"tag"`
	Page  struct{ N int }       `form:"-" xml:"-"`
	File  *multipart.FileHeader `form:"file" xml:"-"`
}

func TestBindForms(t *testing.T) {
	e := quiet()
	multi, multiType := multipartBody(t, "hello")
	for _, tt := range []struct {
		target, contentType, body string
		want                      formTarget
		status                    int
	}{
		{target: "/?tag=q", contentType: "application/x-www-form-urlencoded", body: "title=a+b&tag=1&tag=2", want: formTarget{Title: "a b", Tags: []string{"1", "2", "q"}}},
		{target: "/", contentType: "Application/X-WWW-Form-URLencoded; charset=utf-8", body: "TITLE=x", want: formTarget{Title: "x"}},
		{target: "/", contentType: "text/xml", body: "<f><title>t</title><tag>1</tag><tag>2</tag></f>", want: formTarget{Title: "t", Tags: []string{"1", "2"}}},
		{target: "/", contentType: "application/xml", body: "<f><title>", want: formTarget{}, status: 400},
		{target: "/", contentType: multiType, body: multi, want: formTarget{Title: "a"}},
		{target: "/", contentType: "multipart/form-data", body: multi, want: formTarget{}, status: 400},
		{target: "/", contentType: "application/x-www-form-urlencoded", body: "title=" + strings.Repeat("x", DefaultBodyLimit), want: formTarget{}, status: 413},
		{target: "/", contentType: "text/plain", body: "title=x", want: formTarget{}, status: 415},
	} {
		c := e.NewContext(formRequest(tt.target, tt.contentType, tt.body), httptest.NewRecorder())
		var got formTarget
		err := c.Bind(&got)
		if StatusCode(err) != tt.status {
			t.Errorf("%s: %v, want status %d", tt.contentType, err, tt.status)
			continue
		}
		if tt.contentType == multiType {
			if got.File == nil || got.File.Filename != "x.txt" || got.File.Size != 5 {
				t.Errorf("%s: the file: %+v", tt.contentType, got.File)
			}
			got.File = nil
		}
		if tt.status == 0 && !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.contentType, got, tt.want)
		}
	}
}

// A form that has been read for binding can still be read afterwards.
func TestFormAfterBind(t *testing.T) {
	e := quiet()
	c := e.NewContext(formRequest("/?q=1", MIMEApplicationForm, "title=a&tag=b"), httptest.NewRecorder())
	var got formTarget
	if err := c.Bind(&got); err != nil || got.Title != "a" {
		t.Fatal(got, err)
	}
	if c.FormValue("tag") != "b" || c.FormValue("q") != "1" || c.FormValueOr("none", "d") != "d" {
		t.Errorf("form: %v", c.Request().Form)
	}
	var m map[string]string
	if err := c.Bind(&m); err != nil || m["title"] != "a" {
		t.Errorf("a map: %v %v", m, err)
	}
	if n, err := FormValue[int](c, "q"); err != nil || n != 1 {
		t.Errorf("FormValue[int]: %d %v", n, err)
	}
	if _, err := FormValue[int](c, "none"); err != ErrNonExistentKey {
		t.Errorf("FormValue of none: %v", err)
	}
	if all, err := FormValues[string](c, "tag"); err != nil || len(all) != 1 {
		t.Errorf("FormValues: %q %v", all, err)
	}
	if v, err := FormValueOr(c, "tag", 7); StatusCode(err) != 400 || v != 0 {
		t.Errorf("FormValueOr of a word: %v %v", v, err)
	}
	if v, err := FormValuesOr(c, "none", []int{7}); err != nil || len(v) != 1 {
		t.Errorf("FormValuesOr: %v %v", v, err)
	}
}

// A file on disk is removed when the request ends, even if middleware replaced
// net/http's *http.Request.
func TestMultipartFilesAreRemoved(t *testing.T) {
	e := NewWithConfig(Config{Logger: quiet().Logger, FormParseMaxMemory: 1})
	var name string
	e.Use(func(next HandlerFunc) HandlerFunc {
		return func(c *Context) error {
			c.SetRequest(c.Request().Clone(c.Request().Context()))
			return next(c)
		}
	})
	e.POST("/", func(c *Context) error {
		h, err := c.FormFile("file")
		if err != nil {
			return err
		}
		f, err := h.Open()
		if err != nil {
			return err
		}
		defer f.Close()
		if onDisk, ok := f.(*os.File); ok {
			name = onDisk.Name()
		}
		if _, err := c.FormFile("none"); err != http.ErrMissingFile {
			t.Errorf("no file: %v", err)
		}
		return c.Stream(http.StatusOK, MIMEOctetStream, f)
	})
	content := strings.Repeat("x", 11<<20) // longer than the 10 MiB that net/http adds to the limit
	body, contentType := multipartBody(t, content)
	w := httptest.NewRecorder()
	e.ServeHTTP(w, formRequest("/", contentType, body))
	if w.Code != 200 || w.Body.String() != content || name == "" {
		t.Fatalf("%d, %d bytes, on disk as %q", w.Code, w.Body.Len(), name)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
}

func TestRender(t *testing.T) {
	e := quiet()
	e.GET("/:name", func(c *Context) error { return c.Render(http.StatusAccepted, c.Param("name"), "<x>") })
	if w := get(e, "GET", "/page"); w.Code != 500 {
		t.Errorf("without a renderer: %d", w.Code)
	}
	e.Renderer = &TemplateRenderer{Template: template.Must(template.New("page").Parse("<p>{{.}}</p>{{define `bad`}}<p>{{.None}}{{end}}"))}
	if w := get(e, "GET", "/page"); w.Code != 202 || w.Body.String() != "<p>&lt;x&gt;</p>" || w.Header().Get(HeaderContentType) != MIMETextHTMLCharsetUTF8 {
		t.Errorf("page: %d %s", w.Code, w.Body)
	}
	if w := get(e, "GET", "/bad"); w.Code != 500 || strings.Contains(w.Body.String(), "<p>") {
		t.Errorf("a template that fails: %d %s", w.Code, w.Body)
	}
}

type failingXML struct{}

func (failingXML) MarshalXML(*xml.Encoder, xml.StartElement) error { return errors.New("no") }

func TestXML(t *testing.T) {
	e := quiet()
	type item struct {
		Name string `xml:"name"`
	}
	e.GET("/xml", func(c *Context) error { return c.XML(201, item{"<a>"}) })
	e.GET("/pretty", func(c *Context) error { return c.XMLPretty(200, item{"a"}, " ") })
	e.GET("/blob", func(c *Context) error { return c.XMLBlob(200, []byte("<a/>")) })
	e.GET("/fails", func(c *Context) error { return c.XML(200, failingXML{}) })
	for path, want := range map[string]string{
		"/xml": "<item><name>&lt;a&gt;</name></item>", "/pretty": "<item>\n <name>a</name>\n</item>", "/blob": "<a/>",
	} {
		w := get(e, "GET", path)
		if w.Body.String() != xml.Header+want || w.Header().Get(HeaderContentType) != MIMEApplicationXMLCharsetUTF8 {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
	if w := get(e, "GET", "/fails"); w.Code != 500 {
		t.Errorf("a value that cannot be encoded: %d %s", w.Code, w.Body)
	}
}

// A callback that is not the name of a function never appears in the script.
func TestJSONP(t *testing.T) {
	e := quiet()
	e.GET("/", func(c *Context) error {
		return c.JSONP(200, c.QueryParam("callback"), map[string]string{"a": "</script>\u2028"})
	})
	for name, ok := range map[string]bool{
		"f": true, "app.show": true, "app.$_x1.f": true, "app.show[0]": false, "a..b": false, ".a": false, "a.": false, "a.1b": false, "$_x1": true, "": true, "1f": false, "f()": false, "alert(1);f": false, "f;": false,
		"a b": false, "<script>": false, "f\n": false, "ф": false, strings.Repeat("x", 300): false,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		q := r.URL.Query()
		q.Set("callback", name)
		r.URL.RawQuery = q.Encode()
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		want := name + "({\"a\":\"\\u003c/script\\u003e\\u2028\"}\n);"
		if ok != (w.Code == 200) || ok && w.Body.String() != want {
			t.Errorf("%q: %d %s", name, w.Code, w.Body)
		}
		if !ok && w.Code != 400 {
			t.Errorf("%q: %d", name, w.Code)
		}
		if err := e.NewContext(r, w).JSONP(200, name, 1); ok == errors.Is(err, ErrInvalidJSONPCallback) {
			t.Errorf("%q: %v", name, err)
		}
	}
	e.JSONSerializer = otherJSON{}
	if w := get(e, "GET", "/?callback=f"); w.Body.String() != "f(other);" {
		t.Errorf("by another serializer: %s", w.Body)
	}
}

type otherJSON struct{}

func (otherJSON) Serialize(c *Context, _ any, _ string) error {
	_, err := io.WriteString(c.Response(), "other")
	return err
}
func (otherJSON) Deserialize(*Context, any) error { return nil }

func TestHeadHasTheLengthOfGet(t *testing.T) {
	e := NewWithConfig(Config{Logger: quiet().Logger, Router: NewRouter(RouterConfig{AutoHandleHEAD: true})})
	e.GET("/", func(c *Context) error { return c.String(http.StatusOK, strings.Repeat("x", 5000)) })
	e.GET("/none", func(c *Context) error { return c.NoContent(http.StatusNoContent) })
	e.GET("/fails", func(c *Context) error { return ErrForbidden })
	e.GET("/hints", func(c *Context) error {
		c.Response().WriteHeader(http.StatusEarlyHints)
		return c.String(http.StatusNotFound, "none")
	})
	for path, want := range map[string][2]string{"/": {"200", "5000"}, "/none": {"204", ""}, "/fails": {"403", ""}} {
		w := get(e, "HEAD", path)
		if w.Body.Len() != 0 || w.Result().Status[:3] != want[0] || w.Header().Get(HeaderContentLength) != want[1] {
			t.Errorf("HEAD %s: %d %q, %d bytes", path, w.Code, w.Header(), w.Body.Len())
		}
	}
	server := httptest.NewServer(e) // a recorder would treat an informational status as final
	defer server.Close()
	resp, err := http.Head(server.URL + "/hints")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusNotFound || resp.ContentLength != 4 {
		t.Errorf("HEAD /hints: %v", resp)
	}
}

func TestVirtualHosts(t *testing.T) {
	named := func(name string) *Echo {
		e := quiet()
		e.GET("/", func(c *Context) error { return c.String(200, name) })
		return e
	}
	a := named("a")
	e := NewVirtualHostHandler(map[string]*Echo{"A.example:80": a, "a.example.:80": a, "b.example.": named("b"), "[::1]:80": named("ip")})
	e.GET("/", func(c *Context) error { return c.String(200, "default") })
	for host, want := range map[string]string{
		"a.example:80": "a", "a.EXAMPLE.:80": "a", "b.example": "b", "B.example.": "b", "[::1]:80": "ip",
		"a.example": "default", "b.example:80": "default", "b.example..": "default", "": "default", ".": "default", ":80": "default",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Body.String() != want {
			t.Errorf("%s: %s", host, w.Body)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("two hosts of one name: no panic")
		}
	}()
	NewVirtualHostHandler(map[string]*Echo{"a.example": named("a"), "A.example": named("b")})
}

func TestConcurrentRouter(t *testing.T) {
	e := NewWithConfig(Config{Logger: quiet().Logger, Router: NewConcurrentRouter(NewRouter(RouterConfig{}))})
	e.GET("/a/:x", echoRoute)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 200 {
			path := "/b/" + strings.Repeat(":p/", i%5) + "end"
			_, _ = e.AddRoute(Route{Method: "GET", Path: path, Handler: echoRoute})
			if err := e.Router().Remove("GET", path); err != nil {
				t.Error(err)
			}
			_ = e.Router().Routes()
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		if got := describe(e, "GET", "/a/1"); got != `GET /a/:x ["1"]` {
			t.Fatal(got)
		}
	}
	if routes := e.Router().Routes(); len(routes) != 1 {
		t.Errorf("routes left: %v", routes)
	}
}
