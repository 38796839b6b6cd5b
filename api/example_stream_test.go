package api_test

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/web"
)

// A handler reads the elements of a body one by one, and yields others as its answer. Neither
// sequence is ever completely in memory.
func ExampleElements() {
	type Reading struct {
		Host    string  `json:"host"`
		Celsius float64 `json:"celsius" max:"200"`
	}
	type Report struct {
		Count int     `json:"count"`
		Max   float64 `json:"max"`
	}
	e := web.New()
	api.Handle(e, "POST /v1/readings", func(ctx context.Context, in *api.Elements[Reading]) (*Report, error) {
		report := &Report{}
		for reading, err := range *in {
			if err != nil {
				return nil, err
			}
			report.Count++
			report.Max = max(report.Max, reading.Celsius)
		}
		return report, nil
	})
	api.Handle(e, "GET /v1/readings", func(context.Context, *struct{}) (*api.Elements[Reading], error) {
		return api.ElementsOf(func(yield func(Reading, error) bool) {
			for i := range 2 {
				if !yield(Reading{Host: fmt.Sprint("web-", i), Celsius: 20}, nil) {
					return
				}
			}
		}), nil
	})
	for _, body := range []string{`[{"host":"a","celsius":20},{"host":"b","celsius":31.5}]`, `[{"host":"a","celsius":20},{"host":"b","celsius":500}]`} {
		r := httptest.NewRequest("POST", "/v1/readings", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		fmt.Print(w.Code, " ", w.Body)
	}
	for _, accept := range []string{"application/json", "application/x-ndjson"} {
		r := httptest.NewRequest("GET", "/v1/readings", nil)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		fmt.Print(w.Body)
	}
	// Output:
	// 200 {"count":2,"max":31.5}
	// 422 {"title":"Unprocessable Entity","status":422,"detail":"the request has values that are not allowed","errors":[{"in":"body","name":"[1].celsius","detail":"must be at most 200"}]}
	// [{"host":"web-0","celsius":20},{"host":"web-1","celsius":20}]
	// {"host":"web-0","celsius":20}
	// {"host":"web-1","celsius":20}
}

// The body and the answer are streams of bytes.
func ExampleContent() {
	e := web.New()
	api.Handle(e, "PUT /v1/upper/{name}", func(_ context.Context, in *struct {
		Name string    `path:"name"`
		Body io.Reader `body:"text/*"`
	}) (*api.Content, error) {
		return &api.Content{Type: "text/plain", Name: in.Name + ".txt", Write: func(w io.Writer) error {
			text, err := io.ReadAll(in.Body)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(w, strings.ToUpper(string(text)))
			return err
		}}, nil
	})
	for _, mediaType := range []string{"text/plain", "image/png"} {
		r := httptest.NewRequest("PUT", "/v1/upper/a", strings.NewReader("hello"))
		r.Header.Set("Content-Type", mediaType)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		fmt.Printf("%d %q %s", w.Code, w.Header().Get("Content-Disposition"), w.Body)
	}
	// Output:
	// 200 "attachment; filename=\"a.txt\"" HELLO
	// 415 "" {"title":"Unsupported Media Type","status":415}
}
