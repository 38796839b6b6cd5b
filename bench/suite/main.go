// The suite measures Hone against its peers on this machine; see ../README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants"
)

const usage = `Measures Hone against its peers on this machine.

	go run ./bench [flags]            measure, and write bench/report/index.html
	go run ./bench again              measure the contests of the last run with wide intervals again
	go run ./bench gate -base REV     compare Hone in the working tree with another revision
	go run ./bench promises           probe who promises less than the original, and time nothing
	go run ./bench page -in FOLDER    write FOLDER/index.html from FOLDER/results.json.gz
	go run ./bench docs [-check]      write the figures in README.md and docs
	go run ./bench publish            keep the last full run under docs/benchmarks, and write the docs

Flags (of the others: go run ./bench COMMAND -help):

`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := command(ctx, os.Args[1:]); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has been called
	}
}

func command(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case contest.ServeFlag:
			return serve(args[1:])
		case contest.ProbeFlag:
			return probe(args[1:])
		case "again":
			return measureAgain(ctx, args[1:])
		case "gate":
			return runGate(ctx, args[1:])
		case "promises":
			return listPromises(ctx, args[1:])
		}
	}
	return measure(ctx, args)
}

// serve runs a contestant in a separate process.
func serve(args []string) error {
	if len(args) != 1 {
		return errors.New(contest.ServeFlag + " CONTEST|CONTESTANT is only for the processes that this program starts")
	}
	name, who, _ := strings.Cut(args[0], "|")
	c, w, err := contest.Find(contestants.Suite(name), name, who)
	if err != nil {
		return err
	}
	return contest.Serve(c, w, os.Stdin, os.Stdout)
}

// probe probes a contestant in a separate process.
func probe(args []string) error {
	if len(args) != 1 || strings.Count(args[0], "|") != 2 {
		return errors.New(contest.ProbeFlag + " CONTEST|CONTESTANT|FIRST is only for the processes that this program starts")
	}
	parts := strings.Split(args[0], "|")
	_, w, err := contest.Find(contestants.Suite(parts[0]), parts[0], parts[1])
	if err != nil {
		return err
	}
	return contest.ServeProbes(w, parts[2], os.Stdout)
}

// list prints the contests with their contestants.
func list(w io.Writer, contests []contest.Contest) {
	n := 0
	for _, c := range contests {
		names := make([]string, len(c.Contestants))
		for i, who := range c.Contestants {
			names[i] = who.Name
		}
		n += len(names)
		fmt.Fprintf(w, "%s\n    %s\n", c.Name, strings.Join(names, ", "))
	}
	fmt.Fprintf(w, "\n%d contests, %d contestants in all\n", len(contests), n)
}
