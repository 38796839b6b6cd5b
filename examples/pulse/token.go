package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
)

// runToken handles "pulse token".
func runToken(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	t := store.Token{Created: time.Now()}
	c := newCommandLine("pulse token", sameDB, stderr)
	c.StringVar(&t.Hosts, "host", "*", "the hosts of which readings may be posted: `patterns` with commas between them")
	c.StringVar((*string)(&t.Right), "right", "post", "post, read or admin (rename and remove hosts)")
	inner, err := c.parseInner(args)
	if err != nil {
		return err
	}
	t.Name = c.Arg(0)
	names, known := map[string]int{"add": 1, "list": 0, "remove": 1}[inner]
	switch {
	case !known:
		return c.wrong("unknown command %q", inner)
	case c.NArg() != names:
		return c.wrong("%s: want one name", inner)
	case inner == "add" && t.Right != store.MayPost && t.Right != store.MayRead && t.Right != store.MayAdmin:
		return c.wrong("add: -right %q is not one of post, read, admin", t.Right)
	}
	for pattern := range strings.SplitSeq(t.Hosts, ",") {
		if _, err := path.Match(pattern, ""); err != nil {
			return c.wrong("add: -host %q is not a pattern such as web-*", pattern)
		}
	}
	return c.use(ctx, store.Options{}, func(s store.Store) error {
		switch inner {
		case "add":
			secret := strings.ToLower(rand.Text())
			if err := s.AddToken(ctx, t, secret); err != nil {
				return err
			}
			_, err := fmt.Fprintln(stdout, secret)
			return err
		case "remove":
			return s.RemoveToken(ctx, t.Name)
		}
		tokens, err := s.Tokens(ctx)
		table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
		for _, t := range tokens {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", t.Name, t.Right, t.Hosts, t.Created.UTC().Format(time.DateOnly))
		}
		return errors.Join(err, table.Flush())
	})
}
