package frameworks

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

var open sync.WaitGroup

// websocketEcho is the handler of docs/websocket.md.
func websocketEcho(c *web.Context) error {
	conn, err := websocket.Accept(c.Response(), c.Request(), nil)
	if err != nil {
		return nil
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(64 << 10)
	open.Add(1)
	defer open.Done()
	draining := web.Draining(c.Request().Context())
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.Request().Context()))
	defer cancel()
	go func() {
		select {
		case <-draining:
			_ = conn.Close(websocket.StatusGoingAway, "shutdown")
		case <-ctx.Done():
		}
	}()
	for {
		kind, message, err := conn.Read(ctx)
		if err != nil {
			return nil
		}
		if err := conn.Write(ctx, kind, message); err != nil {
			return nil
		}
	}
}

// TestWebSocket sends messages through the middleware that services have, and shuts the server down while the
// connection is open: the client is told so.
func TestWebSocket(t *testing.T) {
	e := web.New()
	e.Use(middleware.RequestLogger(), middleware.RequestID(), middleware.Recover(), middleware.Secure(), middleware.Gzip())
	e.GET("/echo", websocketEcho)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serving, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- web.StartConfig{Listener: l}.Start(serving, e) }()

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws://"+l.Addr().String()+"/echo", nil) //nolint:bodyclose // Dial says that its response needs no Close
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	for _, want := range []string{"a", "b"} {
		if err := conn.Write(ctx, websocket.MessageText, []byte(want)); err != nil {
			t.Fatal(err)
		}
		if _, got, err := conn.Read(ctx); err != nil || string(got) != want {
			t.Fatalf("%q, %v; want %q", got, err, want)
		}
	}
	stop()
	if _, _, err := conn.Read(ctx); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("at the shutdown the client gets %v", err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	open.Wait()
}
