package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/examples/pulse/transfer"
	"github.com/hone-go/hone/mo"
)

// commandLine returns the flags that all commands share.
func commandLine(name string, stderr io.Writer, db *string) *flag.FlagSet {
	set := flag.NewFlagSet("pulse "+name, flag.ContinueOnError)
	set.SetOutput(stderr)
	set.Usage = func() {
		fmt.Fprint(stderr, helpText(name))
		set.PrintDefaults()
	}
	set.StringVar(db, "db", "pulse.db", "the `database`, as in pulse's flag -db")
	return set
}

// wrongUsage writes the fault of a command line to stderr, and returns errUsage.
func wrongUsage(stderr io.Writer, name, wrong string) error {
	fmt.Fprintf(stderr, "pulse %s: %s\nRun it with -help to see all flags.\n", name, wrong)
	return errUsage
}

// parse parses args. It returns flag.ErrHelp if help was requested, and errUsage if args are
// invalid.
func parse(set *flag.FlagSet, args []string) error {
	err := set.Parse(args)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		return errUsage // the flag package has said why
	}
	return err
}

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

func runExport(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	var db, host, tierName string
	var format transfer.Format
	from, to := time.Time{}, time.Now().Add(telemetry.MaxAhead)
	set := commandLine("export", stderr, &db)
	set.TextVar(&format, "format", transfer.Lines, "the `format`: wire, jsonl or csv")
	set.StringVar(&host, "host", "", "only readings of this `name`")
	set.Func("from", "only from this `time` on, such as 2026-03-01T12:00:00Z or 2026-03-01", moment(&from))
	set.Func("to", "only before this `time`", moment(&to))
	set.StringVar(&tierName, "tier", "readings", "readings, or their sums: minutes or hours,\nwhich cannot be imported")
	if err := parse(set, args); err != nil {
		return err
	}
	tier, known := map[string]store.Tier{"readings": store.Seconds, "minutes": store.Minutes, "hours": store.Hours}[tierName]
	switch {
	case set.NArg() > 0:
		return wrongUsage(stderr, "export", fmt.Sprintf("unexpected argument %q: it writes to standard output", set.Arg(0)))
	case !known:
		return wrongUsage(stderr, "export", fmt.Sprintf("-tier %q is not one of readings, minutes, hours", tierName))
	case dbFault(db) != "":
		return wrongUsage(stderr, "export", dbFault(db))
	}
	s, err := openExisting(ctx, db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	out := bufio.NewWriterSize(stdout, 1<<16)
	var n int
	if tier == store.Seconds {
		n, err = exportReadings(ctx, s, out, format, host, from, to)
	} else {
		n, err = exportSteps(ctx, s, out, format, tier, host, from, to)
	}
	if err = errors.Join(err, out.Flush()); err == nil {
		fmt.Fprintf(stderr, "%d %s written\n", n, map[bool]string{true: "readings", false: "lines"}[tier == store.Seconds])
	}
	return err
}

// openExisting opens a database for a command. It returns an error if the file does not exist.
func openExisting(ctx context.Context, db string) (store.Store, error) {
	if _, err := os.Stat(db); errors.Is(err, fs.ErrNotExist) && !isPostgres(db) {
		return nil, fmt.Errorf("there is no database %s", db)
	}
	return openStore(ctx, db, store.Options{})
}

func exportReadings(ctx context.Context, s store.Store, out *bufio.Writer, format transfer.Format, host string, from, to time.Time) (n int, err error) {
	write, err := transfer.NewWriter(out, format, transfer.Readings)
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

func runImport(ctx context.Context, args []string, _, stderr io.Writer) (err error) {
	var db string
	stdin := io.Reader(os.Stdin)
	var format transfer.Format
	var skip bool
	set := commandLine("import", stderr, &db)
	set.TextVar(&format, "format", transfer.Lines, "the `format`: wire, jsonl or csv")
	set.BoolVar(&skip, "skip-bad", false, "skip and count invalid readings;\nby default the first one ends the import")
	if err := parse(set, args); err != nil {
		return err
	}
	if set.NArg() > 1 {
		return wrongUsage(stderr, "import", fmt.Sprintf("unexpected argument %q: it takes one file", set.Arg(1)))
	}
	if dbFault(db) != "" {
		return wrongUsage(stderr, "import", dbFault(db))
	}
	if set.NArg() == 1 {
		file, err := os.Open(set.Arg(0))
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
	s, err := openStore(ctx, db, store.Options{History: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	told := time.Now()
	account, err := transfer.Import(ctx, s, next, skip, func(a transfer.Account) {
		if time.Since(told) > 2*time.Second {
			told = time.Now()
			fmt.Fprintf(stderr, "%s so far\n", a)
		}
	})
	fmt.Fprintln(stderr, account)
	return err
}
