package grpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	honegrpc "github.com/hone-go/hone/integrations/grpc"
)

type (
	Step  struct{ N int }
	Added struct {
		Sum  int
		Seen []int
	}
)

// numbers is a service with a stream of each kind. When a call of Endless or Double ends, the method
// sends the call's error to the channel ended.
type numbers struct{ ended chan error }

// UpTo sends the numbers below N. If N is negative, it fails after two numbers.
func (n *numbers) UpTo(in *Step, out grpc.ServerStreamingServer[Step]) error {
	for i := range max(in.N, -in.N) {
		if in.N < 0 && i == 2 {
			return status.Error(codes.OutOfRange, "below zero")
		}
		if err := out.Send(&Step{i}); err != nil {
			return err
		}
	}
	return nil
}

// Endless sends numbers until the client ends the call.
func (n *numbers) Endless(_ *Step, out grpc.ServerStreamingServer[Step]) error {
	for i := 0; ; i++ {
		// When a connection closes, Send may fail before the context is cancelled.
		if err := out.Send(&Step{i}); err != nil {
			n.ended <- err
			return err
		}
	}
}

// Add returns the sum of the numbers. It fails at a negative number.
func (n *numbers) Add(in grpc.ClientStreamingServer[Step, Added]) error {
	var sum Added
	for v, err := range honegrpc.Received(in) {
		if err != nil {
			return err
		}
		if v.N < 0 {
			return status.Error(codes.InvalidArgument, "a negative number")
		}
		sum.Sum += v.N
		sum.Seen = append(sum.Seen, v.N)
	}
	return in.SendAndClose(&sum)
}

// Double sends the double of each number. At the number 13 it waits until the client ends the call.
func (n *numbers) Double(stream grpc.BidiStreamingServer[Step, Step]) error {
	for v, err := range honegrpc.Received(stream) {
		if err != nil {
			n.ended <- err
			return err
		}
		if err := stream.Send(&Step{2 * v.N}); err != nil {
			return err
		}
	}
	return nil
}

var numbersDesc = grpc.ServiceDesc{
	ServiceName: "numbers.Numbers",
	HandlerType: (*any)(nil),
	Streams: []grpc.StreamDesc{
		honegrpc.ServerStreaming("UpTo", (*numbers).UpTo),
		honegrpc.ServerStreaming("Endless", (*numbers).Endless),
		honegrpc.ClientStreaming("Add", (*numbers).Add),
		honegrpc.BidiStreaming("Double", (*numbers).Double),
	},
}

// serveNumbers starts a server on loopback, and returns a connection for each codec.
func serveNumbers(t *testing.T, options ...grpc.ServerOption) (service *numbers, conns map[string]*grpc.ClientConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	service = &numbers{ended: make(chan error, 100)}
	s := grpc.NewServer(options...)
	s.RegisterService(&numbersDesc, service)
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(s.Stop)
	conns = map[string]*grpc.ClientConn{}
	for _, name := range []string{honegrpc.JSONName, honegrpc.WireName} {
		conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithDefaultCallOptions(grpc.CallContentSubtype(name)))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		conns[name] = conn
	}
	return service, conns
}

// counts returns a message for each number.
func counts(all ...int) (list []*Step) {
	for _, n := range all {
		list = append(list, &Step{n})
	}
	return list
}

// received returns the numbers of a stream, and the error at its end.
func received(stream interface{ Recv() (*Step, error) }) (all []int, err error) {
	for v, err := range honegrpc.Received(stream) {
		if err != nil {
			return all, err
		}
		all = append(all, v.N)
	}
	return all, nil
}

func TestServerStreaming(t *testing.T) {
	_, conns := serveNumbers(t)
	for name, conn := range conns {
		for _, test := range []struct {
			n    int
			want []int
			code codes.Code
		}{{3, []int{0, 1, 2}, codes.OK}, {0, nil, codes.OK}, {-5, []int{0, 1}, codes.OutOfRange}} {
			stream, err := honegrpc.OpenServerStream[Step, Step](t.Context(), conn, "/numbers.Numbers/UpTo", &Step{test.n})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := received(stream); !slices.Equal(got, test.want) || status.Code(err) != test.code {
				t.Errorf("%s: %d: %v, %v", name, test.n, got, err)
			}
		}
		if _, err := honegrpc.OpenServerStream[Step, Step](t.Context(), conn, "/numbers.Numbers/UpTo", nil); status.Code(err) != codes.Internal {
			t.Errorf("%s: nil: %v", name, err)
		}
		stream, err := honegrpc.OpenServerStream[Step, Step](t.Context(), conn, "/numbers.Numbers/Nothing", &Step{1})
		if err == nil {
			_, err = received(stream)
		}
		if status.Code(err) != codes.Unimplemented {
			t.Errorf("%s: no such method: %v", name, err)
		}
	}
}

func TestClientStreaming(t *testing.T) {
	_, conns := serveNumbers(t)
	for name, conn := range conns {
		stream, err := honegrpc.OpenClientStream[Step, Added](t.Context(), conn, "/numbers.Numbers/Add")
		if err != nil {
			t.Fatal(err)
		}
		if err := honegrpc.SendAll(stream, slices.Values(counts(1, 2, 3))); err != nil {
			t.Fatal(err)
		}
		if sum, err := stream.CloseAndRecv(); err != nil || sum.Sum != 6 || !slices.Equal(sum.Seen, []int{1, 2, 3}) {
			t.Errorf("%s: %+v, %v", name, sum, err)
		}
		// If the server ends the stream, Send returns io.EOF, and CloseAndRecv returns the reason.
		if stream, err = honegrpc.OpenClientStream[Step, Added](t.Context(), conn, "/numbers.Numbers/Add"); err != nil {
			t.Fatal(err)
		}
		for err == nil {
			err = honegrpc.SendAll(stream, slices.Values(counts(-1)))
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := stream.CloseAndRecv(); status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBidiStreaming(t *testing.T) {
	service, conns := serveNumbers(t)
	for name, conn := range conns {
		stream, err := honegrpc.OpenBidiStream[Step, Step](t.Context(), conn, "/numbers.Numbers/Double")
		if err != nil {
			t.Fatal(err)
		}
		sent := make(chan error, 1)
		go func() { // send while the test receives
			err := honegrpc.SendAll(stream, slices.Values(counts(1, 2, 3, 4)))
			sent <- errors.Join(err, stream.CloseSend())
		}()
		if got, err := received(stream); err != nil || !slices.Equal(got, []int{2, 4, 6, 8}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if err := <-sent; err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// The client cancels the call while the server waits for the next message.
		ctx, cancel := context.WithCancel(t.Context())
		if stream, err = honegrpc.OpenBidiStream[Step, Step](ctx, conn, "/numbers.Numbers/Double"); err != nil {
			t.Fatal(err)
		}
		if err := stream.Send(&Step{7}); err != nil {
			t.Fatal(err)
		}
		if v, err := stream.Recv(); err != nil || v.N != 14 {
			t.Errorf("%s: %v, %v", name, v, err)
		}
		cancel()
		if _, err := received(stream); status.Code(err) != codes.Canceled {
			t.Errorf("%s: the client's error after the call was cancelled: %v", name, err)
		}
		if err := wait(t, service.ended); status.Code(err) != codes.Canceled {
			t.Errorf("%s: the server's error after the call was cancelled: %v", name, err)
		}
		// The client sends a message that the server's type cannot decode.
		wrong, err := honegrpc.OpenBidiStream[struct{ N string }, Step](t.Context(), conn, "/numbers.Numbers/Double")
		if err != nil {
			t.Fatal(err)
		}
		if err := wrong.Send(&struct{ N string }{"text that is long"}); err != nil {
			t.Fatal(err)
		}
		if _, err := received(wrong); status.Code(err) != codes.Internal {
			t.Errorf("%s: a message of another type: %v", name, err)
		}
		if err := wait(t, service.ended); err == nil {
			t.Errorf("%s: the server received a message of another type without an error", name)
		}
	}
}

// wait returns the next error. It fails the test if there is none within ten seconds.
func wait(t *testing.T, errs <-chan error) error {
	t.Helper()
	select {
	case err := <-errs:
		return err
	case <-time.After(10 * time.Second):
		t.Error("the server's call did not end within ten seconds")
		return nil
	}
}

// TestStreamIsLeft ends an endless stream in three ways: the client cancels the context, a deadline
// passes, or the connection closes. The server's call must end each time.
func TestStreamIsLeft(t *testing.T) {
	service, conns := serveNumbers(t)
	for name, conn := range conns {
		for kind, code := range map[string]codes.Code{"cancelled": codes.Canceled, "too late": codes.DeadlineExceeded} {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			stream, err := honegrpc.OpenServerStream[Step, Step](ctx, conn, "/numbers.Numbers/Endless", &Step{})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for v, err := range honegrpc.Received(stream) {
				if err != nil {
					if status.Code(err) != code {
						t.Errorf("%s, %s: %v", name, kind, err)
					}
					break
				}
				if v.N != n {
					t.Fatalf("%s, %s: %d after %d", name, kind, v.N, n-1)
				}
				if n++; n == 10 && kind == "cancelled" {
					cancel()
				}
			}
			cancel()
			if err := wait(t, service.ended); err == nil {
				t.Errorf("%s, %s: the server's call ended without an error", name, kind)
			}
		}
	}
	conn := conns[honegrpc.WireName]
	stream, err := honegrpc.OpenServerStream[Step, Step](t.Context(), conn, "/numbers.Numbers/Endless", &Step{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range honegrpc.Received(stream) {
		if err != nil {
			t.Error(err)
		}
		break
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if err := wait(t, service.ended); err == nil {
		t.Error("after the connection was closed, the server's call ended without an error")
	}
}

// TestStreamInterceptor checks that an interceptor is called for each kind of stream.
func TestStreamInterceptor(t *testing.T) {
	seen := make(chan string, 10)
	_, conns := serveNumbers(t, grpc.StreamInterceptor(func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
		seen <- fmt.Sprintf("%s %t %t", info.FullMethod, info.IsClientStream, info.IsServerStream)
		return next(srv, stream)
	}))
	conn := conns[honegrpc.WireName]
	one, err := honegrpc.OpenServerStream[Step, Step](t.Context(), conn, "/numbers.Numbers/UpTo", &Step{1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := received(one); err != nil {
		t.Error(err)
	}
	two, err := honegrpc.OpenClientStream[Step, Added](t.Context(), conn, "/numbers.Numbers/Add")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.CloseAndRecv(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"/numbers.Numbers/UpTo false true", "/numbers.Numbers/Add true false"} {
		if got := <-seen; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
