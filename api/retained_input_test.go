package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
)

// keeps has methods that retain their argument, which is not allowed.
type keeps struct{ kept []byte }

func (k *keeps) UnmarshalBinary(b []byte) error    { k.kept = b; return nil }
func (k keeps) MarshalBinary() ([]byte, error)     { return k.kept, nil }
func (k *keeps) UnmarshalText(b []byte) error      { k.kept = b; return nil }
func (k keeps) MarshalText() (b []byte, err error) { return k.kept, nil }

// TestInputIsKept has a handler retain its input, and the methods of its type their arguments.
// No later request writes to either, in any format.
func TestInputIsKept(t *testing.T) {
	type in struct {
		K keeps `json:"k"`
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
