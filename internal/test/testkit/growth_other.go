//go:build !unix

package testkit

import "time"

var began = time.Now()

// processorTime returns the time since the start: these systems do not tell the time of one process alone.
func processorTime() time.Duration { return time.Since(began) }
