package server

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/web"
)

// acceptLayout1 is middleware that converts a batch in layout 1 of the binary format, which older
// agents post to /v1/readings, to the present layout. It passes on all other requests.
func acceptLayout1(next web.HandlerFunc) web.HandlerFunc {
	return func(c *web.Context) error {
		r := c.Request()
		if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); r.Method != http.MethodPost || c.Path() != "/v1/readings" || kind != api.MediaTypeWire {
			return next(c)
		}
		data, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, maxBody))
		switch {
		case errors.As(err, new(*http.MaxBytesError)):
			return api.NewProblem(http.StatusRequestEntityTooLarge, "The body is too large.")
		case err != nil:
			return api.NewProblem(http.StatusBadRequest, "The body cannot be read.")
		}
		if data, err = telemetry.OlderBatch.Convert(data); err != nil {
			return api.NewProblem(http.StatusBadRequest, "The body is not a batch in layout 1 of the binary format: "+err.Error())
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
		return next(c)
	}
}
