package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/hone-go/hone/internal/http/drain"
)

// ErrInvalidCertOrKeyType is StartTLS' error for a certificate or key that is
// neither a string nor a []byte.
var ErrInvalidCertOrKeyType = errors.New("invalid cert or key type, must be string or []byte")

// StartConfig sets these timeouts on its http.Server. [ClearDeadlines] removes the deadlines of one long response.
// BeforeServeFunc can change the timeouts for all responses.
const (
	DefaultReadHeaderTimeout = 5 * time.Second
	DefaultReadTimeout       = 30 * time.Second
	DefaultWriteTimeout      = 30 * time.Second
	DefaultIdleTimeout       = 2 * time.Minute
	DefaultMaxHeaderBytes    = 64 << 10
	DefaultGracefulTimeout   = 10 * time.Second
)

// A StartConfig configures a server. The zero value serves on a free port.
type StartConfig struct {
	// Address to listen on, such as ":8080".
	Address string
	// HideBanner exists for compatibility with Echo: there is no banner.
	HideBanner bool
	// HidePort keeps the address out of the log.
	HidePort bool
	// CertFilesystem holds the files that StartTLS reads; by default the disk.
	CertFilesystem fs.FS
	// TLSConfig makes the server listen with TLS, unless Listener is set.
	TLSConfig *tls.Config
	// Listener is used instead of listening on Address.
	Listener net.Listener
	// ListenerNetwork is tcp (the default), tcp4, tcp6, unix or unixpacket.
	ListenerNetwork string
	// ListenerAddrFunc is called with the address that the listener is bound to.
	ListenerAddrFunc func(addr net.Addr)
	// GracefulTimeout is the time that running requests may take once the context
	// is done; 0 means DefaultGracefulTimeout.
	GracefulTimeout time.Duration
	// OnShutdownError is called if requests still run at the end of GracefulTimeout, or if a shutdown failed,
	// with the error of the http.Server. Start's error has it as the cause.
	OnShutdownError func(err error)
	// BeforeServeFunc may change the server before it serves.
	BeforeServeFunc func(s *http.Server) error
}

// ClearDeadlines removes the server's deadlines for reading the request and for
// writing the response. It is for responses that are streams.
func ClearDeadlines(w http.ResponseWriter) error {
	rc := http.NewResponseController(w)
	return errors.Join(rc.SetReadDeadline(time.Time{}), rc.SetWriteDeadline(time.Time{}))
}

// Start serves h until ctx is done, and then shuts down: it stops accepting
// connections, closes the channel of [Draining], and waits for running requests.
// After GracefulTimeout it cancels the contexts of the remaining requests, then
// closes their connections and returns a [*ShutdownError]. Otherwise it returns
// nil, or the error that prevented it from serving.
//
// The context of a request is not cancelled when ctx is done.
func (sc StartConfig) Start(ctx context.Context, h http.Handler) error {
	listener := sc.Listener
	if listener == nil {
		var err error
		if listener, err = sc.listen(ctx); err != nil {
			return err
		}
	}
	return sc.serve(ctx, h, listener)
}

// StartTLS is Start with TLS. The certificate and the key are file names, or PEM
// content as a []byte.
func (sc StartConfig) StartTLS(ctx context.Context, h http.Handler, certFile, keyFile any) error {
	cert, err := sc.pem(certFile)
	if err != nil {
		return err
	}
	key, err := sc.pem(keyFile)
	if err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return err
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if sc.TLSConfig != nil {
		config = sc.TLSConfig.Clone()
	}
	config.Certificates = []tls.Certificate{pair}
	sc.TLSConfig = config
	if sc.Listener != nil {
		sc.Listener = tls.NewListener(sc.Listener, withHTTP2(config))
	}
	return sc.Start(ctx, h)
}

func (sc StartConfig) pem(source any) ([]byte, error) {
	switch s := source.(type) {
	case []byte:
		return s, nil
	case string:
		if sc.CertFilesystem != nil {
			return fs.ReadFile(sc.CertFilesystem, s)
		}
		return os.ReadFile(s)
	}
	return nil, ErrInvalidCertOrKeyType
}

// withHTTP2 returns config, or a copy that offers HTTP/2 and HTTP/1.1 if config lists no
// protocols. ServeTLS of net/http does this itself, but tls.NewListener does not.
func withHTTP2(config *tls.Config) *tls.Config {
	if len(config.NextProtos) > 0 {
		return config
	}
	config = config.Clone()
	config.NextProtos = []string{"h2", "http/1.1"}
	return config
}

func (sc StartConfig) listen(ctx context.Context) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, cmp.Or(sc.ListenerNetwork, "tcp"), sc.Address)
	if err == nil && sc.TLSConfig != nil {
		listener = tls.NewListener(listener, withHTTP2(sc.TLSConfig))
	}
	return listener, err
}

func (sc StartConfig) serve(ctx context.Context, h http.Handler, listener net.Listener) error {
	draining := make(chan struct{})
	base, cancel := context.WithCancel(drain.With(context.WithoutCancel(ctx), draining))
	defer cancel()

	logger := slog.Default()
	if e, ok := h.(*Echo); ok {
		logger = e.Logger
	}
	server := &http.Server{
		Handler:           h,
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: DefaultReadHeaderTimeout,
		ReadTimeout:       DefaultReadTimeout,
		WriteTimeout:      DefaultWriteTimeout,
		IdleTimeout:       DefaultIdleTimeout,
		MaxHeaderBytes:    DefaultMaxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	if sc.BeforeServeFunc != nil {
		if err := sc.BeforeServeFunc(server); err != nil {
			return errors.Join(err, listener.Close())
		}
	}
	var unused unusedConns
	unused.watch(server)
	if sc.ListenerAddrFunc != nil {
		sc.ListenerAddrFunc(listener.Addr())
	}
	if !sc.HidePort {
		logger.Info("http(s) server started", "address", listener.Addr().String())
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		if errors.Is(err, http.ErrServerClosed) {
			return nil // code in BeforeServeFunc has shut the server down
		}
		return errors.Join(err, server.Close())
	case <-ctx.Done():
	}
	close(draining)
	defer time.AfterFunc(unusedGrace, unused.close).Stop()
	err := sc.shutdown(server, cancel)
	if e := <-served; err == nil && !errors.Is(e, http.ErrServerClosed) {
		sc.report(e)
		err = e
	}
	return err
}

// Start serves on an address until the process is interrupted (SIGINT or
// SIGTERM), and then shuts down; see [StartConfig] for other settings.
func (e *Echo) Start(address string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return StartConfig{Address: address}.Start(ctx, e)
}

// NewVirtualHostHandler returns an Echo that passes each request to the Echo of its host. A key
// is a host as in the Host header, with its port. Case and a dot at the end of a name are
// ignored. NewVirtualHostHandler panics if two keys with different Echos are then equal. Requests to
// other hosts are answered by the returned Echo itself.
func NewVirtualHostHandler(vhosts map[string]*Echo) *Echo {
	e := New()
	e.hosts = make(map[string]*Echo, len(vhosts))
	for name, host := range vhosts {
		key := hostKey(name)
		if other := e.hosts[key]; other != nil && other != host {
			panic(fmt.Errorf("web: %q is the name of two virtual hosts", key))
		}
		e.hosts[key] = host
	}
	return e
}

// hostKey returns a host in lower case, without the dot that ends a full name (RFC
// 9110, section 4.2.3; RFC 3986, section 3.2.2).
func hostKey(host string) string {
	host = strings.ToLower(host)
	if i := strings.LastIndexByte(host, ':'); i > 0 && host[i-1] == '.' {
		return host[:i-1] + host[i:]
	}
	return strings.TrimSuffix(host, ".")
}

// afterCancel is the time between cancelling the handlers' contexts, at the end
// of the grace period, and closing their connections.
const afterCancel = time.Second

// A ShutdownError reports requests that were interrupted because they had not
// ended within the grace period.
type ShutdownError struct {
	Grace time.Duration
	Err   error // the cause; never nil
}

func (e *ShutdownError) Error() string {
	return fmt.Sprintf("web: requests were cut off %v after shutdown began: %v", e.Grace, e.Err)
}

// Unwrap returns the cause.
func (e *ShutdownError) Unwrap() error { return e.Err }

// Draining returns a channel that is closed when the server of a request begins
// to shut down. A handler that streams without end returns then; other handlers
// finish their work. The channel is nil, and so blocks for ever, if the server was
// not started by StartConfig.
func Draining(ctx context.Context) <-chan struct{} {
	return drain.Done(ctx)
}

func (sc StartConfig) shutdown(server *http.Server, cancelRequests func()) error {
	grace := sc.GracefulTimeout
	if grace <= 0 {
		grace = DefaultGracefulTimeout
	}
	within := func(d time.Duration) error {
		ctx, cancel := context.WithTimeout(context.Background(), d)
		defer cancel()
		return server.Shutdown(ctx)
	}
	err := within(grace)
	if err == nil {
		return nil
	}
	cancelRequests()
	sc.report(err)
	if within(afterCancel) != nil {
		_ = server.Close()
	}
	return &ShutdownError{Grace: grace, Err: err}
}

func (sc StartConfig) report(err error) {
	if err != nil && sc.OnShutdownError != nil {
		sc.OnShutdownError(err)
	}
}

// unusedGrace is the time that a connection without any received data may stay open when the server
// drains. This is long enough to receive a request that is already on its way.
const unusedGrace = 250 * time.Millisecond

// unusedConns are the connections that have not sent anything yet. Browsers open
// such connections in advance, and http.Server.Shutdown waits five seconds for
// each.
type unusedConns struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// watch records the server's new connections. It calls the existing ConnState hook too.
func (s *unusedConns) watch(server *http.Server) {
	s.conns = map[net.Conn]struct{}{}
	before := server.ConnState
	server.ConnState = func(c net.Conn, state http.ConnState) {
		s.mu.Lock()
		if state == http.StateNew {
			s.conns[c] = struct{}{}
		} else {
			delete(s.conns, c)
		}
		s.mu.Unlock()
		if before != nil {
			before(c, state)
		}
	}
}

// close closes all recorded connections.
func (s *unusedConns) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.Close()
	}
}
