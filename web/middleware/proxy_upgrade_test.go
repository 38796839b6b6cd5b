package middleware

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/web"
)

// An upgradedConn is a connection from a client through a Proxy to a target. Client and target are in this process.
type upgradedConn struct {
	client       net.Conn
	fromProxy    *bufio.Reader // the client's input
	target       net.Conn
	stop         func()       // begins to shut the server down
	stopped      <-chan error // the server's error, once it has shut down
	closeTarget  func()
	closeClients func()
}

// upgrade starts a target and a proxy, and upgrades a connection between them.
func upgrade(t *testing.T, encrypted bool) *upgradedConn {
	t.Helper()
	u := &upgradedConn{}
	targets := make(chan net.Conn, 1)
	target := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		fmt.Fprint(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		targets <- conn
	}))
	front := web.StartConfig{HidePort: true}
	if encrypted {
		target.StartTLS()
		front.TLSConfig = &tls.Config{Certificates: target.TLS.Certificates, NextProtos: []string{"http/1.1"}}
	} else {
		target.Start()
	}
	u.closeTarget = target.Close
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	u.closeClients = transport.CloseIdleConnections
	to, err := url.Parse(strings.Replace(target.URL, "http", "ws", 1))
	if err != nil {
		t.Fatal(err)
	}
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.DiscardHandler)})
	e.Use(ProxyWithConfig(ProxyConfig{Balancer: NewRandomBalancer([]*ProxyTarget{{URL: to}}), Transport: transport}))
	ctx, stop := context.WithCancel(context.Background())
	address, stopped := make(chan net.Addr, 1), make(chan error, 1)
	front.Address, front.ListenerAddrFunc = "127.0.0.1:0", func(a net.Addr) { address <- a }
	go func() { stopped <- front.Start(ctx, e) }()
	u.stop, u.stopped = stop, stopped
	if u.client, err = net.Dial("tcp", (<-address).String()); err != nil {
		t.Fatal(err)
	}
	if encrypted {
		u.client = tls.Client(u.client, &tls.Config{InsecureSkipVerify: true})
	}
	fmt.Fprint(u.client, "GET / HTTP/1.1\r\nHost: site.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	u.fromProxy = bufio.NewReader(u.client)
	answer, err := http.ReadResponse(u.fromProxy, nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close() // the body is empty, and the connection stays open
	if answer.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(answer.Status)
	}
	u.target = <-targets
	return u
}

// ends reports whether a connection ends within a time.
func ends(conn net.Conn, r io.Reader, within time.Duration) bool {
	_ = conn.SetReadDeadline(time.Now().Add(within))
	_, err := io.Copy(io.Discard, r)
	netErr, ok := err.(net.Error)
	return !ok || !netErr.Timeout()
}

func halfClose(t *testing.T, conn net.Conn) {
	if err := conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
		t.Error(err)
	}
}

// TestProxyUpgradeEnds ends an upgraded connection at the client, at the target, or by a shutdown of
// the server. Both connections of the proxy end and no goroutine remains, whatever the client or the
// target does.
func TestProxyUpgradeEnds(t *testing.T) {
	for name, test := range map[string]func(t *testing.T, u *upgradedConn) (both bool){
		"the client closes": func(_ *testing.T, u *upgradedConn) bool {
			u.client.Close()
			return ends(u.target, u.target, 5*time.Second)
		},
		"the client closes one direction, and the target ignores that": func(t *testing.T, u *upgradedConn) bool {
			halfClose(t, u.client)
			return ends(u.client, u.fromProxy, 5*time.Second)
		},
		"the client resets": func(_ *testing.T, u *upgradedConn) bool {
			conn := u.client
			if encrypted, ok := conn.(*tls.Conn); ok {
				conn = encrypted.NetConn()
			}
			_ = conn.(*net.TCPConn).SetLinger(0)
			conn.Close()
			return ends(u.target, u.target, 5*time.Second)
		},
		"the target closes, and the client stays": func(_ *testing.T, u *upgradedConn) bool {
			u.target.Close()
			return ends(u.client, u.fromProxy, 5*time.Second)
		},
		"the target closes one direction, and the client stays": func(t *testing.T, u *upgradedConn) bool {
			halfClose(t, u.target)
			return ends(u.target, u.target, 5*time.Second) && ends(u.client, u.fromProxy, 5*time.Second)
		},
		"both are silent, then the client closes": func(_ *testing.T, u *upgradedConn) bool {
			if ends(u.target, u.target, 300*time.Millisecond) || ends(u.client, u.fromProxy, 300*time.Millisecond) {
				return false
			}
			u.client.Close()
			return ends(u.target, u.target, 5*time.Second)
		},
		"the client writes to a silent target, which closes": func(_ *testing.T, u *upgradedConn) bool {
			fmt.Fprint(u.client, strings.Repeat("x", 10000))
			u.target.Close()
			return ends(u.client, u.fromProxy, 5*time.Second)
		},
		"the server shuts down": func(_ *testing.T, u *upgradedConn) bool {
			u.stop()
			return ends(u.client, u.fromProxy, 5*time.Second) && ends(u.target, u.target, 5*time.Second)
		},
	} {
		for _, encrypted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, encrypted=%v", name, encrypted), func(t *testing.T) {
				before := runtime.NumGoroutine()
				u := upgrade(t, encrypted)
				fmt.Fprint(u.client, "ping")
				fmt.Fprint(u.target, "pong")
				var toTarget, toClient [4]byte
				_, err := io.ReadFull(u.target, toTarget[:])
				if _, err2 := io.ReadFull(u.fromProxy, toClient[:]); err != nil || err2 != nil || string(toTarget[:])+string(toClient[:]) != "pingpong" {
					t.Fatalf("%q %q: %v, %v", toTarget, toClient, err, err2)
				}
				if !test(t, u) {
					t.Error("one side remains")
				}
				u.stop()
				if err := <-u.stopped; err != nil {
					t.Error(err)
				}
				// The proxy has to close the connections before the test closes its ends.
				u.closeClients()
				if n := settles(before + targetGoroutines); n > before+targetGoroutines {
					t.Errorf("%d goroutines before, %d after: %s", before, n, stacks())
				}
				u.client.Close()
				u.target.Close()
				u.closeTarget()
				if n := settles(before); n > before {
					t.Errorf("%d goroutines before, %d after: %s", before, n, stacks())
				}
			})
		}
	}
}

// targetGoroutines is the number of goroutines of a target while its server listens.
const targetGoroutines = 1

// settles waits, for a few seconds at most, until there are at most n goroutines. It returns their number.
func settles(n int) (got int) {
	for range 300 {
		if got = runtime.NumGoroutine(); got <= n {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return got
}

func stacks() []byte {
	buf := make([]byte, 1<<16)
	return buf[:runtime.Stack(buf, true)]
}
