package grpc_test

import (
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/status"

	honegrpc "github.com/hone-go/hone/integrations/grpc"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

func init() {
	encoding.RegisterCodecV2(wire.Must(honegrpc.Fingerprinted(wire.Fingerprints{})))
}

// renamedPrice has the same types of fields as Price, and another name.
type renamedPrice struct {
	Item  string
	Cents int64
	Text  mo.Option[string]
}

// TestFingerprints calls a method whose response is a Price, as a Price and as another type.
func TestFingerprints(t *testing.T) {
	conn := serve(t)
	for name, refused := range map[string]bool{honegrpc.WireName: false, honegrpc.FingerprintName: true} {
		subtype := grpc.CallContentSubtype(name)
		var price Price
		if err := conn.Invoke(t.Context(), "/prices.Prices/Get", &GetPrice{"ink"}, &price, subtype); err != nil || price.Cents != 250 {
			t.Errorf("%s: %+v, %v", name, price, err)
		}
		var other renamedPrice
		err := conn.Invoke(t.Context(), "/prices.Prices/Get", &GetPrice{"ink"}, &other, subtype)
		if (err != nil) != refused || refused && (status.Code(err) != codes.Internal || !strings.Contains(err.Error(), "renamedPrice")) {
			t.Errorf("%s: a Price was read as %+v, %v", name, other, err)
		}
		err = conn.Invoke(t.Context(), "/prices.Prices/Get", &struct{ Thing string }{"ink"}, &price, subtype)
		if (err != nil) != refused || refused && status.Code(err) != codes.Internal {
			t.Errorf("%s: another request was read: %v", name, err)
		}
		stream, err := conn.NewStream(t.Context(), &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, "/prices.Prices/Watch", subtype)
		if err != nil {
			t.Fatal(err)
		}
		typed := grpc.GenericClientStream[GetPrice, Price]{ClientStream: stream}
		for range 3 {
			if err := typed.Send(&GetPrice{"ink"}); err != nil {
				t.Fatal(err)
			}
			if got, err := typed.Recv(); err != nil || got.Item != "ink" {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
		if err := stream.CloseSend(); err != nil {
			t.Error(err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("two Options did not panic")
		}
	}()
	_, _ = honegrpc.Fingerprinted(wire.Fingerprints{}, wire.Options{}, wire.Options{})
}
