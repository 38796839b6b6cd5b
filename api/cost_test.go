package api_test

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/wire"
)

// TestCostOfPatterns sends many strings to fields with slow patterns: without a bound on the steps of
// matching, they would take 14 s. The bound applies to one body, to a stream without a limit, and to
// parameters.
func TestCostOfPatterns(t *testing.T) {
	type text struct {
		Text string `json:"text" pattern:"^([a-z]+[0-9]?){1,100}$"`
	}
	type list struct {
		List []text `json:"list"`
	}
	type query struct {
		Text []string `query:"text" pattern:"^([a-z]+[0-9]?){1,100}$"`
	}
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		api.Handle(a, "POST /list", func(context.Context, *list) (*struct{}, error) { return nil, nil })
		api.Handle(a, "GET /query", func(context.Context, *query) (*struct{}, error) { return nil, nil })
		api.Handle(a, "POST /stream", func(_ context.Context, in *api.Elements[text]) (*struct{}, error) {
			for _, err := range *in {
				if err != nil {
					return nil, err
				}
			}
			return nil, nil
		}, api.Operation{BodyLimit: -1})
		long := strings.Repeat("a", 64<<10)
		elements := strings.TrimSuffix(strings.Repeat(`{"text":"`+long+`"},`, 60), ",")
		for name, s := range map[string]sent{
			"a list":     {method: "POST", target: "/list", body: `{"list":[` + elements + `]}`},
			"a stream":   {method: "POST", target: "/stream", body: "[" + elements + "]"},
			"parameters": {method: "GET", target: "/query?text=" + strings.Repeat(long+"&text=", 60)},
		} {
			w := send(h, s)
			if w.Code != 422 || !strings.Contains(w.Body.String(), "take too long to match") {
				t.Errorf("%s: %d %.500s", name, w.Code, w.Body)
			}
		}
		// A stream may have any number of strings that match quickly.
		short := strings.Repeat(`{"text":"ab1"}`+",", 300_000)
		if w := send(h, sent{method: "POST", target: "/stream", body: "[" + strings.TrimSuffix(short, ",") + "]"}); w.Code != 204 {
			t.Errorf("a stream of short strings: %d %.500s", w.Code, w.Body)
		}
	})
}

// TestMemoryOfEvolving sends a list of evolving structs without their fields. Each takes one byte of the body and 96
// bytes of memory. A list that would take too much memory is answered with 400.
func TestMemoryOfEvolving(t *testing.T) {
	type none struct{ _ wire.Evolving }
	type many struct {
		_          wire.Evolving
		A, B, C, D string
		E, F, G, H int64
	}
	type list struct{ Items []many }
	type old struct{ Items []none }
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		count := 0
		api.Handle(a, "POST /list", func(_ context.Context, in *list) (*struct{}, error) {
			count = len(in.Items)
			return nil, nil
		}, api.Operation{BodyLimit: 8 << 20})
		api.Handle(a, "POST /stream", func(_ context.Context, in *api.Elements[list]) (*struct{}, error) {
			count = 0
			for v, err := range *in {
				if err != nil {
					return nil, err
				}
				count += len(v.Items)
			}
			return nil, nil
		}, api.Operation{BodyLimit: 8 << 20})
		for _, test := range []struct {
			n, code int
		}{
			{1, 204}, {10_000, 204}, {600_000, 204}, {800_000, 400}, {4_000_000, 400},
		} {
			v := &old{make([]none, test.n)}
			data, err := wire.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			w := send(h, sent{method: "POST", target: "/list", body: string(data), header: []string{"Content-Type", api.MediaTypeWire}})
			if w.Code != test.code || w.Code == 204 && count != test.n || w.Code != 204 && !strings.Contains(w.Body.String(), "more memory than the limit allows") {
				t.Errorf("a body with %d elements: %d %d %.300s", test.n, w.Code, count, w.Body)
			}
			var stream bytes.Buffer
			if err := wire.NewEncoder(&stream).Encode(v); err != nil {
				t.Fatal(err)
			}
			w = send(h, sent{method: "POST", target: "/stream", body: stream.String(), header: []string{"Content-Type", api.MediaTypeWireStream}})
			if w.Code != test.code || w.Code == 204 && count != test.n || w.Code != 204 && !strings.Contains(w.Body.String(), "more memory than the limit allows") {
				t.Errorf("a stream with %d elements: %d %d %.300s", test.n, w.Code, count, w.Body)
			}
		}
	})
}
