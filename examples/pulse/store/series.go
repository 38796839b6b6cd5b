package store

import (
	"context"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// A Span is a request for a series.
type Span struct {
	Host     string
	From, To time.Time // To is exclusive
	Points   int       // the maximum number of steps; a span that begins within a step has one more
}

// A Series has the values of a host's lines over time, in steps of equal length.
type Series struct {
	Step  int64        `json:"step"` // milliseconds
	At    []int64      `json:"at"`   // the start of each step with readings, in milliseconds since 1970
	Lines []SeriesLine `json:"lines"`
}

// A SeriesLine has the values of one of [telemetry.Lines]. A value is null in a step without
// values of the line.
type SeriesLine struct {
	Name string               `json:"name"`
	Min  []mo.Option[float32] `json:"min"`
	Mean []mo.Option[float32] `json:"mean"`
	Max  []mo.Option[float32] `json:"max"`
}

// longestFine is the longest span for which single readings are read: an hour of a host has 3,600
// readings.
const longestFine = 2 * time.Hour

// tier returns the tier for a series, and the length of its steps. The tier is the finest one that
// still has data for the start of the span and is not much finer than the steps.
func (o Options) tier(q Span, now time.Time) (tier Tier, step time.Duration) {
	span := q.To.Sub(q.From)
	step = max(span/time.Duration(q.Points), 1)
	kept := func(t Tier) bool { keep := o.Keep(t); return keep == 0 || !q.From.Before(now.Add(-keep)) }
	switch {
	case span <= longestFine && kept(Seconds):
		tier = Seconds
	case step < time.Hour && kept(Minutes):
		tier = Minutes
	default:
		tier = Hours
	}
	if short := step % tier.Step(); short > 0 {
		step += tier.Step() - short
	}
	return tier, step
}

// LoadSeries returns the values of a host over a span. Single readings are read for a short span;
// otherwise the sums of minutes or of hours.
func LoadSeries(ctx context.Context, s Store, o Options, q Span) (*Series, error) {
	tier, step := o.tier(q, s.Now())
	series := &Series{Step: step.Milliseconds(), At: []int64{}}
	for _, line := range telemetry.Lines {
		series.Lines = append(series.Lines, SeriesLine{line.Name, []mo.Option[float32]{}, []mo.Option[float32]{}, []mo.Option[float32]{}})
	}
	var open telemetry.Bucket
	flush := func() {
		for i := range series.Lines {
			series.Lines[i].add(&open, i)
		}
		open = telemetry.Bucket{}
	}
	err := s.Buckets(ctx, tier, OneHost(q.Host), q.From.Truncate(tier.Step()), q.To, func(_ string, at time.Time, b *telemetry.Bucket) error {
		start := floor(at.UnixMilli(), series.Step)
		if n := len(series.At); n == 0 || series.At[n-1] != start {
			if n > 0 {
				flush()
			}
			series.At = append(series.At, start)
		}
		open.Merge(b)
		return nil
	})
	if len(series.At) > 0 {
		flush()
	}
	return series, err
}

// add appends the values of b for the line with the given number.
func (l *SeriesLine) add(b *telemetry.Bucket, number int) {
	low, mean, high := mo.None[float32](), mo.None[float32](), mo.None[float32]()
	if number < len(b.Lines) {
		if m, ok := b.Lines[number].Mean(); ok {
			low, mean, high = mo.Some(b.Lines[number].Min), mo.Some(m), mo.Some(b.Lines[number].Max)
		}
	}
	l.Min, l.Mean, l.Max = append(l.Min, low), append(l.Mean, mean), append(l.Max, high)
}

// A storedSum is a row of a table of sums, or of the table of readings.
type storedSum struct {
	reading telemetry.Reading // for a row of sums, only Host and At are set
	bucket  telemetry.Bucket
}

func sumFields(s *storedSum) []any {
	return []any{&s.reading.Host, millis{&s.reading.At}, encodedBucket{&s.bucket}}
}

// Buckets is documented at [Store]. The buckets are in the order of hosts and times.
func (b *base) Buckets(ctx context.Context, tier Tier, hosts HostRange, from, to time.Time, yield func(host string, at time.Time, b *telemetry.Bucket) error) error {
	table, what, columns := "readings", names("t.", ""), func(s *storedSum) []any { return allFields(&s.reading) }
	if tier != Seconds {
		table, what, columns = tables[tier], "t.host, t.at, t.summary", sumFields
	}
	// This reads a range of the index for each host, even if all hosts are requested.
	text := "SELECT " + what + " FROM hosts CROSS JOIN " + table + " t WHERE t.host = hosts.host AND t.at >= ? AND t.at < ?"
	args := []any{ceilMilli(from), ceilMilli(to)}
	if hosts.First != "" {
		text, args = text+" AND hosts.host >= ?", append(args, hosts.First)
	}
	if hosts.Last != "" {
		text, args = text+" AND hosts.host <= ?", append(args, hosts.Last)
	}
	for s, err := range rows(ctx, b.reading(), columns, text+" ORDER BY hosts.host, t.at", args...) {
		if err != nil {
			return err
		}
		if tier == Seconds {
			s.bucket.Add(&s.reading)
		}
		if err := yield(s.reading.Host, s.reading.At, &s.bucket); err != nil {
			return err
		}
	}
	return nil
}
