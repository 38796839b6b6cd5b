package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

type measured struct {
	Value  float64     `json:"value"`
	At     time.Time   `json:"at"`
	Number json.Number `json:"number"`
}

type list struct {
	Items []measured `json:"items"`
}

type measuredQuery struct {
	Least float64   `query:"least"`
	Of    []float32 `query:"of"`
}

// TestWritableBodies sends values that JSON cannot represent, such as NaN, in each format that can
// represent them. They are refused, so that later answers in JSON cannot fail.
func TestWritableBodies(t *testing.T) {
	mux := http.NewServeMux()
	taken := 0
	api.Handle(api.Mux(mux), "POST /whole", func(context.Context, *list) (*struct{}, error) { taken++; return nil, nil })
	api.Handle(api.Mux(mux), "POST /elements", func(_ context.Context, in *api.Elements[measured]) (*struct{}, error) {
		for _, err := range *in {
			if err != nil {
				return nil, err
			}
			taken++
		}
		return nil, nil
	})
	api.Handle(api.Mux(mux), "GET /query", func(context.Context, *measuredQuery) (*struct{}, error) { taken++; return nil, nil })
	strict := func(_ context.Context, in *visible) (*visible, error) { taken++; return in, nil }
	api.Handle(api.Mux(mux), "POST /strict", strict, api.Operation{JSON: []jsonv2.Options{}})
	check, err := api.NewChecker[list]()
	if err != nil {
		t.Fatal(err)
	}
	post := func(path, mediaType string, body []byte) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", path, strings.NewReader(string(body)))
		r.Header.Set("Content-Type", mediaType)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		return w
	}
	for name, v := range map[string]measured{
		".value":  {Value: math.NaN()},
		".at":     {At: time.Date(36812, 1, 1, 0, 0, 0, 0, time.UTC)},
		".number": {Number: "x"},
	} {
		l := list{[]measured{{Value: 1}, v}}
		whole, err := wire.Marshal(&l)
		if err != nil {
			t.Fatal(err)
		}
		if w := post("/whole", api.MediaTypeWire, whole); w.Code != 422 || !strings.Contains(w.Body.String(), `"name":".items[1]`+name+`"`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if err := check.Check(context.Background(), &l); err == nil || api.ProblemOf(err).Status != 422 {
			t.Errorf("%s: %v", name, err)
		}
		var stream strings.Builder
		e := wire.NewEncoder(&stream)
		for i := range l.Items {
			if err := e.Encode(&l.Items[i]); err != nil {
				t.Fatal(err)
			}
		}
		if w := post("/elements", api.MediaTypeWireStream, []byte(stream.String())); w.Code != 422 || !strings.Contains(w.Body.String(), `"name":"[1]`+name+`"`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	for text, status := range map[string]int{"\xff": 422, "é": 200} {
		body, err := wire.Marshal(&visible{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if w := post("/strict", api.MediaTypeWire, body); w.Code != status {
			t.Errorf("%q: %d %s", text, w.Code, w.Body)
		}
	}
	if taken != 4 { // the first element of each stream, and a string
		t.Errorf("%d", taken)
	}
	for query, status := range map[string]int{"least=NaN": 422, "least=-inf": 422, "least=1&of=2&of=NaN": 422, "least=1e3&of=2": 204} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", "/query?"+query, nil))
		if w.Code != status {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
	whole, _ := wire.Marshal(&list{[]measured{{Value: 1, At: time.Now(), Number: "1"}}})
	if w := post("/whole", api.MediaTypeWire, whole); w.Code != 204 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestTimesOfJSON sends times that encoding/json can read and cannot write. They are refused wherever they are, so
// that answers that contain them cannot fail.
func TestTimesOfJSON(t *testing.T) {
	type places struct {
		At      time.Time                 `json:"at"`
		Pointer *time.Time                `json:"pointer"`
		Option  mo.Option[time.Time]      `json:"option"`
		Null    mo.Nullable[time.Time]    `json:"null"`
		List    []time.Time               `json:"list,omitempty"`
		Array   [1]time.Time              `json:"array,omitzero"`
		Map     map[string]time.Time      `json:"map,omitempty"`
		Inner   []struct{ At *time.Time } `json:"inner,omitempty"`
	}
	mux := http.NewServeMux()
	same := func(_ context.Context, in *places) (*places, error) { return in, nil }
	api.Handle(api.Mux(mux), "POST /v1", same)
	api.Handle(api.Mux(mux), "POST /v2", same, api.Operation{JSON: []jsonv2.Options{}})
	api.Handle(api.Mux(mux), "POST /elements", func(_ context.Context, in *api.Elements[places]) (*api.Elements[places], error) {
		var read []places
		for p, err := range *in {
			if err != nil {
				return nil, err
			}
			read = append(read, p)
		}
		return api.ValuesOf(slices.Values(read)), nil
	})
	for _, path := range []string{"/v1", "/v2", "/elements"} {
		for _, place := range []string{`"at":%s`, `"pointer":%s`, `"option":%s`, `"null":%s`, `"list":[%s]`, `"array":[%s]`, `"map":{"a":%s}`, `"inner":[{"At":%s}]`} {
			for zone, ok := range map[string]bool{"Z": true, "-23:59": true, "+24:00": false, "-24:00": false, "+23:60": false} {
				body := `{"at":"2020-01-01T00:00:00Z",` + fmt.Sprintf(place, `"2020-01-01T00:00:00`+zone+`"`) + "}"
				if strings.HasPrefix(place, `"at"`) {
					body = "{" + body[len(`{"at":"2020-01-01T00:00:00Z",`):]
				}
				if path == "/elements" {
					body = "[" + body + "]"
				}
				r := httptest.NewRequest("POST", path, strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				if mux.ServeHTTP(w, r); ok != (w.Code == 200) || w.Code >= 500 {
					t.Errorf("%s %s: %d %s", path, body, w.Code, w.Body)
				}
			}
		}
	}
}

type visible struct {
	Text string `json:"text"`
}

type row struct {
	N      int      `json:"n"`
	Text   string   `json:"text,omitempty"`
	Secret string   `json:"secret,omitempty" writeOnly:"true"`
	Tags   []string `json:"tags" required:"false"`
}

// TestElementOptions: the options of an operation apply to each element of its body and of its answer,
// on the server and in the client. After a faulty element the next elements can be read.
func TestElementOptions(t *testing.T) {
	mux := http.NewServeMux()
	op := api.Operation{JSON: []jsonv2.Options{jsonv2.RejectUnknownMembers(true), jsontext.Multiline(true)}}
	echo := func(_ context.Context, in *api.Elements[row]) (*api.Elements[row], error) {
		var rows []row
		for r, err := range *in {
			switch p, ok := err.(*api.Problem); {
			case ok && p.Errors != nil && r.N >= 0 && p.Status < 500:
				rows = append(rows, row{Text: p.Errors[0].Name + " " + p.Errors[0].Detail})
			case err != nil:
				return nil, err
			default:
				r.Text += r.Secret
				rows = append(rows, r)
			}
		}
		return api.ElementsOf(func(yield func(row, error) bool) {
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
			}
		}), nil
	}
	api.Handle(api.Mux(mux), "POST /v2", echo, op)
	api.Handle(api.Mux(mux), "POST /v1", echo)
	bad := []string{`{"n":1,"n":2}`, `{"n":1,"m":2}`, `{"N":5}`, `{"n":"x"}`, "{\"n\":1,\"text\":\"\xff\"}", `{"n":3,"secret":"s"}`}
	send := func(path, mediaType, body string) (string, int) {
		r := httptest.NewRequest("POST", path, strings.NewReader(body))
		r.Header.Set("Content-Type", mediaType)
		r.Header.Set("Accept", api.MediaTypeNDJSON)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		return w.Body.String(), w.Code
	}
	for _, of := range []struct{ mediaType, body string }{
		{"application/json", "[" + strings.Join(bad, " , ") + "]\n"},
		{api.MediaTypeNDJSON, strings.Join(bad, "\n")},
	} {
		got, status := send("/v2", of.mediaType, of.body)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if status != 200 || len(lines) != len(bad) {
			t.Fatalf("%d %s", status, got)
		}
		for i, line := range lines {
			var r row
			if err := json.Unmarshal([]byte(line), &r); err != nil || strings.Contains(line, "null") {
				t.Errorf("%s: %v", line, err)
			}
			if isBad := strings.HasPrefix(r.Text, "["); isBad != (i < 5) || i == 5 && r.Text != "s" {
				t.Errorf("%s: %s", bad[i], line)
			}
		}
		if got, _ := send("/v1", of.mediaType, of.body); strings.Count(got, `"text":"[`) != 1 {
			t.Errorf("%s", got)
		}
	}
	for _, body := range []string{"[", "[{}", `[{"n":1},`, `[{"n":1}}`, `{"n":1}`, "", `[{"n":1}] 2`, `[{"n":tru]`} {
		got, status := send("/v2", "application/json", body)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if last := lines[len(lines)-1]; status != 200 || !strings.Contains(last, `"text":"`) {
			t.Errorf("%s: %d %s", body, status, got)
		}
	}
}
