package middleware

import (
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/web"
)

func newGzip() Compressor { return gzip.NewWriter(nil) }
func newZlib() Compressor { return zlib.NewWriter(nil) }

func TestChoose(t *testing.T) {
	one, err := CompressConfig{Codings: []Coding{{"gzip", newGzip}}}.codings()
	if err != nil {
		t.Fatal(err)
	}
	for accept, want := range map[string]bool{
		"gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "*": true, "x-gzip": true, "gzip;q=0.001": true, "gzip;q=0.0001": true,
		"": false, "gzip;q=0": false, "gzip; q=0.000": false, "gzip;q=0, *": false, "*;q=0": false, "br": false, "notgzip": false, "gzipped": false,
	} {
		if got := choose(one, []string{accept}); (got != nil) != want {
			t.Errorf("%q: %v", accept, got)
		}
	}
	two, err := CompressConfig{Codings: []Coding{{"zstd", newZlib}, {"GZip", newGzip}}}.codings()
	if err != nil {
		t.Fatal(err)
	}
	for accept, want := range map[string]string{
		"gzip": "gzip", "gzip, zstd": "zstd", "gzip, deflate, br, zstd": "zstd", "zstd;q=0.5, gzip": "gzip", "*": "zstd",
		"*, zstd;q=0": "gzip", "zstd;q=0, *;q=0.1": "gzip", "gzip;q=0.8, zstd;q=0.80": "zstd", "gzip;q=0.802, zstd;q=0.801": "gzip",
		"gzip;q=0, zstd;q=0": "", "identity": "", "identity, gzip": "gzip", "identity;q=1, gzip;q=0.5": "", "identity;q=0.1, gzip;q=0.5, *;q=0": "gzip",
		"identity;q=0": "", "identity;q=0, *;q=0.001": "zstd", "*;q=0.5, zstd;q=0.1": "gzip", " gzip ; x=1 ; Q=0.5 ,, zstd ; q=0.4": "gzip",
		"gzip;q=, zstd;q=x": "zstd", "gzip;q=1.000, zstd;q=.5": "zstd", "gzip;q=00.1,zstd;q=0.2": "zstd", "gzip;q=-1": "gzip", ",;,;q=0": "",
	} {
		got := ""
		if c := choose(two, []string{accept}); c != nil {
			got = c.name
		}
		if got != want {
			t.Errorf("%q: %q, want %q", accept, got, want)
		}
	}
	if c := choose(two, []string{"zstd;q=0.1", "gzip;q=0.2"}); c == nil || c.name != "gzip" {
		t.Errorf("two fields: %v", c)
	}
	if c := choose(two, nil); c != nil {
		t.Errorf("no field: %v", c)
	}
}

func TestCompressConfig(t *testing.T) {
	for name, codings := range map[string][]Coding{
		"none": nil, "no name": {{"", newGzip}}, "no New": {{"gzip", nil}}, "twice": {{"gzip", newGzip}, {"Gzip", newGzip}},
		"identity": {{"identity", newGzip}}, "star": {{"*", newGzip}}, "list": {{"gzip,br", newGzip}},
	} {
		if _, err := (CompressConfig{Codings: codings}).ToMiddleware(); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := (CompressConfig{Codings: codings}).Handler(http.NotFoundHandler()); err == nil {
			t.Errorf("%s: no error of Handler", name)
		}
	}
	if _, err := (CompressConfig{Skipper: DefaultSkipper, Codings: []Coding{{"gzip", newGzip}}}).Handler(http.NotFoundHandler()); err == nil {
		t.Error("a Skipper: no error of Handler")
	}
}

// An http.Handler gets the same response as a handler of package web.
func TestCompressHandler(t *testing.T) {
	h, err := CompressConfig{MinLength: 10, Codings: []Coding{{"gzip", newGzip}}}.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1") // a length that is wrong for the compressed body
		for range 5 {
			_, _ = io.WriteString(w, r.URL.Path)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	w := get(h, "/long", "Accept-Encoding", "gzip")
	if text := unzipped(t, w.Body.Bytes()); text != strings.Repeat("/long", 5) || w.Header().Get("Content-Length") != "" || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%q %v", text, w.Header())
	}
	if w := get(h, "/", "Accept-Encoding", "gzip"); w.Body.String() != "/////" || w.Header().Get("Content-Encoding") != "" || w.Header().Get("Vary") != "Accept-Encoding" {
		t.Errorf("short: %q %v", w.Body, w.Header())
	}
	if w := get(h, "/plain", "Accept-Encoding", "br"); w.Body.String() != strings.Repeat("/plain", 5) {
		t.Errorf("not accepted: %q", w.Body)
	}
}

// Strings and bytes are written in the same way, whatever their lengths, also after the handler
// returned.
func TestCompressStrings(t *testing.T) {
	e, _ := logged()
	text := strings.Repeat("0123456789abcde\n", 1000)
	e.Use(func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			err := next(c)
			_, _ = io.WriteString(c.Response(), text)
			return err
		}
	}, GzipWithConfig(GzipConfig{MinLength: 3000}))
	e.GET("/", func(c *web.Context) error {
		for _, n := range []int{0, 1, 2048, 2049, 10000} {
			if wrote, err := io.WriteString(c.Response(), text[:n]); wrote != n || err != nil {
				t.Errorf("%d: %d %v", n, wrote, err)
			}
			if wrote, err := c.Response().Write([]byte(text[n:])); wrote != len(text)-n || err != nil {
				t.Errorf("%d: %d %v", n, wrote, err)
			}
		}
		return nil
	})
	if w := serve(e, "GET", "/", "", "Accept-Encoding", "gzip"); unzipped(t, w.Body.Bytes()) != strings.Repeat(text, 6) {
		t.Errorf("%d bytes", w.Body.Len())
	}
}

// A zlibReader is a Decoder whose Reset returns an error if the input is not zlib.
type zlibReader struct{ io.ReadCloser }

func (z *zlibReader) Reset(r io.Reader) (err error) {
	if z.ReadCloser == nil {
		z.ReadCloser, err = zlib.NewReader(r)
		return err
	}
	return z.ReadCloser.(zlib.Resetter).Reset(r, nil)
}

func TestDecompressDecodings(t *testing.T) {
	e, _ := logged()
	e.Use(DecompressWithConfig(DecompressConfig{MaxDecompressedSize: 1000, Decodings: []Decoding{{"Deflate", func() Decoder { return &zlibReader{} }}}}))
	e.POST("/", func(c *web.Context) error {
		body, err := io.ReadAll(c.Request().Body)
		if err != nil {
			return err
		}
		return c.String(200, c.Request().Header.Get("Content-Encoding")+string(body))
	})
	deflated := func(text string) string {
		var b strings.Builder
		w := zlib.NewWriter(&b)
		_, _ = io.WriteString(w, text)
		_ = w.Close()
		return b.String()
	}
	for range 3 {
		for _, tt := range []struct {
			coding, body string
			code         int
			want         string
		}{
			{"deflate", deflated("hello"), 200, "hello"},
			{"DEFLATE", deflated(strings.Repeat("x", 1000)), 200, strings.Repeat("x", 1000)},
			{"deflate", deflated(strings.Repeat("x", 1001)), 413, ""},
			{"deflate", "something else", 400, ""},
			{"gzip", zipped(t, "hello"), 200, "hello"},
			{"br", "hello", 200, "brhello"},
		} {
			w := serve(e, "POST", "/", tt.body, "Content-Encoding", tt.coding)
			if w.Code != tt.code || tt.code == 200 && w.Body.String() != tt.want {
				t.Errorf("%s %.10q: %d %.50q", tt.coding, tt.body, w.Code, w.Body)
			}
		}
	}
	for _, d := range []Decoding{{"", func() Decoder { return &zlibReader{} }}, {"deflate", nil}} {
		if _, err := (DecompressConfig{Decodings: []Decoding{d}}).ToMiddleware(); err == nil {
			t.Errorf("%q: no error", d.Name)
		}
	}
}

// A decoder in the pool does not retain the request that it read.
func TestDecompressRelease(t *testing.T) {
	b := &decodedBody{decoder: new(gzip.Reader), compressed: strings.NewReader("x")}
	source := (*compressedBody)(b)
	b.giveBack()
	if n, err := source.Read(make([]byte, 1)); n != 0 || !errors.Is(err, errBodyOver) {
		t.Errorf("%d %v", n, err)
	}
}

// HEAD is answered as GET would be, but without a body. The Content-Length set by the handler
// is not sent, because it is the length of the uncompressed body.
func TestCompressHead(t *testing.T) {
	e := web.NewWithConfig(web.Config{Router: web.NewRouter(web.RouterConfig{AutoHandleHEAD: true})})
	e.Use(GzipWithConfig(GzipConfig{MinLength: 10}))
	e.GET("/", func(c *web.Context) error {
		c.Response().Header().Set("Etag", `"v1"`)
		return c.String(200, c.QueryParam("text"))
	})
	e.GET("/flushed", func(c *web.Context) error {
		c.Response().(http.Flusher).Flush() // like a handler that asserts http.Flusher
		return nil
	})
	for path, want := range map[string][3]string{
		"/?text=0123456789": {"gzip", "", `W/"v1"`}, "/?text=short": {"", "5", `"v1"`}, "/?text=": {"", "0", `"v1"`}, "/flushed": {"", "", ""},
	} {
		w := serve(e, "HEAD", path, "", "Accept-Encoding", "gzip")
		h := w.Header()
		if got := [3]string{h.Get("Content-Encoding"), h.Get("Content-Length"), h.Get("Etag")}; got != want || w.Code != 200 || w.Body.Len() > 0 {
			t.Errorf("%s: %q, want %q; %d, %d bytes", path, got, want, w.Code, w.Body.Len())
		}
	}
}

// TestCompressRefusedIdentity: a short body is compressed if the client refuses a body that is not.
func TestCompressRefusedIdentity(t *testing.T) {
	e, _ := logged()
	e.Use(GzipWithConfig(GzipConfig{MinLength: 1000}))
	e.GET("/", func(c *web.Context) error { return c.String(200, "short") })
	for accept, want := range map[string]string{
		"gzip": "", "gzip, identity": "", "gzip, *;q=0.5": "", "gzip, identity;q=0.1, *;q=0": "", "identity;q=0": "",
		"gzip, identity;q=0": "gzip", "gzip;q=0.1, *;q=0": "gzip", "identity;q=0.0,gzip": "gzip",
	} {
		if w := serve(e, "GET", "/", "", "Accept-Encoding", accept); w.Header().Get("Content-Encoding") != want {
			t.Errorf("%s: %q, want %q", accept, w.Header().Get("Content-Encoding"), want)
		}
	}
}

// TestCompressRanges: a compressed response does not offer ranges, and a response to a range is not compressed.
func TestCompressRanges(t *testing.T) {
	content := strings.Repeat("text ", 1000)
	file := func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "a.txt", time.Unix(1_700_000_000, 0), strings.NewReader(content))
	}
	e, _ := logged()
	e.Use(Gzip())
	e.Match([]string{"GET", "HEAD"}, "/", web.WrapHandler(http.HandlerFunc(file)))
	plain, err := (CompressConfig{Codings: []Coding{{Name: "gzip", New: newGzip}}}).Handler(http.HandlerFunc(file))
	if err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]http.Handler{"middleware": e, "handler": plain} {
		for _, test := range []struct {
			method, accept, asked string
			status                int
			ranges                string
		}{
			{"GET", "gzip", "", 200, ""}, {"HEAD", "gzip", "", 200, ""}, {"GET", "", "", 200, "bytes"},
			{"GET", "gzip", "bytes=10-19", 206, "bytes"}, {"GET", "gzip", "bytes=100000-", 416, ""},
		} {
			r := httptest.NewRequest(test.method, "/", nil)
			r.Header.Set("Accept-Encoding", test.accept)
			if test.asked != "" {
				r.Header.Set("Range", test.asked)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			encoded := w.Header().Get("Content-Encoding") != ""
			if got := w.Header().Get("Accept-Ranges"); w.Code != test.status || got != test.ranges || encoded && got != "" || test.status == 206 && w.Body.String() != content[10:20] {
				t.Errorf("%s, %+v: %d %v", name, test, w.Code, w.Header())
			}
		}
	}
}
