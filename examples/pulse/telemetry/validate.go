package telemetry

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hone-go/hone/mo"
)

// The bounds of what a server accepts. They are far above what a real machine
// sends, and low enough that a hostile one cannot fill the disk with one post.
const (
	MaxBatch = 1000 // readings in a batch
	MaxName  = 255  // bytes in the name of a host, mount, device, interface or sensor
	MaxList  = 1024 // cores, disks, interfaces or sensors in a reading

	// MaxAhead is how far a machine's clock may be ahead of the server's.
	MaxAhead = 5 * time.Minute
)

// An InvalidError says which field of which reading a server refuses, and why.
type InvalidError struct {
	Path   string // such as "readings[3].disks[0].mount"
	Reason string
}

func (e *InvalidError) Error() string { return e.Path + " " + e.Reason }

// Validate reports, as an [*InvalidError], the first thing in b that a server
// must not store. Readings older than oldest are refused too: they would be
// pruned at once.
func (b *Batch) Validate(now, oldest time.Time) error {
	switch n := len(b.Readings); {
	case n == 0:
		return &InvalidError{"readings", "is empty; send at least one reading"}
	case n > MaxBatch:
		return &InvalidError{"readings", fmt.Sprintf("has %d readings; a batch holds at most %d", n, MaxBatch)}
	}
	for i := range b.Readings {
		c := check{}
		c.reading(&b.Readings[i], now, oldest)
		if c.err != nil {
			c.err.Path = fmt.Sprintf("readings[%d].%s", i, c.err.Path)
			return c.err
		}
	}
	return nil
}

// check keeps the first fault that it is told of. Paths are put together only
// for a fault: a valid batch, which is nearly every one, costs no allocation.
type check struct {
	err   *InvalidError
	list  string // the list that is being checked; "" for the reading's own fields
	index int    // into list
}

func (c *check) fail(field, reason string, args ...any) {
	if c.err != nil {
		return
	}
	path := field
	if c.list != "" {
		path = fmt.Sprintf("%s[%d]", c.list, c.index)
		if field != "" {
			path += "." + field
		}
	}
	c.err = &InvalidError{path, fmt.Sprintf(reason, args...)}
}

func (c *check) reading(r *Reading, now, oldest time.Time) {
	c.name("host", r.Host)
	switch { // it is a segment of a path in the API
	case strings.Contains(r.Host, "/"):
		c.fail("host", "contains a slash, which cannot be part of its address in the API")
	case r.Host == "." || r.Host == "..":
		c.fail("host", "is %q, which has another meaning in an address of the API", r.Host)
	}
	switch {
	case r.At.IsZero():
		c.fail("at", "is missing")
	case r.At.After(now.Add(MaxAhead)):
		c.fail("at", "is %s, more than %s ahead of this server's clock", r.At.UTC().Format(time.RFC3339), MaxAhead)
	case r.At.Before(oldest):
		c.fail("at", "is %s, older than the %s that this server keeps", r.At.UTC().Format(time.RFC3339), oldest.UTC().Format(time.RFC3339))
	}
	c.optional("cpu", r.CPU)
	c.optional("load1", r.Load1)
	c.optional("load5", r.Load5)
	c.optional("load15", r.Load15)
	c.bytes("memory_used", r.MemoryUsed)
	c.bytes("memory_total", r.MemoryTotal)
	c.bytes("swap_used", r.SwapUsed)
	c.bytes("swap_total", r.SwapTotal)
	c.bytes("uptime", r.Uptime)

	c.length("cores", len(r.Cores))
	c.length("disks", len(r.Disks))
	c.length("networks", len(r.Networks))
	c.length("temperatures", len(r.Temperatures))
	if c.err != nil {
		return
	}
	for i := range r.Cores {
		c.list, c.index = "cores", i
		c.number("", r.Cores[i])
	}
	for i := range r.Disks {
		c.list, c.index = "disks", i
		d := &r.Disks[i]
		c.name("mount", d.Mount)
		c.name("device", d.Device)
		c.bytes("used", d.Used)
		c.bytes("total", d.Total)
		c.optional("read", d.Read)
		c.optional("write", d.Write)
	}
	for i := range r.Networks {
		c.list, c.index = "networks", i
		n := &r.Networks[i]
		c.name("name", n.Name)
		c.optional("received", n.Received)
		c.optional("sent", n.Sent)
	}
	for i := range r.Temperatures {
		c.list, c.index = "temperatures", i
		t := &r.Temperatures[i]
		c.name("sensor", t.Sensor)
		c.number("celsius", t.Celsius)
	}
}

func (c *check) name(field, s string) {
	switch {
	case s == "":
		c.fail(field, "is empty")
	case len(s) > MaxName:
		c.fail(field, "is longer than %d bytes", MaxName)
	case !utf8.ValidString(s):
		c.fail(field, "is not valid UTF-8")
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			c.fail(field, "contains the unprintable character %U", r)
			return
		}
	}
}

// number refuses what JSON cannot write: the binary format can carry a NaN
// here, and stored it would break every answer that contains it.
func (c *check) number(field string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		c.fail(field, "is %v; send a finite number, or nothing", v)
	}
}

func (c *check) optional(field string, o mo.Option[float64]) {
	if v, ok := o.Get(); ok {
		c.number(field, v)
	}
}

// bytes refuses what a database's signed 64-bit integer cannot hold.
func (c *check) bytes(field string, o mo.Option[uint64]) {
	if v, ok := o.Get(); ok && v > math.MaxInt64 {
		c.fail(field, "is %d, above %d", v, int64(math.MaxInt64))
	}
}

func (c *check) length(field string, n int) {
	if n > MaxList {
		c.fail(field, "has %d entries; at most %d are allowed", n, MaxList)
	}
}
