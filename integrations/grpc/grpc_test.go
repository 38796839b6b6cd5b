package grpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	honegrpc "github.com/hone-go/hone/integrations/grpc"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

func init() {
	encoding.RegisterCodecV2(honegrpc.JSON())
	encoding.RegisterCodecV2(honegrpc.Wire(wire.Options{Limits: wire.Limits{Bytes: 16 << 20}}))
}

type (
	GetPrice struct{ Item string }
	Price    struct {
		Item  string
		Cents int64
		Note  mo.Option[string]
	}

	// Prices is a service.
	Prices interface {
		Get(ctx context.Context, in *GetPrice) (*Price, error)
		Watch(stream grpc.ServerStream) error
	}
)

type prices struct{}

func (prices) Get(ctx context.Context, in *GetPrice) (*Price, error) {
	switch in.Item {
	case "nothing":
		return nil, nil
	case "unknown":
		return nil, status.Error(codes.NotFound, "no such item")
	case "wait":
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &Price{Item: in.Item, Cents: 250, Note: mo.Some("for " + in.Item)}, nil
}

// Watch sends a price for each request.
func (p prices) Watch(raw grpc.ServerStream) error {
	stream := grpc.GenericServerStream[GetPrice, Price]{ServerStream: raw}
	for {
		in, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		out, err := p.Get(stream.Context(), in)
		if err != nil {
			return err
		}
		if err := stream.Send(out); err != nil {
			return err
		}
	}
}

var pricesDesc = grpc.ServiceDesc{
	ServiceName: "prices.Prices",
	HandlerType: (*Prices)(nil),
	Methods:     []grpc.MethodDesc{honegrpc.Unary("Get", Prices.Get)},
	Streams: []grpc.StreamDesc{{
		StreamName: "Watch", ServerStreams: true, ClientStreams: true,
		Handler: func(service any, stream grpc.ServerStream) error { return service.(Prices).Watch(stream) },
	}},
}

// serve starts a server on loopback and returns a connection to it.
func serve(t testing.TB, options ...grpc.ServerOption) *grpc.ClientConn {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer(options...)
	s.RegisterService(&pricesDesc, prices{})
	grpc_health_v1.RegisterHealthServer(s, health.NewServer())
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(s.Stop)
	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestUnary(t *testing.T) {
	var methods []string
	var mu sync.Mutex
	intercepted := grpc.UnaryInterceptor(func(ctx context.Context, in any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		mu.Lock()
		methods = append(methods, info.FullMethod)
		mu.Unlock()
		return next(ctx, in)
	})
	for _, options := range [][]grpc.ServerOption{nil, {intercepted}} {
		conn := serve(t, options...)
		for _, subtype := range []string{honegrpc.JSONName, honegrpc.WireName} {
			var out Price
			if err := conn.Invoke(t.Context(), "/prices.Prices/Get", &GetPrice{"ink"}, &out, grpc.CallContentSubtype(subtype)); err != nil {
				t.Fatal(err)
			}
			if out != (Price{"ink", 250, mo.Some("for ink")}) {
				t.Errorf("%s: %+v", subtype, out)
			}
			for item, code := range map[string]codes.Code{"nothing": codes.Internal, "unknown": codes.NotFound} {
				err := conn.Invoke(t.Context(), "/prices.Prices/Get", &GetPrice{item}, &out, grpc.CallContentSubtype(subtype))
				if status.Code(err) != code {
					t.Errorf("%s: %s: %v; want %v", subtype, item, err, code)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			err := conn.Invoke(ctx, "/prices.Prices/Get", &GetPrice{"wait"}, &out, grpc.CallContentSubtype(subtype))
			cancel()
			if status.Code(err) != codes.DeadlineExceeded {
				t.Errorf("%s: %v", subtype, err)
			}
			var served grpc_health_v1.HealthCheckResponse
			err = conn.Invoke(t.Context(), "/grpc.health.v1.Health/Check", &grpc_health_v1.HealthCheckRequest{}, &served, grpc.CallContentSubtype(subtype))
			if want := map[string]codes.Code{honegrpc.JSONName: codes.OK, honegrpc.WireName: codes.Internal}[subtype]; status.Code(err) != want {
				t.Errorf("%s: health: %v; want %v", subtype, err, want)
			}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(methods) == 0 || methods[0] != "/prices.Prices/Get" {
		t.Errorf("the interceptor was called for %v", methods)
	}
}

func TestStream(t *testing.T) {
	conn := serve(t)
	for _, subtype := range []string{honegrpc.JSONName, honegrpc.WireName} {
		var wg sync.WaitGroup
		for worker := range 3 {
			wg.Go(func() {
				raw, err := conn.NewStream(t.Context(), &pricesDesc.Streams[0], "/prices.Prices/Watch", grpc.CallContentSubtype(subtype))
				if err != nil {
					t.Error(err)
					return
				}
				stream := grpc.GenericClientStream[GetPrice, Price]{ClientStream: raw}
				var all []*Price // must not change when buffers are reused
				for i := range 50 {
					item := fmt.Sprint(worker, "-", i, strings.Repeat("x", i*50))
					if err := stream.Send(&GetPrice{item}); err != nil {
						t.Error(err)
						return
					}
					p, err := stream.Recv()
					if err != nil {
						t.Error(err)
						return
					}
					all = append(all, p)
				}
				_ = stream.CloseSend()
				if _, err := stream.Recv(); !errors.Is(err, io.EOF) {
					t.Errorf("the end of the stream: %v", err)
				}
				for i, p := range all {
					item := fmt.Sprint(worker, "-", i, strings.Repeat("x", i*50))
					if *p != (Price{item, 250, mo.Some("for " + item)}) {
						t.Errorf("%s: price %d is %+v", subtype, i, p)
					}
				}
			})
		}
		wg.Wait()
	}
}

// TestHostile sends messages that are not values of the server's type, or too long. Each call fails
// with a code, and the connection still works.
func TestHostile(t *testing.T) {
	conn := serve(t, grpc.MaxRecvMsgSize(10_000))
	var out Price
	for _, c := range []struct {
		subtype string
		in      any
		code    codes.Code
	}{
		{honegrpc.JSONName, &struct{ Item int }{7}, codes.Internal},
		{honegrpc.WireName, &struct{ A, B, C uint64 }{1 << 63, 1 << 63, 1}, codes.Internal}, // the server decodes A as a length
		{honegrpc.JSONName, &GetPrice{strings.Repeat("x", 20_000)}, codes.ResourceExhausted},
		{honegrpc.WireName, &GetPrice{strings.Repeat("x", 20_000)}, codes.ResourceExhausted},
	} {
		err := conn.Invoke(t.Context(), "/prices.Prices/Get", c.in, &out, grpc.CallContentSubtype(c.subtype))
		if status.Code(err) != c.code {
			t.Errorf("%s %T: %v; want %v", c.subtype, c.in, err, c.code)
		}
	}
	// Without a content-subtype, gRPC uses its codec for protocol buffers.
	if err := conn.Invoke(t.Context(), "/prices.Prices/Get", &GetPrice{"ink"}, &out); status.Code(err) != codes.Internal {
		t.Errorf("without a content-subtype: %v", err)
	}
	if err := conn.Invoke(t.Context(), "/prices.Prices/Get", &GetPrice{"ink"}, &out, grpc.CallContentSubtype(honegrpc.WireName)); err != nil {
		t.Errorf("the connection does not work any more: %v", err)
	}
}
