package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilInterrupt returns a context that ends on an interrupt, on a request to end, and when the terminal closes,
// unless nohup has started the command.
func untilInterrupt() (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), signals...)
}
