package connect_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"connectrpc.com/connect"

	honeconnect "github.com/hone-go/hone/integrations/connect"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// renamedPrice has the same types of fields as Price, and another name.
type renamedPrice struct {
	Item  string
	Cents int64
	Text  mo.Option[string]
}

// TestFingerprints calls a procedure whose response is a Price, as a Price and as another type.
func TestFingerprints(t *testing.T) {
	fingerprinted := wire.Must(honeconnect.Fingerprinted(wire.Fingerprints{}))
	idempotent := connect.WithIdempotency(connect.IdempotencyNoSideEffects)
	mux := http.NewServeMux()
	mux.Handle("/prices.Prices/Get", connect.NewUnaryHandler("/prices.Prices/Get", get, honeconnect.JSON(), honeconnect.Wire(), fingerprinted, idempotent))
	s := httptest.NewUnstartedServer(mux)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	url := s.URL + "/prices.Prices/Get"
	for name, test := range map[string]struct {
		option  connect.Option
		refused bool
	}{"without": {honeconnect.Wire(), false}, "with": {fingerprinted, true}} {
		for protocol, with := range map[string]connect.ClientOption{
			"connect": connect.WithClientOptions(), "get": connect.WithHTTPGet(), "grpc": connect.WithGRPC(), "grpc-web": connect.WithGRPCWeb(),
		} {
			out, err := connect.NewClient[GetPrice, Price](s.Client(), url, test.option, with, idempotent).CallUnary(t.Context(), connect.NewRequest(&GetPrice{"ink"}))
			if err != nil || out.Msg.Cents != 250 {
				t.Errorf("%s, %s: %v", name, protocol, err)
			}
			other, err := connect.NewClient[GetPrice, renamedPrice](s.Client(), url, test.option, with, idempotent).CallUnary(t.Context(), connect.NewRequest(&GetPrice{"ink"}))
			if (err != nil) != test.refused {
				t.Errorf("%s, %s: a Price was read as %+v, %v", name, protocol, other, err)
			}
			_, err = connect.NewClient[struct{ Thing string }, Price](s.Client(), url, test.option, with, idempotent).CallUnary(t.Context(), connect.NewRequest(&struct{ Thing string }{"ink"}))
			if (err != nil) != test.refused || test.refused && connect.CodeOf(err) != connect.CodeInvalidArgument {
				t.Errorf("%s, %s: another request was read: %v", name, protocol, err)
			}
		}
	}
}
