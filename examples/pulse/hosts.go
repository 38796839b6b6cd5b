package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// runHosts handles "pulse hosts".
func runHosts(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	var db string
	command, set, err := subcommand("hosts", args, stderr, &db, func(*flag.FlagSet) {})
	if err != nil {
		return err
	}
	want, known := map[string]int{"list": 0, "rename": 2, "remove": 1, "changes": 0}[command]
	if !known || set.NArg() != want {
		return wrongUsage(stderr, "hosts", fmt.Sprintf("%q is not a command, or has the wrong number of names", command))
	}
	if fault := telemetry.HostFault(set.Arg(1)); command == "rename" && fault != "" {
		return wrongUsage(stderr, "hosts rename", fmt.Sprintf("%q %s", set.Arg(1), fault))
	}
	s, err := openExisting(ctx, db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	who := cmp.Or(os.Getenv("SUDO_USER"), os.Getenv("USER"), os.Getenv("USERNAME"), "unknown")
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	switch command {
	case "rename":
		return s.RenameHost(ctx, set.Arg(0), set.Arg(1), who)
	case "remove":
		return s.RemoveHost(ctx, set.Arg(0), who)
	case "changes":
		changes, e := s.Changes(ctx, 100)
		err = e
		for _, c := range changes {
			fmt.Fprintf(table, "%s\t%s\t%s\n", c.At.UTC().Format(time.DateTime), c.Who, c.Change)
		}
	case "list":
		for q := (store.HostQuery{Limit: 1000}); ; {
			hosts, next, e := s.Hosts(ctx, q)
			err = e
			for _, h := range hosts {
				fmt.Fprintf(table, "%s\t%s\t%d agents\n", h.Name, h.Heard.UTC().Format(time.DateTime), h.Agents)
			}
			if q.Cursor = next; err != nil || next.IsNone() {
				break
			}
		}
	}
	return errors.Join(err, table.Flush())
}
