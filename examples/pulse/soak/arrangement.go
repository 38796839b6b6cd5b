package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/shirou/gopsutil/v4/process"

	"github.com/hone-go/hone/examples/pulse/store"
)

// An arrangement is a set of running servers, and the services that they depend on.
type arrangement struct {
	dir     string
	program string
	db      string
	args    []string // the arguments of every server
	urls    []string
	shared  *shared // nil for one server with SQLite

	mu      sync.Mutex
	servers []*exec.Cmd
	peaks   []int // the peak memory of each server, in bytes
	faults  map[string]int
	slowest time.Duration // the longest time until the servers have caught up after a fault
}

// arrange builds pulse and starts servers. They write only to a temporary directory. addr is the
// address of a single server. If sharing is set, the servers share PostgreSQL and NATS. If measuring
// is set, each server has an agent. args are more arguments of the servers.
func arrange(ctx context.Context, servers int, addr string, sharing, measuring bool, args ...string) (s *arrangement, err error) {
	s = &arrangement{args: args, faults: map[string]int{}, servers: make([]*exec.Cmd, servers), peaks: make([]int, servers)}
	if s.dir, err = os.MkdirTemp("", "pulse-soak-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.close(false)
		}
	}()
	if err := s.build(ctx); err != nil {
		return nil, err
	}
	s.db = filepath.Join(s.dir, "pulse.db")
	if sharing {
		if err := s.share(false); err != nil {
			return nil, err
		}
		addr = "127.0.0.1:0"
	}
	if !measuring {
		s.args = append(s.args, "-no-agent")
	}
	for i := range servers {
		s.urls = append(s.urls, "http://"+addr)
		if err := s.start(i); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// build builds pulse.
func (s *arrangement) build(ctx context.Context) error {
	s.program = filepath.Join(s.dir, "pulse.exe") // Windows needs the extension
	build := exec.CommandContext(ctx, "go", "build", "-o", s.program, "github.com/hone-go/hone/examples/pulse")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building pulse: %w", err)
	}
	return nil
}

// share starts PostgreSQL and NATS for the servers of this arrangement. If disk is set, NATS has its
// own small disk, if the system allows it.
func (s *arrangement) share(disk bool) (err error) {
	if s.shared, err = newShared(disk); err == nil {
		s.db = s.shared.database
		s.args = append(s.args, "-nats", s.shared.broker)
	}
	return err
}

// close stops everything. If keep is set, the logs are kept.
func (s *arrangement) close(keep bool) {
	for i := range s.servers {
		s.kill(i)
	}
	if s.shared != nil {
		s.shared.close()
	}
	if keep {
		fmt.Fprintln(os.Stderr, "the logs of the servers are in", s.dir)
		return
	}
	os.RemoveAll(s.dir)
}

var printedURL = regexp.MustCompile(`http://[0-9.]+:[0-9]+`)

// start starts a server and returns when it serves. A restarted server gets its previous address.
func (s *arrangement) start(i int) error {
	log, err := os.OpenFile(filepath.Join(s.dir, fmt.Sprintf("server-%d.log", i)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	server := exec.Command(s.program, append([]string{"-addr", strings.TrimPrefix(s.urls[i], "http://"), "-db", s.db}, s.args...)...)
	server.Stderr = log
	stdout, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	s.mu.Lock()
	s.servers[i] = server
	s.mu.Unlock()
	line := make([]byte, 1000)
	n, _ := stdout.Read(line) // after an error, line has no address
	url := printedURL.FindString(string(line[:n]))
	if url == "" {
		s.kill(i)
		text, _ := os.ReadFile(log.Name())
		return fmt.Errorf("pulse has not printed its address: %q\n%s", line[:n], text)
	}
	if s.urls[i] != url { // set only the first time, because other goroutines read it later
		s.urls[i] = url
	}
	return nil
}

// kill sends SIGKILL, so that pulse cannot clean up.
func (s *arrangement) kill(i int) {
	s.mu.Lock()
	server := s.servers[i]
	s.servers[i] = nil
	s.mu.Unlock()
	if server != nil {
		s.peak(i, highWater(server.Process.Pid))
		_ = server.Process.Kill()
		_ = server.Wait() // always an error: it was killed
	}
}

func (s *arrangement) peak(i, bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.peaks[i] = max(s.peaks[i], bytes)
}

// open opens the servers' database.
func (s *arrangement) open(ctx context.Context) (store.Store, error) {
	if s.shared != nil {
		return store.OpenPostgres(ctx, s.db, store.Options{})
	}
	return store.Open(ctx, s.db, store.Options{})
}

// A sample is the memory of the first server at one moment.
type sample struct {
	at  time.Duration
	rss uint64 // bytes
}

// watch samples the servers' memory until ctx is done, and prints it once a minute.
func (s *arrangement) watch(ctx context.Context, l *load) (samples []sample) {
	began, minute := time.Now(), 0
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return samples
		case <-ticker.C:
		}
		at := time.Since(began)
		for i := range s.servers {
			s.mu.Lock()
			server := s.servers[i]
			s.mu.Unlock()
			if server == nil {
				continue
			}
			p, err := process.NewProcess(int32(server.Process.Pid))
			if err != nil {
				continue
			}
			info, err := p.MemoryInfo()
			if err != nil {
				continue
			}
			s.peak(i, max(int(info.RSS), highWater(server.Process.Pid)))
			if i == 0 {
				samples = append(samples, sample{at, info.RSS})
			}
		}
		if m := int(at.Minutes()); m > minute {
			minute = m
			fmt.Printf("minute %2d: %5.1f MiB, %s\n", m, mib(median(samples, at-time.Minute, at)), l.counts())
		}
	}
}
