package telemetry

import (
	"math"
	"slices"
	"strings"

	"github.com/hone-go/hone/mo"
)

// A Line is one number of a reading. Its summaries are kept for longer than the readings, and are
// drawn in charts of long spans.
type Line struct {
	Name  string
	Value func(*Reading) mo.Option[float64]
}

// Lines lists all lines. A [Bucket] has summaries in this order. Stored buckets do too, so new
// lines are added at the end.
var Lines = []Line{
	{"cpu", func(r *Reading) mo.Option[float64] { return r.CPU }},
	{"load", func(r *Reading) mo.Option[float64] { return r.Load1 }},
	{"memory", func(r *Reading) mo.Option[float64] { return number(r.MemoryUsed) }},
	{"swap", func(r *Reading) mo.Option[float64] { return number(r.SwapUsed) }},
	{"received", func(r *Reading) mo.Option[float64] {
		return network(r, func(n *Network) mo.Option[float64] { return n.Received })
	}},
	{"sent", func(r *Reading) mo.Option[float64] {
		return network(r, func(n *Network) mo.Option[float64] { return n.Sent })
	}},
	{"read", func(r *Reading) mo.Option[float64] {
		return devices(r, func(d *Disk) mo.Option[float64] { return d.Read })
	}},
	{"written", func(r *Reading) mo.Option[float64] {
		return devices(r, func(d *Disk) mo.Option[float64] { return d.Write })
	}},
	{"disk", (*Reading).FullestDisk},
	{"temperature", (*Reading).Warmest},
	{"memory_total", func(r *Reading) mo.Option[float64] { return number(r.MemoryTotal) }},
}

func number(v mo.Option[uint64]) mo.Option[float64] {
	return mo.TupleToOption(float64(v.OrEmpty()), v.IsSome())
}

// network returns the sum of a rate over the interfaces whose traffic is the machine's, or None if
// none of them has the rate.
func network(r *Reading, field func(*Network) mo.Option[float64]) (sum mo.Option[float64]) {
	for i := range r.Networks {
		n := &r.Networks[i]
		// Older agents do not set Apart.
		if n.Apart || n.Kind == "" && strings.HasPrefix(n.Name, "lo") && strings.Trim(n.Name[2:], "0123456789") == "" {
			continue
		}
		sum = plus(sum, field(n))
	}
	return sum
}

// Traffic returns the bytes a second that the machine receives and sends, each byte once.
func (r *Reading) Traffic() mo.Option[float64] {
	return network(r, func(n *Network) mo.Option[float64] { return plus(n.Received, n.Sent) })
}

// devices returns the sum of a rate over all devices, or None if no device has the rate. Several
// mounts may have the same device, which counts once.
func devices(r *Reading, field func(*Disk) mo.Option[float64]) (sum mo.Option[float64]) {
	var seen map[string]bool // nil for few disks: comparing few devices is faster than a map
	if len(r.Disks) > fewDisks {
		seen = make(map[string]bool, len(r.Disks))
	}
	for i := range r.Disks {
		device := r.Disks[i].Device
		repeated := seen[device]
		if seen != nil {
			seen[device] = true
		} else {
			repeated = slices.ContainsFunc(r.Disks[:i], func(d Disk) bool { return d.Device == device })
		}
		if !repeated {
			sum = plus(sum, field(&r.Disks[i]))
		}
	}
	return sum
}

// fewDisks is the largest number of disks for which the function devices needs no map.
const fewDisks = 16

func plus(sum, v mo.Option[float64]) mo.Option[float64] {
	if n, ok := v.Get(); ok {
		return mo.Some(sum.OrEmpty() + n)
	}
	return sum
}

// FullestDisk returns the used share of the fullest disk in percent, or None if no share is known.
func (r *Reading) FullestDisk() (percent mo.Option[float64]) {
	for i := range r.Disks {
		if used, ok := r.Disks[i].Share().Get(); ok {
			percent = mo.Some(max(percent.OrEmpty(), used))
		}
	}
	return percent
}

// Share returns the used share of the disk in percent as df does, or None if it is not known: the
// used bytes of those that users can use. A reserve that only root may use does not count. An older
// agent does not send the available bytes: its share is of all bytes.
func (d *Disk) Share() mo.Option[float64] {
	if available, ok := d.Available.Get(); ok {
		return share(d.Used, mo.Some(d.Used.OrEmpty()+available))
	}
	return share(d.Used, d.Total)
}

// InodeShare returns the used share of the inodes in percent, or None if it is not known.
func (d *Disk) InodeShare() mo.Option[float64] { return share(d.InodesUsed, d.InodesTotal) }

// MemoryShare returns the used share of the memory in percent, or None if it is not known.
func (r *Reading) MemoryShare() mo.Option[float64] {
	return share(r.MemoryUsed, r.MemoryTotal)
}

func share(used, total mo.Option[uint64]) mo.Option[float64] {
	percent := 100 * float64(used.OrEmpty()) / float64(total.OrEmpty())
	return mo.TupleToOption(min(100, percent), used.IsSome() && total.OrEmpty() > 0)
}

// Warmest returns the highest temperature in degrees Celsius, or None if there is none.
func (r *Reading) Warmest() (celsius mo.Option[float64]) {
	for i := range r.Temperatures {
		celsius = mo.Some(max(celsius.OrElse(math.Inf(-1)), r.Temperatures[i].Celsius))
	}
	return celsius
}

// A Summary has the number, the minimum, the maximum and the sum of one line's values in a span of
// time.
type Summary struct {
	Count    uint32
	Min, Max float32
	Sum      float64
}

func (s *Summary) add(v float64) { s.Merge(Summary{1, float32(v), float32(v), v}) }

// Merge adds the values of o.
func (s *Summary) Merge(o Summary) {
	switch {
	case o.Count == 0:
	case s.Count == 0:
		*s = o
	default:
		*s = Summary{s.Count + o.Count, min(s.Min, o.Min), max(s.Max, o.Max), s.Sum + o.Sum}
	}
}

// Mean returns the mean, or false if there were no values. The result is limited to Min and Max,
// because they have fewer digits than the sum.
func (s Summary) Mean() (float32, bool) {
	if s.Count == 0 {
		return 0, false
	}
	return min(max(float32(s.Sum/float64(s.Count)), s.Min), s.Max), true
}

// A Bucket sums up a machine's readings of a minute or an hour: it has one summary for each of
// [Lines], or fewer if it was stored before the last lines were added.
type Bucket struct {
	Lines []Summary
}

// Add counts a reading.
func (b *Bucket) Add(r *Reading) {
	b.grow(len(Lines))
	for i, line := range Lines {
		if v, ok := line.Value(r).Get(); ok {
			b.Lines[i].add(v)
		}
	}
}

// Merge adds the counts of other.
func (b *Bucket) Merge(other *Bucket) {
	b.grow(len(other.Lines))
	for i := range other.Lines {
		b.Lines[i].Merge(other.Lines[i])
	}
}

func (b *Bucket) grow(n int) {
	for len(b.Lines) < n {
		b.Lines = append(b.Lines, Summary{})
	}
}
