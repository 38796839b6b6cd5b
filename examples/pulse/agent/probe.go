package agent

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/hone-go/hone/mo"
)

// A probe runs one sensor. A sensor that hangs or panics does not affect the other sensors.
//
// A sensor that hangs (a dead network mount, a driver waiting for its device) cannot be stopped
// from outside. The probe leaves such a sensor running in its goroutine and returns None. It starts
// the sensor again only after the earlier call has returned.
type probe[T any] struct {
	name    string
	read    func(context.Context) (T, error)
	running atomic.Bool
	failing atomic.Bool
	log     *slog.Logger
}

func newProbe[T any](log *slog.Logger, name string, read func(context.Context) (T, error)) *probe[T] {
	return &probe[T]{name: name, read: read, log: log}
}

// start begins a measurement. The returned function waits for the value until ctx is done. It may
// be called once.
func (p *probe[T]) start(ctx context.Context) (wait func() mo.Option[T]) {
	if !p.running.CompareAndSwap(false, true) {
		p.report(fmt.Errorf("still busy with an earlier measurement"))
		return mo.None[T]
	}
	value := make(chan mo.Option[T], 1) // buffered, so that the sensor can return even after the timeout
	go func() {
		// The value is sent only after running is reset. Otherwise the next round could find the
		// sensor still marked as running.
		v := mo.None[T]()
		defer func() {
			if r := recover(); r != nil {
				p.report(fmt.Errorf("panic: %v", r))
			}
			p.running.Store(false)
			value <- v
		}()
		got, err := p.read(ctx)
		p.report(err)
		if err == nil {
			v = mo.Some(got)
		}
	}()
	return func() mo.Option[T] {
		select {
		case v := <-value:
			return v
		case <-ctx.Done():
		}
		select {
		case v := <-value: // both were ready, as after a wait for a hanging sensor
			return v
		default:
			return mo.None[T]()
		}
	}
}

// report logs when a sensor begins to fail and when it recovers, but not every failure.
func (p *probe[T]) report(err error) {
	failed := err != nil
	if p.failing.Swap(failed) == failed {
		return
	}
	if failed {
		p.log.Warn("sensor has no value", "sensor", p.name, "error", err)
	} else {
		p.log.Info("sensor works again", "sensor", p.name)
	}
}
