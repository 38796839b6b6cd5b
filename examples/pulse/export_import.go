package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/examples/pulse/transfer"
	"github.com/hone-go/hone/mo"
)

// moment returns a function for FlagSet.Func that parses a time or a day into t.
func moment(t *time.Time) func(string) error {
	return func(text string) (err error) {
		for _, layout := range []string{time.RFC3339, time.DateOnly} {
			if *t, err = time.Parse(layout, text); err == nil {
				return nil
			}
		}
		return errors.New("must be a time such as 2026-03-01T12:00:00Z, or a day such as 2026-03-01")
	}
}

func runExport(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var host, tierName string
	var format transfer.Format
	from, to := time.Time{}, time.Now().Add(telemetry.MaxAhead)
	c := newCommandLine("pulse export", sameDB, stderr)
	c.TextVar(&format, "format", transfer.Lines, "the `format`: wire, jsonl or csv")
	c.StringVar(&host, "host", "", "only readings of this `name`")
	c.Func("from", "only from this `time` on, such as 2026-03-01T12:00:00Z or 2026-03-01", moment(&from))
	c.Func("to", "only before this `time`", moment(&to))
	c.StringVar(&tierName, "tier", "readings", "readings, or their sums: minutes or hours,\nwhich cannot be imported")
	if err := c.parse(args); err != nil {
		return err
	}
	tier, known := map[string]store.Tier{"readings": store.Seconds, "minutes": store.Minutes, "hours": store.Hours}[tierName]
	switch {
	case c.NArg() > 0:
		return c.wrong("unexpected argument %q: it writes to standard output", c.Arg(0))
	case !known:
		return c.wrong("-tier %q is not one of readings, minutes, hours", tierName)
	}
	return c.use(ctx, store.Options{}, func(s store.Store) (err error) {
		out := bufio.NewWriterSize(stdout, 1<<16)
		var n int
		rows := "readings"
		if tier == store.Seconds {
			n, err = exportReadings(ctx, s, out, format, host, from, to)
		} else {
			rows = "lines"
			n, err = exportSteps(ctx, s, out, format, tier, host, from, to)
		}
		if err = errors.Join(err, out.Flush()); err == nil {
			fmt.Fprintf(stderr, "%d %s written\n", n, rows)
		}
		return err
	})
}

func exportReadings(ctx context.Context, s store.Store, out *bufio.Writer, format transfer.Format, host string, from, to time.Time) (n int, err error) {
	write, err := transfer.NewWriter(out, format, telemetry.Columns)
	if err != nil {
		return 0, err
	}
	q := store.Query{From: mo.Some(from), To: mo.Some(to), Host: mo.EmptyableToOption(host), Limit: 1000}
	for {
		page, next, err := s.Readings(ctx, q)
		if err != nil {
			return n, err
		}
		for i := range page {
			if err := write(&page[i]); err != nil {
				return n, err
			}
		}
		n += len(page)
		if q.Cursor = next; next.IsNone() {
			return n, nil
		}
	}
}

func exportSteps(ctx context.Context, s store.Store, out *bufio.Writer, format transfer.Format, tier store.Tier, host string, from, to time.Time) (n int, err error) {
	write, err := transfer.NewWriter(out, format, transfer.Steps)
	if err != nil {
		return 0, err
	}
	err = s.Buckets(ctx, tier, store.OneHost(host), from, to, func(host string, at time.Time, b *telemetry.Bucket) error {
		for i, sum := range b.Lines[:min(len(b.Lines), len(telemetry.Lines))] { // a newer pulse may have more lines
			mean, some := sum.Mean()
			if !some {
				continue
			}
			n++
			if err := write(&transfer.Step{Host: host, At: at, Line: telemetry.Lines[i].Name, Count: sum.Count, Min: sum.Min, Mean: mean, Max: sum.Max}); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

func runImport(ctx context.Context, args []string, _, stderr io.Writer) error {
	stdin := io.Reader(os.Stdin)
	var format transfer.Format
	var skip bool
	c := newCommandLine("pulse import", sameDB, stderr)
	c.TextVar(&format, "format", transfer.Lines, "the `format`: wire, jsonl or csv")
	c.BoolVar(&skip, "skip-bad", false, "skip and count invalid readings;\nby default the first one ends the import")
	if err := c.parse(args); err != nil {
		return err
	}
	if c.NArg() > 1 {
		return c.wrong("unexpected argument %q: it takes one file", c.Arg(1))
	}
	if c.NArg() == 1 {
		file, err := os.Open(c.Arg(0))
		if err != nil {
			return err
		}
		defer file.Close()
		stdin = file
	}
	next, err := transfer.NewReader(bufio.NewReaderSize(stdin, 1<<16), format)
	if err != nil {
		return err
	}
	return c.use(ctx, store.Options{History: true}, func(s store.Store) error {
		told := time.Now()
		account, err := transfer.Import(ctx, s, next, skip, func(a transfer.Account) {
			if time.Since(told) > 2*time.Second {
				told = time.Now()
				fmt.Fprintf(stderr, "%s so far\n", a)
			}
		})
		fmt.Fprintln(stderr, account)
		return err
	})
}
