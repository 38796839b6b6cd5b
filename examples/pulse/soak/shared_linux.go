package main

import (
	"os"
	"syscall"

	"github.com/hone-go/hone/examples/pulse/internal/services"
)

// shared has the services that several servers share. They can be stopped and started again.
type shared struct {
	database, broker string
	postgres, nats   func() (repair func() error)
	services         map[string]*services.Service
	close            func()
}

// newShared starts the services. If disk is set, NATS has its own small disk, if the system allows it.
func newShared(disk bool) (*shared, error) {
	postgres, err := services.Postgres()
	if err != nil {
		return nil, err
	}
	nats, err := services.NATS(1<<28, disk)
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
		services: map[string]*services.Service{"PostgreSQL": postgres, "NATS": nats},
		close:    func() { postgres.Close(); nats.Close() },
	}, nil
}

// freeze stops a process (SIGSTOP).
func freeze(p *os.Process) (repair func() error) {
	_ = p.Signal(syscall.SIGSTOP) // fails if the process has ended, which is noticed elsewhere
	return func() error { return p.Signal(syscall.SIGCONT) }
}

// highWater returns the peak memory of a process in bytes, or 0 if it is not known.
func highWater(pid int) int {
	bytes, _ := services.Memory(pid)
	return bytes
}
