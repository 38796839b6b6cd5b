package middleware_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

type largeJSON struct {
	Text string `json:"text" xml:"text" form:"text"`
}

type (
	largeBody struct {
		Body largeJSON `body:""`
	}
	largeForm struct {
		Text string `form:"text"`
	}
	largeFile struct {
		File *multipart.FileHeader `form:"file"`
	}
	largeBytes struct {
		Body io.Reader `body:""`
	}
	largeList struct {
		Body api.Elements[largeJSON] `body:""`
	}
)

// TestTooLarge sends each kind of body, with and without a length, past each kind of limit, to each
// kind of handler that reads a body. Every answer is 413.
func TestTooLarge(t *testing.T) {
	const limit = 100
	long := strings.Repeat("x", 1000)
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", "name")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write([]byte(long))
	_ = w.Close()
	length := "\xe8\x07" // the length of the string, in the wire format

	for _, name := range []string{"the middleware", "the router", "the operation", "decompression"} {
		config, op := web.Config{Logger: slog.New(slog.DiscardHandler)}, api.Operation{}
		switch name {
		case "the router":
			config.BodyLimit = limit
		case "the operation":
			op.BodyLimit = limit
		}
		e := web.NewWithConfig(config)
		switch name {
		case "the middleware":
			e.Use(middleware.BodyLimit(limit))
		case "decompression":
			e.Use(middleware.DecompressWithConfig(middleware.DecompressConfig{MaxDecompressedSize: limit}))
		}
		e.POST("/bind", func(c *web.Context) error {
			var v largeJSON
			if err := c.Bind(&v); err != nil {
				return err
			}
			return c.NoContent(http.StatusNoContent)
		})
		e.POST("/value", func(c *web.Context) error { return c.String(http.StatusOK, c.FormValue("text")) })
		e.POST("/values", func(c *web.Context) error {
			_, err := c.FormValues()
			return err
		})
		e.POST("/file", func(c *web.Context) error {
			_, err := c.FormFile("file")
			return err
		})
		e.POST("/multipart", func(c *web.Context) error {
			_, err := c.MultipartForm()
			return err
		})
		e.POST("/read", func(c *web.Context) error {
			_, err := io.ReadAll(c.Request().Body)
			return err
		})
		api.Handle(e, "POST /typed/json", func(context.Context, *largeBody) (*struct{}, error) { return nil, nil }, op)
		api.Handle(e, "POST /typed/form", func(context.Context, *largeForm) (*struct{}, error) { return nil, nil }, op)
		api.Handle(e, "POST /typed/file", func(context.Context, *largeFile) (*struct{}, error) { return nil, nil }, op)
		api.Handle(e, "POST /typed/bytes", func(_ context.Context, in *largeBytes) (*struct{}, error) {
			_, err := io.ReadAll(in.Body)
			return nil, err
		}, op)
		api.Handle(e, "POST /typed/list", func(_ context.Context, in *largeList) (*struct{}, error) {
			for _, err := range in.Body {
				if err != nil {
					return nil, err
				}
			}
			return nil, nil
		}, op)
		s := httptest.NewServer(e)
		defer s.Close()
		json, xml, values := `{"text":"`+long+`"}`, `<v><text>`+long+`</text></v>`, "text="+long
		for _, test := range []struct{ path, mediaType, body string }{
			{"/bind", "application/json", json},
			{"/bind", "application/xml", xml},
			{"/bind", "application/x-www-form-urlencoded", values},
			{"/bind", w.FormDataContentType(), form.String()},
			{"/value", "application/x-www-form-urlencoded", values},
			{"/values", "application/x-www-form-urlencoded", values},
			{"/values", w.FormDataContentType(), form.String()},
			{"/file", w.FormDataContentType(), form.String()},
			{"/multipart", w.FormDataContentType(), form.String()},
			{"/read", "text/plain", long},
			{"/typed/json", "application/json", json},
			{"/typed/json", api.MediaTypeWire, length + long},
			{"/typed/form", "application/x-www-form-urlencoded", values},
			{"/typed/form", w.FormDataContentType(), form.String()},
			{"/typed/file", w.FormDataContentType(), form.String()},
			{"/typed/bytes", "application/octet-stream", long},
			{"/typed/list", "application/json", "[" + json + "]"},
			{"/typed/list", api.MediaTypeNDJSON, json},
			{"/typed/list", api.MediaTypeWireStream, "\xea\x07" + length + long},
		} {
			for _, known := range []bool{true, false} {
				typed := strings.HasPrefix(test.path, "/typed")
				body, coding := test.body, ""
				switch name {
				case "the operation":
					if !typed {
						continue
					}
				case "the router": // the router's limit does not apply to a handler that reads the body itself
					if test.path == "/read" {
						continue
					}
				case "decompression":
					var packed bytes.Buffer
					z := gzip.NewWriter(&packed)
					_, _ = z.Write([]byte(test.body))
					_ = z.Close()
					body, coding = packed.String(), "gzip"
				}
				var from io.Reader = strings.NewReader(body)
				if !known {
					from = io.MultiReader(from) // hides the length from net/http
				}
				r, err := http.NewRequest("POST", s.URL+test.path, from)
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Content-Type", test.mediaType)
				if coding != "" {
					r.Header.Set("Content-Encoding", coding)
				}
				what := fmt.Sprintf("limit of %s, %s, %s, length known %v", name, test.path, test.mediaType, known)
				resp, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				answer, _ := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				if resp.StatusCode != http.StatusRequestEntityTooLarge && !(test.path == "/value" && resp.StatusCode == 200 && len(answer) == 0) {
					t.Errorf("%s: %d %s", what, resp.StatusCode, answer)
				}
			}
		}
	}
}

// TestAtTheLimit sends bodies about as long as a limit, over a connection. A body of exactly the
// limit is read whole, and one byte more is answered with 413, however the handler reads.
func TestAtTheLimit(t *testing.T) {
	const limit = 1000
	read := func(size int) web.HandlerFunc {
		return func(c *web.Context) error {
			total, buf := 0, make([]byte, size)
			for {
				n, err := c.Request().Body.Read(buf)
				if total += n; err == io.EOF {
					return c.String(http.StatusOK, fmt.Sprint(total))
				} else if err != nil {
					return err
				}
			}
		}
	}
	for name, use := range map[string]web.MiddlewareFunc{
		"BodyLimit":  middleware.BodyLimit(limit),
		"Decompress": middleware.DecompressWithConfig(middleware.DecompressConfig{MaxDecompressedSize: limit}),
	} {
		e := web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler)})
		e.Use(use)
		for _, size := range []int{1, 7, limit - 1, limit, limit + 1, 4096} {
			e.POST(fmt.Sprintf("/%d", size), read(size))
		}
		e.POST("/all", func(c *web.Context) error {
			text, err := io.ReadAll(c.Request().Body)
			if err != nil {
				return err
			}
			return c.String(http.StatusOK, fmt.Sprint(len(text)))
		})
		e.POST("/bind", func(c *web.Context) error {
			var v largeJSON
			if err := c.Bind(&v); err != nil {
				return err
			}
			return c.String(http.StatusOK, fmt.Sprint(len(v.Text)+len(`{"text":""}`)))
		})
		s := httptest.NewServer(e)
		defer s.Close()
		for _, path := range []string{"/1", "/7", "/999", "/1000", "/1001", "/4096", "/all", "/bind"} {
			for length := limit - 2; length <= limit+2; length++ {
				for _, chunked := range []bool{false, true} {
					text := `{"text":"` + strings.Repeat("x", length-len(`{"text":""}`)) + `"}`
					var body bytes.Buffer
					if name == "Decompress" {
						w := gzip.NewWriter(&body)
						_, _ = io.WriteString(w, text)
						_ = w.Close()
					} else {
						body.WriteString(text)
					}
					var reader io.Reader = &body
					if chunked {
						reader = io.MultiReader(&body) // net/http does not know the length of this reader
					}
					r, _ := http.NewRequest("POST", s.URL+path, reader)
					r.Header.Set("Content-Type", "application/json")
					if name == "Decompress" {
						r.Header.Set("Content-Encoding", "GZip")
					}
					res, err := http.DefaultClient.Do(r)
					if err != nil {
						t.Fatal(err)
					}
					got, _ := io.ReadAll(res.Body)
					res.Body.Close()
					want, status := fmt.Sprint(length), http.StatusOK
					if length > limit {
						want, status = string(got), http.StatusRequestEntityTooLarge
					}
					if res.StatusCode != status || string(got) != want {
						t.Errorf("%s %s: %d bytes, chunked=%v: %d %s", name, path, length, chunked, res.StatusCode, got)
					}
				}
			}
		}
	}
}
