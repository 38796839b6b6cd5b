//go:build !linux

package main

import (
	"context"
	"errors"
	"os"
)

type shared struct {
	database, broker string
	postgres, nats   func() (repair func() error)
}

var errLinux = errors.New("a soak test with more than one server runs only on Linux")

func newShared(bool) (*shared, error) { return nil, errLinux }

func table(context.Context, options) error { return errLinux }

func (*shared) close() {}

func freeze(*os.Process) (repair func() error) { return func() error { return nil } }

// highWater returns 0, because the peak memory is not known on this system. The samples are used
// instead.
func highWater(int) int { return 0 }
