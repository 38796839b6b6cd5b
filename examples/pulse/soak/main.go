// Soak runs pulse for some minutes under steady load, kills it without warning,
// and checks two things: that its memory stayed flat, and that it kept every
// reading that it had acknowledged.
//
//	go run ./examples/pulse/soak -for 10m
//
// It builds pulse, runs it on a loopback address with a database in a temporary
// directory, and is itself the second process that posts, queries and follows
// the live stream. Open the address that it prints to watch.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/shirou/gopsutil/v4/process"
)

func main() {
	duration := flag.Duration("for", 10*time.Minute, "how long to `run`")
	addr := flag.String("addr", "127.0.0.1:0", "let pulse listen on this loopback `address`")
	posts := flag.Int("posts", 100, "batches `a second`")
	queries := flag.Int("queries", 50, "queries `a second`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := soak(ctx, *duration, *addr, *posts, *queries); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func soak(ctx context.Context, duration time.Duration, addr string, posts, queries int) error {
	dir, err := os.MkdirTemp("", "pulse-soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "pulse.exe") // Windows insists on the ending, the others don't mind
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/hone-go/hone/examples/pulse")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building pulse: %w", err)
	}
	db := filepath.Join(dir, "pulse.db")
	p, err := start(program, addr, db)
	if err != nil {
		return err
	}
	defer p.kill()
	fmt.Printf("pulse runs at %s: %d posts and %d queries a second for %s\n", p.url, posts, queries, duration)

	l := newLoad(p.url)
	loading, stopLoading := context.WithCancel(ctx)
	defer stopLoading()
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.run(loading, posts, queries)
	}()
	watching, stopWatching := context.WithTimeout(ctx, duration)
	defer stopWatching()
	memory := watch(watching, p, l, db)

	l.ending.Store(true)
	p.kill() // with posts on their way
	stopLoading()
	<-done
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}

	p, err = start(program, addr, db, "-no-agent")
	if err != nil {
		return fmt.Errorf("starting again after the kill: %w", err)
	}
	defer p.kill()
	missing, err := l.verify(ctx, p.url)
	if err != nil {
		return err
	}
	return l.report(memory, missing)
}

// A pulse is a running server.
type pulse struct {
	cmd  *exec.Cmd
	url  string
	once sync.Once
}

var printedURL = regexp.MustCompile(`http://[0-9.]+:[0-9]+`)

func start(program, addr, db string, args ...string) (*pulse, error) {
	p := &pulse{cmd: exec.Command(program, append([]string{"-addr", addr, "-db", db}, args...)...)}
	p.cmd.Stderr = os.Stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	line := make([]byte, 1000)
	n, _ := stdout.Read(line) // without an address, whatever the reason
	if p.url = printedURL.FindString(string(line[:n])); p.url == "" {
		p.kill()
		return nil, fmt.Errorf("pulse does not say where it listens: %q", line[:n])
	}
	return p, nil
}

// kill is SIGKILL: pulse gets no chance to clean up.
func (p *pulse) kill() {
	p.once.Do(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait() // always an error: it was killed
	})
}

// A sample is how the server was at one moment.
type sample struct {
	at  time.Duration
	rss uint64 // bytes
}

// watch samples the server's memory until ctx is done, and tells once a minute.
func watch(ctx context.Context, p *pulse, l *load, db string) (samples []sample) {
	server, err := process.NewProcess(int32(p.cmd.Process.Pid))
	if err != nil {
		return nil
	}
	began, minute := time.Now(), 0
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return samples
		case <-ticker.C:
		}
		info, err := server.MemoryInfo()
		if err != nil {
			continue
		}
		at := time.Since(began)
		samples = append(samples, sample{at, info.RSS})
		if m := int(at.Minutes()); m > minute {
			minute = m
			fmt.Printf("minute %2d: %5.1f MiB, database %4d MiB, %s\n", m, mib(median(samples, at-time.Minute, at)), fileSize(db)>>20, l.counts())
		}
	}
}

func fileSize(db string) (size int64) {
	for _, name := range []string{db, db + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return size
}
