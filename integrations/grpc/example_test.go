package grpc_test

import (
	"context"
	"fmt"
	"log"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	honegrpc "github.com/hone-go/hone/integrations/grpc"
)

type (
	Sum   struct{ Terms []int64 }
	Total struct{ Total int64 }
	Adder interface {
		Add(context.Context, *Sum) (*Total, error)
	}
	service struct{}
)

func (service) Add(_ context.Context, in *Sum) (*Total, error) {
	var out Total
	for _, n := range in.Terms {
		out.Total += n
	}
	return &out, nil
}

// Both codecs are registered by the package's init function, as the package's
// documentation shows.
func Example() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "example.Adder",
		HandlerType: (*Adder)(nil),
		Methods:     []grpc.MethodDesc{honegrpc.Unary("Add", Adder.Add)},
	}, service{})
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()

	conn, err := grpc.NewClient(listener.Addr().String(),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.CallContentSubtype(honegrpc.WireName)))
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	var out Total
	err = conn.Invoke(context.Background(), "/example.Adder/Add", &Sum{Terms: []int64{40, 2}}, &out)
	fmt.Println(out.Total, err)
	// Output: 42 <nil>
}
