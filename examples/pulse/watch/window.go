package watch

import (
	"slices"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// minutes are the buckets of one host by their start, in milliseconds since 1970.
type minutes map[int64]*telemetry.Bucket

// A window has the values of a metric in the time span of some minutes that ends with the last
// reading of a host. It ends there and not at the server's time, because the clock of the host may be
// wrong.
//
// The stored sums are of calendar minutes, but the span begins and ends within a minute. So the last
// part of the minute in which the span begins and the minute in which it ends, which is unfinished,
// make one minute together. No value stands for less than a minute of data.
type window struct {
	means []mo.Option[float64] // of each minute, the oldest first; the last one is of both ends of the span
	whole bool                 // there are readings from before the span, and no minute of it is without readings
	mean  mo.Option[float64]   // of the whole span
	low   mo.Option[float64]   // of the calendar minutes of the span
	high  mo.Option[float64]
}

// window returns the window of length d, which is a whole number of minutes.
func (r *Rule) window(h *store.Host, recent minutes, d time.Duration) (w window) {
	m := metrics[r.Metric]
	line := slices.IndexFunc(telemetry.Lines, func(l telemetry.Line) bool { return l.Name == m.line })
	at := func(t time.Time) (s telemetry.Summary) {
		if b := recent[t.UnixMilli()]; b != nil && line < len(b.Lines) {
			s = b.Lines[line]
		}
		return s
	}
	value := func(sum, count float64) mo.Option[float64] {
		if count == 0 {
			return mo.None[float64]()
		}
		return m.of(sum/count, &h.Reading)
	}
	begin := h.Reading.At.Add(-d)
	first, last := begin.Truncate(time.Minute), h.Reading.At.Truncate(time.Minute)
	rest := 1 - float64(begin.Sub(first))/float64(time.Minute) // the part of the first minute that is in the span
	all := at(first)
	head, tail := at(first), at(last)
	sum, count := rest*head.Sum+tail.Sum, rest*float64(head.Count)+float64(tail.Count)
	ends := value(sum, count)
	for t := first.Add(time.Minute); t.Before(last); t = t.Add(time.Minute) {
		s := at(t)
		w.means = append(w.means, value(s.Sum, float64(s.Count)))
		sum, count = sum+s.Sum, count+float64(s.Count)
		all.Merge(s)
	}
	all.Merge(tail)
	w.means = append(w.means, ends)
	w.mean = value(sum, count)
	if all.Count > 0 {
		w.low, w.high = m.of(float64(all.Min), &h.Reading), m.of(float64(all.Max), &h.Reading)
	}
	// A host that posts less than once a minute leaves minutes without readings.
	gap := time.Minute + h.Agent.Every.Truncate(time.Minute)
	before := first.Add(-gap)
	previous := time.Time{}
	for t := before; !t.After(last); t = t.Add(time.Minute) {
		if at(t).Count == 0 {
			continue
		}
		if previous.IsZero() && !t.Before(first) || !previous.IsZero() && t.Sub(previous) > gap {
			return w
		}
		previous = t
	}
	w.whole = !previous.IsZero() && last.Sub(previous) <= gap
	return w
}

// begins reports whether an alert about the whole host begins.
func (r *Rule) begins(h *store.Host, recent minutes) bool {
	if r.For+r.Over == 0 {
		return r.beyond(r.total(&h.Reading))
	}
	w := r.window(h, recent, r.For+r.Over)
	if !w.whole {
		return false
	}
	if r.Over > 0 {
		return r.beyond(w.mean)
	}
	known := 0
	for _, mean := range w.means {
		if mean.IsSome() {
			known++
		}
		if mean.IsSome() && !r.beyond(mean) {
			return false
		}
	}
	return known > 0
}

// ends reports whether an alert about the whole host is over. It is over too if the host does not
// measure the metric any more. Without data of the time span the last reading decides.
func (r *Rule) ends(h *store.Host, recent minutes) bool {
	last := r.total(&h.Reading)
	if r.isBeyondClear(last) && r.For+r.Over == 0 {
		return false
	}
	if r.Over > 0 {
		return !r.isBeyondClear(r.window(h, recent, r.Over).mean.Or(last))
	}
	w := r.window(h, recent, r.calm())
	if r.For == 0 || w.low.IsNone() {
		return !r.isBeyondClear(w.low.Or(last)) && !r.isBeyondClear(w.high.Or(last))
	}
	return !slices.ContainsFunc(w.means, r.isBeyondClear)
}
