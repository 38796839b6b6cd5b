package grpc

import (
	"context"

	"google.golang.org/grpc"
)

// Unary returns the description of a method that is implemented by call. The argument service of call
// is the registered service, as in
//
//	desc := grpc.ServiceDesc{
//		ServiceName: "prices.Prices",
//		HandlerType: (*Prices)(nil),
//		Methods:     []grpc.MethodDesc{honegrpc.Unary("Get", Prices.Get)},
//	}
//	server.RegisterService(&desc, prices)
//
// Interceptors of the server work as with generated code. Each call allocates its In. If call returns
// neither an Out nor an error, the client gets the code Internal.
func Unary[S, In, Out any](name string, call func(service S, ctx context.Context, in *In) (*Out, error)) grpc.MethodDesc {
	return grpc.MethodDesc{
		MethodName: name,
		Handler: func(srv any, ctx context.Context, decode func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
			in := new(In)
			if err := decode(in); err != nil {
				return nil, err
			}
			if interceptor == nil {
				return call(srv.(S), ctx, in)
			}
			method, _ := grpc.Method(ctx)
			info := &grpc.UnaryServerInfo{Server: srv, FullMethod: method}
			return interceptor(ctx, in, info, func(ctx context.Context, in any) (any, error) {
				return call(srv.(S), ctx, in.(*In))
			})
		},
	}
}
