// Pulse shows what the machine that it runs on is doing: an agent samples it
// once a second, a server stores the readings and draws them on a web page.
// Both run in one process, or the agent alone on each of several machines:
//
//	go run ./examples/pulse
//	pulse -addr 0.0.0.0:8080
//	pulse -agent-only -server http://monitor.example:8080
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/hone-go/hone/examples/pulse/agent"
	"github.com/hone-go/hone/examples/pulse/server"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/web"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "pulse:", err)
		os.Exit(1)
	}
}

// run is the program: it returns when ctx is done and everything is stored.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	level := slog.LevelInfo
	if f.verbose {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level}))
	if f.agentOnly {
		return runAgent(ctx, f, f.server, log)
	}
	return runServer(ctx, f, stdout, log)
}

// runServer runs the server and, unless it is told not to, an agent that posts
// to it like any other.
func runServer(ctx context.Context, f *flags, stdout io.Writer, log *slog.Logger) (err error) {
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		if !errors.Is(err, syscall.EADDRINUSE) {
			return err
		}
		return fmt.Errorf("%w; if another pulse is running, choose another address: -addr 127.0.0.1:0 takes any free port", err)
	}
	live := server.NewLive()
	db, err := store.Open(ctx, f.db, store.Options{Retention: f.retention, Stored: live.Publish})
	if err != nil {
		listener.Close()
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	// The parts stop in the order in which readings flow: the agent delivers what
	// it holds, the server answers what it was asked, the store writes it down.
	serving, stopServing := context.WithCancel(context.WithoutCancel(ctx))
	defer stopServing()
	served := make(chan error, 1)
	go func() {
		e := server.New(server.Options{Store: db, Live: live, Retention: f.retention, Log: log, Verbose: f.verbose})
		served <- web.StartConfig{Listener: listener, HideBanner: true, HidePort: true, GracefulTimeout: 10 * time.Second}.Start(serving, e)
	}()
	fmt.Fprintf(stdout, "pulse is at %s and stores to %s. Ctrl-C stops it.\n", address(listener), f.db)

	sampling, stopSampling := context.WithCancel(ctx)
	defer stopSampling()
	sampled := make(chan error, 1)
	go func() {
		if f.noAgent {
			<-sampling.Done()
			sampled <- nil
			return
		}
		sampled <- runAgent(sampling, f, address(listener), log)
	}()

	select {
	case <-ctx.Done():
		err = <-sampled
	case err = <-sampled: // only a setting that cannot work ends an agent early
	case err = <-served:
		stopSampling()
		return errors.Join(fmt.Errorf("the server stopped: %w", err), <-sampled)
	}
	stopServing()
	return errors.Join(err, <-served)
}

func runAgent(ctx context.Context, f *flags, server string, log *slog.Logger) error {
	a, err := agent.New(agent.Options{Host: f.host, Server: server, Interval: f.interval, Buffer: f.buffer, Log: log})
	if err != nil {
		return err
	}
	if f.agentOnly {
		log.Info("sampling", "host", f.host, "server", server)
	}
	if lost := a.Run(ctx); lost > 0 {
		log.Warn("stopped before the server took everything", "readings lost", lost)
	}
	return nil
}

// address is the URL under which this machine reaches listener.
func address(listener net.Listener) string {
	a := listener.Addr().(*net.TCPAddr)
	host := a.IP.String()
	if a.IP.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, fmt.Sprint(a.Port))
}
