// The suite measures Hone against its peers on this machine; see ../README.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), "Measures Hone against its peers on this machine, and prints a table.\n\nUsage: go run ./bench [flags]\n\n")
		flags.PrintDefaults()
	}
	pattern := flags.String("run", "", "only contests whose name matches this regular `expression`, such as json/ or encode$")
	peers := flags.String("peers", "", "only Hone and these contestants, a comma-separated `list`")
	short := flags.Bool("short", false, "few and short samples: a first impression within two minutes")
	count := flags.Int("count", 10, "samples of each contestant")
	duration := flags.Duration("duration", 200*time.Millisecond, "length of each sample")
	out := flags.String("out", filepath.Join("..", "report"), "`folder` for results.json")
	list := flags.Bool("list", false, "print the contests and the contestants, and measure nothing")
	serve := flags.String("serve", "", "") // what a contestant's process is started with
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("what is %q? Run with -help for the flags", flags.Arg(0))
	}
	if *serve != "" {
		name, who, _ := strings.Cut(*serve, "|")
		c, err := contest.Find(contestants.All(), name, who)
		if err != nil {
			return err
		}
		return contest.Serve(c, os.Stdin, os.Stdout)
	}
	contests, err := choose(contestants.All(), *pattern, *peers)
	if err != nil {
		return err
	}
	if *list {
		for _, c := range contests {
			fmt.Print(c.Name, ":")
			for i, who := range c.Contestants {
				if i > 0 {
					fmt.Print(",")
				}
				fmt.Print(" ", who.Name)
			}
			fmt.Println()
		}
		return nil
	}
	if *count < 1 || *duration <= 0 {
		return errors.New("-count and -duration must be positive")
	}
	if *short {
		*count, *duration = 6, 50*time.Millisecond
	}
	// The suite is started by the door in ../, which ignores interrupts for it.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	bar := newProgress(os.Stderr)
	report := Report{Machine: describeMachine(), Date: time.Now().UTC().Truncate(time.Second)}
	report.Results = contest.Run(ctx, contests, contest.Options{Count: *count, Duration: *duration, Progress: bar.show})
	bar.clear()
	printTable(os.Stdout, report)
	if ctx.Err() != nil {
		fmt.Fprintln(os.Stderr, "interrupted: this is what was measured until then")
	}
	return write(report, *out)
}

// choose returns the contests that the flags name.
func choose(all []contest.Contest, pattern, peers string) ([]contest.Contest, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("-run: %w", err)
	}
	named := map[string]bool{}
	for _, p := range strings.Split(peers, ",") {
		if p = strings.TrimSpace(p); p != "" {
			named[p] = false
		}
	}
	var chosen []contest.Contest
	for _, c := range all {
		var who []contest.Contestant
		for _, p := range c.Contestants {
			_, wanted := named[p.Name]
			if wanted {
				named[p.Name] = true
			}
			if wanted || len(named) == 0 || strings.HasPrefix(p.Name, "hone") {
				who = append(who, p)
			}
		}
		c.Contestants = who
		if re.MatchString(c.Name) {
			chosen = append(chosen, c)
		}
	}
	for p, found := range named {
		if !found {
			return nil, fmt.Errorf("-peers: there is no contestant called %q; -list names them", p)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("-run %s matches no contest; -list names them", pattern)
	}
	return chosen, nil
}

func write(r Report, folder string) error {
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	path := filepath.Join(folder, "results.json")
	if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
		return err
	}
	if shown, err := filepath.Abs(path); err == nil {
		path = shown
	}
	fmt.Println("\nwritten to", path)
	return nil
}
