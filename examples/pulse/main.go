// Pulse shows the load of the machine that it runs on: an agent samples it once a second, a
// server stores the readings and draws them on a web page. Both run in one process. On other
// machines only the agent runs:
//
//	go run ./examples/pulse
//	pulse -addr 0.0.0.0:8080 -allow-host monitor.example
//	pulse -agent-only -server http://monitor.example:8080
//
// Several servers share a PostgreSQL database, and a NATS server that queues batches for it:
//
//	pulse -db postgres://pulse@db.example/pulse -nats nats://broker.example:4222
package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/hone-go/hone/examples/pulse/agent"
	"github.com/hone-go/hone/examples/pulse/alert"
	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/server"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/watch"
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

// commands has the functions of the commands, by the first argument. Without such an argument pulse
// runs the server or the agent.
var commands = map[string]func(ctx context.Context, args []string, stdout, stderr io.Writer) error{
	"export": runExport, "import": runImport, "hosts": runHosts, "token": runToken, "alert": runAlert, "silence": runSilence, "agent": runInstall,
}

// run runs the program. It returns when ctx is done and everything is stored.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && commands[args[0]] != nil {
		return commands[args[0]](ctx, args[1:], stdout, stderr)
	}
	f, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	if f.version {
		_, err := fmt.Fprintln(stdout, version())
		return err
	}
	level := slog.LevelInfo
	if f.verbose {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level}))
	if f.agentOnly {
		trust, err := f.agentTLS()
		if err != nil {
			return err
		}
		return runAgent(ctx, f, f.servers(), trust, log)
	}
	return runServer(ctx, f, stdout, log)
}

// version returns a line with the version of the module, the commit from which the program was
// built, if it is known, and the version of Go.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "pulse (unknown version)"
	}
	text := "pulse " + info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			text += " " + s.Value
		}
	}
	return text + " " + info.GoVersion
}

// runServer runs the server. Unless the flags disable it, runServer also runs an agent, which posts
// to the server like any other agent.
func runServer(ctx context.Context, f *flags, stdout io.Writer, log *slog.Logger) (err error) {
	secure, own, err := f.serverTLS()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		if !errors.Is(err, syscall.EADDRINUSE) {
			return err
		}
		return fmt.Errorf("%w; if another pulse is running, choose another address: -addr 127.0.0.1:0 takes any free port", err)
	}
	f.warn(log, listener)
	url := address(listener, f.cert != "")
	if secure != nil {
		listener = tls.NewListener(listener, secure)
	}
	// The server responds before the database is open, so that an agent with several servers does not
	// wait for this server, but tries the next one.
	door := &door{}
	serving, stopServing := context.WithCancel(context.WithoutCancel(ctx))
	served := make(chan error, 1)
	go func() {
		served <- web.StartConfig{Listener: listener, HideBanner: true, HidePort: true, GracefulTimeout: 10 * time.Second, BeforeServeFunc: func(s *http.Server) error {
			s.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
			return nil
		}}.Start(serving, door)
		close(served)
	}()
	stopServer := func() { stopServing(); err = errors.Join(err, <-served) } // a second call does nothing
	defer stopServer()

	live, metrics := server.NewLive(), server.NewMetrics()
	db, err := waitForStore(ctx, f, log.With("address", url))
	if err != nil {
		if ctx.Err() != nil {
			err = nil // Ctrl-C
		}
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if !isPostgres(f.db) {
		metrics.Files("pulse_database_bytes", "Size of the database's file and of its write-ahead log.", f.db, f.db+"-wal")
	}
	tokens, err := db.Tokens(ctx)
	if err != nil {
		return err
	}
	access := f.access(tokens)
	spare := &alert.Spare{}
	batches, err := openQueue(f, spare.Writer(metrics.Writer(db)), queue.Options{Wait: f.commitWait, Stored: live.Publish, Looked: live.LookedElsewhere, Log: log})
	if err != nil {
		return err
	}
	live.Tell = batches.Look
	defer func() { err = errors.Join(err, batches.Close()) }()
	background, stopBackground := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { store.KeepPruned(background, db) })
	agents := server.NewAgents(db, log)
	running.Go(func() { agents.Run(background) })
	running.Go(func() {
		alert.Run(background, alert.Options{Store: db, Rules: f.rules, Targets: f.targets, Name: cmp.Or(f.agent.Host, "pulse"), Spare: spare, Page: f.page, Delivered: metrics.Delivered, Log: log})
	})
	running.Go(func() { reloadRules(background, f.rules, log) })
	defer func() { stopBackground(); running.Wait() }()

	// The parts stop in the order in which readings flow: the agent delivers its remaining
	// readings, the server completes its open requests, the store writes its batches.
	defer stopServer()
	door.open(server.New(server.Options{
		Store: db, Queue: batches, Live: live, Agents: agents, Keep: f.keep, Log: log, Verbose: f.verbose, Access: access, Metrics: metrics, Rules: f.rules, Targets: f.targetNames(),
	}))
	fmt.Fprintf(stdout, "pulse is at %s and stores to %s. Ctrl-C stops it.\n", url, f.place())

	sampling, stopSampling := context.WithCancel(ctx)
	defer stopSampling()
	sampled := make(chan error, 1)
	if f.noAgent {
		context.AfterFunc(sampling, func() { close(sampled) })
	} else {
		f.agent.Watched = live.Watched
		go func() { sampled <- runAgent(sampling, f, []string{url}, own, log) }()
	}

	select {
	case <-ctx.Done():
		err = <-sampled
	case err = <-sampled: // an agent ends early only because of an invalid setting
	case err = <-served:
		stopSampling()
		err = errors.Join(fmt.Errorf("the server stopped: %w", err), <-sampled)
	}
	return err
}

// reloadRules reads the rules again after each SIGHUP.
func reloadRules(ctx context.Context, rules *watch.Rules, log *slog.Logger) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	defer signal.Stop(signals)
	for {
		select {
		case <-signals:
			if err := rules.Reload(); err != nil {
				log.Error("the rules stay as they are, because they cannot be read", "error", err)
			} else {
				log.Info("the rules were read again", "rules", len(rules.List()))
			}
		case <-ctx.Done():
			return
		}
	}
}

func openStore(ctx context.Context, db string, keep store.Options) (store.Store, error) {
	if isPostgres(db) {
		return store.OpenPostgres(ctx, db, keep)
	}
	return store.Open(ctx, db, keep)
}

func openQueue(f *flags, w queue.Writer, options queue.Options) (queue.Queue, error) {
	if f.nats != "" {
		return queue.Dial(f.nats, w, options)
	}
	return queue.NewLocal(w, options), nil
}

func runAgent(ctx context.Context, f *flags, servers []string, trust *tls.Config, log *slog.Logger) error {
	options := f.agent
	options.Servers, options.Token, options.TLS, options.Log = servers, f.write, trust, log
	a, err := agent.New(options)
	if err != nil {
		return err
	}
	if f.agentOnly {
		log.Info("sampling", "host", options.Host, "servers", servers)
	}
	if lost := a.Run(ctx); lost > 0 {
		log.Warn("stopped before the server had accepted all readings", "readings lost", lost)
	}
	return nil
}

// address returns the URL at which programs on this machine can reach listener.
func address(listener net.Listener, secure bool) string {
	a := listener.Addr().(*net.TCPAddr)
	host := a.IP.String()
	if a.IP.IsUnspecified() {
		host = "localhost"
	}
	scheme := "http://"
	if secure {
		scheme = "https://"
	}
	return scheme + net.JoinHostPort(host, fmt.Sprint(a.Port))
}
