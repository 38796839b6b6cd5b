package agent

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// The limits in the tags of package telemetry.
const (
	maxName   = 255 // characters
	maxList   = 1024
	maxLoad   = 1e6
	maxBytes  = 1 << 60
	maxRate   = 1e13 // bytes a second
	maxUptime = 10_000_000_000
	maxDegree = 1000
	minDegree = -100
)

// valid changes a reading so that it is within the limits that a server checks. A server refuses a
// whole reading for one bad value, and the machine would seem to be silent. So a name that is not
// printable is escaped, a number outside of its limits becomes None, and a list that is too long is
// truncated.
func valid(r *telemetry.Reading) {
	for _, percent := range r.Cores {
		if !within(percent, 0, 100) {
			r.Cores = nil
			break
		}
	}
	r.Cores = first(r.Cores)
	limit(&r.CPU, 100)
	limit(&r.Load1, maxLoad)
	limit(&r.Load5, maxLoad)
	limit(&r.Load15, maxLoad)
	limitWhole(&r.MemoryUsed, maxBytes)
	limitWhole(&r.MemoryTotal, maxBytes)
	limitWhole(&r.SwapUsed, maxBytes)
	limitWhole(&r.SwapTotal, maxBytes)
	limitWhole(&r.Uptime, maxUptime)
	r.Disks = first(r.Disks)
	for i := range r.Disks {
		d := &r.Disks[i]
		d.Mount, d.Device = printable(d.Mount), printable(d.Device)
		limitWhole(&d.Used, maxBytes)
		limitWhole(&d.Total, maxBytes)
		limit(&d.Read, maxRate)
		limit(&d.Write, maxRate)
	}
	r.Networks = first(r.Networks)
	for i := range r.Networks {
		n := &r.Networks[i]
		n.Name = printable(n.Name)
		limit(&n.Received, maxRate)
		limit(&n.Sent, maxRate)
	}
	var temperatures []telemetry.Temperature
	for _, t := range first(r.Temperatures) {
		if within(t.Celsius, minDegree, maxDegree) {
			temperatures = append(temperatures, telemetry.Temperature{Sensor: printable(t.Sensor), Celsius: t.Celsius})
		}
	}
	r.Temperatures = temperatures
}

func first[T any](list []T) []T { return list[:min(len(list), maxList)] }

// within reports whether v is a finite number from low to high. It is false for NaN.
func within(v, low, high float64) bool { return v >= low && v <= high && !math.IsInf(v, 0) }

// limit changes a value to None if it is not a finite number from 0 to high.
func limit(v *mo.Option[float64], high float64) {
	if f, ok := v.Get(); ok && !within(f, 0, high) {
		*v = mo.None[float64]()
	}
}

func limitWhole(v *mo.Option[uint64], high uint64) {
	if n, ok := v.Get(); ok && n > high {
		*v = mo.None[uint64]()
	}
}

// printable returns the name if it is printable, and otherwise the name with its other characters
// and bytes escaped, such as \u200d and \xff: the result is the same for each reading. An empty name
// becomes "?". The end of a long name is replaced by a hash of the whole name.
func printable(name string) string {
	if name == "" {
		return "?"
	}
	isPlain := func(r rune) bool {
		return r == ' ' || r != utf8.RuneError && !unicode.In(r, unicode.C, unicode.Z)
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRuneInString(name[i:])
		switch {
		case isPlain(r):
			b.WriteString(name[i : i+size])
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, name[i])
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	plain := b.String()
	if utf8.RuneCountInString(plain) <= maxName {
		return plain
	}
	hash := sha256.Sum256([]byte(name))
	end := fmt.Sprintf("~%x", hash[:8])
	return string([]rune(plain)[:maxName-len(end)]) + end
}
