package connect_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"connectrpc.com/connect"

	honeconnect "github.com/hone-go/hone/integrations/connect"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

type (
	GetPrice struct{ Item string }
	Price    struct {
		Item  string
		Cents int64
		Note  mo.Option[string]
	}
)

func get(_ context.Context, r *connect.Request[GetPrice]) (*connect.Response[Price], error) {
	switch r.Msg.Item {
	case "nothing":
		return connect.NewResponse[Price](nil), nil
	case "unknown":
		return nil, connect.NewError(connect.CodeNotFound, errors.New("no such item"))
	}
	return connect.NewResponse(&Price{Item: r.Msg.Item, Cents: 250, Note: mo.Some("for " + r.Msg.Item)}), nil
}

// watch sends a price for each request.
func watch(ctx context.Context, stream *connect.BidiStream[GetPrice, Price]) error {
	for {
		in, err := stream.Receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := stream.Send(&Price{Item: in.Item, Cents: 250, Note: mo.Some("for " + in.Item)}); err != nil {
			return err
		}
	}
}

// serve starts a server with HTTP/2, which gRPC and streams in both directions need.
func serve(t *testing.T) *httptest.Server {
	mux := http.NewServeMux()
	limited := connect.WithHandlerOptions(honeconnect.JSON(), honeconnect.Wire(wire.Options{Limits: wire.Limits{Bytes: 1 << 20}}),
		connect.WithReadMaxBytes(10_000), connect.WithIdempotency(connect.IdempotencyNoSideEffects))
	mux.Handle("/prices.Prices/Get", connect.NewUnaryHandler("/prices.Prices/Get", get, limited))
	mux.Handle("/prices.Prices/Watch", connect.NewBidiStreamHandler("/prices.Prices/Watch", watch, limited))
	s := httptest.NewUnstartedServer(mux)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func TestUnary(t *testing.T) {
	s := serve(t)
	for format, option := range map[string]connect.Option{"json": honeconnect.JSON(), "wire": honeconnect.Wire()} {
		for protocol, with := range map[string]connect.ClientOption{
			"connect": connect.WithClientOptions(), "get": connect.WithHTTPGet(), "grpc": connect.WithGRPC(), "grpc-web": connect.WithGRPCWeb(),
		} {
			t.Run(format+"/"+protocol, func(t *testing.T) {
				idempotent := connect.WithIdempotency(connect.IdempotencyNoSideEffects)
				client := connect.NewClient[GetPrice, Price](s.Client(), s.URL+"/prices.Prices/Get", option, with, idempotent)
				out, err := client.CallUnary(t.Context(), connect.NewRequest(&GetPrice{"ink & paper"}))
				if err != nil {
					t.Fatal(err)
				}
				if *out.Msg != (Price{"ink & paper", 250, mo.Some("for ink & paper")}) {
					t.Errorf("%+v", *out.Msg)
				}
				for item, code := range map[string]connect.Code{
					"nothing": connect.CodeInternal, "unknown": connect.CodeNotFound, strings.Repeat("x", 20_000): connect.CodeResourceExhausted,
				} {
					if _, err := client.CallUnary(t.Context(), connect.NewRequest(&GetPrice{item})); connect.CodeOf(err) != code {
						t.Errorf("%.10s: %v; want %v", item, err, code)
					}
				}
				wrong := connect.NewClient[struct{ Item []float64 }, Price](s.Client(), s.URL+"/prices.Prices/Get", option, with, idempotent)
				_, err = wrong.CallUnary(t.Context(), connect.NewRequest(&struct{ Item []float64 }{[]float64{1, 2}}))
				if connect.CodeOf(err) != connect.CodeInvalidArgument {
					t.Errorf("a request that cannot be decoded: %v", err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				if _, err := client.CallUnary(ctx, connect.NewRequest(&GetPrice{"ink"})); connect.CodeOf(err) != connect.CodeCanceled {
					t.Errorf("cancelled: %v", err)
				}
			})
		}
	}
}

// TestContentTypes sends requests of several Content-Types with net/http, as a script would, and
// checks their statuses.
func TestContentTypes(t *testing.T) {
	s := serve(t)
	for contentType, status := range map[string]int{
		"application/json": 200, "application/json; charset=utf-8": 200, "application/xml": 415, "text/plain": 415, "application/vnd.hone.wire": 400,
	} {
		resp, err := s.Client().Post(s.URL+"/prices.Prices/Get", contentType, strings.NewReader(`{"Item":"ink"}`))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != status {
			t.Errorf("%s: %d %s; want %d", contentType, resp.StatusCode, body, status)
		}
		if status == 200 && !bytes.Equal(body, []byte(`{"Item":"ink","Cents":250,"Note":"for ink"}`)) {
			t.Errorf("%s: %s", contentType, body)
		}
	}
}

func TestStream(t *testing.T) {
	s := serve(t)
	for _, options := range [][]connect.ClientOption{
		{honeconnect.JSON()}, {honeconnect.Wire()}, {honeconnect.Wire(), connect.WithGRPC()}, {honeconnect.JSON(), connect.WithGRPC()},
	} {
		client := connect.NewClient[GetPrice, Price](s.Client(), s.URL+"/prices.Prices/Watch", options...)
		var wg sync.WaitGroup
		for worker := range 3 {
			wg.Go(func() {
				stream := client.CallBidiStream(t.Context())
				var all []*Price // must not change when buffers are reused
				item := func(i int) string { return fmt.Sprint(worker, "-", i, strings.Repeat("x", i*50)) }
				for i := range 50 {
					if err := stream.Send(&GetPrice{item(i)}); err != nil {
						t.Error(err)
						return
					}
					p, err := stream.Receive()
					if err != nil {
						t.Error(err)
						return
					}
					all = append(all, p)
				}
				_ = stream.CloseRequest()
				if _, err := stream.Receive(); !errors.Is(err, io.EOF) {
					t.Errorf("the end of the stream: %v", err)
				}
				_ = stream.CloseResponse()
				for i, p := range all {
					if *p != (Price{item(i), 250, mo.Some("for " + item(i))}) {
						t.Errorf("price %d is %+v", i, p)
					}
				}
			})
		}
		wg.Wait()
	}
}
