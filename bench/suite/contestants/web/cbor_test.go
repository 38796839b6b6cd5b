package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	honeapi "github.com/hone-go/hone/api"
)

type cborFormat struct{}

func (cborFormat) MediaType() string { return "application/cbor" }

func (cborFormat) Append(dst []byte, v any) ([]byte, error) {
	b, err := cbor.Marshal(v)
	return append(dst, b...), err
}

func (cborFormat) Unmarshal(data []byte, v any) error { return cbor.Unmarshal(data, v) }

// TestCBOR uses a library's format for typed handlers.
func TestCBOR(t *testing.T) {
	mux := http.NewServeMux()
	a := honeapi.New(honeapi.Mux(mux))
	a.Defaults.Formats = []honeapi.Format{cborFormat{}}
	honeapi.Handle(a, "POST /items", func(_ context.Context, in *featureIn) (*featureOut, error) { return &featureOut{in.Name}, nil })
	for _, test := range []struct {
		in     featureIn
		status int
		want   string
	}{{featureIn{Name: "ab", Size: 1}, 200, "ab"}, {featureIn{Name: "a", Size: 1}, 422, ".name"}} {
		body, err := cbor.Marshal(test.in)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("POST", "/items", strings.NewReader(string(body)))
		r.Header.Set("Content-Type", "application/cbor")
		r.Header.Set("Accept", "application/cbor")
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%d %q", w.Code, w.Body)
		}
		var out featureOut
		if w.Code == 200 && (cbor.Unmarshal(w.Body.Bytes(), &out) != nil || out.Text != test.want) {
			t.Errorf("%q", w.Body)
		}
	}
}
