package agent

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// The limits in the tags of package telemetry.
const (
	maxName   = 255 // characters
	maxType   = 64
	maxList   = 1024
	maxLoad   = 1e6
	maxBytes  = 1 << 60
	maxRate   = 1e13 // bytes a second
	maxUptime = 10_000_000_000
	maxDegree = 1000
	minDegree = -100
)

// makeValid changes a reading so that it is within the limits that a server checks. A server refuses a
// whole reading for one bad value, and the machine would seem to be silent. So a name that is not
// printable is escaped, a number outside of its limits becomes None, and a list that is too long is
// truncated.
func makeValid(r *telemetry.Reading) {
	if slices.ContainsFunc(r.Cores, func(percent float64) bool { return !within(percent, 0, 100) }) {
		r.Cores = nil
	}
	r.Cores = first(r.Cores)
	limit(&r.CPU, 100)
	limit(&r.Load1, maxLoad)
	limit(&r.Load5, maxLoad)
	limit(&r.Load15, maxLoad)
	limit(&r.MemoryUsed, maxBytes)
	limit(&r.MemoryTotal, maxBytes)
	limit(&r.SwapUsed, maxBytes)
	limit(&r.SwapTotal, maxBytes)
	limit(&r.Uptime, maxUptime)
	r.Disks = first(r.Disks)
	for i := range r.Disks {
		d := &r.Disks[i]
		d.Mount, d.Device = printable(d.Mount), printable(d.Device)
		limit(&d.Used, maxBytes)
		limit(&d.Total, maxBytes)
		limit(&d.Read, maxRate)
		limit(&d.Write, maxRate)
		limit(&d.Available, maxBytes)
		limit(&d.InodesUsed, maxBytes)
		limit(&d.InodesTotal, maxBytes)
		if len(d.Type) > maxType || strings.ContainsFunc(d.Type, func(r rune) bool { return r < '!' || r > '~' }) {
			d.Type = ""
		}
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

// within reports whether v is a number from low to high. It is false for NaN.
func within[T uint64 | float64](v, low, high T) bool { return v >= low && v <= high }

// limit changes a value to None if it is not a number from 0 to high.
func limit[T uint64 | float64](v *mo.Option[T], high T) {
	if n, ok := v.Get(); ok && !within(n, 0, high) {
		*v = mo.None[T]()
	}
}

// printable returns the name if it is printable. Otherwise it escapes the characters and bytes that
// are not printable, for example as \u200d or \xff. The result depends on the name only. An empty
// name becomes "?". The end of a long name is replaced by a hash of the whole name.
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
