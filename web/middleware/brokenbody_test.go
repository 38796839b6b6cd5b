package middleware_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// A deflateDecoder adapts zlib's reader to Decoder.
type deflateDecoder struct{ io.ReadCloser }

func (d *deflateDecoder) Reset(r io.Reader) (err error) {
	d.ReadCloser, err = zlib.NewReader(r)
	return err
}

// TestBrokenCompression truncates and changes compressed bodies at each byte, and sends them to a
// handler that reads the body, a handler that binds it, and a typed handler. No handler answers
// with 500.
func TestBrokenCompression(t *testing.T) {
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler)})
	e.Use(middleware.DecompressWithConfig(middleware.DecompressConfig{
		Decodings: []middleware.Decoding{{Name: "deflate", New: func() middleware.Decoder { return new(deflateDecoder) }}},
	}))
	e.POST("/read", func(c *web.Context) error {
		_, err := io.ReadAll(c.Request().Body)
		return err
	})
	e.POST("/bind", func(c *web.Context) error {
		var v largeJSON
		return c.Bind(&v)
	})
	api.Handle(e, "POST /typed", func(context.Context, *largeBody) (*struct{}, error) { return nil, nil })
	api.Handle(e, "POST /bytes", func(_ context.Context, in *largeBytes) (*struct{}, error) {
		_, err := io.ReadAll(in.Body)
		return nil, err
	})
	text := []byte(`{"text":"` + strings.Repeat("abc", 100) + `"}`)
	pack := map[string]func(w io.Writer) io.WriteCloser{
		"gzip":    func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"deflate": func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	}
	for coding, newWriter := range pack {
		var whole bytes.Buffer
		w := newWriter(&whole)
		_, _ = w.Write(text)
		_ = w.Close()
		for i := range whole.Len() {
			changed := bytes.Clone(whole.Bytes())
			changed[i] ^= 0x55
			for _, body := range [][]byte{whole.Bytes()[:i], changed} {
				for _, path := range []string{"/read", "/bind", "/typed", "/bytes"} {
					r := httptest.NewRequest("POST", path, bytes.NewReader(body))
					r.Header.Set("Content-Type", "application/json")
					r.Header.Set("Content-Encoding", coding)
					answer := httptest.NewRecorder()
					e.ServeHTTP(answer, r)
					if answer.Code >= http.StatusInternalServerError || answer.Code >= 400 && answer.Code != http.StatusBadRequest && answer.Code != http.StatusUnprocessableEntity && answer.Code != http.StatusUnsupportedMediaType {
						t.Fatalf("%s, %s, %d of %d bytes, cut %v: %d %s", coding, path, i, whole.Len(), len(body) == i, answer.Code, answer.Body)
					}
				}
			}
		}
	}
}
