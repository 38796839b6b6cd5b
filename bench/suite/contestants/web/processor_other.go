//go:build !unix

package web

import "time"

// processorTime is not available on this system.
func processorTime() time.Duration { return 0 }
