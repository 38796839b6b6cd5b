// Package apitest tests an API of typed handlers in memory. A client from [NewClient] calls the
// handlers with their Go types. [Run] checks the handlers' answers against the document of the
// API.
//
//	c := apitest.NewClient(handler)
//	getHost := client.Call[HostIn, HostOut](c, "GET /v1/hosts/{host}")
//	host, err := getHost(t.Context(), &HostIn{Host: "a"})
//
//	apitest.Run(t, handler, openapi.Describe(a, openapi.Config{}))
package apitest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"

	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/internal/variadic"
)

// NewClient returns a client that calls h in memory. A handler that streams its answer runs
// while the client reads the answer. If the handler aborts the answer, reading it ends with
// io.ErrUnexpectedEOF. Options.HTTP is not used.
func NewClient(h http.Handler, options ...client.Options) *client.Client {
	o := variadic.Only(options)
	o.HTTP = &http.Client{Transport: Transport(h)}
	c, err := client.New("http://api.test", o)
	if err != nil {
		panic(err) // the address is valid
	}
	return c
}

// Transport returns a transport for http.Client that passes requests to h in memory.
func Transport(h http.Handler) http.RoundTripper { return transport{h} }

type transport struct{ h http.Handler }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}
	in := r.Clone(context.WithValue(ctx, http.LocalAddrContextKey, net.Addr(local)))
	in.RequestURI, in.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:1024"
	if in.Host == "" {
		in.Host = r.URL.Host
	}
	in.Proto, in.ProtoMajor, in.ProtoMinor = "HTTP/1.1", 1, 1
	if in.Body == nil {
		in.Body = http.NoBody
	}
	read, write := io.Pipe()
	w := &writer{header: http.Header{}, body: write, method: r.Method, begun: make(chan struct{})}
	go func() {
		defer cancel()
		defer in.Body.Close()
		defer func() {
			v := recover()
			if v == nil {
				w.WriteHeader(http.StatusOK)
				_ = write.Close()
				return
			}
			err := io.ErrUnexpectedEOF
			if v != http.ErrAbortHandler {
				err = fmt.Errorf("apitest: the handler panicked: %v", v)
			}
			w.fail(err)
			_ = write.CloseWithError(err)
		}()
		t.h.ServeHTTP(w, in)
	}()
	select {
	case <-w.begun:
	case <-r.Context().Done():
		_ = read.CloseWithError(r.Context().Err())
		cancel()
		return nil, r.Context().Err()
	}
	if w.err != nil {
		return nil, w.err
	}
	stop := context.AfterFunc(r.Context(), func() { _ = read.CloseWithError(context.Cause(r.Context())) })
	return &http.Response{
		Status: fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: w.sent, ContentLength: -1, Request: r,
		Body: &answerBody{read, func() { stop(); cancel() }},
	}, nil
}

// An answerBody ends the handler's context when it is closed.
type answerBody struct {
	*io.PipeReader
	end func()
}

func (b *answerBody) Close() error {
	b.end()
	return b.PipeReader.Close()
}

// A writer is the ResponseWriter of the handler.
type writer struct {
	header http.Header
	body   *io.PipeWriter
	method string

	once   sync.Once
	begun  chan struct{}
	status int
	sent   http.Header
	err    error
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if status >= 100 && status < 200 && status != http.StatusSwitchingProtocols {
		return
	}
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.begun)
	})
}

func (w *writer) fail(err error) {
	w.once.Do(func() {
		w.err = err
		close(w.begun)
	})
}

func (w *writer) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.method == http.MethodHead || w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		return len(b), nil
	}
	n, err := w.body.Write(b)
	if errors.Is(err, io.ErrClosedPipe) {
		err = net.ErrClosed
	}
	return n, err
}

func (w *writer) Flush() { w.WriteHeader(http.StatusOK) }

func (w *writer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return nil, nil, http.ErrNotSupported
}
