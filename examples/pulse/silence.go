package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/watch"
)

// runSilence handles "pulse silence".
func runSilence(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	now := time.Now().UTC().Truncate(time.Millisecond)
	s := store.Silence{ID: rand.Text(), Created: now, Who: cmp.Or(os.Getenv("SUDO_USER"), os.Getenv("USER"), os.Getenv("USERNAME"), "unknown")}
	c := newCommandLine("pulse silence", sameDB, stderr)
	c.StringVar(&s.Hosts, "host", "*", "silence hosts with this `pattern` of their name")
	c.StringVar(&s.Tag, "tag", "", "silence only hosts with a tag of this `pattern`, such as role=db")
	c.StringVar(&s.Rule, "rule", "", "silence only this `rule`: a metric such as disk or silent, or the text of a rule")
	c.StringVar(&s.Reason, "reason", "", "the `reason`, which the page shows")
	duration := c.Duration("for", 0, "the `duration`, such as 2h")
	inner, err := c.parseInner(args)
	if err != nil {
		return err
	}
	s.Until = now.Add(*duration)
	fault := cmp.Or(s.Fault(now), watch.SilenceFault(s.Rule))
	arguments, known := map[string]int{"add": 0, "list": 0, "end": 1}[inner]
	switch {
	case !known:
		return c.wrong("unknown command %q", inner)
	case c.NArg() != arguments:
		return c.wrong("%s: want %d arguments, not %d", inner, arguments, c.NArg())
	case inner == "add" && *duration <= 0:
		return c.wrong("add: -for must be set, as in -for 2h")
	case inner == "add" && s.Reason == "":
		return c.wrong("add: -reason must be set")
	case inner == "add" && fault != "":
		return c.wrong("add: %s", fault)
	}
	return c.use(ctx, store.Options{}, func(db store.Store) error {
		switch inner {
		case "add":
			if err := db.AddSilence(ctx, s); err != nil {
				return err
			}
			_, err := fmt.Fprintln(stdout, s.ID)
			return err
		case "end":
			return db.EndSilence(ctx, c.Arg(0))
		}
		silences, err := db.Silences(ctx)
		table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
		for _, s := range silences {
			fmt.Fprintf(table, "%s\tuntil %s\t%s\t%s\t%s\t%s (%s)\n", s.ID, s.Until.UTC().Format(time.DateTime), s.Hosts, cmp.Or(s.Tag, "any tag"), cmp.Or(s.Rule, "all rules"), s.Reason, s.Who)
		}
		return errors.Join(err, table.Flush())
	})
}
