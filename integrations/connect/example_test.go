package connect_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"connectrpc.com/connect"

	honeconnect "github.com/hone-go/hone/integrations/connect"
)

func Example() {
	type Sum struct{ Terms []int64 }
	type Total struct{ Total int64 }
	add := func(_ context.Context, in *connect.Request[Sum]) (*connect.Response[Total], error) {
		out := &Total{}
		for _, n := range in.Msg.Terms {
			out.Total += n
		}
		return connect.NewResponse(out), nil
	}
	mux := http.NewServeMux()
	mux.Handle("/example.Adder/Add", connect.NewUnaryHandler("/example.Adder/Add", add,
		honeconnect.JSON(), honeconnect.Wire(), connect.WithReadMaxBytes(1<<20)))
	server := httptest.NewServer(mux)
	defer server.Close()

	client := connect.NewClient[Sum, Total](http.DefaultClient, server.URL+"/example.Adder/Add", honeconnect.Wire())
	out, err := client.CallUnary(context.Background(), connect.NewRequest(&Sum{Terms: []int64{40, 2}}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Msg.Total)
	// Output: 42
}
