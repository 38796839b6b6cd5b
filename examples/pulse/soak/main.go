// Soak runs pulse for some minutes under steady load. With -faults it breaks the services that
// pulse depends on, again and again. At the end it checks that every acknowledged reading is
// stored once, and is counted once in the sums.
//
//	go run ./examples/pulse/soak -for 10m
//	go run ./examples/pulse/soak -for 10m -servers 3 -faults 30s
//	go run ./examples/pulse/soak -table
//	go run ./examples/pulse/soak -throughput
//	go run ./examples/pulse/soak -writes
//	go run ./examples/pulse/soak -plan -agents 1000 -interval 1s
//
// It builds pulse and runs it on loopback addresses: one server with a SQLite file, or several
// servers with PostgreSQL and NATS, whose programs must be installed. It posts, queries and follows
// the live stream. At the end it kills a server during posts and starts it again. To see pulse's page
// meanwhile, open an address that soak prints.
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
	flag.DurationVar(&o.duration, "for", 10*time.Minute, "the `duration` of the run; with -throughput and -writes the duration of each run, 5s and 1m\nby default")
	flag.StringVar(&o.addr, "addr", "127.0.0.1:0", "the loopback `address` of a single pulse")
	flag.IntVar(&o.servers, "servers", 1, "the number of `servers`; several servers share PostgreSQL and NATS")
	flag.DurationVar(&o.faults, "faults", 0, "the `duration` between two faults; 0 means no faults")
	flag.IntVar(&o.posts, "posts", 100, "the `number` of batches a second")
	flag.IntVar(&o.queries, "queries", 50, "the `number` of queries a second")
	measure := flag.Bool("throughput", false, "measure readings per second for several numbers of servers, agents and browsers, and print a table")
	written := flag.Bool("writes", false, "measure what a server writes to its disk for one host and for 200, and print a table")
	batch := flag.Int("batch", 1, "`readings` in each post of -throughput and -plan")
	faults := flag.Bool("table", false, "cause each fault once, under load, and print a table of them")
	simulate := flag.Bool("plan", false, "simulate an arrangement with measured costs")
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
	case *faults:
		err = table(ctx, o)
	case *written:
		err = writes(ctx, given(o.duration, time.Minute))
	case *measure:
		o.duration = given(o.duration, 5*time.Second)
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

// given returns the value of -for if it was set, and otherwise usual.
func given(duration, usual time.Duration) time.Duration {
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == "for" })
	if set {
		return duration
	}
	return usual
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
	s.kill(0) // during posts
	stopLoading()
	<-done
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	if err := s.start(0); err != nil {
		return fmt.Errorf("restarting the killed server: %w", err)
	}
	a, err := s.verify(ctx, l)
	if err != nil {
		return err
	}
	if o.faults == 0 {
		err = checkFlat(memory)
	}
	return errors.Join(l.report(o, s, a), err)
}
