package grpc

import (
	"context"
	"errors"
	"io"
	"iter"

	"google.golang.org/grpc"
)

// ServerStreaming makes the description of a method that answers one In with a stream of Outs. The
// argument service of call is the registered service, as in
//
//	desc := grpc.ServiceDesc{
//		ServiceName: "prices.Prices",
//		HandlerType: (*Prices)(nil),
//		Streams:     []grpc.StreamDesc{honegrpc.ServerStreaming("Watch", Prices.Watch)},
//	}
//
// where Watch is a method func(in *GetPrice, out grpc.ServerStreamingServer[Price]) error. The streams
// have the types of grpc-go's generated code, so a service can be moved from it and to it. The
// stream ends when call returns, with the status of its error.
func ServerStreaming[S, In, Out any](name string, call func(service S, in *In, out grpc.ServerStreamingServer[Out]) error) grpc.StreamDesc {
	return grpc.StreamDesc{
		StreamName: name, ServerStreams: true,
		Handler: func(srv any, stream grpc.ServerStream) error {
			in := new(In)
			if err := stream.RecvMsg(in); err != nil {
				return err
			}
			return call(srv.(S), in, &grpc.GenericServerStream[In, Out]{ServerStream: stream})
		},
	}
}

// ClientStreaming makes the description of a method that answers a stream of Ins with one Out, by the
// stream's SendAndClose. The rest is the same as for [ServerStreaming].
func ClientStreaming[S, In, Out any](name string, call func(service S, in grpc.ClientStreamingServer[In, Out]) error) grpc.StreamDesc {
	return grpc.StreamDesc{
		StreamName: name, ClientStreams: true,
		Handler: func(srv any, stream grpc.ServerStream) error {
			return call(srv.(S), &grpc.GenericServerStream[In, Out]{ServerStream: stream})
		},
	}
}

// BidiStreaming makes the description of a method with a stream of Ins and a stream of Outs. The rest is
// the same as for [ServerStreaming].
func BidiStreaming[S, In, Out any](name string, call func(service S, stream grpc.BidiStreamingServer[In, Out]) error) grpc.StreamDesc {
	return grpc.StreamDesc{
		StreamName: name, ServerStreams: true, ClientStreams: true,
		Handler: func(srv any, stream grpc.ServerStream) error {
			return call(srv.(S), &grpc.GenericServerStream[In, Out]{ServerStream: stream})
		},
	}
}

// OpenServerStream calls a method of [ServerStreaming] with the name method, such as
// "/prices.Prices/Watch". The stream uses resources until it has ended, so a caller that does not
// read it to its end cancels ctx.
func OpenServerStream[In, Out any](ctx context.Context, conn grpc.ClientConnInterface, method string, in *In, options ...grpc.CallOption) (grpc.ServerStreamingClient[Out], error) {
	stream, err := open[In, Out](ctx, conn, &grpc.StreamDesc{ServerStreams: true}, method, options)
	if err != nil {
		return nil, err
	}
	// After io.EOF from Send, the error of the server is the one that Recv returns.
	if err := stream.Send(in); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if err := stream.CloseSend(); err != nil {
		return nil, err
	}
	return stream, nil
}

// OpenClientStream calls a method of [ClientStreaming]. CloseAndRecv of the stream returns the answer. A
// caller that does not call it cancels ctx.
func OpenClientStream[In, Out any](ctx context.Context, conn grpc.ClientConnInterface, method string, options ...grpc.CallOption) (grpc.ClientStreamingClient[In, Out], error) {
	stream, err := open[In, Out](ctx, conn, &grpc.StreamDesc{ClientStreams: true}, method, options)
	if err != nil {
		return nil, err
	}
	return stream, nil
}

// OpenBidiStream calls a method of [BidiStreaming]. One goroutine may send while another one receives. A
// caller that does not receive until the end cancels ctx.
func OpenBidiStream[In, Out any](ctx context.Context, conn grpc.ClientConnInterface, method string, options ...grpc.CallOption) (grpc.BidiStreamingClient[In, Out], error) {
	stream, err := open[In, Out](ctx, conn, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, method, options)
	if err != nil {
		return nil, err
	}
	return stream, nil
}

// open returns a new stream of a client.
func open[In, Out any](ctx context.Context, conn grpc.ClientConnInterface, desc *grpc.StreamDesc, method string, options []grpc.CallOption) (*grpc.GenericClientStream[In, Out], error) {
	stream, err := conn.NewStream(ctx, desc, method, options...)
	if err != nil {
		return nil, err
	}
	return &grpc.GenericClientStream[In, Out]{ClientStream: stream}, nil
}

// Received ranges over the messages of a stream of a client or a server, up to its end. An error is
// the last element:
//
//	for price, err := range honegrpc.Received(stream) {
//		if err != nil {
//			return err
//		}
//		use(price)
//	}
//
// Each message is a new value.
func Received[T any](stream interface{ Recv() (*T, error) }) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for {
			v, err := stream.Recv()
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(nil, err)
				return
			case !yield(v, nil):
				return
			}
		}
	}
}

// SendAll sends the messages of a sequence, such as slices.Values of a slice of pointers. It stops at the
// first error. io.EOF means that the server has ended the stream; Recv or CloseAndRecv then
// returns the reason.
func SendAll[T any](stream interface{ Send(*T) error }, messages iter.Seq[*T]) error {
	for v := range messages {
		if err := stream.Send(v); err != nil {
			return err
		}
	}
	return nil
}
