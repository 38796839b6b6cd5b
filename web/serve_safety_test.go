package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
)

// After Start has returned, no goroutine of the server is left, whether there was a finished request,
// an open stream, an idle connection, or a connection that had sent half a request.
func TestStopLeavesNoGoroutines(t *testing.T) {
	e := quiet()
	e.GET("/", func(c *Context) error { return c.String(200, "x") })
	e.POST("/", func(c *Context) error { _, err := io.Copy(io.Discard, c.Request().Body); return err })
	api.HandleEvents(e, "GET /events", func(ctx context.Context, _ *struct{}, events *api.Events) error {
		if err := events.Open(); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	})
	api.Handle(e, "GET /elements", func(ctx context.Context, _ *struct{}) (*api.Elements[int], error) {
		return api.ValuesOf(func(yield func(int) bool) {
			for yield(1) {
				select {
				case <-ctx.Done():
					return
				case <-time.After(10 * time.Millisecond):
				}
			}
		}), nil
	})
	before := runtime.NumGoroutine()
	url, stop := start(t, e, StartConfig{GracefulTimeout: 300 * time.Millisecond})
	var conns []net.Conn
	for _, request := range []string{
		"", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTT",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf",
		"GET /events HTTP/1.1\r\nHost: x\r\n\r\n", "GET /elements HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
		_, _ = io.WriteString(conn, request)
		if strings.HasSuffix(request, "\r\n\r\n") {
			if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
				t.Errorf("%q: %q, %v", request, line, err)
			}
		}
	}
	began := time.Now()
	err := stop()
	if err == nil || time.Since(began) > 5*time.Second {
		t.Errorf("half a request was interrupted, and Start returned %v after %v", err, time.Since(began))
	}
	after := 0
	for range 100 {
		if after = runtime.NumGoroutine(); after <= before {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if after > before {
		buf := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d after\n%s", before, after, buf[:runtime.Stack(buf, true)])
	}
	for _, conn := range conns { // the server has closed them
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, err := io.Copy(io.Discard, conn); err != nil && strings.Contains(err.Error(), "timeout") {
			t.Error("a connection is still open")
		}
		conn.Close()
	}
}

// A shutdown runs in this order: new connections are refused, streams are notified, requests
// end or are cancelled, Start returns.
func TestStopInOrder(t *testing.T) {
	e := quiet()
	var mu sync.Mutex
	var order []string
	note := func(what string) { mu.Lock(); defer mu.Unlock(); order = append(order, what) }
	began := make(chan struct{})
	e.GET("/", func(c *Context) error {
		close(began)
		ctx := c.Request().Context()
		<-Draining(ctx)
		note("draining")
		if ctx.Err() != nil {
			t.Error("the context was cancelled within the grace period")
		}
		<-ctx.Done()
		note("cancelled")
		return nil
	})
	url, stop := start(t, e, StartConfig{
		GracefulTimeout: 300 * time.Millisecond,
		BeforeServeFunc: func(*http.Server) error { note("before serving"); return nil },
	})
	go func() {
		if resp, err := client().Get(url); err == nil {
			resp.Body.Close()
		}
	}()
	<-began
	_ = stop()
	note("returned")
	mu.Lock()
	defer mu.Unlock()
	if want := []string{"before serving", "draining", "cancelled", "returned"}; !slices.Equal(order, want) {
		t.Errorf("%q, want %q", order, want)
	}
}

// TestNoSmuggling sends ambiguous requests: two servers could disagree about the offset at which the
// request ends. The server refuses each of these requests, or closes the connection after it. The
// server never answers the following bytes as a request.
func TestNoSmuggling(t *testing.T) {
	e := quiet()
	e.Any("/*", func(c *Context) error {
		body, err := io.ReadAll(c.Request().Body)
		if err != nil {
			return ErrBadRequest.Wrap(err)
		}
		return c.String(200, c.Request().URL.Path+" "+string(body))
	})
	url, stop := start(t, e, StartConfig{})
	const next = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, request := range []string{
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello" + next,
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5, 6\r\n\r\nhello" + next,
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\nhello" + next,
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x5\r\n\r\nhello" + next,
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n" + next,
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + next,
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + next,
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n" + next,
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nhello\r\n0\r\n\r\n" + next,
		"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n" + next,
		"GET / HTTP/1.1\r\n\r\n" + next,
		"GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n" + next,
		"GET / HTTP/1.1\r\nHost: x\r\nBad Name: y\r\n\r\n" + next,
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
		_, _ = io.WriteString(conn, request)
		answer, err := io.ReadAll(conn)
		conn.Close()
		if strings.Contains(string(answer), "/smuggled") || err != nil && strings.Contains(err.Error(), "timeout") {
			t.Errorf("%q: %v\n%s", request, err, answer)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// A header value cannot start a second header, whatever sets it.
func TestHeaderValuesAreNotSplit(t *testing.T) {
	e := quiet()
	e.GET("/redirect", func(c *Context) error { return c.Redirect(302, "/"+c.QueryParam("v")) })
	e.GET("/header", func(c *Context) error {
		c.Response().Header().Set("X-Value", c.QueryParam("v"))
		return c.NoContent(200)
	})
	e.GET("/type", func(c *Context) error { return c.Blob(200, c.QueryParam("v"), nil) })
	e.GET("/cookie", func(c *Context) error {
		c.SetCookie(&http.Cookie{Name: "c", Value: c.QueryParam("v"), Path: c.QueryParam("v")})
		return c.NoContent(200)
	})
	api.Handle(e, "GET /content", func(_ context.Context, in *struct {
		V string `query:"v"`
	}) (*api.Content, error) {
		return &api.Content{Type: in.V, Name: in.V, ETag: in.V, Body: strings.NewReader("x")}, nil
	})
	url, stop := start(t, e, StartConfig{})
	for _, path := range []string{"/redirect", "/header", "/type", "/cookie", "/content"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET %s?v=a%%0d%%0aSet-Cookie:%%20stolen=1%%0d%%0a%%0d%%0a<script> HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path)
		answer, err := io.ReadAll(conn)
		conn.Close()
		head, _, _ := strings.Cut(string(answer), "\r\n\r\n")
		if err != nil || len(head) == 0 || strings.Contains(head, "\nSet-Cookie: stolen") {
			t.Errorf("%s: %q, %v", path, answer, err)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// Media types are compared without regard to case and parameters.
func TestMediaTypesInAnyCase(t *testing.T) {
	type in struct {
		A string `json:"a" xml:"a" form:"a"`
	}
	e := quiet()
	e.POST("/bind", func(c *Context) error {
		var v in
		if err := c.Bind(&v); err != nil {
			return err
		}
		return c.String(200, v.A)
	})
	for _, test := range []struct{ path, mediaType, body string }{
		{path: "/bind", mediaType: "APPLICATION/JSON", body: `{"a":"x"}`}, {path: "/bind", mediaType: "Application/Json ; charset=utf-8", body: `{"a":"x"}`},
		{path: "/bind", mediaType: "application/XML", body: `<in><a>x</a></in>`}, {path: "/bind", mediaType: "TEXT/xml;charset=utf-8", body: `<in><a>x</a></in>`},
		{path: "/bind", mediaType: "Application/x-www-Form-urlencoded", body: "a=x"},
		{path: "/bind", mediaType: "Multipart/Form-Data; boundary=B", body: "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--B--\r\n"},
	} {
		if status, body, _ := ask(e, "POST", test.path, test.mediaType, test.body); status != 200 || body != "x" {
			t.Errorf("%s: %d %s", test.mediaType, status, body)
		}
	}
}
