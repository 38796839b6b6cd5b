package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/hone-go/hone/cmd/hone/internal/migrate"
	"github.com/hone-go/hone/cmd/hone/internal/try"
)

const tryHelp = `Measures what the module in the current folder would gain from Hone. Nothing is written
there: hone copies the files as they are, changes the imports in one copy as hone migrate
would, and removes the copies at the end.

It runs the tests before and after. It runs the module's benchmarks that spend time in the
replaced packages, according to a profile: in each round the old code, the new code, and
the old code again as a control. Where a package has no such benchmark, hone writes
benchmarks for the types that the package encodes and decodes, with JSON files of the
module's test data or with random values.

  hone try
  hone try -hone ../hone                 with a clone of Hone
  hone try -only json ./internal/...     only some imports, as in hone migrate
  hone try -bench 'Encode|Decode'        these benchmarks, whatever the profile says
  hone try -limit 3m -json report.json
  hone try -profile cpu.pprof            only read a profile of your program
  hone try -run ./cmd/server -load 'wrk -c 16 -d 5s --latency http://localhost:8080/'

-profile prints which share of a CPU profile is in the packages that would be replaced, and
so about how much the program can gain at most. Nothing is built.

-run builds a program of the module before and after. hone starts each in turn and runs
the command of -load, and compares the CPU time of a request, the latencies that wrk, hey,
oha or ab prints, and the memory. The address in the command says when the server is ready.
Arguments of the program follow its folder: -run './cmd/server -port 8080'.

The exit code is 0 on success, whatever is gained, 1 if a test differs or a package no
longer builds, and 2 if the usage is invalid or the module cannot be tried.

docs/try.md explains the answer.
`

func tryModule(c *call) action {
	var o try.Options
	c.flags.StringVar(&o.Migrate.Hone, "hone", "", "use Hone in this `version`, or the checkout in this folder")
	c.flags.Var((*valueList)(&o.Migrate.Only), "only", "change only imports that match this `value`, as in hone migrate")
	c.flags.Var((*valueList)(&o.Migrate.Skip), "skip", "do not change imports that match this `value`")
	c.flags.BoolVar(&o.Migrate.Generated, "generated", false, "change generated files too")
	c.flags.StringVar(&o.Bench, "bench", "", "measure the benchmarks that match this `pattern`, whatever the profile says")
	c.flags.IntVar(&o.Count, "count", 6, "the `number` of rounds, at least 4")
	c.flags.DurationVar(&o.BenchTime, "benchtime", 200*time.Millisecond, "the `time` of each run of a benchmark")
	c.flags.DurationVar(&o.Limit, "limit", 15*time.Minute, "the `time` that the whole run may take; 0 for no limit")
	c.flags.StringVar(&o.Command, "run", "", "measure this `program` of the module under load, with -load")
	c.flags.StringVar(&o.Load, "load", "", "the `command` that loads the program of -run")
	profile := c.flags.String("profile", "", "read the CPU profile in this `file`, and build nothing")
	report := c.flags.String("json", "", "write a report to this `file`; - prints it instead of the screen")
	quiet := c.flags.Bool("q", false, "print no progress")
	return func(args []string) error {
		o.Migrate.Patterns = args
		switch {
		case o.Count < 4:
			return fmt.Errorf("-count must be at least 4, because fewer rounds cannot show a difference: %w", errUsage)
		case (o.Command == "") != (o.Load == ""):
			return fmt.Errorf("-run and -load need each other: %w", errUsage)
		case *profile != "" && (o.Command != "" || o.Bench != ""):
			return fmt.Errorf("-profile only reads a profile, and measures nothing: %w", errUsage)
		}
		if *profile != "" {
			return c.readProfile(*profile, *report)
		}
		p := newProgress(c.stderr)
		if *quiet {
			p = newProgress(io.Discard)
		}
		p.unit = "steps"
		o.Migrate.Progress, o.Migrate.Count = p.step, p.count
		defer p.clear()
		result, err := runTry(o, c.stderr)
		if err != nil {
			return fmt.Errorf("%w: %w", errUnread, err)
		}
		p.clear()
		if *report != "-" {
			result.Print(c.stdout)
		}
		if err := c.writeJSON(*report, result); err != nil {
			return err
		}
		if result.Tests != nil && result.Tests.Differs() {
			return errNo
		}
		return nil
	}
}

// runTry runs the trial with a temporary folder, which is removed even on an interrupt.
func runTry(o try.Options, stderr io.Writer) (report *try.Report, err error) {
	ctx, stop := untilInterrupt()
	defer stop()
	tmp, err := os.MkdirTemp("", "hone-try-*")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err := removeAll(tmp); err != nil {
			fmt.Fprintf(stderr, "hone: the temporary folder %s remains, remove it: %v\n", tmp, err)
		}
		if ctx.Err() != nil && err != nil {
			err = fmt.Errorf("interrupted: %w", err)
		}
	}()
	return try.Run(ctx, tmp, o)
}

// removeAll removes a folder with the folders in it that tests have made read-only.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	// The error of the second attempt counts.
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// writeJSON writes a report to the file of the flag -json. "" is no file, and "-" the standard output.
func (c *call) writeJSON(name string, report any) error {
	if name == "" {
		return nil
	}
	data, err := json.MarshalIndent(report, "", "\t")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	if name == "-" {
		_, err = c.stdout.Write(data)
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// readProfile prints the share of a profile in the packages that would be replaced.
func (c *call) readProfile(name, report string) error {
	module := ""
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err == nil {
		if data, err := os.ReadFile(string(bytes.TrimSpace(out))); err == nil {
			module = modfile.ModulePath(data)
		}
	}
	var replaced []string
	for _, r := range slices.Concat(migrate.Rules(false, ""), migrate.Rules(false, "echo/v4")) {
		if !strings.Contains(r.From, "hone-go/hone") && !slices.Contains(replaced, r.From) {
			replaced = append(replaced, r.From)
		}
	}
	share, err := try.ReadProfile(name, replaced, module)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnread, err)
	}
	if report != "-" {
		share.Print(c.stdout, name, module)
	}
	return c.writeJSON(report, share)
}
