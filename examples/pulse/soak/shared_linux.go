package main

import (
	"os"
	"syscall"

	"github.com/hone-go/hone/examples/pulse/internal/services"
)

// What several servers share, and how it stops and starts again.
type shared struct {
	database, broker string
	postgres, nats   func() (repair func() error)
	close            func()
}

func newShared() (*shared, error) {
	postgres, err := services.Postgres()
	if err != nil {
		return nil, err
	}
	nats, err := services.NATS(1<<30, false)
	if err != nil {
		postgres.Close()
		return nil, err
	}
	stop := func(s *services.Service, signal syscall.Signal) func() func() error {
		return func() func() error {
			s.Stop(signal)
			return s.Start
		}
	}
	return &shared{
		database: postgres.Database("127.0.0.1"), broker: nats.Broker("127.0.0.1"),
		postgres: stop(postgres, syscall.SIGQUIT), nats: stop(nats, syscall.SIGKILL),
		close: func() { postgres.Close(); nats.Close() },
	}, nil
}

// freeze stops a process in the middle of whatever it does.
func freeze(p *os.Process) (repair func() error) {
	_ = p.Signal(syscall.SIGSTOP) // fails if it is gone, which shows elsewhere
	return func() error { return p.Signal(syscall.SIGCONT) }
}

// highWater is the most memory that a process has had, in bytes; 0 if that is not known.
func highWater(pid int) int {
	bytes, _ := services.Memory(pid)
	return bytes
}
