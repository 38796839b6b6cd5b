package server

import (
	"bytes"
	"encoding/binary"
	"io"
	"mime"
	"net/http"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/web"
)

// acceptLayout1 is middleware that converts a batch in layout 1 of the binary format, which older
// agents post to /v1/readings, to the present layout. The batch is converted when the typed handler
// reads it, after the check of the token.
func acceptLayout1(next web.HandlerFunc) web.HandlerFunc {
	return func(c *web.Context) error {
		r := c.Request()
		if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); r.Method == http.MethodPost && c.Path() == "/v1/readings" && kind == api.MediaTypeWire {
			r.Body, r.ContentLength = &layout1Body{ReadCloser: http.MaxBytesReader(c.Response(), r.Body, maxBody)}, -1
		}
		return next(c)
	}
}

// A layout1Body has a batch in layout 1. Read returns the batch in the present layout.
type layout1Body struct {
	io.ReadCloser
	converted io.Reader // set by the first call of Read
}

func (b *layout1Body) Read(p []byte) (int, error) {
	if b.converted == nil {
		data, err := io.ReadAll(b.ReadCloser)
		if err != nil {
			return 0, err
		}
		// A conversion takes much more memory than the batch has bytes.
		if n, size := binary.Uvarint(data); size > 0 && n > telemetry.MaxBatch {
			return 0, refuse(api.FieldProblem{In: "body", Name: ".readings", Detail: batchSize})
		}
		if data, err = telemetry.OlderBatch.Convert(data); err != nil {
			return 0, api.NewProblem(http.StatusBadRequest, "The body is not a batch in layout 1 of the binary format: "+err.Error())
		}
		b.converted = bytes.NewReader(data)
	}
	return b.converted.Read(p)
}
