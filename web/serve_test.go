package web

import (
	"bufio"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// start serves e on a free port of the loopback. It returns a function that begins the shutdown and
// returns Start's error.
func start(t *testing.T, e *Echo, sc StartConfig) (url string, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	addr := make(chan net.Addr, 1)
	done := make(chan error, 1)
	sc.Address = "127.0.0.1:0"
	sc.ListenerAddrFunc = func(a net.Addr) { addr <- a }
	go func() { done <- sc.Start(ctx, e) }()
	select {
	case a := <-addr:
		return "http://" + a.String(), func() error { cancel(); return <-done }
	case err := <-done:
		t.Fatal(err)
		return "", nil
	}
}

// client returns an HTTP client that shares no connections with other tests.
func client() *http.Client { return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} }

func TestStartAndStop(t *testing.T) {
	e := quiet()
	e.GET("/", func(c *Context) error { return c.String(200, "hello") })
	var server *http.Server
	url, stop := start(t, e, StartConfig{
		BeforeServeFunc: func(s *http.Server) error { server = s; return nil },
		OnShutdownError: func(err error) { t.Errorf("OnShutdownError was called although all requests ended in time: %v", err) },
	})
	resp, err := client().Get(url)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(body) != "hello" {
		t.Errorf("body %q", body)
	}
	if server.ReadHeaderTimeout == 0 || server.ReadTimeout == 0 || server.WriteTimeout == 0 ||
		server.IdleTimeout == 0 || server.MaxHeaderBytes == 0 {
		t.Errorf("a limit of the server is not set: %+v", server)
	}
	if err := stop(); err != nil {
		t.Errorf("stopping an idle server: %v", err)
	}
	if resp, err := client().Get(url); err == nil {
		resp.Body.Close()
		t.Error("still accepting after the shutdown")
	}
}

// A request that ends within the grace period gets its full response, and the
// shutdown does not cancel its context.
func TestStopWaits(t *testing.T) {
	e := quiet()
	began, finish := make(chan struct{}), make(chan struct{})
	e.GET("/", func(c *Context) error {
		close(began)
		<-finish
		if err := c.Request().Context().Err(); err != nil {
			return err
		}
		return c.String(200, "whole")
	})
	url, stop := start(t, e, StartConfig{GracefulTimeout: time.Minute})
	body := make(chan string, 1)
	go func() {
		resp, err := client().Get(url)
		if err != nil {
			body <- err.Error()
			return
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		body <- string(b)
	}()
	<-began
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	for { // wait until the listener is closed, because the shutdown has then begun
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			break
		}
		conn.Close()
		time.Sleep(time.Millisecond)
	}
	close(finish)
	if got := <-body; got != "whole" {
		t.Errorf("the running request: %s", got)
	}
	if err := <-stopped; err != nil {
		t.Errorf("Start: %v", err)
	}
}

// Browsers open connections in advance. A connection that has sent nothing does not
// delay the shutdown.
func TestStopWithSilentConnection(t *testing.T) {
	url, stop := start(t, quiet(), StartConfig{GracefulTimeout: time.Minute})
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// The server accepts connections in order. So after the answer to this request, the silent
	// connection has been accepted too.
	resp, err := client().Get(url)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	began := time.Now()
	if err := stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("the shutdown took %v", took)
	}
}

// The context of a request that does not end is cancelled, and Start reports it.
func TestStopCutsOff(t *testing.T) {
	e := quiet()
	began := make(chan struct{})
	told := make(chan error, 1)
	var cancelled, cause error
	e.GET("/", func(c *Context) error {
		close(began)
		<-c.Request().Context().Done()
		cancelled = c.Request().Context().Err()
		cause = <-told // so OnShutdownError does not wait for the request
		return nil
	})
	url, stop := start(t, e, StartConfig{
		GracefulTimeout: 50 * time.Millisecond,
		OnShutdownError: func(err error) { told <- err },
	})
	go func() {
		if resp, err := client().Get(url); err == nil {
			resp.Body.Close()
		}
	}()
	<-began
	err := stop()
	var se *ShutdownError
	if !errors.As(err, &se) || se.Err != context.DeadlineExceeded || cause != se.Err {
		t.Errorf("Start: %v, OnShutdownError: %v", err, cause)
	}
	if cancelled == nil {
		t.Error("the handler's context was not cancelled")
	}
}

// An open stream outlives the server's deadlines. It does not delay a shutdown if it
// watches Draining.
func TestStreamAndStop(t *testing.T) {
	e := quiet()
	const deadline = 100 * time.Millisecond
	e.GET("/stream", func(c *Context) error {
		if err := ClearDeadlines(c.Response()); err != nil {
			return err
		}
		c.Response().Header().Set(HeaderContentType, "text/event-stream")
		rc := http.NewResponseController(c.Response())
		for i := 0; ; i++ {
			if _, err := fmt.Fprintf(c.Response(), "data: %d\n\n", i); err != nil {
				return err
			}
			if err := rc.Flush(); err != nil {
				return err
			}
			select {
			case <-Draining(c.Request().Context()):
				return nil
			case <-c.Request().Context().Done():
				return c.Request().Context().Err()
			case <-time.After(deadline / 2):
			}
		}
	})
	url, stop := start(t, e, StartConfig{
		GracefulTimeout: time.Minute,
		BeforeServeFunc: func(s *http.Server) error {
			s.ReadTimeout, s.WriteTimeout = deadline, deadline
			return nil
		},
	})
	resp, err := client().Get(url + "/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() && lines.Text() != "data: 6" { // read until the stream has lasted three times as long as the server's deadline
	}
	if lines.Text() != "data: 6" {
		t.Fatalf("the stream ended early: %v", lines.Err())
	}
	began := time.Now()
	if err := stop(); err != nil {
		t.Errorf("Start: %v", err)
	}
	if d := time.Since(began); d > 30*time.Second {
		t.Errorf("the stream delayed the shutdown by %v", d)
	}
	for lines.Scan() {
	}
	if err := lines.Err(); err != nil {
		t.Errorf("the stream did not end cleanly: %v", err)
	}
}

func TestStartTLS(t *testing.T) {
	borrowed := httptest.NewTLSServer(nil) // only its certificate is used
	borrowed.Close()
	key, err := x509.MarshalPKCS8PrivateKey(borrowed.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: borrowed.Certificate().Raw})
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	e := quiet()
	e.GET("/", func(c *Context) error { return c.String(200, c.Request().Proto) })
	files := fstest.MapFS{"cert.pem": {Data: certPEM}, "key.pem": {Data: keyPEM}}
	for name, pair := range map[string][2]any{"content": {certPEM, keyPEM}, "files": {"cert.pem", "key.pem"}} {
		ctx, cancel := context.WithCancel(context.Background())
		addr, done := make(chan net.Addr, 1), make(chan error, 1)
		sc := StartConfig{
			Address: "127.0.0.1:0", ListenerNetwork: "tcp4", CertFilesystem: files,
			ListenerAddrFunc: func(a net.Addr) { addr <- a },
		}
		go func() { done <- sc.StartTLS(ctx, e, pair[0], pair[1]) }()
		trust := borrowed.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: trust, ForceAttemptHTTP2: true}}
		select {
		case a := <-addr:
			resp, err := client.Get("https://" + a.String())
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if string(body) != "HTTP/2.0" {
				t.Errorf("%s: served over %s", name, body)
			}
			client.CloseIdleConnections()
		case err := <-done:
			t.Fatal(err)
		}
		cancel()
		if err := <-done; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStartErrors(t *testing.T) {
	ctx := context.Background()
	for _, network := range []string{"udp", "unknown"} {
		if err := (StartConfig{ListenerNetwork: network}).Start(ctx, quiet()); err == nil || !strings.HasPrefix(err.Error(), "listen "+network) {
			t.Errorf("network %s: %v", network, err)
		}
	}
	if err := (StartConfig{}).StartTLS(ctx, quiet(), 1, 2); !errors.Is(err, ErrInvalidCertOrKeyType) {
		t.Errorf("certificate 1: %v", err)
	}
	refuse := errors.New("refuse")
	sc := StartConfig{Address: "127.0.0.1:0", BeforeServeFunc: func(*http.Server) error { return refuse }}
	if err := sc.Start(ctx, quiet()); !errors.Is(err, refuse) {
		t.Errorf("BeforeServeFunc refused: %v", err)
	}
}

// TestHTTP2WithoutTLS serves HTTP/2 on a plain connection, as docs/web.md shows. A client that
// speaks HTTP/1.1 is served as well.
func TestHTTP2WithoutTLS(t *testing.T) {
	e := quiet()
	e.GET("/", func(c *Context) error { return c.String(200, c.Request().Proto) })
	ctx, cancel := context.WithCancel(t.Context())
	addr, done := make(chan net.Addr, 1), make(chan error, 1)
	sc := StartConfig{
		Address: "127.0.0.1:0", ListenerAddrFunc: func(a net.Addr) { addr <- a },
		BeforeServeFunc: func(s *http.Server) error {
			s.Protocols = new(http.Protocols)
			s.Protocols.SetHTTP1(true)
			s.Protocols.SetUnencryptedHTTP2(true)
			return nil
		},
	}
	go func() { done <- sc.Start(ctx, e) }()
	url := "http://" + (<-addr).String()
	for want, set := range map[string]func(p *http.Protocols){
		"HTTP/2.0": func(p *http.Protocols) { p.SetUnencryptedHTTP2(true) },
		"HTTP/1.1": func(p *http.Protocols) { p.SetHTTP1(true) },
	} {
		transport := &http.Transport{Protocols: new(http.Protocols)}
		set(transport.Protocols)
		resp, err := (&http.Client{Transport: transport}).Get(url)
		if err != nil {
			t.Fatal(want, err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || string(body) != want {
			t.Errorf("%q, %v; want %s", body, err, want)
		}
		transport.CloseIdleConnections()
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
