package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants"
)

// listPromises probes the contestants, and prints for each what it promises
// less than the original.
func listPromises(ctx context.Context, args []string) error {
	flags := newFlags("promises", "Probes the contestants for what the original promises, and prints who promises less. Nothing is timed.\n\n")
	pattern := flags.String("run", "", "only contests whose name matches this regular `expression`")
	if err := parse(flags, args); err != nil {
		return err
	}
	contests, err := choose(contestants.All(), *pattern, "")
	if err != nil {
		return err
	}
	return probeAll(ctx, contests, os.Stdout)
}

// probeAll says of each kind of promise who keeps it, and who keeps less. What
// contests of a kind share is said once.
func probeAll(ctx context.Context, contests []contest.Contest, w io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	prober := contest.Prober{Program: self}
	said := map[string]bool{}
	for _, c := range contests {
		for _, who := range c.Contestants {
			if who.Probes == nil {
				continue
			}
			fewer, err := prober.Fewer(ctx, c, who)
			if err != nil {
				return err
			}
			line := fmt.Sprintf("%s: %s: ", c.Promises, who.Name)
			if fewer == nil {
				line += "keeps all"
			} else {
				line += strings.Join(fewer, "; ")
			}
			if !said[line] {
				said[line] = true
				fmt.Fprintln(w, line)
			}
		}
	}
	return nil
}
