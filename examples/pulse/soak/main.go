// Soak runs pulse for some minutes under steady load, breaks the services that it depends on again and
// again if -faults is given, and checks that it kept every reading that it had acknowledged,
// once, also in its sums.
//
//	go run ./examples/pulse/soak -for 10m
//	go run ./examples/pulse/soak -for 10m -servers 3 -faults 30s
//	go run ./examples/pulse/soak -throughput
//	go run ./examples/pulse/soak -plan -agents 1000 -interval 1s
//
// It builds pulse and runs it on loopback addresses: one server with a SQLite file, or
// several with a PostgreSQL and a NATS server of their own, whose programs must be installed.
// It posts, queries and follows the live stream itself. At the end a server is killed
// with posts on their way and started again. Open an address that it prints to watch.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

type options struct {
	duration       time.Duration
	addr           string
	servers        int
	faults         time.Duration
	posts, queries int
}

func main() {
	var o options
	flag.DurationVar(&o.duration, "for", 10*time.Minute, "how long to `run`; of -throughput each run, there 5s if it is not set")
	flag.StringVar(&o.addr, "addr", "127.0.0.1:0", "let a single pulse listen on this loopback `address`")
	flag.IntVar(&o.servers, "servers", 1, "how many `servers`; more than one share PostgreSQL and NATS")
	flag.DurationVar(&o.faults, "faults", 0, "break something once in this `duration`; 0 leaves all in peace")
	flag.IntVar(&o.posts, "posts", 100, "batches `a second`")
	flag.IntVar(&o.queries, "queries", 50, "queries `a second`")
	measure := flag.Bool("throughput", false, "measure readings a second by servers, agents and browsers, and print a table")
	batch := flag.Int("batch", 1, "`readings` in each post of -throughput and -plan")
	simulate := flag.Bool("plan", false, "simulate what an arrangement would do, from measured costs")
	p := planFlags()
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	switch {
	case o.servers < 1 || *batch < 1 || flag.NArg() > 0:
		flag.Usage()
		os.Exit(2)
	case *simulate:
		p.batch, p.servers = *batch, o.servers
		err = p.print(os.Stdout)
	case *measure:
		set := false
		flag.Visit(func(f *flag.Flag) { set = set || f.Name == "for" })
		if !set {
			o.duration = 5 * time.Second
		}
		err = throughput(ctx, o.duration, *batch)
	default:
		err = soak(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		stop()
		os.Exit(1)
	}
}

func soak(ctx context.Context, o options) (err error) {
	s, err := arrange(ctx, o.servers, o.addr, o.servers > 1, o.servers == 1 && o.faults == 0)
	if err != nil {
		return err
	}
	defer func() { s.close(err != nil && ctx.Err() == nil) }()
	fmt.Printf("pulse runs at %v: %d posts and %d queries a second for %s\n", s.urls, o.posts, o.queries, o.duration)

	l := newLoad(s.urls)
	l.tolerant = o.faults > 0
	loading, stopLoading := context.WithCancel(ctx)
	defer stopLoading()
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.run(loading, o.posts, o.queries)
	}()
	watching, stopWatching := context.WithTimeout(ctx, o.duration)
	defer stopWatching()
	breaking := make(chan error, 1)
	go func() { breaking <- s.breakThings(watching, o.faults, l) }()
	memory := s.watch(watching, l)
	if err := <-breaking; err != nil {
		return err
	}

	l.ending.Store(true)
	s.kill(0) // with posts on their way
	stopLoading()
	<-done
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	if err := s.start(0); err != nil {
		return fmt.Errorf("starting again after the kill: %w", err)
	}
	a, err := s.verify(ctx, l)
	if err != nil {
		return err
	}
	if o.faults == 0 {
		err = flat(memory)
	}
	return errors.Join(l.report(o, s, a), err)
}
