package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
)

// A retainer has methods that retain their argument, which is not allowed.
type retainer struct{ kept []byte }

func (k *retainer) UnmarshalBinary(b []byte) error    { k.kept = b; return nil }
func (k retainer) MarshalBinary() ([]byte, error)     { return k.kept, nil }
func (k *retainer) UnmarshalText(b []byte) error      { k.kept = b; return nil }
func (k retainer) MarshalText() (b []byte, err error) { return k.kept, nil }

// TestInputIsKept sends requests to a handler that retains its input. The methods of the input's
// type retain their arguments too. Later requests, in any format, must not overwrite the retained values.
func TestInputIsKept(t *testing.T) {
	type in struct {
		K retainer `json:"k"`
	}
	var all []*in
	mux := http.NewServeMux()
	api.Handle(api.Mux(mux), "POST /x", func(_ context.Context, v *in) (*struct{}, error) {
		all = append(all, v)
		return nil, nil
	})
	post := func(mediaType, body string) {
		r := httptest.NewRequest(http.MethodPost, "/x", strings.NewReader(body))
		r.Header.Set("Content-Type", mediaType)
		w := httptest.NewRecorder()
		if mux.ServeHTTP(w, r); w.Code != http.StatusNoContent {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	want := []string{}
	for range 20 {
		for _, text := range []string{"first-user", "SECRET-OF2"} {
			post(api.MediaTypeWire, string(rune(len(text)))+text)
			post("application/json", `{"k":"`+text+`"}`)
			want = append(want, text, text)
		}
	}
	for i, v := range all {
		if got := string(v.K.kept); got != want[i] {
			t.Fatalf("input %d became %q, want %q", i, got, want[i])
		}
	}
}
