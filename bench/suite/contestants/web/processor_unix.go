//go:build unix

package web

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time of this process.
func processorTime() time.Duration {
	var used unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
