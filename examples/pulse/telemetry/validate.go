package telemetry

import (
	"fmt"
	"time"
)

const (
	// MaxBatch is how many readings a batch may hold, as the tag of
	// [Batch.Readings] says.
	MaxBatch = 1000

	// MaxAhead is how far a machine's clock may be ahead of the server's.
	MaxAhead = 5 * time.Minute
)

// Refuse returns which field of r a server must not store, and why: what the
// tags cannot say. The name is "" if there is none. Readings older than oldest
// are refused because they would be pruned at once.
func (r *Reading) Refuse(now, oldest time.Time) (name, reason string) {
	switch at := r.At.UTC().Format(time.RFC3339); {
	case r.Host == "." || r.Host == "..":
		return ".host", fmt.Sprintf("is %q, which has another meaning in an address of the API", r.Host)
	case r.At.IsZero():
		return ".at", "is missing"
	case r.At.After(now.Add(MaxAhead)):
		return ".at", fmt.Sprintf("is %s, more than %s ahead of this server's clock", at, MaxAhead)
	case r.At.Before(oldest):
		return ".at", fmt.Sprintf("is %s, older than the %s that this server keeps", at, oldest.UTC().Format(time.RFC3339))
	}
	return "", ""
}
