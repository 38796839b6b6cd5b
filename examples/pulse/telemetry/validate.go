package telemetry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/mo"
)

const (
	// MaxBatch is the maximum number of readings in a batch, as in the tag of [Batch.Readings].
	MaxBatch = 1000

	// MaxTags is the maximum number of tags of a host, as in the tag of [Post.Tags].
	MaxTags = 32

	// MaxAhead is the maximum time by which a machine's clock may be ahead of the server's clock.
	MaxAhead = 5 * time.Minute
)

// JSON can express the times from firstTime on that are before endOfTime.
var (
	firstTime = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	endOfTime = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
)

// check checks the limits in the tags.
var check = func() *api.Checker[Reading] {
	c, err := api.NewChecker[Reading]()
	if err != nil {
		panic(err) // the tags of the type are valid
	}
	return c
}()

// HostFault returns the fault of a host's name, or "" if it has none.
func HostFault(host string) string {
	switch {
	case host == "." || host == "..":
		return fmt.Sprintf("is %q, which has another meaning in the path of a URL", host)
	case host == "" || utf8.RuneCountInString(host) > 255:
		return "must have 1 to 255 characters"
	case strings.Contains(host, "/"):
		return "has a slash, which is not allowed in a segment of a URL"
	case strings.ContainsFunc(host, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }):
		return "has a character that cannot be printed"
	}
	return ""
}

// TagFault returns an error for a text that cannot be a tag of a host: it cannot be sent in a header field, or
// the page could not show it.
func TagFault(tag string) error {
	if tag == "" || len(tag) > 64 || strings.ContainsFunc(tag, func(r rune) bool { return r <= ' ' || r > '~' || r == ',' }) {
		return fmt.Errorf("tag %q must have 1 to 64 characters of ASCII, without spaces and commas", tag)
	}
	return nil
}

// Fault returns the first field of r that a server must not store, and the reason. The field is "" if there is
// none. It checks the limits in the tags, and rules that tags cannot express. Readings older than oldest would be
// pruned at once, so they are refused. For a reading from the future see [Reading.Ahead].
func (r *Reading) Fault(ctx context.Context, oldest time.Time) (field, reason string) {
	switch at := r.At.UTC().Format(time.RFC3339); {
	case HostFault(r.Host) != "":
		return ".host", HostFault(r.Host)
	case r.At.IsZero():
		return ".at", "is missing"
	case r.At.Before(firstTime) || !r.At.Before(endOfTime):
		return ".at", "is not in the years 0 to 9999"
	case r.At.Before(oldest):
		return ".at", fmt.Sprintf("is %s, older than the %s that this server keeps", at, oldest.UTC().Format(time.RFC3339))
	}
	var problem *api.Problem
	if errors.As(check.Check(ctx, r), &problem) {
		return problem.Errors[0].Name, problem.Errors[0].Detail
	}
	if more(r.MemoryUsed, r.MemoryTotal) {
		return ".memory_used", moreThanAll
	}
	if more(r.SwapUsed, r.SwapTotal) {
		return ".swap_used", moreThanAll
	}
	for i := range r.Disks {
		switch d := &r.Disks[i]; {
		case more(d.Used, d.Total):
			return fmt.Sprintf(".disks[%d].used", i), moreThanAll
		case more(d.Available, d.Total):
			return fmt.Sprintf(".disks[%d].available", i), moreThanAll
		case more(d.InodesUsed, d.InodesTotal):
			return fmt.Sprintf(".disks[%d].inodes_used", i), moreThanAll
		}
	}
	return "", ""
}

// Ahead returns the reason why a server must not store r yet, if the time of r is more than
// [MaxAhead] after now, and otherwise "". The reading can be stored later.
func (r *Reading) Ahead(now time.Time) string {
	if !r.At.After(now.Add(MaxAhead)) {
		return ""
	}
	return fmt.Sprintf("is %s, more than %s ahead of this server's clock", r.At.UTC().Format(time.RFC3339), MaxAhead)
}

const moreThanAll = "is more than there is in total"

func more(used, total mo.Option[uint64]) bool {
	all, ok := total.Get()
	return ok && used.OrEmpty() > all
}
