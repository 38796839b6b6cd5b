package api

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/web"
)

func TestBytesIn(t *testing.T) {
	url, _ := startEvents(t, streamed(t))
	for _, test := range []struct {
		what, path, mediaType, coding, body string
		status                              int
		want                                string
	}{
		{what: "bytes", path: "/bytes", body: "hello", status: 200, want: `{"count":5,"sum":0}`},
		{what: "of any type", path: "/bytes", mediaType: "x/y", coding: "identity", body: "hello", status: 200, want: `{"count":5,"sum":0}`},
		{what: "none", path: "/bytes", status: 200, want: `{"count":0,"sum":0}`},
		{what: "with a coding", path: "/bytes", coding: "gzip", body: "hello", status: 415, want: "Unsupported"},
		{what: "as many as may be", path: "/bytes", body: strings.Repeat("x", 1000), status: 200, want: `{"count":1000,"sum":0}`},
		{what: "one more", path: "/bytes", body: strings.Repeat("x", 1001), status: 413, want: "Too Large"},
		{what: "an image", path: "/image", mediaType: "image/PNG", body: "PNG", status: 200, want: "PNG"},
		{what: "text", path: "/image", mediaType: "text/csv; header=present", body: "a,b", status: 200, want: "a,b"},
		{what: "neither", path: "/image", mediaType: "image/jpeg", body: "x", status: 415, want: "Unsupported"},
		{what: "no type", path: "/image", body: "x", status: 415, want: "Unsupported"},
		{what: "nothing", path: "/image", status: 400, want: "missing"},
	} {
		for _, body := range []io.Reader{strings.NewReader(test.body), io.MultiReader(strings.NewReader(test.body))} {
			if _, chunked := body.(*strings.Reader); !chunked && test.body == "" {
				continue
			}
			r, err := http.NewRequest("PUT", url+test.path, body)
			if err != nil {
				t.Fatal(err)
			}
			if test.mediaType != "" {
				r.Header.Set("Content-Type", test.mediaType)
			}
			if test.coding != "" {
				r.Header.Set("Content-Encoding", test.coding)
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Errorf("%s: %v", test.what, err)
				continue
			}
			got, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != test.status || !strings.Contains(string(got), test.want) {
				t.Errorf("%s: %d %s, %v", test.what, resp.StatusCode, got, err)
			}
			if test.status == 200 && test.path == "/image" && resp.Header.Get("Content-Type") != test.mediaType {
				t.Errorf("%s: type %s", test.what, resp.Header.Get("Content-Type"))
			}
		}
	}
}

// A closeCounter is a body that reports its Close.
type closeCounter struct {
	io.Reader
	closed func()
}

func (c closeCounter) Close() error { c.closed(); return nil }

func TestContent(t *testing.T) {
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
	// The server may close the body after the client has read the whole answer.
	var mu sync.Mutex
	closed, wrote := 0, 0
	count := func(want int) int {
		for range 100 {
			mu.Lock()
			n := closed
			mu.Unlock()
			if n == want {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		mu.Lock()
		defer mu.Unlock()
		n := closed
		closed, wrote = 0, 0
		return n
	}
	Handle(e, "GET /content/{how}", func(_ context.Context, in *struct {
		How string `path:"how"`
	}) (*Content, error) {
		body := func(r io.Reader) io.Reader {
			return closeCounter{r, func() { mu.Lock(); defer mu.Unlock(); closed++ }}
		}
		failing := iotestErr{strings.NewReader("half"), errors.New("the disk is on fire")}
		switch in.How {
		case "plain":
			return &Content{Body: body(strings.NewReader("hello"))}, nil
		case "named":
			return &Content{Type: "text/csv", Name: "a\"b\r\nX: y.csv", Length: 5, ETag: `"v1"`, Body: body(strings.NewReader("a,b,c"))}, nil
		case "weak":
			return &Content{ETag: `W/"v1"`, Body: body(strings.NewReader("x"))}, nil
		case "written":
			return &Content{Type: "text/plain", Write: func(w io.Writer) error {
				mu.Lock()
				defer mu.Unlock()
				wrote++
				_, err := io.WriteString(w, "written")
				return err
			}}, nil
		case "unlisted":
			return &Content{Type: "image/png", Body: body(strings.NewReader("x"))}, nil
		case "empty":
			return &Content{Type: "text/plain"}, nil
		case "nil":
			return nil, nil
		case "refused":
			return &Content{Name: "x", ETag: `"v1"`, Length: 9, Write: func(io.Writer) error { return web.ErrForbidden }}, nil
		case "fails":
			return &Content{Body: body(&failing)}, nil
		case "short":
			return &Content{Length: 6, Body: body(strings.NewReader("hello"))}, nil
		case "long":
			return &Content{Length: 4, Body: body(strings.NewReader("hello"))}, nil
		case "panics":
			return &Content{Write: func(w io.Writer) error { _, _ = w.Write([]byte("x")); panic("boom") }}, nil
		}
		return nil, web.ErrNotFound
	}, Operation{ContentType: "application/x-thing, text/csv, text/*"})
	url, stop := startEvents(t, e)
	for _, test := range []struct {
		how    string
		match  string
		status int
		header string
		want   string
		closes int
	}{
		{how: "plain", status: 200, header: "application/x-thing||", want: "hello", closes: 1},
		{how: "named", status: 200, header: `text/csv|attachment; filename="a\"b%0D%0AX: y.csv"|"v1"`, want: "a,b,c", closes: 1},
		{how: "named", match: `"v0"`, status: 200, header: `text/csv|attachment; filename="a\"b%0D%0AX: y.csv"|"v1"`, want: "a,b,c", closes: 1},
		{how: "named", match: `"v0", W/"v1"`, status: 304, header: `|attachment; filename="a\"b%0D%0AX: y.csv"|"v1"`, closes: 1},
		{how: "weak", match: `"v1"`, status: 304, header: `||W/"v1"`, closes: 1},
		{how: "plain", match: `"v1"`, status: 200, header: "application/x-thing||", want: "hello", closes: 1},
		{how: "written", status: 200, header: "text/plain||", want: "written"},
		{how: "empty", status: 200, header: "text/plain||"},
		{how: "unlisted", status: 500, header: "application/problem+json||", want: `{"title":"Internal Server Error","status":500}` + "\n", closes: 1},
		{how: "nil", status: 204, header: "||"},
		{how: "refused", status: 403, header: "application/problem+json||", want: `{"title":"Forbidden","status":403}` + "\n"},
		{how: "missing", status: 404, header: "application/problem+json||", want: `{"title":"Not Found","status":404}` + "\n"},
	} {
		status, body, h, err := fetch(t, "GET", url+"/content/"+test.how, "If-None-Match", test.match)
		header := h.Get("Content-Type") + "|" + h.Get("Content-Disposition") + "|" + h.Get("Etag")
		if err != nil || status != test.status || header != test.header || body != test.want {
			t.Errorf("%s %s: %d %q %q, %v", test.how, test.match, status, header, body, err)
		}
		if n := count(test.closes); n != test.closes {
			t.Errorf("%s: closed %d times", test.how, n)
		}
	}
	for _, how := range []string{"fails", "short", "long", "panics"} {
		if status, body, _, err := fetch(t, "GET", url+"/content/"+how); err == nil {
			t.Errorf("%s: %d %q without an error", how, status, body)
		}
	}
	count(-1) // wait, and reset the counts: a client may have requested the paths above twice
	for how, length := range map[string]string{"named": "5", "written": "", "plain": ""} {
		status, body, h, err := fetch(t, "HEAD", url+"/content/"+how)
		if err != nil || status != 200 || body != "" || h.Get("Content-Length") != length {
			t.Errorf("HEAD %s: %d %v, %v", how, status, h, err)
		}
	}
	mu.Lock()
	written := wrote
	mu.Unlock()
	if n := count(2); n != 2 || written != 0 {
		t.Errorf("HEAD: written %d times, closed %d", written, n)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// An iotestErr reads from a reader, and returns an error instead of io.EOF.
type iotestErr struct {
	r   io.Reader
	err error
}

func (r *iotestErr) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err == io.EOF {
		err = r.err
	}
	return n, err
}

// TestContentIfMatch sends If-Match with a tag of another version. The Content is refused and
// closed, whether its Body is an io.Seeker or not.
func TestContentIfMatch(t *testing.T) {
	e := web.NewWithConfig(web.Config{Logger: quiet().Logger})
	closed := 0
	Handle(e, "GET /{how}", func(_ context.Context, in *struct {
		How string `path:"how"`
	}) (*Content, error) {
		content := &Content{ETag: `"v2"`, Body: closeCounter{strings.NewReader("hello"), func() { closed++ }}}
		switch in.How {
		case "sought":
			content.Body = strings.NewReader("hello")
		case "untagged":
			content.ETag = ""
		}
		return content, nil
	})
	for _, test := range []struct {
		how, match string
		want       int
	}{
		{"sought", `"v1"`, 412}, {"sought", `"v1", "v2"`, 200}, {"sought", "*", 200},
		{"read", `"v1"`, 412}, {"read", `"v1", "v2"`, 200}, {"read", "*", 200}, {"read", "", 200},
		{"untagged", `"v1"`, 412}, {"untagged", "*", 200},
	} {
		r := httptest.NewRequest("GET", "/"+test.how, nil)
		if test.match != "" {
			r.Header.Set("If-Match", test.match)
		}
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("%s, If-Match %s: status %d, want %d", test.how, test.match, w.Code, test.want)
		}
	}
	if closed != 6 {
		t.Errorf("%d bodies were closed, want 6", closed)
	}
}

func TestNosniff(t *testing.T) {
	e := quiet()
	Handle(e, "GET /json", func(context.Context, *struct{}) (*accepted, error) { return &accepted{}, nil })
	Handle(e, "GET /problem", func(context.Context, *struct{}) (*accepted, error) { return nil, NewProblem(409, "<script>") })
	Handle(e, "GET /elements", func(context.Context, *struct{}) (*Elements[int], error) {
		return ValuesOf(slices.Values([]int{1})), nil
	})
	Handle(e, "GET /content", func(context.Context, *struct{}) (*Content, error) {
		return &Content{Body: strings.NewReader("<script>")}, nil
	})
	e.GET("/written", func(c *web.Context) error { WriteError(c.Response(), c.Request(), web.ErrForbidden); return nil })
	for _, path := range []string{"/json", "/problem", "/elements", "/content", "/written"} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
}
