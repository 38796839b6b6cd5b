//go:build linux

// Package services starts and stops private PostgreSQL and NATS servers for tests.
package services

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrMissing means that a server's program is not installed on this machine.
var ErrMissing = errors.New("services: the server's program is not installed")

// A Service is a running third-party server. It listens on all addresses of this machine.
type Service struct {
	Port string
	Disk string // the folder of the service's own small disk; "" if it has none

	command func() *exec.Cmd
	ready   func() error
	closing []func()

	running *exec.Cmd
	log     output
}

// An output collects a process's output.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.text.Len() > 1<<20 {
		o.text.Reset()
	}
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Start starts the service and returns when it responds.
func (s *Service) Start() error {
	s.running = s.command()
	s.running.Stdout, s.running.Stderr = &s.log, &s.log
	if err := s.running.Start(); err != nil {
		return err
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		err := s.ready()
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s does not start: %w\n%s", s.running.Path, err, s.log.String())
		}
	}
}

// Stop sends a signal and returns when the service has ended.
func (s *Service) Stop(signal syscall.Signal) {
	if s.running != nil {
		_ = s.running.Process.Signal(signal)
		_ = s.running.Wait()
		s.running = nil
	}
}

// Pid returns the id of the service's first process.
func (s *Service) Pid() int { return s.running.Process.Pid }

// Close stops the service at once and removes its files.
func (s *Service) Close() {
	s.Stop(syscall.SIGQUIT)
	for _, f := range slices.Backward(s.closing) {
		f()
	}
	s.closing = nil
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

// startIn creates a directory for an account, and starts the service that prepare sets up in it.
func (s *Service) startIn(owner *syscall.Credential, prepare func(dir string) error) (*Service, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s.Port = port
	dir, err := os.MkdirTemp("", "pulse-service-")
	if err != nil {
		return nil, err
	}
	s.closing = append(s.closing, func() { os.RemoveAll(dir) })
	if owner != nil {
		err = os.Chown(dir, int(owner.Uid), int(owner.Gid))
	}
	if err == nil {
		err = prepare(dir)
	}
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Postgres starts a PostgreSQL server. It runs as the account postgres, because PostgreSQL
// refuses to run as root.
func Postgres() (*Service, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(found) == 0 {
		return nil, fmt.Errorf("%w: /usr/lib/postgresql has no programs of PostgreSQL", ErrMissing)
	}
	bin := found[len(found)-1]
	var owner *syscall.Credential
	if os.Getuid() == 0 {
		account, err := user.Lookup("postgres")
		if err != nil {
			return nil, fmt.Errorf("%w: there is no account postgres to run PostgreSQL", ErrMissing)
		}
		uid, _ := strconv.ParseUint(account.Uid, 10, 32)
		gid, _ := strconv.ParseUint(account.Gid, 10, 32)
		owner = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	s := &Service{}
	s.ready = func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		c, err := pgx.Connect(ctx, s.Database("127.0.0.1"))
		if err != nil {
			return err
		}
		return c.Close(ctx)
	}
	return s.startIn(owner, func(dir string) error {
		as := func(name string, args ...string) *exec.Cmd {
			c := exec.Command(filepath.Join(bin, name), args...)
			c.Dir, c.SysProcAttr = dir, &syscall.SysProcAttr{Credential: owner, Setpgid: true} // Setpgid: Ctrl-C must not stop the service
			return c
		}
		data := filepath.Join(dir, "data")
		if out, err := as("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync", "-D", data).CombinedOutput(); err != nil {
			return fmt.Errorf("initdb: %w\n%s", err, out)
		}
		s.command = func() *exec.Cmd {
			return as("postgres", "-D", data, "-p", s.Port, "-c", "listen_addresses=*", "-c", "unix_socket_directories="+dir)
		}
		return os.WriteFile(filepath.Join(data, "pg_hba.conf"), []byte("host all all 127.0.0.1/32 trust\nhost all all 10.213.0.0/16 trust\n"), 0o600)
	})
}

// Database returns the URL of the database of a PostgreSQL server.
func (s *Service) Database(host string) string {
	return fmt.Sprintf("postgres://postgres@%s:%s/postgres?sslmode=disable", host, s.Port)
}

// NATS starts a NATS server with JetStream. room is the maximum size of all its streams together, in
// bytes. If disk is set and the system allows it, the server gets its own disk, with more than room
// bytes.
func NATS(room int, disk bool) (*Service, error) {
	path, err := exec.LookPath("nats-server")
	if err != nil {
		return nil, fmt.Errorf("%w: nats-server is not in PATH", ErrMissing)
	}
	s := &Service{}
	s.ready = func() error {
		c, err := net.DialTimeout("tcp", "127.0.0.1:"+s.Port, time.Second)
		if err != nil {
			return err
		}
		return c.Close()
	}
	return s.startIn(nil, func(dir string) error {
		if disk && exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprint("size=", 4*room), "tmpfs", dir).Run() == nil {
			s.Disk = dir
			s.closing = append(s.closing, func() { _ = exec.Command("umount", dir).Run() })
		}
		file := filepath.Join(dir, "nats.conf")
		s.command = func() *exec.Cmd {
			c := exec.Command(path, "-c", file)
			c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			return c
		}
		text := fmt.Sprintf("listen: \"0.0.0.0:%s\"\njetstream { store_dir: %q, max_file_store: %d }\n", s.Port, dir, room)
		return os.WriteFile(file, []byte(text), 0o600)
	})
}

// Broker returns the URL of a NATS server.
func (s *Service) Broker(host string) string { return "nats://" + net.JoinHostPort(host, s.Port) }

// Fill fills the service's own disk until only the given number of bytes remains free. The returned
// function frees the space again.
func (s *Service) Fill(remaining uint64) (room func(), err error) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(s.Disk, &disk); err != nil {
		return nil, err
	}
	ballast := filepath.Join(s.Disk, "ballast")
	return func() { os.Remove(ballast) }, os.WriteFile(ballast, make([]byte, disk.Bavail*uint64(disk.Bsize)-remaining), 0o600)
}

// Memory returns the peak memory of a process, in bytes.
func Memory(pid int) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, after, found := strings.Cut(string(status), "VmHWM:")
	if !found {
		return 0, errors.New("services: the system does not report VmHWM for the process")
	}
	kilobytes, err := strconv.Atoi(strings.Fields(after)[0])
	return kilobytes << 10, err
}
