package openapi_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/web"
)

const streamScript = `
import { Client, ApiError, type Options } from "./client.js";

const api = new Client(process.argv[2]);
const numbers: number[] = [];
for await (const one of api.getNumbers({ n: 2500 })) numbers.push(one.n);
let first = -1;
for await (const one of api.getNumbers({ n: 1000000000 })) { first = one.n; break; }
let cut = "whole", refused = 0;
try {
  for await (const one of api.getNumbers({ n: 5, fail: true })) void one;
} catch { cut = "cut off"; }
try {
  for await (const one of api.getNumbers({ n: 0, fail: true })) void one;
} catch (error) {
  if (error instanceof ApiError) refused = error.status;
}
const sum = await api.postSum(numbers.map((n) => ({ n, text: "é" })));
const echoed = await api.putEcho("hello", "text/plain");

const live = new Client(process.argv[2], { headers: () => ({ Authorization: "Bearer t" }) });
const lost: unknown[] = [], ticks: number[] = [], stop = new AbortController();
for await (const event of live.getTicksRoom({ room: "a/b" }, { signal: stop.signal, onLost: (error) => lost.push(error) })) {
  if (event.type !== "message") continue;
  const tick: number = event.data.n;
  ticks.push(tick);
  if (event.id !== String(tick)) throw new Error(JSON.stringify(event));
  if (tick === 7) stop.abort();
}
let forbidden = 0;
try {
  for await (const event of api.getTicksRoom({ room: "a" })) void event;
} catch (error) {
  if (error instanceof ApiError) forbidden = error.status;
}
const texts: string[] = [];
for await (const event of api.getTexts({ wait: 1 })) {
  const text: string = event.data;
  texts.push(event.type + " " + text);
  if (texts.length === 3) break;
}

let attempts = "";
const flaky = async (status: number, options: Options) => {
  try {
    attempts += (await api.putFlaky({ status }, options)).n + " ";
  } catch (error) {
    attempts += (error instanceof ApiError ? error.status : "aborted") + " ";
  }
};
await flaky(503, {});
await flaky(503, { retry: { attempts: 3, wait: 1, maxWait: 2000 } });
await flaky(503, { retry: { attempts: 3, wait: 1, maxWait: 500 } });
await flaky(503, { retry: { attempts: 3 }, signal: AbortSignal.timeout(100) });
await flaky(503, {});
await flaky(400, { retry: { attempts: 3, wait: 1 } });
let escaped = "sent";
try { await api.getRoomRoom({ room: ".." }); } catch { escaped = "refused"; }

console.log(JSON.stringify([ticks, lost.length, forbidden, texts, attempts.trim(), escaped]));
console.log(JSON.stringify([numbers.length, numbers[2499], first, cut, refused, sum.n, echoed.headers.get("Content-Type"), await echoed.text()]));
`

type number struct {
	N    int    `json:"n"`
	Text string `json:"text,omitempty"`
}

// TestTypeScriptStreams compiles a client strictly and has it read and send
// streams.
func TestTypeScriptStreams(t *testing.T) {
	router := web.New()
	e := api.New(router)
	api.Handle(e, "GET /numbers", func(_ context.Context, in *struct {
		N    int  `query:"n"`
		Fail bool `query:"fail"`
	}) (*api.Elements[number], error) {
		return api.ElementsOf(func(yield func(number, error) bool) {
			for i := range in.N {
				if !yield(number{N: i, Text: "é"}, nil) {
					return
				}
			}
			if in.Fail {
				yield(number{}, api.NewProblem(http.StatusConflict, ""))
			}
		}), nil
	})
	api.Handle(e, "POST /sum", func(_ context.Context, in *api.Elements[number]) (*number, error) {
		var sum number
		for v, err := range *in {
			if err != nil {
				return nil, err
			}
			sum.N += v.N
		}
		return &sum, nil
	})
	api.Handle(e, "PUT /echo", func(_ context.Context, in *struct {
		Body io.Reader `body:""`
	}) (*api.Content, error) {
		return &api.Content{Body: in.Body}, nil
	}, api.Operation{ContentType: "text/x-echo"})
	connections, calls := 0, 0
	api.HandleEvents(e, "GET /ticks/{room}", func(ctx context.Context, in *struct {
		Room          string `path:"room"`
		Authorization string `header:"Authorization"`
		Last          int    `header:"Last-Event-ID"`
	}, events *api.Events) error {
		switch connections++; {
		case in.Authorization != "Bearer t" || in.Room != "a/b":
			return api.NewProblem(http.StatusForbidden, "")
		case connections == 2:
			return api.NewProblem(http.StatusServiceUnavailable, "")
		}
		if err := events.Send(api.Event{Retry: 10 * time.Millisecond}); err != nil {
			return err
		}
		for i := in.Last + 1; i <= in.Last+3; i++ {
			if err := events.SendJSON(strconv.Itoa(i), number{N: i}); err != nil {
				return err
			}
		}
		return nil
	}, api.Operation{Events: map[string]any{"": number{}, "end": ""}})
	router.GET("/texts", func(c *web.Context) error {
		c.Response().Header().Set("Content-Type", "text/event-stream")
		for _, part := range []string{"data: a\r", "\ndata: é", "\r\r: x\nevent: e\ndata\n\ndata: cut"} {
			_, _ = io.WriteString(c.Response(), part)
			_ = http.NewResponseController(c.Response()).Flush()
			time.Sleep(20 * time.Millisecond)
		}
		return nil
	})
	api.Handle(e, "PUT /flaky", func(ctx context.Context, in *struct {
		Status int `query:"status"`
	}) (*number, error) {
		if calls++; calls%3 != 0 {
			return nil, api.NewProblem(in.Status, "")
		}
		return &number{N: calls}, nil
	}, api.Operation{Middlewares: []func(http.Handler) http.Handler{func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "1")
			next.ServeHTTP(w, r)
		})
	}}})
	api.Handle(e, "GET /room/{room}", func(context.Context, *struct {
		Room string `path:"room"`
	}) (*number, error) {
		return &number{}, nil
	})
	server := httptest.NewServer(router)
	defer server.Close()
	document := openapi.Describe(e, openapi.Config{Routes: map[string]openapi.Route{"GET /texts": {ContentType: "text/event-stream"}}})
	client, err := document.TypeScript()
	if err != nil {
		t.Fatal(err)
	}
	got := testkit.RunTypeScript(t, string(client), streamScript, server.URL)
	const want = `[[1,2,3,4,5,6,7],3,403,["message a\né","e ","message a\né"],"503 3 503 aborted 6 400","refused"]
[2500,2499,0,"cut off",409,3123750,"text/x-echo","hello"]` + "\n"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
