// Command prices is a gRPC service without generated code: its messages are structs, and a codec of
// Hone encodes them, in the wire format for Go programs and as JSON for others.
//
//	go run . &
//	go run . -ask ink,pen
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/status"

	honegrpc "github.com/hone-go/hone/integrations/grpc"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

type Query struct {
	Item string `json:"item"`
}

type Price struct {
	Item  string             `json:"item"`
	Cents int64              `json:"cents"`
	Sale  mo.Option[float64] `json:"sale"`
}

// Prices is the service, in place of generated code.
type Prices interface {
	Get(context.Context, *Query) (*Price, error)
	All(*Query, grpc.ServerStreamingServer[Price]) error
}

var service = grpc.ServiceDesc{
	ServiceName: "example.Prices",
	HandlerType: (*Prices)(nil),
	Methods:     []grpc.MethodDesc{honegrpc.Unary("Get", Prices.Get)},
	Streams:     []grpc.StreamDesc{honegrpc.ServerStreaming("All", Prices.All)},
}

func init() {
	encoding.RegisterCodecV2(honegrpc.JSON())
	encoding.RegisterCodecV2(honegrpc.Wire(wire.Options{Limits: wire.Limits{Bytes: 1 << 20}}))
}

type list []Price

func (l list) Get(_ context.Context, in *Query) (*Price, error) {
	for _, p := range l {
		if p.Item == in.Item {
			return &p, nil
		}
	}
	return nil, status.Errorf(codes.NotFound, "no price of %q", in.Item)
}

func (l list) All(in *Query, out grpc.ServerStreamingServer[Price]) error {
	for _, p := range l {
		if strings.HasPrefix(p.Item, in.Item) {
			if err := out.Send(&p); err != nil {
				return err
			}
		}
	}
	return nil
}

func newServer() *grpc.Server {
	s := grpc.NewServer()
	s.RegisterService(&service, list{{"ink", 250, mo.Some(0.1)}, {"pen", 120, mo.None[float64]()}, {"pencil", 90, mo.None[float64]()}})
	return s
}

// ask requests the price of an item, with the codec of the given name.
func ask(ctx context.Context, address, codec, item string) (*Price, error) {
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.CallContentSubtype(codec)))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	var p Price
	return &p, conn.Invoke(ctx, "/example.Prices/Get", &Query{item}, &p)
}

func main() {
	address := flag.String("address", "127.0.0.1:8080", "the `address` of the server")
	items := flag.String("ask", "", "ask for the prices of `items`, in place of serving")
	flag.Parse()
	if *items == "" {
		l, err := net.Listen("tcp", *address)
		if err != nil {
			log.Fatal(err)
		}
		log.Fatal(newServer().Serve(l))
	}
	for item := range strings.SplitSeq(*items, ",") {
		p, err := ask(context.Background(), *address, honegrpc.WireName, item)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.Item, p.Cents, p.Sale.OrElse(0))
	}
}
