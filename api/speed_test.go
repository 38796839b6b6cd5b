package api

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/hone-go/hone/web"
)

func BenchmarkTyped(b *testing.B) {
	type person struct {
		Name  string   `json:"name" length:"1..80"`
		Email string   `json:"email" length:"3..200"`
		Age   int      `json:"age" min:"0" max:"150"`
		Tags  []string `json:"tags" length:"..10"`
	}
	type account struct {
		ID     int64  `json:"id"`
		Name   string `json:"name"`
		Adult  bool   `json:"adult"`
		Labels int    `json:"labels"`
	}
	e := web.New()
	mux := http.NewServeMux()
	for name, r := range map[string]Router{"web": e, "mux": Mux(mux)} {
		Handle(r, "POST /v1/people", func(_ context.Context, in *person) (*account, error) {
			return &account{4711, in.Name, in.Age >= 18, len(in.Tags)}, nil
		})
		h := http.Handler(e)
		if name == "mux" {
			h = mux
		}
		b.Run(name, func(b *testing.B) {
			body := strings.NewReader(`{"name":"Ada","email":"ada@example.org","age":36,"tags":["a","bc","def"]}`)
			req, _ := http.NewRequest("POST", "/v1/people", nil)
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json")
			req.Body = io.NopCloser(body)
			req.ContentLength = int64(body.Len())
			w := &discard{http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				body.Seek(0, 0)
				clear(w.Header())
				h.ServeHTTP(w, req)
			}
		})
	}
}
