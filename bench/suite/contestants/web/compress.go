package web

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/labstack/echo/v5"
	echomw "github.com/labstack/echo/v5/middleware"

	"github.com/hone-go/hone/bench/suite/contest"
	honecompress "github.com/hone-go/hone/integrations/compress"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// page is the body to compress. It repeats itself, as markup does.
var page = strings.Repeat("<li><a href=\"/v1/readings/12345\">a reading of some sensor</a></li>\n", 60)

// compressing returns the contest of gzip middleware at the default levels. The notes have the
// compressed sizes, since times are only comparable for similar sizes. The check compares the notes
// with the sizes of the responses.
func compressing() contest.Contest {
	hone := func(name string, m func() web.MiddlewareFunc) Server {
		return Server{name, nil, func() any {
			app := web.New()
			app.Use(m())
			app.Any("/", func(c *web.Context) error { return c.String(http.StatusOK, page) })
			return app
		}}
	}
	klauspost := func(coding string) func() web.MiddlewareFunc {
		return func() web.MiddlewareFunc {
			return honecompress.CompressWithConfig(honecompress.CompressConfig{Codings: []string{coding}})
		}
	}
	c := contest.Contest{Name: "middleware/Gzip"}
	for _, entry := range []struct {
		server Server
		size   int
	}{
		{hone("hone", middleware.Gzip), 115},
		{Server{EchoName, nil, func() any {
			app := echo.New()
			app.Use(echomw.Gzip())
			app.Any("/", func(c *echo.Context) error { return c.String(http.StatusOK, page) })
			return app
		}}, 115},
		{hone("hone klauspost gzip", klauspost(honecompress.GzipName)), 112},
		{hone("hone klauspost zstd", klauspost(honecompress.ZstdName)), 79},
	} {
		entry.server.notes = []string{fmt.Sprintf("about %d bytes of %d", entry.size, len(page))}
		r := request{"GET", "/", map[string]string{"Accept-Encoding": "gzip, zstd"}, ""}
		c.Contestants = append(c.Contestants, serving("", r, checkUncompressed(page, entry.size), entry.server).Contestants...)
	}
	return c
}

// checkUncompressed checks the text of a response. It also checks the length of the compressed body,
// which may differ by a tenth from size, the length in the contestant's note.
func checkUncompressed(want string, size int) func(a answer) error {
	return func(a answer) error {
		var r io.Reader
		var err error
		switch e := a.header.Get("Content-Encoding"); e {
		case "gzip":
			r, err = gzip.NewReader(strings.NewReader(a.body))
		case "zstd":
			r, err = zstd.NewReader(strings.NewReader(a.body), zstd.WithDecoderConcurrency(1))
		default:
			return fmt.Errorf("the content encoding is %q", e)
		}
		if err != nil {
			return err
		}
		text, err := io.ReadAll(r)
		if err != nil || string(text) != want {
			return errors.Join(err, fmt.Errorf("the uncompressed text has %d bytes and differs from the page", len(text)))
		}
		if off := math.Abs(float64(len(a.body)-size)) / float64(size); off > 0.1 {
			return fmt.Errorf("the body has %d bytes, but the contestant's note says %d", len(a.body), size)
		}
		return nil
	}
}
