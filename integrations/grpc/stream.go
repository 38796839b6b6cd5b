package grpc

import (
	"context"
	"errors"
	"io"
	"iter"

	"google.golang.org/grpc"
)

// ServerStreaming returns the description of a method that receives one In and sends a stream of Outs.
// The argument service of call is the registered service, as in
//
//	desc := grpc.ServiceDesc{
//		ServiceName: "prices.Prices",
//		HandlerType: (*Prices)(nil),
//		Streams:     []grpc.StreamDesc{honegrpc.ServerStreaming("Watch", Prices.Watch)},
//	}
//
// where Watch is a method func(in *GetPrice, out grpc.ServerStreamingServer[Price]) error. The streams
// have the same types as in grpc-go's generated code, so a service can switch between both. The stream
// ends when call returns, with the status of its error.
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

// ClientStreaming is like [ServerStreaming], for a method that receives a stream of Ins and sends one
// Out with the stream's SendAndClose.
func ClientStreaming[S, In, Out any](name string, call func(service S, in grpc.ClientStreamingServer[In, Out]) error) grpc.StreamDesc {
	return grpc.StreamDesc{
		StreamName: name, ClientStreams: true,
		Handler: func(srv any, stream grpc.ServerStream) error {
			return call(srv.(S), &grpc.GenericServerStream[In, Out]{ServerStream: stream})
		},
	}
}

// BidiStreaming is like [ServerStreaming], for a method that receives a stream of Ins and sends a stream
// of Outs.
func BidiStreaming[S, In, Out any](name string, call func(service S, stream grpc.BidiStreamingServer[In, Out]) error) grpc.StreamDesc {
	return grpc.StreamDesc{
		StreamName: name, ServerStreams: true, ClientStreams: true,
		Handler: func(srv any, stream grpc.ServerStream) error {
			return call(srv.(S), &grpc.GenericServerStream[In, Out]{ServerStream: stream})
		},
	}
}

// OpenServerStream calls a method that [ServerStreaming] describes. Method is its full name, such as
// "/prices.Prices/Watch". The stream uses resources until it ends. A caller that does not read it to
// its end must cancel ctx.
func OpenServerStream[In, Out any](ctx context.Context, conn grpc.ClientConnInterface, method string, in *In, options ...grpc.CallOption) (grpc.ServerStreamingClient[Out], error) {
	stream, err := open[In, Out](ctx, conn, &grpc.StreamDesc{ServerStreams: true}, method, options)
	if err != nil {
		return nil, err
	}
	// If Send returns io.EOF, Recv returns the error of the server.
	if err := stream.Send(in); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if err := stream.CloseSend(); err != nil {
		return nil, err
	}
	return stream, nil
}

// OpenClientStream calls a method that [ClientStreaming] describes. CloseAndRecv of the stream returns
// the response. A caller that does not call CloseAndRecv must cancel ctx.
func OpenClientStream[In, Out any](ctx context.Context, conn grpc.ClientConnInterface, method string, options ...grpc.CallOption) (grpc.ClientStreamingClient[In, Out], error) {
	stream, err := open[In, Out](ctx, conn, &grpc.StreamDesc{ClientStreams: true}, method, options)
	if err != nil {
		return nil, err
	}
	return stream, nil
}

// OpenBidiStream calls a method that [BidiStreaming] describes. One goroutine may send while another
// one receives. A caller that does not receive to the end of the stream must cancel ctx.
func OpenBidiStream[In, Out any](ctx context.Context, conn grpc.ClientConnInterface, method string, options ...grpc.CallOption) (grpc.BidiStreamingClient[In, Out], error) {
	stream, err := open[In, Out](ctx, conn, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, method, options)
	if err != nil {
		return nil, err
	}
	return stream, nil
}

// open opens a stream on conn and gives it the types In and Out.
func open[In, Out any](ctx context.Context, conn grpc.ClientConnInterface, desc *grpc.StreamDesc, method string, options []grpc.CallOption) (*grpc.GenericClientStream[In, Out], error) {
	stream, err := conn.NewStream(ctx, desc, method, options...)
	if err != nil {
		return nil, err
	}
	return &grpc.GenericClientStream[In, Out]{ClientStream: stream}, nil
}

// Received ranges over the messages that a client or a server receives in a stream. If the stream fails,
// the last element is the error:
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

// SendAll sends the messages of a sequence. It stops at the first error and returns it. The error io.EOF
// means that the server has ended the stream. Recv or CloseAndRecv then returns the reason.
func SendAll[T any](stream interface{ Send(*T) error }, messages iter.Seq[*T]) error {
	for v := range messages {
		if err := stream.Send(v); err != nil {
			return err
		}
	}
	return nil
}
