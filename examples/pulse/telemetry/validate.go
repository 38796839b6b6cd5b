package telemetry

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hone-go/hone/mo"
)

const (
	// MaxBatch is how many readings a batch may hold, as the tag of
	// [Batch.Readings] says.
	MaxBatch = 1000

	// MaxAhead is how far a machine's clock may be ahead of the server's.
	MaxAhead = 5 * time.Minute
)

// HostFault returns the fault of a host's name, or "" if it has none.
func HostFault(host string) string {
	switch {
	case host == "." || host == "..":
		return fmt.Sprintf("is %q, which has another meaning in an address of the API", host)
	case host == "" || utf8.RuneCountInString(host) > 255:
		return "must have 1 to 255 characters"
	case strings.Contains(host, "/"):
		return "has a slash, and is a segment of an address of the API"
	case strings.ContainsFunc(host, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }):
		return "has a character that cannot be printed"
	}
	return ""
}

// Refuse returns the field of r that a server must not store, and the reason, for rules
// that tags cannot express. The name is "" if there is none. Readings older than oldest
// are refused because they would be pruned at once.
func (r *Reading) Refuse(now, oldest time.Time) (name, reason string) {
	switch at := r.At.UTC().Format(time.RFC3339); {
	case HostFault(r.Host) != "":
		return ".host", HostFault(r.Host)
	case r.At.IsZero():
		return ".at", "is missing"
	case r.At.After(now.Add(MaxAhead)):
		return ".at", fmt.Sprintf("is %s, more than %s ahead of this server's clock", at, MaxAhead)
	case r.At.Before(oldest):
		return ".at", fmt.Sprintf("is %s, older than the %s that this server keeps", at, oldest.UTC().Format(time.RFC3339))
	}
	if more(r.MemoryUsed, r.MemoryTotal) {
		return ".memory_used", moreThanAll
	}
	if more(r.SwapUsed, r.SwapTotal) {
		return ".swap_used", moreThanAll
	}
	for i := range r.Disks {
		if more(r.Disks[i].Used, r.Disks[i].Total) {
			return fmt.Sprintf(".disks[%d].used", i), moreThanAll
		}
	}
	return "", ""
}

const moreThanAll = "is more than there is in total"

func more(used, total mo.Option[uint64]) bool {
	all, ok := total.Get()
	return ok && used.OrEmpty() > all
}
