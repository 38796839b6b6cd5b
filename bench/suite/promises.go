package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hone-go/hone/bench/suite/cli"
	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants"
	"github.com/hone-go/hone/bench/suite/publication"
	"github.com/hone-go/hone/bench/suite/results"
)

// listPromises probes the contestants, and prints the promises that each of them breaks.
func listPromises(ctx context.Context, args []string) error {
	flags := cli.NewFlags("promises", "Probes which promises of the original library each contestant keeps, and prints the promises that it breaks. Nothing is timed.\n\n")
	pattern := flags.String("run", "", "only contests whose name matches this regular `expression`")
	folder := flags.String("in", "", "add the findings to the results.json.gz in this `folder`, which must have the same peers, and rewrite its page")
	if err := cli.Parse(flags, args); err != nil {
		return err
	}
	contests, err := choose(contestants.All(), *pattern, "")
	if err != nil {
		return err
	}
	if *folder != "" {
		return addPromises(ctx, contests, *folder)
	}
	return probeAll(ctx, contests, os.Stdout)
}

// addPromises probes the contestants and adds the findings to existing results, if the versions
// of the peers are the same.
func addPromises(ctx context.Context, contests []contest.Contest, folder string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	r, err := results.Read(folder)
	if err != nil {
		return err
	}
	for module, version := range results.Modules() {
		if was, ok := r.Modules[module]; ok && was != version {
			return fmt.Errorf("the results were measured with %s %s, but this suite has %s", module, was, version)
		}
	}
	prober := contest.Prober{Program: self}
	for i := range r.Contests {
		o := &r.Contests[i]
		for j := range o.Results {
			c, who, err := contest.Find(contests, o.Name, o.Results[j].Contestant)
			if err != nil {
				continue // the contestant was measured, but no longer exists
			}
			o.Promises = c.Promises
			if o.Results[j].Fewer, err = prober.Probed(ctx, c, who); err != nil {
				return err
			}
		}
	}
	if err := r.Write(folder); err != nil {
		return err
	}
	return publication.Page([]string{"-in", folder})
}

// probeAll prints, for each kind of promise, which contestants keep it and which break it. A
// finding that several contests of a kind have in common is printed once.
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
			fewer, err := prober.Probed(ctx, c, who)
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
