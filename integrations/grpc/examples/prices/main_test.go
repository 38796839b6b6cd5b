package main

import (
	"io"
	"net"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	honegrpc "github.com/hone-go/hone/integrations/grpc"
	"github.com/hone-go/hone/mo"
)

func Test(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newServer()
	go func() { _ = s.Serve(l) }()
	defer s.Stop()
	address := l.Addr().String()
	for _, codec := range []string{honegrpc.WireName, honegrpc.JSONName} {
		if p, err := ask(t.Context(), address, codec, "ink"); err != nil || *p != (Price{"ink", 250, mo.Some(0.1)}) {
			t.Errorf("%s: %+v, %v", codec, p, err)
		}
		if _, err := ask(t.Context(), address, codec, "paper"); status.Code(err) != codes.NotFound {
			t.Errorf("%s: an unknown item: %v", codec, err)
		}
		conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			t.Fatal(err)
		}
		stream, err := conn.NewStream(t.Context(), &service.Streams[0], "/example.Prices/All", grpc.CallContentSubtype(codec))
		if err != nil {
			t.Fatal(err)
		}
		if err := stream.SendMsg(&Query{"pen"}); err != nil {
			t.Fatal(err)
		}
		if err := stream.CloseSend(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for {
			var p Price
			if err := stream.RecvMsg(&p); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			got = append(got, p.Item)
		}
		if len(got) != 2 || got[0] != "pen" || got[1] != "pencil" {
			t.Errorf("%s: %v", codec, got)
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
}
