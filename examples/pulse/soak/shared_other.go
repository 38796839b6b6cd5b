//go:build !linux

package main

import (
	"errors"
	"os"
)

type shared struct {
	database, broker string
	postgres, nats   func() (repair func() error)
}

func newShared() (*shared, error) { return nil, errors.New("several servers need Linux") }

func (*shared) close() {}

func freeze(*os.Process) (repair func() error) { return func() error { return nil } }

// highWater returns 0, because the peak memory is not known on this system. The samples are used
// instead.
func highWater(int) int { return 0 }
