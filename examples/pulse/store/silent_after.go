package store

import (
	"time"
)

// SilentAfter returns the time without a reading after which the host is silent: three missed
// reports, but at least 10 seconds.
func (h *Host) SilentAfter() time.Duration { return max(minSilence, 3*h.Agent.Every) }
