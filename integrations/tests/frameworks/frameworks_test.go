package frameworks

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/go-chi/chi/v5"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

type query struct {
	Host  string         `path:"host"`
	Limit mo.Option[int] `query:"limit"`
	Trace string         `header:"X-Trace"`
}

type answer struct {
	Host  string         `json:"host"`
	Limit mo.Option[int] `json:"limit"`
}

func (q *query) answer() *answer { return &answer{q.Host, q.Limit} }

// check sends requests to a server, and checks the responses in JSON and in the wire format.
func check(t *testing.T, h http.Handler) {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	ask := func(method, path, accept, body string) (int, string, string) {
		r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", accept)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Trace", "trace")
		resp, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, strings.TrimSpace(string(data)), resp.Header.Get("Content-Type")
	}
	for path, want := range map[string]string{"/hosts/a?limit=7": `{"host":"a","limit":7}`, "/hosts/a": `{"host":"a","limit":null}`} {
		if status, body, mime := ask("GET", path, "application/json", ""); status != 200 || body != want || !strings.HasPrefix(mime, "application/json") {
			t.Errorf("%s: %d %s %s; want %s", path, status, mime, body, want)
		}
	}
	if status, body, _ := ask("GET", "/hosts/a?limit=many", "application/json", ""); status < 400 || status >= 500 {
		t.Errorf("the response to a limit that is not a number: %d %s", status, body)
	}
	status, body, mime := ask("GET", "/hosts/a?limit=7", "application/vnd.hone.wire", "")
	var got answer
	if err := wire.Unmarshal([]byte(body), &got); err != nil || status != 200 || got != (answer{"a", mo.Some(7)}) || mime != "application/vnd.hone.wire" {
		t.Errorf("wire: %d %s %q: %+v, %v", status, mime, body, got, err)
	}
	if status, body, _ := ask("POST", "/echo", "application/json", `{"host":"b","limit":null}`); status != 200 || body != `{"host":"b","limit":null}` {
		t.Errorf("POST: %d %s", status, body)
	}
	for _, bad := range []string{`{"host":`, `{"host":7}`, ``} {
		if status, body, _ := ask("POST", "/echo", "application/json", bad); status < 400 || status >= 500 {
			t.Errorf("POST %q: %d %s", bad, status, body)
		}
	}
}

func TestChi(t *testing.T) {
	fail := func(w http.ResponseWriter, err error) { http.Error(w, err.Error(), http.StatusBadRequest) }
	r := chi.NewRouter()
	r.Get("/hosts/{host}", func(w http.ResponseWriter, r *http.Request) {
		var q query
		// chi sets the path values of net/http, so that bind finds them.
		if err := bind.Request(r, &q); err != nil {
			fail(w, err)
			return
		}
		if r.Header.Get("Accept") == "application/vnd.hone.wire" {
			data, err := wire.Marshal(q.answer())
			if err != nil {
				fail(w, err)
				return
			}
			w.Header().Set("Content-Type", "application/vnd.hone.wire")
			_, _ = w.Write(data)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.MarshalWrite(w, q.answer())
	})
	r.Post("/echo", func(w http.ResponseWriter, r *http.Request) {
		var v answer
		if err := json.UnmarshalRead(http.MaxBytesReader(w, r.Body, 1<<20), &v); err != nil {
			fail(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.MarshalWrite(w, &v)
	})
	check(t, r)
}

func TestHuma(t *testing.T) {
	config := huma.DefaultConfig("hosts", "1.0.0")
	config.SchemasPath, config.CreateHooks = "", nil // no member $schema
	asJSON := huma.Format{
		Marshal:   func(w io.Writer, v any) error { return json.Config{NoEscapeHTML: true}.MarshalWrite(w, v) },
		Unmarshal: json.Config{CopyInput: true}.Unmarshal, // huma reuses its buffers
	}
	config.Formats = map[string]huma.Format{
		"application/json": asJSON, "json": asJSON,
		// Only responses can have this format. To check a request, huma decodes it without its type.
		"application/vnd.hone.wire": {
			Marshal: func(w io.Writer, v any) error {
				data, err := wire.AppendAny(nil, v)
				if err == nil {
					_, err = w.Write(data)
				}
				return err
			},
			Unmarshal: func([]byte, any) error { return errors.ErrUnsupported },
		},
	}
	mux := http.NewServeMux()
	api := humago.New(mux, config)
	type body struct {
		Host  string `json:"host"`
		Limit *int   `json:"limit"`
	}
	type in struct {
		Host  string `path:"host"`
		Limit int    `query:"limit"`
	}
	type out struct{ Body *answer }
	huma.Get(api, "/hosts/{host}", func(_ context.Context, in *in) (*out, error) {
		return &out{&answer{in.Host, mo.EmptyableToOption(in.Limit)}}, nil
	})
	huma.Post(api, "/echo", func(_ context.Context, in *struct{ Body body }) (*out, error) {
		return &out{&answer{in.Body.Host, mo.PointerToOption(in.Body.Limit)}}, nil
	})
	check(t, mux)
	r := httptest.NewRequest("POST", "/echo", strings.NewReader("\x01b\x00"))
	r.Header.Set("Content-Type", "application/vnd.hone.wire")
	w := httptest.NewRecorder()
	if mux.ServeHTTP(w, r); w.Code < 400 || w.Code >= 500 {
		t.Errorf("a body in the wire format: %d %s", w.Code, w.Body)
	}
}
