package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

// errUsage means that the command line is wrong, and the user has been told.
var errUsage = errors.New("bad command line")

type flags struct {
	addr      string
	db        string
	retention time.Duration
	noAgent   bool

	host      string
	interval  time.Duration
	agentOnly bool
	server    string
	buffer    int

	verbose bool
}

const usage = `Pulse shows what this machine is doing: processor, memory, disks and network,
live on a web page and kept in a database.

Usage:

  pulse [flags]                         the whole service, on http://127.0.0.1:8080
  pulse -agent-only -server URL [flags] only measure, and report to another pulse

Flags:

`

func parseFlags(args []string, stderr io.Writer) (*flags, error) {
	f := &flags{}
	set := flag.NewFlagSet("pulse", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.Usage = func() {
		fmt.Fprint(stderr, usage)
		set.PrintDefaults()
	}
	name, _ := os.Hostname()
	set.StringVar(&f.addr, "addr", "127.0.0.1:8080", "listen on this `address`; 0.0.0.0:8080 lets other machines in\n(there are no passwords: keep it inside a network that you trust)")
	set.StringVar(&f.db, "db", "pulse.db", "store to this SQLite `file`, made if there is none")
	set.DurationVar(&f.retention, "retention", 7*24*time.Hour, "delete readings older than this `duration`; 0 keeps all")
	set.BoolVar(&f.noAgent, "no-agent", false, "do not measure this machine")
	set.StringVar(&f.host, "host", name, "report under this `name`")
	set.DurationVar(&f.interval, "interval", time.Second, "measure once in this `duration`")
	set.BoolVar(&f.agentOnly, "agent-only", false, "measure and report to -server; store and serve nothing")
	set.StringVar(&f.server, "server", "", "the `URL` that -agent-only reports to, such as http://monitor.example:8080")
	set.IntVar(&f.buffer, "buffer", 3600, "`readings` that the agent keeps while the server does not answer;\npast that the oldest are dropped")
	set.BoolVar(&f.verbose, "v", false, "log every request and sample")
	if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil, err
	} else if err != nil {
		return nil, errUsage // the flag package has said why
	}
	if wrong := f.check(set.Args()); wrong != "" {
		fmt.Fprintf(stderr, "pulse: %s\nRun it with -help to see all flags.\n", wrong)
		return nil, errUsage
	}
	return f, nil
}

// check says what is wrong with the flags, if anything.
func (f *flags) check(rest []string) string {
	switch {
	case len(rest) > 0:
		return fmt.Sprintf("unexpected argument %q", rest[0])
	case f.interval < 100*time.Millisecond:
		return fmt.Sprintf("-interval %s is too short: measuring would be most of what the machine does; use 100ms or more", f.interval)
	case f.retention < 0:
		return "-retention must not be negative; 0 keeps everything"
	case f.buffer < 1:
		return "-buffer must be at least 1"
	case f.agentOnly && f.server == "":
		return "-agent-only needs -server URL, the pulse to report to"
	case !f.agentOnly && f.server != "":
		return "-server is for -agent-only"
	case f.agentOnly && f.noAgent:
		return "-agent-only and -no-agent leave nothing to do"
	case f.host == "" && !f.noAgent:
		return "this machine does not tell its name; give one with -host"
	}
	return ""
}
