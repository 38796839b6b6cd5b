package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// runHosts handles "pulse hosts".
func runHosts(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c := newCommandLine("pulse hosts", sameDB, stderr)
	inner, err := c.parseInner(args)
	if err != nil {
		return err
	}
	names, known := map[string]int{"list": 0, "rename": 2, "remove": 1, "changes": 0}[inner]
	if !known || c.NArg() != names {
		return c.wrong("%q is not a command, or has the wrong number of names", inner)
	}
	if fault := telemetry.HostFault(c.Arg(1)); inner == "rename" && fault != "" {
		return c.wrong("rename: %q %s", c.Arg(1), fault)
	}
	who := cmp.Or(os.Getenv("SUDO_USER"), os.Getenv("USER"), os.Getenv("USERNAME"), "unknown")
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	return c.use(ctx, store.Options{}, func(s store.Store) (err error) {
		switch inner {
		case "rename":
			return s.RenameHost(ctx, c.Arg(0), c.Arg(1), who)
		case "remove":
			return s.RemoveHost(ctx, c.Arg(0), who)
		case "changes":
			var changes []store.Change
			changes, err = s.Changes(ctx, 100)
			for _, c := range changes {
				fmt.Fprintf(table, "%s\t%s\t%s\n", c.At.UTC().Format(time.DateTime), c.Who, c.Change)
			}
		case "list":
			for cursor, more := mo.None[string](), true; more && err == nil; more = cursor.IsSome() {
				var hosts []store.Host
				hosts, cursor, err = s.Hosts(ctx, store.HostQuery{Cursor: cursor, Limit: 1000})
				for _, h := range hosts {
					fmt.Fprintf(table, "%s\t%s\t%d agents\n", h.Name, h.Heard.UTC().Format(time.DateTime), h.Agents)
				}
			}
		}
		return errors.Join(err, table.Flush())
	})
}
